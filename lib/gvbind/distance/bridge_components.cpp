#include "gvbind/distance/bridge_components.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "gvbind/base/morton_search.h"
#include "gvbind/base/parallel.h"
#include "gvbind/distance/delta_stepping.h"
#include "gvbind/distance/edge_costs.h"

namespace gvbind {

namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

/// Voxels that hang together, and how a part of them comes to its labels.
struct Component {
  std::vector<std::uint32_t> voxels;  ///< ascending
  std::vector<std::uint32_t> shell;   ///< its boundary voxels, or all if it has none
  Eigen::Array3d low, high;           ///< of the centers, lattice
  std::size_t from = 0;               ///< the part that it is joined to
  double gap = unreached;             ///< to that, lattice steps
  std::size_t depth = 0;              ///< joins between it and what was reached
};

double box_gap(const Component& a, const Component& b) {
  return (a.low - b.high).max(b.low - a.high).max(0.0).matrix().norm();
}

class Bridges {
 public:
  Bridges(const SparseVoxels& voxels, DistanceField& field)
      : voxels_(voxels), field_(field), n_(static_cast<std::size_t>(field.labels_per_voxel)) {}

  ComponentBridges build(const DistanceOptions& options) {
    ComponentBridges report;
    find_components();
    if (components_.size() < 2 || components_[0].voxels.empty()) return report;
    const std::vector<std::size_t> joined = join();
    const EdgeCosts costs(voxels_, options.penalty);
    std::size_t deepest = 0;
    for (const std::size_t p : joined) deepest = std::max(deepest, components_[p].depth);
    std::vector<std::vector<std::size_t>> by_depth(deepest + 1);
    for (const std::size_t p : joined) by_depth[components_[p].depth].push_back(p);
    for (const std::vector<std::size_t>& level : by_depth) {
      std::vector<Seed> seeds;
      for (const std::size_t p : level) {
        add_seeds(components_[p], options.penalty, seeds);
        ++report.components;
        report.voxels += components_[p].voxels.size();
        report.longest = std::max(report.longest, components_[p].gap / lattice_size);
      }
      delta_stepping(voxels_, costs, seeds, field_.labels, n_, true);
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
    if (leaf.first_cross_level == no_voxel) return;
    const CrossLevelNeighbor* other = &voxels_.cross_level[leaf.first_cross_level];
    do visit(other->voxel);
    while (!other++->last);
  }

  /// Part 0 is what has labels, if anything is without.
  void find_components() {
    std::vector<bool> seen(voxels_.size());
    for (std::uint32_t first = 0; first < voxels_.size(); ++first) {
      if (seen[first] || has_labels(first)) continue;
      if (components_.empty()) components_.emplace_back();
      Component component;
      component.voxels = {first};
      seen[first] = true;
      for (std::size_t i = 0; i < component.voxels.size(); ++i)
        for_neighbors(component.voxels[i], [&](std::uint32_t to) {
          if (seen[to]) return;
          seen[to] = true;
          component.voxels.push_back(to);
        });
      std::ranges::sort(component.voxels);
      complete(component);
      components_.push_back(std::move(component));
    }
    if (components_.empty()) return;
    for (std::uint32_t v = 0; v < voxels_.size(); ++v)
      if (!seen[v]) components_[0].voxels.push_back(v);
    if (!components_[0].voxels.empty()) complete(components_[0]);
  }

  void complete(Component& component) const {
    component.low = component.high = center(component.voxels.front()).array();
    for (const std::uint32_t v : component.voxels) {
      component.low = component.low.min(center(v).array());
      component.high = component.high.max(center(v).array());
      if (voxels_.leaves[v].boundary) component.shell.push_back(v);
    }
    if (component.shell.empty()) component.shell = component.voxels;
  }

  Eigen::Vector3d center(std::uint32_t voxel) const { return voxels_.center(voxel).cast<double>(); }

  /// The voxels of a part nearest to a point, all of equally near ones, if they are no further than
  /// `bound`, which becomes their distance.
  void nearest(const Component& component, const Eigen::Vector3d& point, double& bound,
               std::vector<std::uint32_t>& found) const {
    const double step = static_cast<double>(lattice_size) / voxels_.resolution;
    const auto lower = [&](const Eigen::Vector3i& low, int side) {
      const Eigen::Array3d begin = low.cast<double>().array() * step;
      return (point.array().max(begin).min(begin + side * step) - point.array()).matrix().norm();
    };
    found.clear();
    visit_nearest([&](std::size_t i) { return voxels_.leaves[component.voxels[i]].code(); },
                  {0, std::countr_zero(static_cast<unsigned>(voxels_.resolution)), 0,
                   component.voxels.size()},
                  bound, lower,
                  [&](std::size_t i) {
                    const double d = (center(component.voxels[i]) - point).norm();
                    if (d > bound) return;
                    if (d < bound) found.clear();
                    bound = d;
                    found.push_back(component.voxels[i]);
                  });
  }

  /// Sets the gap of `part` to that to `target` if it is smaller.
  void compare(Component& component, std::size_t target) const {
    double gap = component.gap;
    std::vector<std::uint32_t> found;
    for (const std::uint32_t v : component.shell)
      nearest(components_[target], center(v), gap, found);
    if (!(gap < component.gap)) return;
    component.gap = gap;
    component.from = target;
    component.depth = components_[target].depth + 1;
  }

  /// Gives all parts what they hang from; returns their order. As Prim's algorithm does.
  std::vector<std::size_t> join() {
    std::vector<std::size_t> waiting, joined;
    for (std::size_t p = 1; p < components_.size(); ++p) waiting.push_back(p);
    std::size_t target = 0;
    while (!waiting.empty()) {
      parallel_for(waiting.size(), 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t w = begin; w < end; ++w)
          if (box_gap(components_[waiting[w]], components_[target]) < components_[waiting[w]].gap)
            compare(components_[waiting[w]], target);
      });
      const auto next = std::ranges::min_element(
          waiting, {}, [&](std::size_t p) { return std::pair(components_[p].gap, p); });
      target = *next;
      joined.push_back(target);
      waiting.erase(next);
    }
    return joined;
  }

  void add_seeds(const Component& component, double penalty, std::vector<Seed>& seeds) const {
    const double voxel = static_cast<double>(lattice_size) / voxels_.resolution;
    std::vector<std::vector<Seed>> found(component.shell.size());
    parallel_for(component.shell.size(), 64, [&](std::size_t begin, std::size_t end) {
      std::vector<std::uint32_t> near;
      for (std::size_t i = begin; i < end; ++i) {
        double length = component.gap * 2.0 + voxel * 2.0;
        nearest(components_[component.from], center(component.shell[i]), length, near);
        const auto cost = static_cast<Label>(std::llround(length * units_per_step * penalty));
        for (const std::uint32_t from : near)
          for (std::size_t k = 0; k < n_ && field_.labels[from * n_ + k] != no_label; ++k)
            found[i].push_back({component.shell[i],
                                field_.labels[from * n_ + k] + (cost << label_influence_bits)});
      }
    });
    for (const std::vector<Seed>& own : found) seeds.insert(seeds.end(), own.begin(), own.end());
  }

  const SparseVoxels& voxels_;
  DistanceField& field_;
  std::size_t n_;
  std::vector<Component> components_;
};

}  // namespace

ComponentBridges bridge_components(const SparseVoxels& voxels, const DistanceOptions& options,
                                   DistanceField& field) {
  if (field.labels_per_voxel == 0) return {};
  return Bridges(voxels, field).build(options);
}

}  // namespace gvbind
