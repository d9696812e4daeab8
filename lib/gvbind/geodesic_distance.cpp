#include "gvbind/geodesic_distance.h"

#include <algorithm>

#include "gvbind/front.h"
#include "gvbind/parallel.h"
#include "gvbind/step_lengths.h"

namespace gvbind {

DistanceField geodesic_distances(const SparseVoxels& voxels, std::span<const Start> starts,
                                 std::size_t influences, const DistanceOptions& options) {
  const StepLengths steps(voxels, options.penalty);
  DistanceField field;
  const bool all = options.max_influences == 0;
  const std::size_t n =
      all ? influences : std::min<std::size_t>(options.max_influences, influences);
  field.labels_a_voxel = static_cast<int>(n);
  field.labels.assign(voxels.size() * n, no_label);
  if (n == 0) return field;
  if (!all) {
    advance_front(voxels, steps, starts, field.labels, n, true);
    return field;
  }
  std::vector<std::vector<Start>> own(influences);
  for (const Start& start : starts) own[label_influence(start.label)].push_back(start);
  parallel_for(influences, 1, [&](std::size_t begin, std::size_t end) {
    std::vector<Label> labels;
    for (std::size_t i = begin; i < end; ++i) {
      labels.assign(voxels.size(), no_label);
      advance_front(voxels, steps, own[i], labels, 1, false);
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
