#include "gvbind/geodesic_distance.h"

#include <algorithm>
#include <cmath>

#include "gvbind/front.h"
#include "gvbind/parallel.h"

namespace gvbind {

StepLengths::StepLengths(const SparseVoxels& voxels, double penalty)
    : voxels_(voxels), penalty_(penalty) {
  const double voxel = static_cast<double>(lattice_size / voxels.resolution) * units_a_step;
  for (int boundary = 0; boundary < 2; ++boundary)
    for (int level = 0; level < 16; ++level)
      for (int contact = 0; contact < 3; ++contact)
        same_size_[boundary][level][contact] = static_cast<std::uint64_t>(std::llround(
            voxel * (1 << level) * std::sqrt(contact + 1.0) * (boundary ? penalty : 1.0)));
  shortest_ = same_size_[0][0][0];
}

std::uint64_t StepLengths::operator()(std::uint32_t from, Neighbor to) const {
  const bool boundary = voxels_.boundary[to.voxel()];
  if (to.contact() != Neighbor::other_size)
    return same_size_[boundary][voxels_.level[from]][to.contact()];
  const Eigen::Vector3i between = voxels_.center(to.voxel()) - voxels_.center(from);
  const double length = between.cast<double>().norm() * units_a_step;
  return static_cast<std::uint64_t>(std::llround(length * (boundary ? penalty_ : 1.0)));
}

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
