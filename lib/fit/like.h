#pragma once

// Tested by tests/unit/fit/like_test.cpp and tests/command/like_test.py.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bind/finished_meshes.h"
#include "fit/character_samples.h"
#include "gvbind/fitted/painted_pairs.h"
#include "gvbind/fitted/pair_network.h"
#include "gvbind/joint.h"
#include "io/read_limits.h"

namespace gvbind::fit {

/// A finished character whose weights others are to follow.
struct Sibling {
  std::string file;
  std::vector<FinishedMesh> meshes;
  std::vector<Joint> joints;
  SampleSet samples;
};

/// Siblings to follow, and the gain on vertices of theirs that were left out.
struct LikeFit {
  std::shared_ptr<const PaintedPairs> painted;
  double without = 0.0, with = 0.0;  ///< L1 distances to the artist's weights
};

constexpr int like_resolution = 128;             ///< of the siblings' solids
constexpr std::size_t like_vertices = 1500;      ///< of one sibling, approximately
constexpr std::size_t all_like_vertices = 4000;  ///< of all siblings
/// Distances between pairs are divided by this times the root of twice the number of features,
/// after each is divided by its deviation in the training.
constexpr float like_reach = 0.15f;

/// Throws Error, with the file's name: as read_to_patch(); cannot_bind for a file without a skin,
/// or with weights that cannot be followed.
Sibling read_sibling(const std::string& file, std::size_t vertices, const ReadLimits& limits);

/// Pairs of the siblings as they differ from the networks. With two siblings or more, the weight of
/// the networks is the one by which each sibling follows the others best; with one it is 0.3, and
/// half of the vertices judge. Throws Error(cannot_bind) where that brings the siblings closer
/// to their own weights by less than 0.001.
LikeFit fit_like(std::span<const Sibling> siblings, const FittedNetworks& networks);

}  // namespace gvbind::fit
