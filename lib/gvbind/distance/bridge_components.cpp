#include "gvbind/distance/bridge_components.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "gvbind/base/aabb.h"
#include "gvbind/base/morton_search.h"
#include "gvbind/base/parallel.h"
#include "gvbind/distance/delta_stepping.h"

namespace gvbind {

namespace {

constexpr double no_distance = std::numeric_limits<double>::infinity();

/// A connected component of voxels and how it gets its labels.
struct Component {
  std::vector<std::uint32_t> voxels;  ///< ascending
  std::vector<std::uint32_t> shell;   ///< its boundary voxels, or all if it has none
  Eigen::Array3d low, high;           ///< of the centers, lattice
  std::size_t from = 0;               ///< the component it is joined to
  double gap = no_distance;           ///< distance to that component, lattice steps
  std::size_t depth = 0;              ///< number of joins up to the labeled component
};

double box_gap(const Component& a, const Component& b) {
  return (a.low - b.high).max(b.low - a.high).max(0.0).matrix().norm();
}

bool has_labels(const DistanceField& field, std::uint32_t voxel) {
  return field.of(voxel).front() != no_label;
}

Eigen::Vector3d center_of(const SparseVoxels& voxels, std::uint32_t voxel) {
  return voxels.center(voxel).cast<double>();
}

template <class Visit>
void for_neighbors(const SparseVoxels& voxels, std::uint32_t voxel, const Visit& visit) {
  const Leaf& leaf = voxels.leaves[voxel];
  for (Directions near = leaf.near; near != 0; near &= near - 1)
    visit(voxels.neighbor(leaf, std::countr_zero(near)));
  if (leaf.first_cross_level == no_voxel) return;
  const CrossLevelNeighbor* other = &voxels.cross_level[leaf.first_cross_level];
  do visit(other->voxel);
  while (!other++->last);
}

void complete(const SparseVoxels& voxels, Component& component) {
  component.low = component.high = center_of(voxels, component.voxels.front()).array();
  for (const std::uint32_t v : component.voxels) {
    component.low = component.low.min(center_of(voxels, v).array());
    component.high = component.high.max(center_of(voxels, v).array());
    if (voxels.leaves[v].boundary) component.shell.push_back(v);
  }
  if (component.shell.empty()) component.shell = component.voxels;
}

/// Component 0 holds all labeled voxels, connected or not. Empty if every voxel has labels.
std::vector<Component> find_components(const SparseVoxels& voxels, const DistanceField& field) {
  std::vector<Component> components;
  std::vector<bool> seen(voxels.size());
  for (std::uint32_t first = 0; first < voxels.size(); ++first) {
    if (seen[first] || has_labels(field, first)) continue;
    if (components.empty()) components.emplace_back();
    Component component;
    component.voxels = {first};
    seen[first] = true;
    for (std::size_t i = 0; i < component.voxels.size(); ++i)
      for_neighbors(voxels, component.voxels[i], [&](std::uint32_t to) {
        if (seen[to]) return;
        seen[to] = true;
        component.voxels.push_back(to);
      });
    std::ranges::sort(component.voxels);
    complete(voxels, component);
    components.push_back(std::move(component));
  }
  if (components.empty()) return components;
  for (std::uint32_t v = 0; v < voxels.size(); ++v)
    if (!seen[v]) components[0].voxels.push_back(v);
  if (!components[0].voxels.empty()) complete(voxels, components[0]);
  return components;
}

/// The voxels of a component nearest to a point, with ties, if they are within `bound`; reduces
/// `bound` to their distance.
void find_nearest(const SparseVoxels& voxels, const Component& component,
                  const Eigen::Vector3d& point, double& bound, std::vector<std::uint32_t>& found) {
  const double step = voxel_size(voxels.resolution);
  const auto lower = [&](const Eigen::Vector3i& low, int side) {
    const Eigen::Array3d first = low.cast<double>().array() * step;
    return offset_to_box(point, first, first + side * step).norm();
  };
  found.clear();
  visit_nearest(
      [&](std::size_t i) { return voxels.leaves[component.voxels[i]].code(); },
      {0, std::countr_zero(static_cast<unsigned>(voxels.resolution)), 0, component.voxels.size()},
      bound, lower,
      [&](std::size_t i) {
        const double d = (center_of(voxels, component.voxels[i]) - point).norm();
        if (d > bound) return;
        if (d < bound) found.clear();
        bound = d;
        found.push_back(component.voxels[i]);
      });
}

/// Joins a component to `target` if that is nearer than its current partner.
void compare(const SparseVoxels& voxels, const std::vector<Component>& components,
             std::size_t target, Component& component) {
  double gap = component.gap;
  std::vector<std::uint32_t> found;
  for (const std::uint32_t v : component.shell)
    find_nearest(voxels, components[target], center_of(voxels, v), gap, found);
  if (!(gap < component.gap)) return;
  component.gap = gap;
  component.from = target;
  component.depth = components[target].depth + 1;
}

/// Joins every component to another by Prim's algorithm, starting with component 0; returns the
/// order.
std::vector<std::size_t> join(const SparseVoxels& voxels, std::vector<Component>& components) {
  std::vector<std::size_t> waiting, joined;
  for (std::size_t c = 1; c < components.size(); ++c) waiting.push_back(c);
  std::size_t target = 0;
  while (!waiting.empty()) {
    parallel_for(waiting.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t w = begin; w < end; ++w) {
        Component& component = components[waiting[w]];
        if (box_gap(component, components[target]) < component.gap)
          compare(voxels, components, target, component);
      }
    });
    const auto next = std::ranges::min_element(
        waiting, {}, [&](std::size_t c) { return std::pair(components[c].gap, c); });
    target = *next;
    joined.push_back(target);
    waiting.erase(next);
  }
  return joined;
}

void add_seeds(const SparseVoxels& voxels, const std::vector<Component>& components,
               const Component& component, const DistanceField& field, double penalty,
               std::vector<Seed>& seeds) {
  const double voxel = voxel_size(voxels.resolution);
  std::vector<std::vector<Seed>> found(component.shell.size());
  parallel_for(component.shell.size(), 64, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> near;
    for (std::size_t i = begin; i < end; ++i) {
      double length = component.gap * 2.0 + voxel * 2.0;
      find_nearest(voxels, components[component.from], center_of(voxels, component.shell[i]),
                   length, near);
      const auto cost = static_cast<Label>(std::llround(length * units_per_step * penalty));
      for (const std::uint32_t from : near)
        for (const Label label : field.of(from)) {
          if (label == no_label) break;
          found[i].push_back({component.shell[i], label + (cost << label_influence_bits)});
        }
    }
  });
  for (const std::vector<Seed>& own : found) seeds.insert(seeds.end(), own.begin(), own.end());
}

}  // namespace

ComponentBridges bridge_components(const SparseVoxels& voxels, const DistanceOptions& options,
                                   DistanceField& field) {
  ComponentBridges bridges;
  if (field.labels_per_voxel == 0) return bridges;
  std::vector<Component> components = find_components(voxels, field);
  if (components.size() < 2 || components[0].voxels.empty()) return bridges;
  const std::vector<std::size_t> joined = join(voxels, components);
  const EdgeCosts costs(voxels, options.penalty);
  std::size_t deepest = 0;
  for (const std::size_t c : joined) deepest = std::max(deepest, components[c].depth);
  std::vector<std::vector<std::size_t>> by_depth(deepest + 1);
  for (const std::size_t c : joined) by_depth[components[c].depth].push_back(c);
  for (const std::vector<std::size_t>& level : by_depth) {
    std::vector<Seed> seeds;
    for (const std::size_t c : level) {
      add_seeds(voxels, components, components[c], field, options.penalty, seeds);
      ++bridges.components;
      bridges.voxels += components[c].voxels.size();
      bridges.longest = std::max(bridges.longest, components[c].gap / lattice_size);
    }
    delta_stepping(voxels, costs, seeds, field.labels,
                   static_cast<std::size_t>(field.labels_per_voxel), true);
  }
  return bridges;
}

}  // namespace gvbind
