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
#include "gvbind/solid/contact_samples.h"

namespace gvbind {

namespace {

/// Surfaces further apart than this many voxels have an exterior voxel between them.
constexpr double apart = 2.0;
/// Surfaces face each other if the cosine of their normals is below `opposing` and neither lies
/// more than `behind` voxels behind the other.
constexpr double opposing = -0.5, behind = 0.15;
/// Tolerance for equal distances of samples, voxels.
constexpr double same_distance = 1e-3;
/// Minimum depth of solid that must remain behind a separated surface, voxels.
constexpr double remains = 2.5;

/// A sample and the nearest sample facing it whose bone is far.
struct SamplePair {
  std::size_t a, b;
  std::uint32_t joint_a, joint_b;
};

void sort_unique(std::vector<MortonCode>& codes) {
  std::ranges::sort(codes);
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
}

/// Of the samples in the voxels in front of a sample, the nearest that face it, with ties.
std::vector<std::size_t> opposite_samples(const Samples& samples, std::size_t sample,
                                          const VoxelPlaces& grid) {
  const Sample& s = samples.list[sample];
  const Eigen::Vector3d& normal = samples.normal(s);
  const double voxel = grid.voxel(), same = same_distance * voxel;
  std::vector<std::pair<double, std::size_t>> found;
  double least = apart * voxel;
  MortonCode before = ~MortonCode{0};
  for (int half = 0; half <= 4; ++half) {
    const auto cell = grid.cell(s.at + normal * (half * 0.5 * voxel));
    if (!cell || morton_code(*cell) == before) continue;
    before = morton_code(*cell);
    auto at = std::ranges::lower_bound(samples.list, before, {}, &Sample::cell);
    for (; at != samples.list.end() && at->cell == before; ++at) {
      const Sample& other = *at;
      const Eigen::Vector3d& facing = samples.normal(other);
      if (normal.dot(facing) > opposing) continue;
      const Eigen::Vector3d offset = other.at - s.at;
      if (offset.dot(normal) < -behind * voxel || offset.dot(facing) > behind * voxel) continue;
      const double distance = offset.norm();
      if (distance >= least + same) continue;
      least = std::min(least, distance);
      found.emplace_back(distance, static_cast<std::size_t>(at - samples.list.begin()));
    }
  }
  std::vector<std::size_t> nearest;
  for (const auto& [distance, other] : found)
    if (distance < least + same) nearest.push_back(other);
  return nearest;
}

/// A sample and another that it faces.
struct Facing {
  std::uint32_t sample, opposite;
};

/// All facing pairs, by sample.
std::vector<Facing> all_facing(const Samples& samples, const VoxelPlaces& grid) {
  constexpr std::size_t block = 4096;
  std::vector<std::vector<Facing>> found((samples.size() + block - 1) / block);
  parallel_for(found.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin * block; i < std::min(samples.size(), end * block); ++i)
      for (const std::size_t other : opposite_samples(samples, i, grid))
        found[i / block].push_back(
            {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(other)});
  });
  std::vector<Facing> all;
  for (std::vector<Facing>& some : found) {
    all.insert(all.end(), some.begin(), some.end());
    std::vector<Facing>().swap(some);
  }
  return all;
}

using Bone = std::optional<BonePoint>;

/// The bones behind samples that face others or are faced.
class BonesBehind {
 public:
  BonesBehind(const LatticeBones& bones, const Solid& solid, const Samples& samples,
              const std::vector<Facing>& facing) {
    for (const auto& [sample, opposite] : facing) {
      asked_.push_back(sample);
      asked_.push_back(opposite);
    }
    std::ranges::sort(asked_);
    asked_.erase(std::unique(asked_.begin(), asked_.end()), asked_.end());
    found_.resize(asked_.size());
    parallel_for(asked_.size(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Sample& sample = samples.list[asked_[i]];
        found_[i] = visible_bone(bones, solid.non_exterior, sample.at, samples.normal(sample));
      }
    });
  }
  const Bone& operator[](std::uint32_t sample) const {
    return found_[std::ranges::lower_bound(asked_, sample) - asked_.begin()];
  }

 private:
  std::vector<std::uint32_t> asked_;  ///< ascending
  std::vector<Bone> found_;
};

bool far_apart(const SkeletonDistance& skeleton, const Sample& a, const Bone& bone_a,
               const Sample& b, const Bone& bone_b, double far_along) {
  if (!bone_a || !bone_b || bone_a->joint == bone_b->joint) return false;
  const double across =
      (bone_a->position - a.at).norm() + (a.at - b.at).norm() + (b.at - bone_b->position).norm();
  return skeleton.between(*bone_a, *bone_b) > far_along * across;
}

std::vector<SamplePair> find_pairs(const Character& character, const Solid& solid,
                                   const Samples& samples, const VoxelPlaces& grid,
                                   const ContactOptions& options) {
  const std::vector<Facing> facing = all_facing(samples, grid);
  const BonesBehind bones(character.bones, solid, samples, facing);
  std::vector<SamplePair> pairs;
  for (std::size_t i = 0; i < facing.size();) {
    // Of several, the one of the lowest joint, independent of their order.
    std::optional<SamplePair> pair;
    const std::uint32_t sample = facing[i].sample;
    const Bone& own = bones[sample];
    for (; i < facing.size() && facing[i].sample == sample; ++i) {
      const std::uint32_t k = facing[i].opposite;
      const Bone& other = bones[k];
      if (far_apart(character.skeleton, samples.list[sample], own, samples.list[k], other,
                    options.far_along) &&
          (!pair || other->joint < pair->joint_b))
        pair = SamplePair{sample, k, own->joint, other->joint};
    }
    if (pair) pairs.push_back(*pair);
  }
  return pairs;
}

/// Adds the boundary voxels within half a voxel of a sample. The sample facing it is handled by its
/// own pair.
void add_boundary_voxels(const Sample& sample, const Solid& solid, const VoxelPlaces& grid,
                         std::vector<MortonCode>& codes) {
  for (int corner = 0; corner < 8; ++corner) {
    const Eigen::Vector3d offset(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5,
                                 corner & 4 ? 0.5 : -0.5);
    const auto cell = grid.cell(sample.at + offset * grid.voxel());
    if (cell && solid.boundary.test(*cell)) codes.push_back(morton_code(*cell));
  }
}

/// Whether enough solid remains behind a sample.
bool remains_behind(const Samples& samples, std::size_t sample, const std::vector<MortonCode>& cut,
                    const Solid& solid, const VoxelPlaces& grid) {
  const Sample& s = samples.list[sample];
  const auto cell = grid.cell(s.at - samples.normal(s) * (remains * grid.voxel()));
  return cell && solid.non_exterior.test(*cell) &&
         !std::ranges::binary_search(cut, morton_code(*cell));
}

/// Among the remaining voxels around a point that are not in front of its surface, finds the
/// nearest, of these the one furthest behind. Returns its closest point, averaged over ties.
std::optional<Eigen::Vector3i> position_behind(const Eigen::Vector3i& point,
                                               const Eigen::Vector3d& normal,
                                               const BitGrid& non_exterior,
                                               const VoxelPlaces& grid) {
  constexpr double reach = 3.5;
  // Centers in range are up to four voxels from the point's own, on one side if it lies on a face.
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

/// Whether a point lies in one of the voxels or on its surface.
bool in_or_beside(std::span<const MortonCode> voxels, const Eigen::Vector3i& point,
                  const VoxelPlaces& grid) {
  // Lattice points and voxel faces have integer coordinates.
  const Eigen::Vector3d p = point.cast<double>(), half = Eigen::Vector3d::Constant(0.5);
  const auto low = grid.cell(p - half), high = grid.cell(p + half);
  if (low && high && *low == *high) return std::ranges::binary_search(voxels, morton_code(*low));
  for (int corner = 0; corner < 8; ++corner) {
    const Eigen::Vector3d step(corner & 1 ? -0.5 : 0.5, corner & 2 ? -0.5 : 0.5,
                               corner & 4 ? -0.5 : 0.5);
    const auto cell = grid.cell(p + step);
    if (cell && std::ranges::binary_search(voxels, morton_code(*cell))) return true;
  }
  return false;
}

}  // namespace

ContactSeparation separate_contacts(const Character& character, const Solid& solid,
                                    const BoneVoxels& bones, const ContactOptions& options) {
  const VoxelPlaces grid(solid.boundary.resolution);
  const Samples samples = contact_samples(character.mesh, solid, grid);
  const std::vector<SamplePair> pairs = find_pairs(character, solid, samples, grid, options);
  std::vector<MortonCode> candidates;
  for (const SamplePair& pair : pairs)
    add_boundary_voxels(samples.list[pair.a], solid, grid, candidates);
  sort_unique(candidates);
  ContactSeparation found;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<MortonCode>> by_joints;
  for (const SamplePair& pair : pairs) {
    if (remains_behind(samples, pair.a, candidates, solid, grid) &&
        remains_behind(samples, pair.b, candidates, solid, grid))
      add_boundary_voxels(samples.list[pair.a], solid, grid,
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
  const VoxelPlaces grid(solid.boundary.resolution);
  std::vector<std::uint8_t> inside_cut(welded.size(), 0);
  parallel_for(welded.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      inside_cut[v] = welded[v] == v && in_or_beside(cut, mesh.positions[v], grid);
  });
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
