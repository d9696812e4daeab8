#include "gvbind/distance/geodesic_distance.h"

#include <algorithm>

#include "gvbind/base/parallel.h"
#include "gvbind/distance/delta_stepping.h"

namespace gvbind {

DistanceField geodesic_distances(const SparseVoxels& voxels, std::span<const Seed> seeds,
                                 std::size_t influences, const DistanceOptions& options) {
  const EdgeCosts costs(voxels, options.penalty);
  DistanceField field;
  const bool all = options.max_influences == 0;
  const std::size_t n =
      all ? influences : std::min<std::size_t>(options.max_influences, influences);
  field.labels_per_voxel = static_cast<int>(n);
  field.labels.assign(voxels.size() * n, no_label);
  if (n == 0) return field;
  if (!all) {
    delta_stepping(voxels, costs, seeds, field.labels, n, true);
    return field;
  }
  std::vector<std::vector<Seed>> own(influences);
  for (const Seed& start : seeds) own[label_joint(start.label)].push_back(start);
  parallel_for(influences, 1, [&](std::size_t begin, std::size_t end) {
    std::vector<Label> labels;
    for (std::size_t i = begin; i < end; ++i) {
      labels.assign(voxels.size(), no_label);
      delta_stepping(voxels, costs, own[i], labels, 1, false);
      for (std::size_t v = 0; v < voxels.size(); ++v) field.labels[v * n + i] = labels[v];
    }
  });
  parallel_for(voxels.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      std::sort(field.labels.begin() + v * n, field.labels.begin() + (v + 1) * n);
  });
  return field;
}

}  // namespace gvbind
