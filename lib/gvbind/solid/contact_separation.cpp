#include "gvbind/solid/contact_separation.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "gvbind/base/parallel.h"
#include "gvbind/prepare/components.h"

namespace gvbind {

namespace {

// In voxels. A flat surface's own voxels end before `beyond`; surfaces further apart than `apart`
// have air between their voxels.
constexpr double spacing = 0.75, beyond = 1.9, apart = 2.0;
/// Surfaces face each other if their normals' cosine is below this, and neither lies further behind
/// the other than this many voxels.
constexpr double opposing = -0.5, behind = 0.15;
/// Samples whose distances differ by less are equally near, voxels.
constexpr double same_distance = 1e-3;
/// What has to be left behind a surface that is cut, voxels from it.
constexpr double remains = 2.5;
constexpr std::size_t triangles_per_block = 1024;

struct Sample {
  MortonCode cell;
  Eigen::Vector3d at, normal;  ///< lattice; unit
};

class Grid {
 public:
  explicit Grid(int resolution)
      : resolution_(resolution), voxel_(static_cast<double>(lattice_size) / resolution) {}

  double voxel() const { return voxel_; }
  std::optional<Eigen::Vector3i> cell(const Eigen::Vector3d& at) const {
    const Eigen::Vector3i c = (at / voxel_).array().floor().cast<int>();
    if ((c.array() < 0).any() || (c.array() >= resolution_).any()) return std::nullopt;
    return c;
  }
  bool test(const BitGrid& grid, const Eigen::Vector3d& at) const {
    const auto c = cell(at);
    return c && grid.test(c->x(), c->y(), c->z());
  }

 private:
  int resolution_;
  double voxel_;
};

MortonCode code_of(const Eigen::Vector3i& cell) {
  return morton_code(cell.x(), cell.y(), cell.z());
}

bool by_cell(const Sample& a, const Sample& b) { return a.cell < b.cell; }

/// Points no further apart than `step` along the side from corner `base` on and across.
template <class Visit>
void visit_rows(const Eigen::Vector3d (&corner)[3], int base, double step, const Visit& visit) {
  const Eigen::Vector3d &a = corner[base], &b = corner[(base + 1) % 3],
                        &top = corner[(base + 2) % 3];
  const double height = (b - a).cross(top - a).norm() / (b - a).norm();
  const int rows = std::max(1, static_cast<int>(std::ceil(height / step)));
  for (int row = 0; row < rows; ++row) {
    const double up = (row + 0.5) / rows;
    const Eigen::Vector3d from = a + (top - a) * up, along = b + (top - b) * up - from;
    const int count = std::max(1, static_cast<int>(std::ceil(along.norm() / step)));
    for (int i = 0; i < count; ++i) visit(from + along * ((i + 0.5) / count));
  }
}

/// Points of a triangle in rows along its longest side; along each of them if several are longest,
/// so that they do not depend on the order of its corners.
template <class Visit>
void visit_points(const UnitScene& scene, const Triangle& t, double step, const Visit& visit) {
  Eigen::Vector3d corner[3];
  for (int k = 0; k < 3; ++k) corner[k] = scene.positions[t[k]].cast<double>();
  const Eigen::Vector3d normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  const double area = normal.norm();
  if (!(area > 0.0)) return;
  double square[3];
  for (int k = 0; k < 3; ++k) square[k] = (corner[(k + 1) % 3] - corner[k]).squaredNorm();
  const double longest = *std::max_element(square, square + 3);
  for (int k = 0; k < 3; ++k)
    if (square[k] == longest)
      visit_rows(corner, k, step, [&](const Eigen::Vector3d& at) { visit(at, normal / area); });
}

class ContactFinder {
 public:
  ContactFinder(const UnitScene& scene, const SkeletonDistance& skeleton, const Solid& solid,
                const ContactOptions& options)
      : scene_(scene),
        skeleton_(skeleton),
        solid_(solid),
        options_(options),
        grid_(solid.boundary.resolution) {}

  ContactSeparation run(const std::vector<std::vector<MortonCode>>& bones) {
    collect_samples();
    find_pairs();
    std::vector<MortonCode> candidates;
    for (const Pair& pair : pairs_) mark(pair, candidates);
    sort_once(candidates);
    ContactSeparation found;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<MortonCode>> by_bones;
    for (const Pair& pair : pairs_) {
      if (left_behind(samples_[pair.a], candidates) && left_behind(samples_[pair.b], candidates))
        mark(pair, by_bones[std::minmax(pair.bone_a, pair.bone_b)]);
      else
        ++found.too_thin;
    }
    std::vector<MortonCode> kept;
    if (!by_bones.empty())
      for (const std::vector<MortonCode>& codes : bones)
        kept.insert(kept.end(), codes.begin(), codes.end());
    sort_once(kept);
    for (auto& [pair, codes] : by_bones) {
      sort_once(codes);
      std::erase_if(codes, [&](MortonCode c) { return std::ranges::binary_search(kept, c); });
      if (codes.empty()) continue;
      found.contacts.push_back({pair.first, pair.second, codes.size()});
      found.cut.insert(found.cut.end(), codes.begin(), codes.end());
    }
    sort_once(found.cut);
    return found;
  }

 private:
  struct Pair {
    std::size_t a, b;  ///< samples
    std::uint32_t bone_a, bone_b;
  };

  static void sort_once(std::vector<MortonCode>& codes) {
    std::ranges::sort(codes);
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  }

  /// Points of the surface that have no air before them; by cell.
  void collect_samples() {
    std::vector<std::vector<Sample>> blocks((scene_.triangles.size() + triangles_per_block - 1) /
                                            triangles_per_block);
    parallel_for(blocks.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) {
        const std::size_t last = std::min(scene_.triangles.size(), (b + 1) * triangles_per_block);
        for (std::size_t t = b * triangles_per_block; t < last; ++t)
          visit_points(scene_, scene_.triangles[t], spacing * grid_.voxel(),
                       [&](const Eigen::Vector3d& at, const Eigen::Vector3d& normal) {
                         if (!grid_.test(solid_.non_exterior, at + normal * beyond * grid_.voxel()))
                           return;
                         if (const auto cell = grid_.cell(at))
                           blocks[b].push_back({code_of(*cell), at, normal});
                       });
      }
    });
    for (const std::vector<Sample>& block : blocks)
      samples_.insert(samples_.end(), block.begin(), block.end());
    std::stable_sort(samples_.begin(), samples_.end(), by_cell);
  }

  /// Of the samples in the voxels before a sample, the nearest that face it, all that are equally
  /// near.
  std::vector<std::size_t> facing(std::size_t sample) const {
    const Sample& s = samples_[sample];
    const double voxel = grid_.voxel(), same = same_distance * voxel;
    std::vector<std::pair<double, std::size_t>> found;
    double least = apart * voxel;
    MortonCode before = ~MortonCode{0};
    for (int half = 0; half <= 4; ++half) {
      const auto cell = grid_.cell(s.at + s.normal * (half * 0.5 * voxel));
      if (!cell || code_of(*cell) == before) continue;
      before = code_of(*cell);
      const auto [begin, end] =
          std::equal_range(samples_.begin(), samples_.end(), Sample{before, {}, {}}, by_cell);
      for (auto at = begin; at != end; ++at) {
        const Sample& other = *at;
        if (s.normal.dot(other.normal) > opposing) continue;
        const Eigen::Vector3d offset = other.at - s.at;
        if (offset.dot(s.normal) < -behind * voxel || offset.dot(other.normal) > behind * voxel)
          continue;
        const double distance = offset.norm();
        if (distance >= least + same) continue;
        least = std::min(least, distance);
        found.emplace_back(distance, static_cast<std::size_t>(at - samples_.begin()));
      }
    }
    std::vector<std::size_t> nearest;
    for (const auto& [distance, other] : found)
      if (distance < least + same) nearest.push_back(other);
    return nearest;
  }

  using Bone = std::optional<SkeletonDistance::Place>;

  /// The bones behind the samples that face others or are faced; none for the rest.
  std::vector<Bone> bones_behind(const std::vector<std::vector<std::size_t>>& facing) const {
    std::vector<std::uint8_t> asked(samples_.size());
    for (std::size_t i = 0; i < facing.size(); ++i)
      for (const std::size_t other : facing[i]) asked[i] = asked[other] = 1;
    std::vector<Bone> bones(samples_.size());
    parallel_for(samples_.size(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        if (asked[i] != 0)
          bones[i] = visible_bone(scene_, solid_.non_exterior, samples_[i].at, samples_[i].normal);
    });
    return bones;
  }

  bool far_apart(std::size_t a, const Bone& bone_a, std::size_t b, const Bone& bone_b) const {
    if (!bone_a || !bone_b || bone_a->joint == bone_b->joint) return false;
    const Eigen::Vector3d &at_a = samples_[a].at, &at_b = samples_[b].at;
    const double across =
        (bone_a->at - at_a).norm() + (at_a - at_b).norm() + (at_b - bone_b->at).norm();
    return skeleton_.between(*bone_a, *bone_b) > options_.far_along * across;
  }

  void find_pairs() {
    std::vector<std::vector<std::size_t>> faced(samples_.size());
    parallel_for(samples_.size(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) faced[i] = facing(i);
    });
    const std::vector<Bone> bones = bones_behind(faced);
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      // Of several, the one of the lowest bone, whatever the order.
      std::optional<Pair> pair;
      for (const std::size_t other : faced[i])
        if (far_apart(i, bones[i], other, bones[other]) &&
            (!pair || bones[other]->joint < pair->bone_b))
          pair = Pair{i, other, bones[i]->joint, bones[other]->joint};
      if (pair) pairs_.push_back(*pair);
    }
  }

  /// Adds the boundary voxels within half a voxel of the pair's first; the second has a pair of its
  /// own.
  void mark(const Pair& pair, std::vector<MortonCode>& codes) const {
    for (int corner = 0; corner < 8; ++corner) {
      const Eigen::Vector3d offset(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5,
                                   corner & 4 ? 0.5 : -0.5);
      const auto cell = grid_.cell(samples_[pair.a].at + offset * grid_.voxel());
      if (cell && solid_.boundary.test(cell->x(), cell->y(), cell->z()))
        codes.push_back(code_of(*cell));
    }
  }

  bool left_behind(const Sample& s, const std::vector<MortonCode>& cut) const {
    const auto cell = grid_.cell(s.at - s.normal * (remains * grid_.voxel()));
    return cell && solid_.non_exterior.test(cell->x(), cell->y(), cell->z()) &&
           !std::ranges::binary_search(cut, code_of(*cell));
  }

  const UnitScene& scene_;
  const SkeletonDistance& skeleton_;
  const Solid& solid_;
  const ContactOptions& options_;
  const Grid grid_;
  std::vector<Sample> samples_;
  std::vector<Pair> pairs_;
};

/// Of the voxels around a point that are left and do not lie before its surface, the nearest, of
/// those the one furthest behind; its nearest place, or the middle between those of several.
std::optional<Eigen::Vector3i> position_behind(const Eigen::Vector3i& point,
                                               const Eigen::Vector3d& normal,
                                               const BitGrid& non_exterior, const Grid& grid) {
  constexpr double reach = 3.5;
  // Centers that near lie up to four voxels from the point's own, on one side if it is on a face.
  constexpr int side = 2 * 4 + 1;
  const Eigen::Vector3d p = point.cast<double>();
  const auto own = grid.cell(p);
  std::pair least(std::numeric_limits<double>::infinity(), 0.0);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  int count = 0;
  for (int i = 0; own && i < side * side * side; ++i) {
    const Eigen::Vector3i cell =
        own->array() + Eigen::Array3i(i % side, i / side % side, i / side / side) - side / 2;
    const Eigen::Vector3d center = (cell.cast<double>().array() + 0.5) * grid.voxel();
    const Eigen::Vector3d offset = center - p;
    const std::pair far(offset.squaredNorm(), offset.dot(normal));
    if (far > least || far.second > 0.0 || !grid.test(non_exterior, center) ||
        !((offset.array().abs() <= reach * grid.voxel()).all()))
      continue;
    if (far < least) sum.setZero();
    count = far < least ? 1 : count + 1;
    least = far;
    const Eigen::Array3d low = cell.cast<double>().array() * grid.voxel();
    sum += p.array().max(low + 1.0).min(low + grid.voxel() - 1.0).matrix();
  }
  if (count == 0) return std::nullopt;
  return lattice_point(sum / count);
}

/// Whether a point lies in one of the voxels, or on the face of one.
bool in_or_beside(std::span<const MortonCode> voxels, const Eigen::Vector3i& point,
                  const Grid& grid) {
  for (int corner = 0; corner < 8; ++corner) {
    // Lattice points are whole, and so are the faces of voxels.
    const Eigen::Vector3d step(corner & 1 ? -0.5 : 0.5, corner & 2 ? -0.5 : 0.5,
                               corner & 4 ? -0.5 : 0.5);
    const auto cell = grid.cell(point.cast<double>() + step);
    if (cell && std::ranges::binary_search(voxels, code_of(*cell))) return true;
  }
  return false;
}

}  // namespace

ContactSeparation separate_contacts(const UnitScene& scene, const SkeletonDistance& skeleton,
                                    const Solid& solid,
                                    const std::vector<std::vector<MortonCode>>& bones,
                                    const ContactOptions& options) {
  return ContactFinder(scene, skeleton, solid, options).run(bones);
}

void cut_out(std::span<const MortonCode> voxels, Solid& solid) {
  for (const MortonCode code : voxels) {
    const Eigen::Vector3i cell = morton_cell(code);
    solid.boundary.clear(cell.x(), cell.y(), cell.z());
    solid.non_exterior.clear(cell.x(), cell.y(), cell.z());
  }
}

std::vector<Eigen::Vector3i> positions_behind_cut(const UnitScene& scene,
                                                  std::span<const MortonCode> cut,
                                                  const Solid& solid) {
  std::vector<Eigen::Vector3i> moved = scene.positions;
  if (cut.empty()) return moved;
  const Grid grid(solid.boundary.resolution);
  const std::vector<std::uint32_t> place = welded_vertices(scene);
  std::vector<bool> inside_cut(place.size());
  for (std::size_t v = 0; v < place.size(); ++v) {
    if (place[v] != v) continue;
    inside_cut[v] = in_or_beside(cut, scene.positions[v], grid);
  }
  std::map<std::uint32_t, Eigen::Vector3d> normals;
  for (const Triangle& t : scene.triangles) {
    if (!inside_cut[place[t[0]]] && !inside_cut[place[t[1]]] && !inside_cut[place[t[2]]]) continue;
    const Eigen::Vector3d a = scene.positions[t[0]].cast<double>();
    const Eigen::Vector3d normal =
        (scene.positions[t[1]].cast<double>() - a).cross(scene.positions[t[2]].cast<double>() - a);
    for (const std::uint32_t v : t)
      if (inside_cut[place[v]])
        normals.try_emplace(place[v], 0.0, 0.0, 0.0).first->second += normal;
  }
  for (const auto& [v, normal] : normals)
    if (const auto at = position_behind(scene.positions[v], normal, solid.non_exterior, grid))
      moved[v] = *at;
  for (std::size_t v = 0; v < place.size(); ++v) moved[v] = moved[place[v]];
  return moved;
}

}  // namespace gvbind
