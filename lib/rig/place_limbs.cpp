#include "rig/place_limbs.h"

#include <algorithm>
#include <cmath>

#include "rig/human_joints.h"

namespace gvbind {

namespace {

using Eigen::Vector3d;

// A limb ends where its path becomes this much deeper than in the limb's middle; the joint is one
// such depth further in.
constexpr double widening = 1.4, widening_voxels = 0.7;
constexpr double neck_waist = 0.85;  // maximum depth of a neck relative to the head
constexpr double upright = 0.7;      // minimum cosine to the vertical of a head above its shoulders

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
  const BodyPath& path = placing.path;
  if (count < 2) return path.length();
  std::size_t nearest = 0;
  for (std::size_t i = 0; i < path.points.size(); ++i)
    if ((path.points[i] - sum / count).norm() < (path.points[nearest] - sum / count).norm())
      nearest = i;
  return path.lengths[nearest];
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

/// For a head above its shoulders: the neck is the narrowest part between them. False if there is
/// none.
bool place_upright_head(const LimbPlacing& placing) {
  const BodyPath& path = placing.path;
  const Vector3d whole = path.points.back() - path.points.front();
  if (-whole.y() < upright * whole.norm()) return false;
  std::size_t head = 0, waist = 0;
  for (std::size_t i = 0; i < path.points.size(); ++i) {
    if (path.depths[i] > path.depths[head] && waist == 0) head = i;
    if (path.depths[i] < neck_waist * path.depths[head] && i > head &&
        (waist == 0 || path.depths[i] < path.depths[waist]))
      waist = i;
    if (waist > 0 && path.depths[i] > 1.25 * path.depths[waist]) break;
  }
  if (waist == 0) return false;
  const double at = path.lengths[waist], depth = path.depths[waist];
  const std::vector<int>& joints = placing.limb.joints;
  const double last = std::max(0.0, at - 0.5 * depth), first = std::min(path.length(), at + depth);
  const std::size_t count = joints.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double t = count == 1 ? 1.0 : static_cast<double>(i) / static_cast<double>(count - 1);
    placing.put(i, path.at(first + t * (last - first)));
  }
  return true;
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
                        const TipAssignment& assignment, const SymmetryPlane& plane) {
  JointPlaces places(rig.joints.size());
  const std::vector<FoundLimb> found = found_limbs(rig, body, tips, assignment, plane);
  // Heads last, because a neck starts between the shoulders.
  for (const FoundLimb& own : found) {
    const TemplateLimb& limb = rig.limbs[own.limb];
    const LimbPlacing placing{rig, limb, *own.path, places};
    if (limb.is_head && limb.joints.size() <= 3 && place_upright_head(placing)) continue;
    place_limb(placing, own);
  }
  if (is_human(rig)) place_human_joints(rig, found, places);
  return places;
}

}  // namespace gvbind
