#pragma once

// Tested by tests/unit/preview/voxel_picture_test.cpp.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bind/bind_scene.h"
#include "gvbind/character_solid.h"

namespace gvbind {

/// The solid that a bind of some meshes measures distances in, and how it came about.
struct SolidVoxels {
  UnitCube cube;
  Solid solid;
  SolidTrace trace;
  std::vector<Primitive> regions, starts;  ///< of the rules; bind space

  VoxelKind kind(const Eigen::Vector3i& voxel) const;
};

struct SceneVoxels {
  std::vector<SolidVoxels> solids;  ///< one for each of group_meshes()
  Findings findings;
};

/// The solids that bind_scene() measures distances in. Throws as bind_scene().
SceneVoxels scene_voxels(const BindableScene& scene, const BindOptions& options, Volume volume);

/// "added": for files and tables.
const char* voxel_kind_name(VoxelKind kind);
constexpr std::size_t voxel_kind_count = 10;

/// Adds the number of voxels of each kind but exterior.
void count_kinds(const SolidVoxels& voxels, std::map<VoxelKind, std::size_t>& counts);

/// Sides of voxels, in bind space.
struct VoxelFaces {
  struct Face {
    std::array<std::uint32_t, 4> corner;  ///< counter-clockwise from outside
    VoxelKind kind;                       ///< of the voxel that it is a side of
    Eigen::Vector3i normal;               ///< along an axis
  };
  std::vector<Eigen::Vector3d> corners;  ///< each once
  std::vector<Face> faces;
};

/// The side of a voxel toward a neighbor is there if `separates` their kinds. `kind`: of the
/// voxels; beyond the grid all is exterior.
VoxelFaces voxel_faces(const SolidVoxels& voxels,
                       const std::function<VoxelKind(const Eigen::Vector3i& voxel)>& kind,
                       const std::function<bool(VoxelKind own, VoxelKind other)>& separates);

/// Every kind of voxel as a closed surface of its own: binary PLY with colors and the kind by face,
/// or OBJ with a group for each kind.
std::string ply_of(const std::vector<SolidVoxels>& solids);
std::string obj_of(const std::vector<SolidVoxels>& solids);

/// sRGB.
std::array<std::uint8_t, 3> voxel_color(VoxelKind kind);

}  // namespace gvbind
