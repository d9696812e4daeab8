#pragma once

// Tested by tests/unit/gvbind/fitted_weights_test.cpp.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/bind_options.h"
#include "gvbind/fitted/candidate_field.h"
#include "gvbind/joint.h"

namespace gvbind {

/// Number of name hints.
constexpr std::size_t name_hint_count = 15;
/// Number of features that depend on the joint only.
constexpr std::size_t joint_number_count = 18 + name_hint_count;

/// Features of a joint that do not depend on the point.
struct JointTraits {
  double log_length = 0.0;  ///< of its longest bone, cube sides
  double thickness = 0.0;   ///< of the solid around it, cube sides
  double log_thickness = 0.0;
  double log_territory = 0.0;  ///< fraction of the solid nearest to it
  bool is_leaf = false;
  std::array<float, joint_number_count> number{};
};

/// The skeleton, prepared for queries of pairs.
struct JointTable {
  std::vector<JointTraits> traits;
  std::vector<int> parent;
  std::vector<Eigen::Vector3d> position;  ///< lattice
  /// Depth-first number of a joint, and of its last descendant.
  std::vector<std::uint32_t> visit, last_visit;

  /// Number of steps along the skeleton; 8 for more, and for separate trees.
  int steps(std::uint32_t a, std::uint32_t b) const;
  bool is_above(std::uint32_t a, std::uint32_t b) const {
    return a != b && visit[a] <= visit[b] && visit[b] <= last_visit[a];
  }
};

JointTable joint_table(const CharacterDistances& distances, const CandidateField& field,
                       std::span<const Joint> joints, NameRule names = NameRule::use);

/// JointTraits::number, a row per joint.
std::vector<float> joint_features(const JointTable& joints);

/// The hints in a name: words listed in joint_traits.cpp, case-insensitive, after the last colon.
std::array<bool, name_hint_count> name_hints(std::string_view name);

}  // namespace gvbind
