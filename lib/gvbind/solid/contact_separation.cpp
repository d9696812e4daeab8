#include "gvbind/solid/contact_separation.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "gvbind/base/aabb.h"
#include "gvbind/base/parallel.h"
#include "gvbind/solid/bone_visibility.h"

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
  explicit Grid(int resolution) : resolution_(resolution), voxel_(voxel_size(resolution)) {}

  double voxel() const { return voxel_; }
  std::optional<Eigen::Vector3i> cell(const Eigen::Vector3d& at) const {
    const Eigen::Vector3i c = (at / voxel_).array().floor().cast<int>();
    if ((c.array() < 0).any() || (c.array() >= resolution_).any()) return std::nullopt;
    return c;
  }
  bool test(const BitGrid& grid, const Eigen::Vector3d& at) const {
    const auto c = cell(at);
    return c && grid.test(*c);
  }

 private:
  int resolution_;
  double voxel_;
};

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
void visit_points(const LatticeMesh& mesh, const Triangle& t, double step, const Visit& visit) {
  Eigen::Vector3d corner[3];
  for (int k = 0; k < 3; ++k) corner[k] = mesh.positions[t[k]].cast<double>();
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

/// A sample and the nearest one that faces it from a far bone.
struct SamplePair {
  std::size_t a, b;
  std::uint32_t joint_a, joint_b;
};

void sort_unique(std::vector<MortonCode>& codes) {
  std::ranges::sort(codes);
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
}

/// Samples of the surface in front of which there is no exterior voxel; by cell.
std::vector<Sample> collect_samples(const LatticeMesh& mesh, const Solid& solid, const Grid& grid) {
  std::vector<std::vector<Sample>> blocks((mesh.triangles.size() + triangles_per_block - 1) /
                                          triangles_per_block);
  parallel_for(blocks.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      const std::size_t last = std::min(mesh.triangles.size(), (b + 1) * triangles_per_block);
      for (std::size_t t = b * triangles_per_block; t < last; ++t)
        visit_points(mesh, mesh.triangles[t], spacing * grid.voxel(),
                     [&](const Eigen::Vector3d& at, const Eigen::Vector3d& normal) {
                       if (!grid.test(solid.non_exterior, at + normal * beyond * grid.voxel()))
                         return;
                       if (const auto cell = grid.cell(at))
                         blocks[b].push_back({morton_code(*cell), at, normal});
                     });
    }
  });
  std::vector<Sample> samples;
  for (const std::vector<Sample>& block : blocks)
    samples.insert(samples.end(), block.begin(), block.end());
  std::stable_sort(samples.begin(), samples.end(), by_cell);
  return samples;
}

/// Of the samples in the voxels in front of one, the nearest that face it, all that are equally
/// near.
std::vector<std::size_t> opposite_samples(const std::vector<Sample>& samples, std::size_t sample,
                                          const Grid& grid) {
  const Sample& s = samples[sample];
  const double voxel = grid.voxel(), same = same_distance * voxel;
  std::vector<std::pair<double, std::size_t>> found;
  double least = apart * voxel;
  MortonCode before = ~MortonCode{0};
  for (int half = 0; half <= 4; ++half) {
    const auto cell = grid.cell(s.at + s.normal * (half * 0.5 * voxel));
    if (!cell || morton_code(*cell) == before) continue;
    before = morton_code(*cell);
    const auto [begin, end] =
        std::equal_range(samples.begin(), samples.end(), Sample{before, {}, {}}, by_cell);
    for (auto at = begin; at != end; ++at) {
      const Sample& other = *at;
      if (s.normal.dot(other.normal) > opposing) continue;
      const Eigen::Vector3d offset = other.at - s.at;
      if (offset.dot(s.normal) < -behind * voxel || offset.dot(other.normal) > behind * voxel)
        continue;
      const double distance = offset.norm();
      if (distance >= least + same) continue;
      least = std::min(least, distance);
      found.emplace_back(distance, static_cast<std::size_t>(at - samples.begin()));
    }
  }
  std::vector<std::size_t> nearest;
  for (const auto& [distance, other] : found)
    if (distance < least + same) nearest.push_back(other);
  return nearest;
}

using Bone = std::optional<BonePoint>;

/// The bones behind the samples that face others or are faced; none for the rest.
std::vector<Bone> bones_behind(const LatticeBones& bones, const Solid& solid,
                               const std::vector<Sample>& samples,
                               const std::vector<std::vector<std::size_t>>& opposite) {
  std::vector<std::uint8_t> asked(samples.size());
  for (std::size_t i = 0; i < opposite.size(); ++i)
    for (const std::size_t other : opposite[i]) asked[i] = asked[other] = 1;
  std::vector<Bone> behind_samples(samples.size());
  parallel_for(samples.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (asked[i] != 0)
        behind_samples[i] =
            visible_bone(bones, solid.non_exterior, samples[i].at, samples[i].normal);
  });
  return behind_samples;
}

bool far_apart(const SkeletonDistance& skeleton, const Sample& a, const Bone& bone_a,
               const Sample& b, const Bone& bone_b, double far_along) {
  if (!bone_a || !bone_b || bone_a->joint == bone_b->joint) return false;
  const double across =
      (bone_a->position - a.at).norm() + (a.at - b.at).norm() + (b.at - bone_b->position).norm();
  return skeleton.between(*bone_a, *bone_b) > far_along * across;
}

std::vector<SamplePair> find_pairs(const Character& character, const Solid& solid,
                                   const std::vector<Sample>& samples, const Grid& grid,
                                   const ContactOptions& options) {
  std::vector<std::vector<std::size_t>> opposite(samples.size());
  parallel_for(samples.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) opposite[i] = opposite_samples(samples, i, grid);
  });
  const std::vector<Bone> bones = bones_behind(character.bones, solid, samples, opposite);
  std::vector<SamplePair> pairs;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    // Of several, the one of the lowest joint, whatever the order.
    std::optional<SamplePair> pair;
    for (const std::size_t k : opposite[i])
      if (far_apart(character.skeleton, samples[i], bones[i], samples[k], bones[k],
                    options.far_along) &&
          (!pair || bones[k]->joint < pair->joint_b))
        pair = SamplePair{i, k, bones[i]->joint, bones[k]->joint};
    if (pair) pairs.push_back(*pair);
  }
  return pairs;
}

/// Adds the boundary voxels within half a voxel of a sample. The sample that faces it has a pair of
/// its own.
void add_boundary_voxels(const Sample& sample, const Solid& solid, const Grid& grid,
                         std::vector<MortonCode>& codes) {
  for (int corner = 0; corner < 8; ++corner) {
    const Eigen::Vector3d offset(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5,
                                 corner & 4 ? 0.5 : -0.5);
    const auto cell = grid.cell(sample.at + offset * grid.voxel());
    if (cell && solid.boundary.test(*cell)) codes.push_back(morton_code(*cell));
  }
}

/// Whether some solid would remain behind a sample.
bool remains_behind(const Sample& s, const std::vector<MortonCode>& cut, const Solid& solid,
                    const Grid& grid) {
  const auto cell = grid.cell(s.at - s.normal * (remains * grid.voxel()));
  return cell && solid.non_exterior.test(*cell) &&
         !std::ranges::binary_search(cut, morton_code(*cell));
}

/// Of the voxels around a point that are left and do not lie before its surface, the nearest, of
/// those the one furthest behind; its closest point, or the mean of those of several.
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
    sum += clamped_to_box(p, low + 1.0, low + grid.voxel() - 1.0);
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
    if (cell && std::ranges::binary_search(voxels, morton_code(*cell))) return true;
  }
  return false;
}

}  // namespace

ContactSeparation separate_contacts(const Character& character, const Solid& solid,
                                    const BoneVoxels& bones, const ContactOptions& options) {
  const Grid grid(solid.boundary.resolution);
  const std::vector<Sample> samples = collect_samples(character.mesh, solid, grid);
  const std::vector<SamplePair> pairs = find_pairs(character, solid, samples, grid, options);
  std::vector<MortonCode> candidates;
  for (const SamplePair& pair : pairs)
    add_boundary_voxels(samples[pair.a], solid, grid, candidates);
  sort_unique(candidates);
  ContactSeparation found;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<MortonCode>> by_joints;
  for (const SamplePair& pair : pairs) {
    if (remains_behind(samples[pair.a], candidates, solid, grid) &&
        remains_behind(samples[pair.b], candidates, solid, grid))
      add_boundary_voxels(samples[pair.a], solid, grid,
                          by_joints[std::minmax(pair.joint_a, pair.joint_b)]);
    else
      ++found.too_thin;
  }
  std::vector<MortonCode> kept;
  if (!by_joints.empty())
    for (const std::vector<MortonCode>& codes : bones)
      kept.insert(kept.end(), codes.begin(), codes.end());
  sort_unique(kept);
  for (auto& [joints, codes] : by_joints) {
    sort_unique(codes);
    std::erase_if(codes, [&](MortonCode c) { return std::ranges::binary_search(kept, c); });
    if (codes.empty()) continue;
    found.contacts.push_back({joints.first, joints.second, codes.size()});
    found.cut.insert(found.cut.end(), codes.begin(), codes.end());
  }
  sort_unique(found.cut);
  return found;
}

void cut_out(std::span<const MortonCode> voxels, Solid& solid) {
  for (const MortonCode code : voxels) {
    const Eigen::Vector3i cell = morton_cell(code);
    solid.boundary.clear(cell);
    solid.non_exterior.clear(cell);
  }
}

std::vector<Eigen::Vector3i> positions_behind_cut(const Character& character,
                                                  std::span<const MortonCode> cut,
                                                  const Solid& solid) {
  const LatticeMesh& mesh = character.mesh;
  const std::vector<std::uint32_t>& welded = character.welded;
  std::vector<Eigen::Vector3i> moved = mesh.positions;
  if (cut.empty()) return moved;
  const Grid grid(solid.boundary.resolution);
  std::vector<bool> inside_cut(welded.size());
  for (std::size_t v = 0; v < welded.size(); ++v) {
    if (welded[v] != v) continue;
    inside_cut[v] = in_or_beside(cut, mesh.positions[v], grid);
  }
  std::map<std::uint32_t, Eigen::Vector3d> normals;
  for (const Triangle& t : mesh.triangles) {
    if (!inside_cut[welded[t[0]]] && !inside_cut[welded[t[1]]] && !inside_cut[welded[t[2]]])
      continue;
    const Eigen::Vector3d a = mesh.positions[t[0]].cast<double>();
    const Eigen::Vector3d normal =
        (mesh.positions[t[1]].cast<double>() - a).cross(mesh.positions[t[2]].cast<double>() - a);
    for (const std::uint32_t v : t)
      if (inside_cut[welded[v]])
        normals.try_emplace(welded[v], 0.0, 0.0, 0.0).first->second += normal;
  }
  for (const auto& [v, normal] : normals)
    if (const auto at = position_behind(mesh.positions[v], normal, solid.non_exterior, grid))
      moved[v] = *at;
  for (std::size_t v = 0; v < welded.size(); ++v) moved[v] = moved[welded[v]];
  return moved;
}

}  // namespace gvbind
