#include "gvbind/part_contacts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace gvbind {

namespace {

constexpr double spacing = lattice_size / 128.0;
constexpr double search_distance = lattice_size / 40.0;
/// Points in Morton order that are passed by together where they are too far away.
constexpr std::size_t run_length = 16;
/// More than what rounding makes of distances, lattice steps.
constexpr double rounding = 1.0;

constexpr double none = std::numeric_limits<double>::infinity();
/// Distances that differ by less are the same, lattice steps: parts on both sides of a mirror plane
/// are seldom as far to the last step.
constexpr double same_distance = lattice_size / 128.0;

}  // namespace

PartContacts::PartContacts(const UnitScene& scene, const MeshParts& parts)
    : points_(surface_points(scene, parts, spacing)),
      codes_(codes_of_points()),
      parts_(parts_of_points(parts.count())),
      tree_(boxes()) {}

std::vector<PartContact> PartContacts::of(std::uint32_t part) const {
  std::vector<PartContact> found;
  for (const std::uint32_t other : near(part)) {
    const double distance = least(parts_[part], parts_[other], search_distance);
    if (distance <= search_distance) found.push_back({other, distance / lattice_size});
  }
  return found.empty() ? nearest_parts(part) : found;
}

std::size_t PartContacts::within(std::uint32_t part, std::uint32_t other, double gap) const {
  const double reach = std::min(gap * lattice_size, search_distance);
  const Part &from = parts_[part], &to = parts_[other];
  std::size_t count = 0;
  for (std::size_t first = from.node.first; first < from.node.last; first += run_length) {
    const std::size_t last = std::min(first + run_length, from.node.last);
    Box box;
    for (std::size_t i = first; i < last; ++i) box.extend(points_[i].at.cast<double>());
    if (!(box.exteriorDistance(to.box) <= reach)) continue;
    const double radius = box.diagonal().norm() / 2.0 + rounding;
    const Eigen::Vector3i middle = lattice_point(box.center());
    const double distance = nearest(middle, to, reach + radius, reach - radius);
    if (distance <= reach - radius)
      count += last - first;
    else if (distance <= reach + radius)
      for (std::size_t i = first; i < last; ++i)
        count += nearest(points_[i].at, to, reach, reach) <= reach;
  }
  return count;
}

/// A node is the least that has all of a part's points, so that no search goes down from the top.
std::vector<PartContacts::Part> PartContacts::parts_of_points(std::size_t count) const {
  std::vector<Part> parts(count);
  std::size_t first = 0;
  for (std::uint32_t p = 0; p < count; ++p) {
    std::size_t last = first;
    for (; last < points_.size() && points_[last].part == p; ++last)
      parts[p].box.extend(points_[last].at.cast<double>());
    if (first == last) continue;
    int level = 0;
    while (codes_[first] >> (3 * level) != codes_[last - 1] >> (3 * level)) ++level;
    parts[p].node = {codes_[first] >> (3 * level) << (3 * level), level, first, last};
    first = last;
  }
  return parts;
}

std::vector<MortonCode> PartContacts::codes_of_points() const {
  std::vector<MortonCode> codes;
  codes.reserve(points_.size());
  for (const SurfacePoint& p : points_) codes.push_back(morton_code(p.at.x(), p.at.y(), p.at.z()));
  return codes;
}

std::vector<PartContacts::Box> PartContacts::boxes() const {
  std::vector<Box> boxes;
  for (const Part& part : parts_) boxes.push_back(part.box);
  return boxes;
}

/// The parts whose boxes lie within the search distance, ascending.
std::vector<std::uint32_t> PartContacts::near(std::uint32_t part) const {
  std::vector<std::uint32_t> found;
  tree_.visit_near([&](const Box& box) { return parts_[part].box.exteriorDistance(box); },
                   search_distance,
                   [&](std::uint32_t other) {
                     if (other != part) found.push_back(other);
                   });
  std::sort(found.begin(), found.end());
  return found;
}

/// To the nearest point of a part, or to any that is near enough; something above `bound` where
/// none is within it.
double PartContacts::nearest(const Eigen::Vector3i& from, const Part& part, double bound,
                             double enough) const {
  const Eigen::Array3d at = from.cast<double>().array();
  if (!(part.box.exteriorDistance(at.matrix()) <= bound)) return none;
  const auto lower = [&](const Eigen::Vector3i& low, int side) {
    const Eigen::Array3d first = low.cast<double>().array();
    return (at.max(first).min(first + side) - at).matrix().norm();
  };
  double least = none;
  visit_nearest([&](std::size_t i) { return codes_[i]; }, part.node, bound, lower,
                [&](std::size_t i) {
                  const Eigen::Vector3i& other = points_[i].at;
                  least = std::min(least, (other - from).cast<double>().norm());
                  bound = least <= enough ? -1.0 : std::min(bound, least);
                });
  return least;
}

/// Between the points of two parts; something above `bound` if that is more.
double PartContacts::least(const Part& part, const Part& other, double bound) const {
  double distance = none;
  for (std::size_t i = part.node.first; i < part.node.last && distance > 0.0; ++i)
    distance = std::min(distance, nearest(points_[i].at, other, std::min(bound, distance)));
  return distance;
}

std::vector<PartContact> PartContacts::nearest_parts(std::uint32_t part) const {
  double bound = none;
  std::vector<PartContact> near;
  tree_.visit_near([&](const Box& box) { return parts_[part].box.exteriorDistance(box); }, bound,
                   [&](std::uint32_t other) {
                     if (other == part) return;
                     const double distance = least(parts_[part], parts_[other], bound);
                     if (!(distance <= bound)) return;
                     near.push_back({other, distance});
                     bound = std::min(bound, distance + same_distance);
                   });
  std::erase_if(near, [&](const PartContact& contact) { return !(contact.least <= bound); });
  std::ranges::sort(near, {}, &PartContact::part);
  for (PartContact& contact : near) contact.least /= lattice_size;
  return near;
}

}  // namespace gvbind
