#include "gvbind/weights/component_contacts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gvbind/base/parallel.h"

namespace gvbind {

namespace {

constexpr double sample_spacing = lattice_size / 128.0;
constexpr double search_distance = lattice_size / 40.0;
/// Points skipped at once, in Morton order, if they are too far away.
constexpr std::size_t run_length = 16;
/// Maximum number of points in a leaf.
constexpr std::uint32_t leaf_size = 8;
/// Tolerance for rounded distances, lattice steps.
constexpr double rounding = 1.0;

constexpr double no_contact = std::numeric_limits<double>::infinity();
/// Tolerance for equal distances, lattice steps: components on both sides of a mirror plane are
/// rarely equidistant to the last step.
constexpr double same_contact = lattice_size / 128.0;

using LatticeBox = Eigen::AlignedBox3i;
constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();

/// Squared lattice distances are exact, because a side has 2^20 steps.
std::int64_t squared_gap(const LatticeBox& a, const LatticeBox& b) {
  std::int64_t sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t gap =
        std::max({0, b.min()[axis] - a.max()[axis], a.min()[axis] - b.max()[axis]});
    sum += gap * gap;
  }
  return sum;
}

std::int64_t squared_gap(const LatticeBox& box, const Eigen::Vector3i& p) {
  return squared_gap(box, LatticeBox(p, p));
}

std::int64_t squared_gap(const Eigen::Vector3i& a, const Eigen::Vector3i& b) {
  return (a - b).cast<std::int64_t>().squaredNorm();
}

/// The smallest square of a distance above `bound`; `unbounded` if larger than any in the cube.
std::int64_t square_above(double bound) {
  if (bound < 0.0) return 0;
  if (!(bound < 4.0 * lattice_size)) return unbounded;
  const auto square = static_cast<std::int64_t>(bound * bound);
  std::int64_t above = std::max<std::int64_t>(square - 1, 0);
  while (std::sqrt(static_cast<double>(above)) <= bound) ++above;
  return above;
}

Bvh::Box box_of(const LatticeBox& box) {
  return box.isEmpty() ? Bvh::Box() : Bvh::Box(box.min().cast<double>(), box.max().cast<double>());
}

double distance_of(std::int64_t square, std::int64_t above) {
  return square < above ? std::sqrt(static_cast<double>(square)) : no_contact;
}

}  // namespace

ComponentContacts::ComponentContacts(const LatticeMesh& mesh, const Components& components)
    : points_(surface_points(mesh, components, sample_spacing)),
      nodes_(nodes_of(points_, components.count())),
      tree_(boxes(components.count())) {}

std::vector<ComponentContact> ComponentContacts::of(std::uint32_t component) const {
  return of_each({&component, 1}).front();
}

std::vector<std::vector<ComponentContact>> ComponentContacts::of_each(
    std::span<const std::uint32_t> components) const {
  std::vector<std::vector<ComponentContact>> found(components.size());
  const auto index = [&](std::uint32_t component) {
    const auto at = std::ranges::lower_bound(components, component);
    return at != components.end() && *at == component ? at - components.begin() : -1;
  };
  parallel_for(components.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      for (const std::uint32_t other : near(components[i])) {
        if (other < components[i] && index(other) >= 0) continue;
        const double distance = gap_between(components[i], other, search_distance);
        if (distance <= search_distance) found[i].push_back({other, distance / lattice_size});
      }
  });
  for (std::size_t i = 0; i < components.size(); ++i)
    for (std::size_t k = 0; k < found[i].size(); ++k) {
      const ComponentContact contact = found[i][k];
      const std::ptrdiff_t other =
          contact.component > components[i] ? index(contact.component) : -1;
      if (other >= 0) found[other].push_back({components[i], contact.gap});
    }
  parallel_for(components.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::ranges::sort(found[i], {}, &ComponentContact::component);
      if (found[i].empty()) found[i] = nearest_components(components[i]);
    }
  });
  return found;
}

std::size_t ComponentContacts::within(std::uint32_t component, std::uint32_t other,
                                      double gap) const {
  const double reach = std::min(gap * lattice_size, search_distance);
  const Node& from = nodes_[component];
  const Box to = box_of(nodes_[other].box);
  std::size_t count = 0;
  for (std::size_t first = from.first; first < from.last; first += run_length) {
    const std::size_t last = std::min<std::size_t>(first + run_length, from.last);
    Box box;
    for (std::size_t i = first; i < last; ++i) box.extend(points_[i].at.cast<double>());
    if (!(box.exteriorDistance(to) <= reach)) continue;
    const double radius = box.diagonal().norm() / 2.0 + rounding;
    const Eigen::Vector3i middle = lattice_point(box.center());
    const double distance = nearest(middle, other, reach + radius, reach - radius);
    if (distance <= reach - radius)
      count += last - first;
    else if (distance <= reach + radius)
      for (std::size_t i = first; i < last; ++i)
        count += nearest(points_[i].at, other, reach, reach) <= reach;
  }
  return count;
}

std::vector<ComponentContacts::Node> ComponentContacts::nodes_of(
    std::span<const SurfacePoint> points, std::size_t components) {
  std::vector<Node> nodes;
  std::uint32_t first = 0;
  for (std::uint32_t component = 0; component < components; ++component) {
    std::uint32_t last = first;
    while (last < points.size() && points[last].component == component) ++last;
    nodes.push_back({.box = {}, .first = first, .last = last});
    first = last;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Node& node = nodes[i];
    first = node.first;
    const std::uint32_t last = node.last, middle = first + (last - first) / 2;
    for (std::uint32_t k = first; k < last; ++k) node.box.extend(points[k].at);
    if (last - first <= leaf_size) continue;
    node.children = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back({.box = {}, .first = first, .last = middle});
    nodes.push_back({.box = {}, .first = middle, .last = last});
  }
  return nodes;
}

std::vector<ComponentContacts::Box> ComponentContacts::boxes(std::size_t components) const {
  std::vector<Box> boxes;
  for (std::size_t component = 0; component < components; ++component)
    boxes.push_back(box_of(nodes_[component].box));
  return boxes;
}

/// The components whose boxes lie within the search distance, ascending.
std::vector<std::uint32_t> ComponentContacts::near(std::uint32_t component) const {
  std::vector<std::uint32_t> found;
  const Box own = box_of(nodes_[component].box);
  tree_.visit_near([&](const Box& box) { return own.exteriorDistance(box); }, search_distance,
                   [&](std::uint32_t other) {
                     if (other != component) found.push_back(other);
                   });
  std::sort(found.begin(), found.end());
  return found;
}

/// The distance to the nearest point of a component, or to any within `enough`; larger than `bound`
/// if none is within it.
double ComponentContacts::nearest(const Eigen::Vector3i& from, std::uint32_t component,
                                  double bound, double enough) const {
  const Node& node = nodes_[component];
  const std::int64_t above = square_above(bound);
  if (node.first == node.last || squared_gap(node.box, from) >= above) return no_contact;
  std::int64_t least = above;
  approach(node, from, square_above(enough), least);
  return distance_of(least, above);
}

void ComponentContacts::approach(const Node& node, const Eigen::Vector3i& from, std::int64_t enough,
                                 std::int64_t& least) const {
  if (node.children == 0) {
    for (std::uint32_t i = node.first; i < node.last; ++i)
      least = std::min(least, squared_gap(points_[i].at, from));
    return;
  }
  const Node *near = &nodes_[node.children], *far = near + 1;
  std::int64_t near_gap = squared_gap(near->box, from), far_gap = squared_gap(far->box, from);
  if (far_gap < near_gap) std::swap(near, far), std::swap(near_gap, far_gap);
  if (near_gap < least) approach(*near, from, enough, least);
  if (far_gap < least && least >= enough) approach(*far, from, enough, least);
}

/// The distance between the points of two components; larger than `bound` if it exceeds it.
double ComponentContacts::gap_between(std::uint32_t component, std::uint32_t other,
                                      double bound) const {
  const Node &a = nodes_[component], &b = nodes_[other];
  if (a.first == a.last || b.first == b.last) return no_contact;
  const std::int64_t above = square_above(bound);
  std::int64_t least = above;
  if (squared_gap(a.box, b.box) < above) approach(a, b, least);
  return distance_of(least, above);
}

/// Opens the larger of two nodes; visits its nearer child first.
void ComponentContacts::approach(const Node& node, const Node& other, std::int64_t& least) const {
  if (node.children == 0 && other.children == 0) {
    for (std::uint32_t i = node.first; i < node.last; ++i)
      for (std::uint32_t k = other.first; k < other.last; ++k)
        least = std::min(least, squared_gap(points_[i].at, points_[k].at));
    return;
  }
  const bool other_is_larger = other.last - other.first > node.last - node.first;
  const Node &opened = other_is_larger ? other : node, &kept = other_is_larger ? node : other;
  const Node *near = &nodes_[opened.children], *far = near + 1;
  std::int64_t near_gap = squared_gap(near->box, kept.box);
  std::int64_t far_gap = squared_gap(far->box, kept.box);
  if (far_gap < near_gap) std::swap(near, far), std::swap(near_gap, far_gap);
  if (near_gap < least) approach(*near, kept, least);
  if (far_gap < least) approach(*far, kept, least);
}

std::vector<ComponentContact> ComponentContacts::nearest_components(std::uint32_t component) const {
  double bound = no_contact;
  std::vector<ComponentContact> near;
  const Box own = box_of(nodes_[component].box);
  tree_.visit_near([&](const Box& box) { return own.exteriorDistance(box); }, bound,
                   [&](std::uint32_t other) {
                     if (other == component) return;
                     const double distance = gap_between(component, other, bound);
                     if (!(distance <= bound)) return;
                     near.push_back({other, distance});
                     bound = std::min(bound, distance + same_contact);
                   });
  std::erase_if(near, [&](const ComponentContact& contact) { return !(contact.gap <= bound); });
  std::ranges::sort(near, {}, &ComponentContact::component);
  for (ComponentContact& contact : near) contact.gap /= lattice_size;
  return near;
}

}  // namespace gvbind
