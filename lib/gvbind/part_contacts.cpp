#include "gvbind/part_contacts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gvbind/box_tree.h"
#include "gvbind/morton.h"
#include "gvbind/nearest.h"
#include "gvbind/parallel.h"

namespace gvbind {

namespace {

constexpr double spacing = lattice_size / 128.0;
constexpr double search_distance = lattice_size / 40.0;
/// Of a large part so many points are asked, evenly, and fewer where the whole surface is searched.
constexpr std::size_t most_asked = 200, most_asked_far = 40;

constexpr double none = std::numeric_limits<double>::infinity();
/// Distances that differ by less are the same, lattice steps: only some of the points are asked,
/// and of parts as far on both sides of a mirror plane not the same ones.
constexpr double same_distance = lattice_size / 128.0;

/// The surface's points, each part's for itself in Morton order.
class Surface {
 public:
  Surface(const UnitScene& scene, const MeshParts& parts)
      : points_(surface_points(scene, parts, spacing)),
        parts_(own_points(parts.count())),
        tree_(boxes()) {}

  std::vector<PartContact> contacts(std::uint32_t part) const {
    std::vector<PartContact> found;
    for (const std::uint32_t other : near(part)) {
      PartContact contact{other, {}};
      for_points(part, most_asked, [&](const Eigen::Vector3i& from) {
        const double distance = nearest(from, parts_[other], search_distance);
        if (distance <= search_distance) contact.gaps.push_back(distance / lattice_size);
      });
      if (!contact.gaps.empty()) found.push_back(std::move(contact));
    }
    if (found.empty()) add_nearest(part, found);
    return found;
  }

 private:
  using Box = Eigen::AlignedBox3d;
  struct Part {
    std::size_t first = 0, last = 0;  ///< of points_
    Box box;
    CodeNode node{};                                        ///< over `codes`
    std::vector<std::pair<MortonCode, std::size_t>> codes;  ///< ascending, with the point
  };

  std::vector<Part> own_points(std::size_t parts) const {
    std::vector<Part> own_parts(parts);
    std::size_t first = 0;
    for (std::uint32_t p = 0; p < parts; ++p) {
      std::size_t last = first;
      while (last < points_.size() && points_[last].part == p) ++last;
      own_parts[p] = own(first, last);
      first = last;
    }
    return own_parts;
  }

  std::vector<Box> boxes() const {
    std::vector<Box> boxes;
    for (const Part& part : parts_) boxes.push_back(part.box);
    return boxes;
  }

  Part own(std::size_t first, std::size_t last) const {
    Part part{first, last, {}, {}, {}};
    for (std::size_t i = first; i < last; ++i) {
      const Eigen::Vector3i& at = points_[i].at;
      part.box.extend(at.cast<double>());
      part.codes.emplace_back(morton_code(at.x(), at.y(), at.z()), i);
    }
    if (part.codes.empty()) return part;
    std::sort(part.codes.begin(), part.codes.end());
    // The least node with all of them, so that no search goes down to it from the top.
    int level = 0;
    while (part.codes.front().first >> (3 * level) != part.codes.back().first >> (3 * level))
      ++level;
    const MortonCode base = part.codes.front().first >> (3 * level) << (3 * level);
    part.node = {base, level, 0, part.codes.size()};
    return part;
  }

  /// The parts whose boxes lie within the search distance, ascending.
  std::vector<std::uint32_t> near(std::uint32_t part) const {
    std::vector<std::uint32_t> found;
    tree_.visit_near([&](const Box& box) { return parts_[part].box.exteriorDistance(box); },
                     search_distance,
                     [&](std::uint32_t other) {
                       if (other != part) found.push_back(other);
                     });
    std::sort(found.begin(), found.end());
    return found;
  }

  template <class Body>
  void for_points(std::uint32_t part, std::size_t most, const Body& body) const {
    const std::size_t first = parts_[part].first, last = parts_[part].last;
    for (std::size_t i = first; i < last; i += (last - first) / most + 1) body(points_[i].at);
  }

  /// To the nearest point of a part; something above `bound` where none is within it.
  double nearest(const Eigen::Vector3i& from, const Part& part, double bound) const {
    const Eigen::Array3d at = from.cast<double>().array();
    if (!(part.box.exteriorDistance(at.matrix()) <= bound)) return none;
    const auto lower = [&](const Eigen::Vector3i& low, int side) {
      const Eigen::Array3d first = low.cast<double>().array();
      return (at.max(first).min(first + side) - at).matrix().norm();
    };
    double least = none;
    visit_nearest([&](std::size_t i) { return part.codes[i].first; }, part.node, bound, lower,
                  [&](std::size_t i) {
                    const Eigen::Vector3i& other = points_[part.codes[i].second].at;
                    least = std::min(least, (other - from).cast<double>().norm());
                    bound = std::min(bound, least);
                  });
    return least;
  }

  void add_nearest(std::uint32_t part, std::vector<PartContact>& found) const {
    double bound = none;
    std::vector<std::pair<std::uint32_t, double>> near;
    tree_.visit_near([&](const Box& box) { return parts_[part].box.exteriorDistance(box); }, bound,
                     [&](std::uint32_t other) {
                       if (other == part) return;
                       double least = none;
                       for_points(part, most_asked_far, [&](const Eigen::Vector3i& from) {
                         least = std::min(least, nearest(from, parts_[other], bound));
                       });
                       if (!(least <= bound)) return;
                       near.emplace_back(other, least);
                       bound = std::min(bound, least + same_distance);
                     });
    std::sort(near.begin(), near.end());
    for (const auto& [other, distance] : near)
      if (distance <= bound) found.push_back({other, {distance / lattice_size}});
  }

  std::vector<SurfacePoint> points_;  ///< by part
  std::vector<Part> parts_;
  BoxTree tree_;
};

}  // namespace

double PartContact::least() const { return *std::min_element(gaps.begin(), gaps.end()); }

std::size_t PartContact::within(double gap) const {
  return static_cast<std::size_t>(
      std::count_if(gaps.begin(), gaps.end(), [&](double g) { return g <= gap; }));
}

std::vector<std::vector<PartContact>> part_contacts(const UnitScene& scene, const MeshParts& parts,
                                                    std::span<const std::uint32_t> asked) {
  std::vector<std::vector<PartContact>> contacts(asked.size());
  if (asked.empty()) return contacts;
  const Surface surface(scene, parts);
  parallel_for(asked.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) contacts[i] = surface.contacts(asked[i]);
  });
  return contacts;
}

}  // namespace gvbind
