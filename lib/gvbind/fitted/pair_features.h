#pragma once

// Tested by tests/unit/gvbind/fitted_weights_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/fitted/candidate_field.h"
#include "gvbind/fitted/joint_traits.h"
#include "gvbind/fitted/pair_network.h"
#include "gvbind/fitted/surface_heat.h"
#include "gvbind/weights/character_weights.h"

namespace gvbind {

/// Number of features that depend on the point; they come first.
constexpr std::size_t point_number_count = 44;
constexpr std::size_t pair_feature_count = point_number_count + joint_number_count;

/// A point to be scored.
struct PointSite {
  Eigen::Vector3i at;  ///< lattice
  /// Where fine distances are read: beside a separated contact, on its own side.
  Eigen::Vector3i reading;
  Eigen::Vector3d normal;           ///< of the surface, or zero
  std::uint32_t component;          ///< of the mesh
  WeightRow falloff;                ///< falloff weights at the point
  std::span<const JointHeat> heat;  ///< shares of heat at the point
};

/// The candidate joints of a point and their features.
struct PointPairs {
  std::size_t count = 0;
  double nearest = 0.0;  ///< falloff distance of the nearest joint, cube sides
  std::uint32_t joint[max_pairs];
  float feature[max_pairs][pair_feature_count];
};

/// Data shared by the pairs of all points.
struct PairContext {
  CandidateField field;
  JointTable joints;
  SurfaceHeat heat;
  std::vector<Eigen::Vector3d> normal;  ///< by vertex, or zero
  std::size_t components = 0;           ///< of the mesh
  double log_components = 0.0;          ///< ln(components) / 4
};

struct PairContextOptions {
  NameRule names = NameRule::use;
  OutsideRule outside = OutsideRule::extend;
  std::span<const std::uint32_t> mesh_starts = {};  ///< as BindOptions::mesh_starts
};

PairContext pair_context(const CharacterDistances& distances, std::span<const Joint> joints,
                         const PairContextOptions& options = {});

/// The pairs of a point, nearest first; empty if no joint is near.
void pairs_at(const CharacterDistances& distances, const WeightRules& rules,
              const CharacterWeights& falloff, const PairContext& context, const PointSite& site,
              PointPairs& pairs);

/// The features of pairs_at() by their dependence on point and joint.
FeatureGroups feature_groups();

/// The site of a vertex.
PointSite vertex_site(const CharacterDistances& distances, const CharacterWeights& falloff,
                      const PairContext& context, std::uint32_t vertex);

}  // namespace gvbind
