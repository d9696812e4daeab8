#include "gvbind/air_bridges.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "gvbind/front.h"
#include "gvbind/nearest.h"
#include "gvbind/parallel.h"
#include "gvbind/step_lengths.h"

namespace gvbind {

namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

/// Voxels that hang together, and how a part of them comes to its labels.
struct Part {
  std::vector<std::uint32_t> voxels;  ///< ascending
  std::vector<std::uint32_t> shell;   ///< its boundary voxels, or all if it has none
  Eigen::Array3d low, high;           ///< of the centers, lattice
  std::size_t from = 0;               ///< the part that it is joined to
  double gap = unreached;             ///< to that, lattice steps
  std::size_t depth = 0;              ///< joins between it and what was reached
};

double box_gap(const Part& a, const Part& b) {
  return (a.low - b.high).max(b.low - a.high).max(0.0).matrix().norm();
}

class Bridges {
 public:
  Bridges(const SparseVoxels& voxels, DistanceField& field)
      : voxels_(voxels), field_(field), n_(static_cast<std::size_t>(field.labels_a_voxel)) {}

  AirBridges build(const DistanceOptions& options) {
    AirBridges report;
    find_parts();
    if (parts_.size() < 2 || parts_[0].voxels.empty()) return report;
    const std::vector<std::size_t> joined = join();
    const StepLengths steps(voxels_, options.penalty);
    std::size_t deepest = 0;
    for (const std::size_t p : joined) deepest = std::max(deepest, parts_[p].depth);
    std::vector<std::vector<std::size_t>> by_depth(deepest + 1);
    for (const std::size_t p : joined) by_depth[parts_[p].depth].push_back(p);
    for (const std::vector<std::size_t>& level : by_depth) {
      std::vector<Start> starts;
      for (const std::size_t p : level) {
        add_starts(parts_[p], options.penalty, starts);
        ++report.parts;
        report.voxels += parts_[p].voxels.size();
        report.longest = std::max(report.longest, parts_[p].gap / lattice_size);
      }
      advance_front(voxels_, steps, starts, field_.labels, n_, true);
    }
    return report;
  }

 private:
  bool has_labels(std::uint32_t voxel) const { return field_.labels[voxel * n_] != no_label; }

  template <class Visit>
  void for_neighbors(std::uint32_t voxel, const Visit& visit) const {
    const Leaf& leaf = voxels_.leaves[voxel];
    for (Directions near = leaf.near; near != 0; near &= near - 1)
      visit(voxels_.neighbor(leaf, std::countr_zero(near)));
    if (leaf.first_other == no_voxel) return;
    const OtherSize* other = &voxels_.others[leaf.first_other];
    do visit(other->voxel);
    while (!other++->last);
  }

  /// Part 0 is what has labels, if anything is without.
  void find_parts() {
    std::vector<bool> seen(voxels_.size());
    for (std::uint32_t first = 0; first < voxels_.size(); ++first) {
      if (seen[first] || has_labels(first)) continue;
      if (parts_.empty()) parts_.emplace_back();
      Part part;
      part.voxels = {first};
      seen[first] = true;
      for (std::size_t i = 0; i < part.voxels.size(); ++i)
        for_neighbors(part.voxels[i], [&](std::uint32_t to) {
          if (seen[to]) return;
          seen[to] = true;
          part.voxels.push_back(to);
        });
      std::ranges::sort(part.voxels);
      complete(part);
      parts_.push_back(std::move(part));
    }
    if (parts_.empty()) return;
    for (std::uint32_t v = 0; v < voxels_.size(); ++v)
      if (!seen[v]) parts_[0].voxels.push_back(v);
    if (!parts_[0].voxels.empty()) complete(parts_[0]);
  }

  void complete(Part& part) const {
    part.low = part.high = center(part.voxels.front()).array();
    for (const std::uint32_t v : part.voxels) {
      part.low = part.low.min(center(v).array());
      part.high = part.high.max(center(v).array());
      if (voxels_.leaves[v].boundary) part.shell.push_back(v);
    }
    if (part.shell.empty()) part.shell = part.voxels;
  }

  Eigen::Vector3d center(std::uint32_t voxel) const { return voxels_.center(voxel).cast<double>(); }

  /// The voxels of a part nearest to a point, all of equally near ones, if they are no further than
  /// `bound`, which becomes their distance.
  void nearest(const Part& part, const Eigen::Vector3d& point, double& bound,
               std::vector<std::uint32_t>& found) const {
    const double step = static_cast<double>(lattice_size) / voxels_.resolution;
    const auto lower = [&](const Eigen::Vector3i& low, int side) {
      const Eigen::Array3d begin = low.cast<double>().array() * step;
      return (point.array().max(begin).min(begin + side * step) - point.array()).matrix().norm();
    };
    found.clear();
    visit_nearest(
        [&](std::size_t i) { return voxels_.leaves[part.voxels[i]].code(); },
        {0, std::countr_zero(static_cast<unsigned>(voxels_.resolution)), 0, part.voxels.size()},
        bound, lower,
        [&](std::size_t i) {
          const double d = (center(part.voxels[i]) - point).norm();
          if (d > bound) return;
          if (d < bound) found.clear();
          bound = d;
          found.push_back(part.voxels[i]);
        });
  }

  /// Sets the gap of `part` to that to `target` if it is smaller.
  void compare(Part& part, std::size_t target) const {
    double gap = part.gap;
    std::vector<std::uint32_t> found;
    for (const std::uint32_t v : part.shell) nearest(parts_[target], center(v), gap, found);
    if (!(gap < part.gap)) return;
    part.gap = gap;
    part.from = target;
    part.depth = parts_[target].depth + 1;
  }

  /// Gives all parts what they hang from; returns their order. As Prim's algorithm does.
  std::vector<std::size_t> join() {
    std::vector<std::size_t> waiting, joined;
    for (std::size_t p = 1; p < parts_.size(); ++p) waiting.push_back(p);
    std::size_t target = 0;
    while (!waiting.empty()) {
      parallel_for(waiting.size(), 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t w = begin; w < end; ++w)
          if (box_gap(parts_[waiting[w]], parts_[target]) < parts_[waiting[w]].gap)
            compare(parts_[waiting[w]], target);
      });
      const auto next = std::ranges::min_element(
          waiting, {}, [&](std::size_t p) { return std::pair(parts_[p].gap, p); });
      target = *next;
      joined.push_back(target);
      waiting.erase(next);
    }
    return joined;
  }

  void add_starts(const Part& part, double penalty, std::vector<Start>& starts) const {
    const double voxel = static_cast<double>(lattice_size) / voxels_.resolution;
    std::vector<std::vector<Start>> found(part.shell.size());
    parallel_for(part.shell.size(), 64, [&](std::size_t begin, std::size_t end) {
      std::vector<std::uint32_t> near;
      for (std::size_t i = begin; i < end; ++i) {
        double way = part.gap * 2.0 + voxel * 2.0;
        nearest(parts_[part.from], center(part.shell[i]), way, near);
        const auto cost = static_cast<Label>(std::llround(way * units_a_step * penalty));
        for (const std::uint32_t from : near)
          for (std::size_t k = 0; k < n_ && field_.labels[from * n_ + k] != no_label; ++k)
            found[i].push_back(
                {part.shell[i], field_.labels[from * n_ + k] + (cost << label_influence_bits)});
      }
    });
    for (const std::vector<Start>& own : found) starts.insert(starts.end(), own.begin(), own.end());
  }

  const SparseVoxels& voxels_;
  DistanceField& field_;
  std::size_t n_;
  std::vector<Part> parts_;
};

}  // namespace

AirBridges bridge_air(const SparseVoxels& voxels, const DistanceOptions& options,
                      DistanceField& field) {
  if (field.labels_a_voxel == 0) return {};
  return Bridges(voxels, field).build(options);
}

}  // namespace gvbind
