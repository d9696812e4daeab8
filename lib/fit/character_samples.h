#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "character/scene.h"

namespace gvbind::fit {

/// Vertices of a character: features of their pairs, and their weights in the file.
struct SampleSet {
  std::vector<std::uint32_t> first = {0};  ///< pairs of vertex v: first[v] .. first[v + 1]
  std::vector<float> features;             ///< pair_feature_count per pair
  std::vector<float> own;                  ///< by pair: weight in the file
  std::vector<std::uint32_t> joint;        ///< by pair: of the scene; of the coarser skeleton
  std::vector<float> elsewhere;            ///< by vertex: weight of joints without a pair
  double falloff_l1 = 0.0;  ///< mean L1 distance to the falloff weights, over vertices

  std::size_t vertex_count() const { return first.size() - 1; }
  std::size_t pair_count(std::size_t vertex) const { return first[vertex + 1] - first[vertex]; }
};

/// A training character.
struct CharacterSamples {
  std::string name;
  std::string group;  ///< its author: evaluated by networks trained without this group
  SampleSet whole;
  SampleSet reduced;  ///< the same character with a coarser skeleton; for training only
};

struct SampleOptions {
  int resolution = 256;         ///< voxels per side, a power of two
  std::size_t vertices = 1500;  ///< of a character and skeleton, approximately; at least 1
  double min_drop = 0.1;  ///< minimum fraction of joints removed for the coarser skeleton, 0..1
  double max_drop = 0.6;  ///< maximum fraction, min_drop..1
  unsigned seed = 0;
};

/// Why a character's weights are unsuitable for training; empty: they are suitable.
std::string why_unfit(const Scene& scene);

/// Samples of the skinned meshes. A removed joint's weight goes to its parent. Throws Error like
/// bind_skin().
CharacterSamples samples_of(const Scene& scene, const SampleOptions& options);

/// The samples of the file's own skeleton alone.
SampleSet whole_samples_of(const Scene& scene, const SampleOptions& options);

/// A skeleton with some joints removed.
struct ReducedSkeleton {
  std::vector<Joint> joints;
  std::vector<std::uint32_t> kept_as;  ///< by original joint: index of the joint that replaces it
};

/// Removes the joints marked in `drop` that have a parent.
ReducedSkeleton reduce_skeleton(std::span<const Joint> joints, const std::vector<bool>& drop);

}  // namespace gvbind::fit
