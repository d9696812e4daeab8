#include "gvbind/geodesic_distance.h"

#include <algorithm>
#include <cmath>

#include "gvbind/parallel.h"

namespace gvbind {

namespace {

constexpr std::uint64_t farthest = (std::uint64_t{1} << (64 - label_influence_bits)) - 2;

/// Labels by distance, in buckets as wide as the shortest step: what a bucket's labels reach lies
/// in later buckets, so its own labels are final and may be settled in any order.
class BucketQueue {
 public:
  explicit BucketQueue(std::uint64_t width) : width_(width) {}

  void push(const Start& entry) {
    const std::uint64_t bucket = label_distance(entry.label) / width_;
    if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
    if (buckets_[bucket].capacity() == 0 && !spare_.empty()) {
      buckets_[bucket].swap(spare_.back());
      spare_.pop_back();
    }
    buckets_[bucket].push_back(entry);
  }

  /// Swaps the next bucket's entries into `entries`; false when nothing is left.
  bool pop(std::vector<Start>& entries) {
    if (entries.capacity() > 0) {
      entries.clear();
      spare_.push_back(std::move(entries));
    }
    while (next_ < buckets_.size() && buckets_[next_].empty()) ++next_;
    if (next_ == buckets_.size()) return false;
    entries = std::move(buckets_[next_++]);
    return true;
  }

 private:
  std::uint64_t width_;
  std::size_t next_ = 0;
  std::vector<std::vector<Start>> buckets_, spare_;
};

/// Puts a label into a voxel's row of nearest ones, one an influence; false if it is none of them.
bool insert_label(std::span<Label> row, Label label) {
  if (label >= row.back()) return false;
  std::size_t i = 0;
  for (; row[i] <= label; ++i)
    if (label_influence(row[i]) == label_influence(label)) return false;
  Label moved = label;
  for (; i < row.size(); ++i) {
    std::swap(row[i], moved);
    if (moved == no_label || label_influence(moved) == label_influence(label)) break;
  }
  return true;
}

void run_front(const SparseVoxels& voxels, const StepLengths& steps, std::span<const Start> starts,
               std::span<Label> labels, std::size_t n) {
  BucketQueue queue(steps.shortest());
  const auto offer = [&](std::uint32_t voxel, Label label) {
    if (insert_label(labels.subspan(voxel * n, n), label)) queue.push({voxel, label});
  };
  for (const Start& start : starts) offer(start.voxel, start.label);
  std::vector<Start> bucket;
  while (queue.pop(bucket))
    for (const auto [voxel, label] : bucket) {
      const std::span<Label> row = labels.subspan(voxel * n, n);
      // Nearer influences may have pushed it out since.
      if (std::find(row.begin(), row.end(), label) == row.end()) continue;
      for (std::uint32_t k = voxels.first[voxel]; k < voxels.first[voxel + 1]; ++k) {
        const Neighbor to = voxels.neighbors[k];
        const std::uint64_t step = steps(voxel, to);
        if (label_distance(label) > farthest - step) continue;
        offer(to.voxel(), label + (step << label_influence_bits));
      }
    }
}

}  // namespace

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
    run_front(voxels, steps, starts, field.labels, n);
    return field;
  }
  std::vector<std::vector<Start>> own(influences);
  for (const Start& start : starts) own[label_influence(start.label)].push_back(start);
  parallel_for(influences, 1, [&](std::size_t begin, std::size_t end) {
    std::vector<Label> labels;
    for (std::size_t i = begin; i < end; ++i) {
      labels.assign(voxels.size(), no_label);
      run_front(voxels, steps, own[i], labels, 1);
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
