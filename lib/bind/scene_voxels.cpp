#include "bind/scene_voxels.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "bind/scene_rules.h"
#include "gvbind/base/utf8.h"
#include "gvbind/bind_stages.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

struct KindLook {
  const char* name;
  std::array<std::uint8_t, 3> color;
};

/// By VoxelKind.
constexpr std::array<KindLook, voxel_kind_count> looks = {{{"exterior", {255, 255, 255}},
                                                           {"interior", {120, 160, 210}},
                                                           {"boundary", {200, 200, 200}},
                                                           {"winding", {240, 200, 60}},
                                                           {"added", {60, 170, 75}},
                                                           {"sealed", {0, 140, 150}},
                                                           {"cut", {205, 45, 45}},
                                                           {"separated", {240, 130, 30}},
                                                           {"region", {170, 90, 190}},
                                                           {"start", {235, 110, 170}}}};

const KindLook& look_of(VoxelKind kind) { return looks[static_cast<std::size_t>(kind)]; }

/// Calls `visit` for every voxel that is or was of the solid.
void visit_solid_voxels(const SolidVoxels& voxels,
                        const std::function<void(const Eigen::Vector3i&)>& visit) {
  const BitGrid &now = voxels.solid.non_exterior, &decided = voxels.trace.decided,
                &separated = voxels.trace.separated;
  for (int z = 0; z < now.resolution; ++z)
    for (int y = 0; y < now.resolution; ++y)
      for (int w = 0; w < now.words_per_row; ++w) {
        const std::size_t at = now.word_index(64 * w, y, z);
        for (std::uint64_t left = now.words[at] | decided.words[at] | separated.words[at]; left;
             left &= left - 1)
          visit({64 * w + std::countr_zero(left), y, z});
      }
}

/// The corners of a voxel's side, counter-clockwise from outside.
std::array<Eigen::Vector3i, 4> corners_of_side(const Eigen::Vector3i& voxel, int axis, int sign) {
  const Eigen::Vector3i u = Eigen::Vector3i::Unit((axis + 1) % 3),
                        v = Eigen::Vector3i::Unit((axis + 2) % 3);
  const Eigen::Vector3i low = voxel + (sign > 0 ? 1 : 0) * Eigen::Vector3i::Unit(axis);
  if (sign > 0) return {low, low + u, low + u + v, low + v};
  return {low, low + v, low + u + v, low + u};
}

/// The surfaces of all kinds of all solids, one mesh.
VoxelFaces all_surfaces(const std::vector<SolidVoxels>& solids) {
  VoxelFaces all;
  for (const SolidVoxels& solid : solids) {
    VoxelFaces own = voxel_faces(
        solid, [&](const Eigen::Vector3i& voxel) { return solid.kind(voxel); },
        [](VoxelKind one, VoxelKind other) { return one != other; });
    const auto base = static_cast<std::uint32_t>(all.corners.size());
    all.corners.insert(all.corners.end(), own.corners.begin(), own.corners.end());
    for (VoxelFaces::Face& face : own.faces) {
      for (std::uint32_t& corner : face.corner) corner += base;
      all.faces.push_back(face);
    }
  }
  return all;
}

template <typename Value>
void append_bytes(std::string& bytes, const Value& value) {
  static_assert(std::endian::native == std::endian::little);
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

}  // namespace

const char* voxel_kind_name(VoxelKind kind) { return look_of(kind).name; }

std::array<std::uint8_t, 3> voxel_color(VoxelKind kind) { return look_of(kind).color; }

VoxelKind SolidVoxels::kind(const Eigen::Vector3i& voxel) const {
  const VoxelKind own = voxel_kind(solid, trace, voxel);
  if ((regions.empty() && starts.empty()) || !solid.non_exterior.test(voxel)) return own;
  const double side = voxel_size(solid.non_exterior.resolution);
  const Eigen::Vector3d center =
      cube.to_bind(Eigen::Vector3d((voxel.cast<double>().array() + 0.5) * side));
  const auto meets = [&](const Primitive& primitive) {
    return distance_to(primitive, center) <= 0.5 * side / cube.scale;
  };
  if (std::ranges::any_of(starts, meets)) return VoxelKind::start;
  return std::ranges::any_of(regions, meets) ? VoxelKind::region : own;
}

SceneVoxels scene_voxels(const BindableScene& scene, const BindOptions& options, Volume volume) {
  SceneVoxels made;
  const std::vector<std::vector<std::size_t>> volumes = group_meshes(scene, volume);
  if (volumes.empty()) throw Error(ErrorKind::cannot_bind, "no mesh to bind");
  RuleUse use;
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const std::vector<Joint> joints = joints_of_volume(scene, volume, i, volumes[i]);
    validate(options, joints);
    const MeshGroup joined = join_meshes(scene, volumes[i]);
    BindResult result;
    run_monitored(options, {}, [&] {
      const Monitor unwatched;
      StageClock clock(result.statistics.stages, unwatched, bind_stages);
      Character character = prepare_character({joined.positions, joined.triangles}, joints,
                                              character_options(options));
      SolidVoxels& own = made.solids.emplace_back();
      own.cube = character.cube;
      for (const JointRegion& region : options.rules.regions) own.regions.push_back(region.where);
      for (const SeedRegion& start : options.rules.volumes) own.starts.push_back(start.where);
      own.solid = character_solid(character, joints, options, clock, result, &own.trace).solid;
    });
    add_rule_use(use, result.statistics.rules);
    for (Finding& finding : result.findings) made.findings.push_back(std::move(finding));
  }
  use.regions.clear();  // vertices are counted by a bind alone
  report_unused_rules(options.rules, use, made.findings);
  return made;
}

void count_kinds(const SolidVoxels& voxels, std::map<VoxelKind, std::size_t>& counts) {
  visit_solid_voxels(voxels, [&](const Eigen::Vector3i& voxel) {
    const VoxelKind kind = voxels.kind(voxel);
    if (kind != VoxelKind::exterior) ++counts[kind];
  });
}

VoxelFaces voxel_faces(const SolidVoxels& voxels,
                       const std::function<VoxelKind(const Eigen::Vector3i& voxel)>& kind,
                       const std::function<bool(VoxelKind own, VoxelKind other)>& separates) {
  VoxelFaces made;
  const int r = voxels.solid.non_exterior.resolution;
  const auto kind_at = [&](const Eigen::Vector3i& v) {
    return v.minCoeff() < 0 || v.maxCoeff() >= r ? VoxelKind::exterior : kind(v);
  };
  std::unordered_map<MortonCode, std::uint32_t> known;
  const auto corner = [&](const Eigen::Vector3i& at) {
    const auto [found, is_new] =
        known.emplace(morton_code(at), static_cast<std::uint32_t>(made.corners.size()));
    if (is_new) made.corners.push_back(voxels.cube.to_bind(at.cast<double>() * voxel_size(r)));
    return found->second;
  };
  visit_solid_voxels(voxels, [&](const Eigen::Vector3i& voxel) {
    const VoxelKind own = kind(voxel);
    if (own == VoxelKind::exterior) return;
    for (int axis = 0; axis < 3; ++axis)
      for (const int sign : {-1, 1}) {
        const Eigen::Vector3i normal = sign * Eigen::Vector3i::Unit(axis);
        if (!separates(own, kind_at(voxel + normal))) continue;
        const auto corners = corners_of_side(voxel, axis, sign);
        made.faces.push_back(
            {{corner(corners[0]), corner(corners[1]), corner(corners[2]), corner(corners[3])},
             own,
             normal});
      }
  });
  return made;
}

std::string ply_of(const std::vector<SolidVoxels>& solids) {
  const VoxelFaces all = all_surfaces(solids);
  std::string bytes = "ply\nformat binary_little_endian 1.0\ncomment kinds:";
  for (std::size_t k = 0; k < looks.size(); ++k)
    bytes += " " + std::to_string(k) + " " + looks[k].name;
  bytes += "\nelement vertex " + std::to_string(all.corners.size()) +
           "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
           std::to_string(all.faces.size()) +
           "\nproperty list uchar uint vertex_indices\nproperty uchar red\nproperty uchar green\n"
           "property uchar blue\nproperty uchar kind\nend_header\n";
  for (const Eigen::Vector3d& p : all.corners)
    for (const double coordinate : p) append_bytes(bytes, static_cast<float>(coordinate));
  for (const VoxelFaces::Face& face : all.faces) {
    append_bytes(bytes, std::uint8_t{4});
    for (const std::uint32_t corner : face.corner) append_bytes(bytes, corner);
    for (const std::uint8_t channel : voxel_color(face.kind)) append_bytes(bytes, channel);
    append_bytes(bytes, static_cast<std::uint8_t>(face.kind));
  }
  return bytes;
}

std::string obj_of(const std::vector<SolidVoxels>& solids) {
  VoxelFaces all = all_surfaces(solids);
  std::ranges::stable_sort(all.faces, {}, &VoxelFaces::Face::kind);
  std::string text = "# The solid of gvbind voxels, a group for each kind of voxel\n";
  for (const Eigen::Vector3d& p : all.corners) {
    text += "v";
    for (const double coordinate : p)
      text.append(" ").append(exact(static_cast<double>(static_cast<float>(coordinate))));
    text += "\n";
  }
  VoxelKind group = VoxelKind::exterior;
  for (const VoxelFaces::Face& face : all.faces) {
    if (face.kind != group) text += std::string("g ") + voxel_kind_name(face.kind) + "\n";
    group = face.kind;
    text += "f";
    for (const std::uint32_t corner : face.corner)
      text.append(" ").append(std::to_string(corner + 1));
    text += "\n";
  }
  return text;
}

}  // namespace gvbind
