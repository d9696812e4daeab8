#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// Vertices of a character: the features of each one's pairs, and what its own weights say of them.
struct SampleSet {
  std::vector<std::uint32_t> first = {0};  ///< vertex v has the pairs first[v] .. first[v + 1]
  std::vector<float> features;             ///< pair_feature_count a pair
  std::vector<float> own;                  ///< of each pair: the weight that the file has
  std::vector<float> elsewhere;            ///< of each vertex: weight of joints that are no pair's
  double falloff_l1 = 0.0;  ///< mean over the vertices: L1 from the weights by falloff

  std::size_t vertex_count() const { return first.size() - 1; }
  std::size_t pair_count(std::size_t vertex) const { return first[vertex + 1] - first[vertex]; }
};

/// A character to fit on.
struct CharacterSamples {
  std::string name;
  std::string group;  ///< its author: judged together, by networks that saw none of the group
  SampleSet whole;
  SampleSet reduced;  ///< the same character with a coarser skeleton; only fitted on
};

struct SampleOptions {
  int resolution = 256;         ///< voxels per side, a power of two
  std::size_t vertices = 1500;  ///< of a character and skeleton, about; at least 1
  double min_drop = 0.1;        ///< least share of joints taken out of the coarser skeleton, 0..1
  double max_drop = 0.6;        ///< largest such share, min_drop..1
  unsigned seed = 0;
};

/// Why a character's weights are not fit to be learned from; empty: they are.
std::string why_unfit(const Scene& scene);

/// Samples of the meshes with a skin. A joint that is taken out gives its weight to its parent.
/// Throws Error as bind_skin() does.
CharacterSamples samples_of(const Scene& scene, const SampleOptions& options);

/// A skeleton without some of its joints.
struct ReducedSkeleton {
  std::vector<Joint> joints;
  std::vector<std::uint32_t> kept_as;  ///< of each former joint: what stands for it now
};

/// Without the joints that `drop` names and that have a parent.
ReducedSkeleton reduce_skeleton(std::span<const Joint> joints, const std::vector<bool>& drop);

}  // namespace gvbind
