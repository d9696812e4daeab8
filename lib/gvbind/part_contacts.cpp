#include "gvbind/part_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

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

class Surface {
 public:
  Surface(const UnitScene& scene, const MeshParts& parts)
      : by_part_(surface_points(scene, parts, spacing)), first_(parts.count() + 1, 0) {
    for (const SurfacePoint& point : by_part_) ++first_[point.part + 1];
    for (std::size_t p = 0; p < parts.count(); ++p) first_[p + 1] += first_[p];
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
    order.reserve(by_part_.size());
    for (std::uint32_t i = 0; i < by_part_.size(); ++i) {
      const Eigen::Vector3i& at = by_part_[i].at;
      order.emplace_back(morton_code(at.x(), at.y(), at.z()), i);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [code, i] : order) {
      codes_.push_back(code);
      points_.push_back(by_part_[i]);
    }
  }

  std::vector<PartContact> contacts(std::uint32_t part) const {
    std::map<std::uint32_t, PartContact> found;
    std::vector<double> nearest(first_.size() - 1, none);
    std::vector<std::uint32_t> near;
    for_points(part, most_asked, [&](const Eigen::Vector3i& from) {
      double bound = search_distance;
      visit(from, bound, [&](const SurfacePoint& other, double distance) {
        if (other.part == part || distance > search_distance) return;
        double& least = nearest[other.part];
        if (least == none) near.push_back(other.part);
        least = std::min(least, distance);
      });
      for (const std::uint32_t other : near) {
        found[other].part = other;
        found[other].gaps.push_back(nearest[other] / lattice_size);
        nearest[other] = none;
      }
      near.clear();
    });
    if (found.empty()) add_nearest(part, found);
    std::vector<PartContact> contacts;
    for (auto& [other, contact] : found) contacts.push_back(std::move(contact));
    return contacts;
  }

 private:
  template <class Body>
  void for_points(std::uint32_t part, std::size_t most, const Body& body) const {
    const std::size_t count = first_[part + 1] - first_[part], step = count / most + 1;
    for (std::size_t i = first_[part]; i < first_[part + 1]; i += step) body(by_part_[i].at);
  }

  template <class Body>
  void visit(const Eigen::Vector3i& from, double& bound, const Body& body) const {
    const Eigen::Array3d at = from.cast<double>().array();
    const auto lower = [&](const Eigen::Vector3i& low, int side) {
      const Eigen::Array3d first = low.cast<double>().array();
      return (at.max(first).min(first + side) - at).matrix().norm();
    };
    visit_nearest(
        [&](std::size_t i) { return codes_[i]; }, {0, lattice_bits + 1, 0, codes_.size()}, bound,
        lower,
        [&](std::size_t i) { body(points_[i], (points_[i].at - from).cast<double>().norm()); });
  }

  void add_nearest(std::uint32_t part, std::map<std::uint32_t, PartContact>& found) const {
    double bound = none;
    std::uint32_t nearest = no_part;
    for_points(part, most_asked_far, [&](const Eigen::Vector3i& from) {
      visit(from, bound, [&](const SurfacePoint& other, double distance) {
        if (other.part == part || distance > bound) return;
        if (distance == bound && other.part >= nearest) return;
        bound = distance;
        nearest = other.part;
      });
    });
    if (nearest != no_part) found[nearest] = {nearest, {bound / lattice_size}};
  }

  std::vector<SurfacePoint> by_part_, points_;  ///< the same; the second in the codes' order
  std::vector<std::size_t> first_;
  std::vector<std::uint64_t> codes_;
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
