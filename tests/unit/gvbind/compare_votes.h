#pragma once

#include <bit>
#include <cmath>

#include "gvbind/base/parallel.h"
#include "gvbind/prepare/winding_number.h"
#include "gvbind/solid/ambiguous_voxels.h"

namespace gvbind::test {

/// A reference: evaluates the winding number of every voxel with a single vote, and sums over all
/// triangles if the tree is not certain.
inline BitGrid decided_voxel_by_voxel(const VotedSolid& voted, const LatticeMesh& scene) {
  constexpr double unsure = 0.01;
  const WindingTree tree(scene);
  BitGrid grid = voted.solid.non_exterior;
  const double side = static_cast<double>(lattice_size) / grid.resolution;
  parallel_for(static_cast<std::size_t>(grid.resolution), 1,
               [&](std::size_t begin, std::size_t end) {
                 for (int z = static_cast<int>(begin); z < static_cast<int>(end); ++z)
                   for (int y = 0; y < grid.resolution; ++y)
                     for (int x = 0; x < grid.resolution; ++x) {
                       if (!voted.ambiguous.test(x, y, z)) continue;
                       const Eigen::Vector3d at = Eigen::Vector3d(x + 0.5, y + 0.5, z + 0.5) * side;
                       double winding = tree(at);
                       if (std::abs(winding - 0.5) < unsure) winding = winding_number(scene, at);
                       if (winding > 0.5) grid.set(x, y, z);
                     }
               });
  return grid;
}

struct VotesCompared {
  std::size_t votes = 0, queries = 0, different = 0;
};

/// Compares cells with the reference.
inline VotesCompared compare_votes(VotedSolid voted, const LatticeMesh& scene,
                                   const AmbiguousOptions& options = {}) {
  VotesCompared compared;
  const BitGrid expected = decided_voxel_by_voxel(voted, scene);
  compared.votes = voted.solid.ambiguous_voxels;
  compared.queries = resolve_ambiguous_voxels(voted, scene, WindingTree(scene), options);
  for (std::size_t i = 0; i < expected.words.size(); ++i)
    compared.different += static_cast<std::size_t>(
        std::popcount(expected.words[i] ^ voted.solid.non_exterior.words[i]));
  return compared;
}

}  // namespace gvbind::test
