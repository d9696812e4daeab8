#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "assets/bind_scene.h"
#include "assets/scene.h"
#include "gvbind/prepare/bone_segments.h"
#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// Meshes of a scene as the one solid that the stages bind.
struct SceneVolume {
  std::vector<Eigen::Vector3d> positions;
  std::vector<Triangle> triangles;
  std::vector<std::size_t> start = {0};  ///< mesh i of the members has positions start[i] ..
};

/// All joints of the scene, in its order.
std::vector<Joint> joint_points(const Scene& scene);

/// The selected meshes with vertices, as indices, one list for each solid. With Volume::automatic
/// the first holds the smallest meshes, and each next one meshes that are many times as large as
/// the skeleton and as all before.
std::vector<std::vector<std::size_t>> volumes_of(const Scene& scene, Volume volume);

/// Whether solid `index` of volumes_of() was set apart for its size.
bool is_alone(Volume volume, std::size_t index);

/// What solid `index` of volumes_of(), of the meshes `members`, is bound to: all joints of the
/// scene; if it is alone and all of its meshes had skins, only joints of these deform.
std::vector<Joint> joints_of_volume(const Scene& scene, Volume volume, std::size_t index,
                                    const std::vector<std::size_t>& members);

SceneVolume join_meshes(const Scene& scene, const std::vector<std::size_t>& members);

}  // namespace gvbind
