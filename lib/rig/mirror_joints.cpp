#include "rig/mirror_joints.h"

#include <algorithm>
#include <cmath>

namespace gvbind::rig {

namespace {

using Eigen::Vector3d;

// Relative to the skeleton's size: tolerance of mirrored positions / By joint, the joints at the
// same height and depth, its possible mirror images, by x.
constexpr double mirror_reach = 0.03;
std::vector<std::vector<Vector3d>> places_beside(std::span<const Joint> joints, double square) {
  std::vector<std::vector<Vector3d>> out(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    for (const Joint& other : joints) {
      const Vector3d gap = other.position - joints[j].position;
      if (gap.y() * gap.y() < square && gap.z() * gap.z() < square)
        out[j].push_back(other.position);
    }
    std::ranges::sort(out[j], {}, [](const Vector3d& p) { return p.x(); });
  }
  return out;
}

bool any_near(const std::vector<Vector3d>& by_x, const Vector3d& place, double square) {
  const double reach = 1.1 * std::sqrt(square), low = place.x() - reach, high = place.x() + reach;
  auto it = std::ranges::lower_bound(by_x, low, {}, [](const Vector3d& p) { return p.x(); });
  for (; it != by_x.end() && it->x() <= high; ++it)
    if ((*it - place).squaredNorm() < square) return true;
  return false;
}

}  // namespace

double find_middle(std::span<const Joint> joints, double size) {
  double best = joints[0].position.x();
  std::size_t most = 0;
  const double square = middle_reach * middle_reach * size * size;
  const std::vector<std::vector<Vector3d>> beside = places_beside(joints, square);
  for (const Joint& candidate : joints) {
    const double x = candidate.position.x();
    std::size_t count = 0;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const Vector3d& p = joints[j].position;
      count += any_near(beside[j], {2.0 * x - p.x(), p.y(), p.z()}, square);
    }
    if (count > most) {
      most = count;
      best = x;
    }
  }
  return best;
}

std::vector<int> find_mirror_joints(std::span<const Joint> joints, double middle, double size) {
  const auto nearest = [&](std::size_t j) {
    Vector3d image = joints[j].position;
    image.x() = 2.0 * middle - image.x();
    if (std::abs(image.x() - middle) < middle_reach * size) return static_cast<int>(j);
    int best = -1;
    double least = mirror_reach * size;
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const double gap = (joints[k].position - image).norm();
      if (k != j && gap < least) {
        least = gap;
        best = static_cast<int>(k);
      }
    }
    return best;
  };
  std::vector<int> partners;
  for (std::size_t j = 0; j < joints.size(); ++j) partners.push_back(nearest(j));
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (partners[j] >= 0 && partners[partners[j]] != static_cast<int>(j)) partners[j] = -1;
  return partners;
}

}  // namespace gvbind::rig
