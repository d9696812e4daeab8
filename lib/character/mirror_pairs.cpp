#include "character/mirror_pairs.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "gvbind/base/utf8.h"
#include "gvbind/base/weld.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/prepare/point_search.h"

namespace gvbind {

namespace {

/// Joints are at the same position if their distances differ by less than this fraction of `near`.
constexpr double same_place = 1e-2;
/// Number of positions sampled to find the plane.
constexpr std::size_t plane_samples = 2000;
/// Minimum fraction of joints or positions with a mirror image, for Mirror::automatic.
constexpr double min_symmetry = 0.5;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/// `word` in the case of `like`: "LEFT" and "right" give "RIGHT".
std::string in_case_of(const std::string& like, std::string word) {
  if (is_capital(like[0])) word[0] = static_cast<char>(std::toupper(word[0]));
  if (is_capital(like[1]))
    for (char& c : word) c = static_cast<char>(std::toupper(c));
  return word;
}

/// L or R as a separate word or before a word: "arm.L", "R_arm", "lArm", "LArm".
bool is_side_letter(const std::string& name, std::size_t at) {
  if (std::string("lLrR").find(name[at]) == std::string::npos) return false;
  const bool begins = at == 0 || !is_letter(name[at - 1]);
  const bool ends = at + 1 == name.size() || !is_letter(name[at + 1]);
  if (!begins || ends) return begins;
  const bool before_word =
      at + 2 < name.size() && is_letter(name[at + 2]) && !is_capital(name[at + 2]);
  return is_capital(name[at + 1]) && (!is_capital(name[at]) || before_word);
}

/// A joint close enough to a mirrored position; nearest first.
struct MirrorCandidate {
  double distance;
  int joint;
};

std::vector<MirrorCandidate> candidates_at(const std::vector<SceneJoint>& joints,
                                           const Eigen::Vector3d& place, double far) {
  std::vector<MirrorCandidate> candidates;
  for (std::size_t k = 0; k < joints.size(); ++k)
    if (const double d = (joints[k].bind.translation() - place).norm(); d <= far)
      candidates.push_back({d, static_cast<int>(k)});
  std::ranges::stable_sort(candidates, {}, &MirrorCandidate::distance);
  return candidates;
}

int best_partner(const std::vector<SceneJoint>& joints, std::size_t joint,
                 const std::vector<MirrorCandidate>& candidates, const std::vector<int>& pairs,
                 double near) {
  const std::string wanted = mirrored_name(joints[joint].name);
  for (const MirrorCandidate& candidate : candidates)
    if (!wanted.empty() && joints[candidate.joint].name == wanted) return candidate.joint;
  if (candidates.empty()) return -1;
  // Hand-placed spines are not exactly in the middle.
  if (wanted.empty() && candidates[0].joint == static_cast<int>(joint)) return candidates[0].joint;
  if (candidates[0].distance > near) return -1;
  const int parent = joints[joint].parent;
  const int parent_partner = parent < 0 ? -1 : pairs[parent];
  int best = -1, best_rank = 3;
  for (const MirrorCandidate& candidate : candidates) {
    if (candidate.distance > candidates[0].distance + same_place * near) break;
    const int rank = candidate.joint == static_cast<int>(joint)         ? 0
                     : joints[candidate.joint].parent == parent_partner ? 1
                                                                        : 2;
    if (rank < best_rank) {
      best = candidate.joint;
      best_rank = rank;
    }
  }
  return best;
}

/// Positions on a lattice centered on the plane, so that mirrored positions are exact.
class MirrorLattice {
 public:
  MirrorLattice(const std::vector<Eigen::Vector3d>& positions, const MirrorPlane& plane)
      : axis_(plane.axis) {
    Eigen::AlignedBox3d box;
    for (const Eigen::Vector3d& p : positions) box.extend(p).extend(plane.mirrored(p));
    cube_.center = box.center();
    cube_.center[axis_] = plane.offset;
    cube_.scale = (lattice_size - 2 * lattice_margin) / std::max(box.sizes().maxCoeff(), 1e-30);
    points_.reserve(positions.size());
    for (const Eigen::Vector3d& p : positions) points_.push_back(cube_.to_lattice(p));
    first_ = welded(std::span<const Eigen::Vector3i>(points_));
    for (std::uint32_t v = 0; v < first_.size(); ++v)
      if (first_[v] == v) places_.push_back(v);
  }

  Eigen::Vector3i mirrored(std::uint32_t point) const {
    Eigen::Vector3i p = points_[point];
    p[axis_] = lattice_size - p[axis_];
    return p;
  }

  double distance(const Eigen::Vector3i& a, std::uint32_t b) const {
    return (a - points_[b]).cast<double>().norm() / cube_.scale;
  }

  const std::vector<Eigen::Vector3i>& points() const { return points_; }
  const std::vector<std::uint32_t>& first() const { return first_; }
  const std::vector<std::uint32_t>& places() const { return places_; }

 private:
  int axis_;
  UnitCube cube_;
  std::vector<Eigen::Vector3i> points_;
  std::vector<std::uint32_t> first_;   ///< by point, the first at its position
  std::vector<std::uint32_t> places_;  ///< by position, its first point
};

/// Fractions of all joints.
struct JointFractions {
  double mirrored = 0.0;  ///< paired with another joint, or with itself in the middle
  double in_pairs = 0.0;  ///< paired with another joint
};

JointFractions joint_fractions(const std::vector<SceneJoint>& joints, const MirrorPlane& plane,
                               double near, double far) {
  const std::vector<int> pairs = mirror_joints(joints, plane, near, far);
  JointFractions made;
  for (std::size_t j = 0; j < pairs.size(); ++j) {
    made.mirrored += pairs[j] >= 0;
    made.in_pairs += pairs[j] >= 0 && pairs[j] != static_cast<int>(j);
  }
  const auto count = static_cast<double>(std::max<std::size_t>(pairs.size(), 1));
  return {made.mirrored / count, made.in_pairs / count};
}

/// Estimated from a sample of the positions.
double position_fraction(const std::vector<Eigen::Vector3d>& positions, const MirrorPlane& plane,
                         double near) {
  if (positions.empty()) return 0.0;
  const MirrorLattice lattice(positions, plane);
  const PointSearch search(lattice.points(), lattice.places());
  const std::size_t step = std::max<std::size_t>(1, positions.size() / plane_samples);
  std::size_t with = 0, all = 0;
  for (std::uint32_t v = 0; v < positions.size(); v += static_cast<std::uint32_t>(step), ++all) {
    const Eigen::Vector3i at = lattice.mirrored(v);
    with += lattice.distance(at, search.nearest(at)) <= near;
  }
  return static_cast<double>(with) / static_cast<double>(all);
}

std::vector<double> likely_offsets(const std::vector<SceneJoint>& joints,
                                   const std::vector<Eigen::Vector3d>& positions, int axis) {
  Eigen::AlignedBox3d mesh, skeleton;
  for (const Eigen::Vector3d& p : positions) mesh.extend(p);
  for (const SceneJoint& joint : joints) skeleton.extend(joint.bind.translation());
  std::vector<double> offsets = {0.0};
  if (!mesh.isEmpty()) offsets.push_back(mesh.center()[axis]);
  if (!skeleton.isEmpty()) offsets.push_back(skeleton.center()[axis]);
  if (!joints.empty()) offsets.push_back(joints[0].bind.translation()[axis]);
  return offsets;
}

}  // namespace

std::string mirrored_name(const std::string& name) {
  constexpr std::array<std::pair<const char*, const char*>, 4> words = {
      {{"left", "right"}, {"right", "left"}, {"左", "右"}, {"右", "左"}}};
  const std::string lower = lower_case(name);
  for (const auto& [word, other] : words) {
    const std::string_view text(word);
    const std::size_t at = lower.find(text);
    if (at == lower.npos) continue;
    const std::string turned = is_letter(text[0]) ? in_case_of(name.substr(at, 2), other) : other;
    return name.substr(0, at) + turned + name.substr(at + text.size());
  }
  for (std::size_t at = 0; at < name.size(); ++at)
    if (is_side_letter(name, at)) {
      std::string turned = name;
      turned[at] = name[at] == 'l' ? 'r' : name[at] == 'r' ? 'l' : name[at] == 'L' ? 'R' : 'L';
      return turned;
    }
  return {};
}

std::vector<int> mirror_joints(const std::vector<SceneJoint>& joints, const MirrorPlane& plane,
                               double near, double far) {
  std::vector<int> pairs(joints.size(), -1);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Eigen::Vector3d place = plane.mirrored(joints[j].bind.translation());
    pairs[j] = best_partner(joints, j, candidates_at(joints, place, far), pairs, near);
  }
  const std::vector<int> found = pairs;
  for (std::size_t j = 0; j < pairs.size(); ++j)
    if (found[j] >= 0 && found[found[j]] != static_cast<int>(j)) pairs[j] = -1;
  return pairs;
}

std::vector<std::size_t> mirror_vertices(const std::vector<Eigen::Vector3d>& positions,
                                         const MirrorPlane& plane, double near) {
  std::vector<std::size_t> pairs(positions.size(), no_mirror);
  if (positions.empty()) return pairs;
  const MirrorLattice lattice(positions, plane);
  const PointSearch search(lattice.points(), lattice.places());
  std::map<std::uint32_t, std::vector<std::size_t>> at_place;
  for (std::size_t v = 0; v < positions.size(); ++v) at_place[lattice.first()[v]].push_back(v);
  for (const std::uint32_t place : lattice.places()) {
    const Eigen::Vector3i at = lattice.mirrored(place);
    const std::uint32_t other = search.nearest(at);
    if (lattice.distance(at, other) > near || search.nearest(lattice.mirrored(other)) != place)
      continue;
    const std::vector<std::size_t>&own = at_place[place], &others = at_place[other];
    for (std::size_t i = 0; i < own.size(); ++i)
      pairs[own[i]] = others[std::min(i, others.size() - 1)];
  }
  return pairs;
}

std::optional<MirrorPlane> mirror_plane(const std::vector<SceneJoint>& joints,
                                        const std::vector<Eigen::Vector3d>& positions,
                                        Mirror mirror, double near, double far) {
  if (mirror == Mirror::off) return std::nullopt;
  const bool automatic = mirror == Mirror::automatic;
  std::optional<MirrorPlane> best;
  double most = -1.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!automatic && axis != static_cast<int>(mirror) - static_cast<int>(Mirror::x)) continue;
    for (const double offset : likely_offsets(joints, positions, axis)) {
      const MirrorPlane plane{axis, offset};
      const JointFractions of_joints = joint_fractions(joints, plane, near, far);
      const double of_positions = position_fraction(positions, plane, near);
      if (automatic && of_joints.mirrored < min_symmetry && of_positions < min_symmetry) continue;
      // A flat skeleton is also symmetric front to back; pairs distinguish left from right.
      const double sum = of_joints.mirrored + of_joints.in_pairs + of_positions;
      // Planes that differ by rounding are equally good: keep the earlier one.
      if (sum <= most + 1e-3) continue;
      most = sum;
      best = plane;
    }
  }
  return best;
}

}  // namespace gvbind
