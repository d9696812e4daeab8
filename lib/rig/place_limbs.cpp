#include "rig/place_limbs.h"

#include <algorithm>
#include <cmath>

#include "rig/human_joints.h"
#include "rig/neck.h"

namespace gvbind::rig {

namespace {

using Eigen::Vector3d;

// A limb ends where its path becomes this much deeper than in the limb's middle; the joint is one
// such depth further in.
constexpr double widening = 1.4, widening_voxels = 0.7;
constexpr double upright = 0.7;  // minimum cosine to the vertical of a head above its shoulders

/// By assigned tip, the length of its path before it joins another.
std::vector<double> branch_lengths(const BodyTips& tips, const std::vector<int>& used,
                                   std::size_t cell_count) {
  std::vector<int> visits(cell_count, 0);
  for (const int t : used)
    for (const std::uint32_t cell : tips.tips[t].path.cells)
      if (cell != no_cell) ++visits[cell];
  std::vector<double> lengths;
  for (const int t : used) {
    const BodyPath& path = tips.tips[t].path;
    std::size_t at = 0;
    while (at + 1 < path.cells.size() && (path.cells[at] == no_cell || visits[path.cells[at]] < 2))
      ++at;
    lengths.push_back(path.lengths[at]);
  }
  return lengths;
}

double middle_depth(const BodyPath& path, double from, double to) {
  std::vector<double> depths;
  for (std::size_t i = 0; i < path.lengths.size(); ++i)
    if (path.lengths[i] >= from && path.lengths[i] <= to) depths.push_back(path.depths[i]);
  if (depths.empty()) return path.depth_at(0.5 * (from + to));
  const auto half = depths.begin() + static_cast<std::ptrdiff_t>(depths.size() / 2);
  std::nth_element(depths.begin(), half, depths.end());
  return *half;
}

/// `sided`: it has a mirror limb.
FoundLimb found_limb(const BodyPath& path, double branch, bool sided, const SymmetryPlane& plane) {
  FoundLimb found;
  found.path = &path;
  found.depth = middle_depth(path, 0.3 * branch, 0.75 * branch);
  found.exit = branch;
  found.across = true;
  for (std::size_t i = 0; i < path.lengths.size() && path.lengths[i] < branch; ++i) {
    if (path.lengths[i] < 0.5 * branch) continue;
    const bool wide = path.depths[i] > widening * found.depth + widening_voxels;
    const bool across = sided && std::abs(path.points[i].x() - plane.at) < path.depths[i] + 1.0;
    if (!wide && !across) continue;
    found.exit = path.lengths[i];
    found.across = across;
    break;
  }
  return found;
}

struct LimbPlacing {
  const RigTemplate& rig;
  const TemplateLimb& limb;
  const BodyPath& path;
  JointPlaces& places;

  void put(std::size_t i, const Vector3d& place) const { places[limb.joints[i]] = place; }
  /// Splits the path between `begin`, the position of joint `first`, and the tip.
  void split(std::size_t first, double begin) const {
    const double whole = limb_length(rig, limb, first);
    for (std::size_t i = first + 1; i < limb.joints.size(); ++i)
      put(i, path.at(whole > 0.0 ? begin * limb_length(rig, limb, i) / whole : 0.0));
  }
};

/// Length of a path to its point nearest to a place.
double length_nearest(const BodyPath& path, const Vector3d& place) {
  std::size_t nearest = 0;
  for (std::size_t i = 0; i < path.points.size(); ++i)
    if ((path.points[i] - place).norm() < (path.points[nearest] - place).norm()) nearest = i;
  return path.lengths[nearest];
}

/// Minimum path length to the start of a neck: where the path passes between the shoulders, that is
/// limbs with the same parent joint in the trunk. Without any, the whole path.
double length_to_shoulders(const LimbPlacing& placing) {
  const auto parent = [&](const TemplateLimb& limb) {
    return placing.rig.joints[limb.joints.front()].parent;
  };
  Vector3d sum = Vector3d::Zero();
  int count = 0;
  for (const TemplateLimb& other : placing.rig.limbs) {
    const auto& place = placing.places[other.joints[other.root]];
    if (other.mirror_limb < 0 || parent(other) != parent(placing.limb) || !place) continue;
    sum += *place;
    ++count;
  }
  if (count < 2) return placing.path.length();
  return length_nearest(placing.path, sum / count);
}

void place_limb(const LimbPlacing& placing, const FoundLimb& found) {
  const BodyPath& path = placing.path;
  const bool is_neck = placing.limb.is_head && found.exit > length_to_shoulders(placing);
  const double exit = is_neck ? length_to_shoulders(placing) : found.exit;
  const Vector3d at = path.at(exit);
  const Vector3d way = (at - path.at(0.7 * exit)).normalized();
  const double further = found.across && !is_neck ? found.depth : 0.0;
  placing.put(placing.limb.root, at + further * way);
  placing.split(placing.limb.root, exit + further);
}

bool is_upright(const BodyPath& path) {
  const Vector3d whole = path.points.back() - path.points.front();
  return -whole.y() >= upright * whole.norm();
}

/// Joints of a neck divide the way to the head evenly.
void place_neck(const LimbPlacing& placing, const NeckSpan& span) {
  const std::size_t count = placing.limb.joints.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double t = count == 1 ? 1.0 : static_cast<double>(i) / static_cast<double>(count - 1);
    placing.put(i, placing.path.at(std::lerp(span.neck, span.head, t)));
  }
}

/// For a tip that is no head: below the shoulders, as the hem of a shirt whose body has no head.
/// The neck goes above the shoulders as far as the body reaches there.
bool place_above_shoulders(const LimbPlacing& placing, double size, const Vector3d& high) {
  if (!is_human(placing.rig)) return false;
  const auto middle = between_shoulders(placing.rig, placing.places);
  if (!middle || placing.path.points.front().y() > middle->y()) return false;
  const NeckOptions usual;
  const std::size_t count = placing.limb.joints.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double t = count == 1 ? 1.0 : static_cast<double>(i) / static_cast<double>(count - 1);
    Vector3d place = *middle;
    place.y() += std::lerp(usual.neck_above, usual.head_above, t) * size;
    place.y() = std::min(place.y(), std::max(middle->y(), high.y() - 1.0));
    placing.put(i, place);
  }
  return true;
}

/// For a head above its shoulders. False if nothing tells where the neck is.
bool place_upright_head(const LimbPlacing& placing, double size, const NeckOptions& neck) {
  if (!is_upright(placing.path)) return false;
  std::optional<NeckSpan> span;
  if (is_human(placing.rig))
    if (const auto middle = between_shoulders(placing.rig, placing.places))
      span = human_neck(placing.path, length_nearest(placing.path, *middle), size, neck);
  if (!span) span = first_waist(placing.path);
  if (span) place_neck(placing, *span);
  return span.has_value();
}

}  // namespace

std::vector<FoundLimb> found_limbs(const RigTemplate& rig, const BodyVolume& body,
                                   const BodyTips& tips, const TipAssignment& assignment,
                                   const SymmetryPlane& plane) {
  std::vector<int> used;
  std::vector<std::size_t> limbs;
  for (std::size_t l = 0; l < rig.limbs.size(); ++l)
    if (assignment.tips[l] >= 0) {
      used.push_back(assignment.tips[l]);
      limbs.push_back(l);
    }
  const std::vector<double> branches = branch_lengths(tips, used, body.cells.size());
  std::vector<FoundLimb> found;
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    found.push_back(found_limb(tips.tips[used[i]].path, branches[i],
                               rig.limbs[limbs[i]].mirror_limb >= 0, plane));
    found.back().limb = limbs[i];
  }
  std::stable_partition(found.begin(), found.end(),
                        [&](const FoundLimb& limb) { return !rig.limbs[limb.limb].is_head; });
  return found;
}

JointPlaces place_limbs(const RigTemplate& rig, const BodyVolume& body, const BodyTips& tips,
                        const TipAssignment& assignment, const SymmetryPlane& plane,
                        const NeckOptions& neck) {
  JointPlaces places(rig.joints.size());
  const std::vector<FoundLimb> found = found_limbs(rig, body, tips, assignment, plane);
  const bool is_body_human = is_human(rig);
  const auto is_head = [&](const FoundLimb& limb) { return rig.limbs[limb.limb].is_head; };
  const auto heads = std::ranges::find_if(found, is_head);
  for (auto own = found.begin(); own != heads; ++own)
    place_limb({rig, rig.limbs[own->limb], *own->path, places}, *own);
  // Heads after the arms, because a neck ends between the shoulders; legs after the neck, because
  // its height tells how high the hips are.
  if (is_body_human) place_human_arms(rig, found, places);
  for (auto own = heads; own != found.end(); ++own) {
    const LimbPlacing placing{rig, rig.limbs[own->limb], *own->path, places};
    if (placing.limb.joints.size() <= 3 &&
        (place_above_shoulders(placing, tips.size(), tips.high) ||
         place_upright_head(placing, tips.size(), neck)))
      continue;
    place_limb(placing, *own);
  }
  if (is_body_human) place_human_legs(rig, found, places);
  return places;
}

}  // namespace gvbind::rig
