#pragma once

// Tested by tests/command/cli_test.py.

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bind/distance_cache.h"
#include "character/bindable_scene.h"
#include "gvbind/bind_skin.h"
#include "gvbind/prepare/bone_segments.h"
#include "gvbind/prepare/character.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/resolution/feature_size.h"

namespace gvbind {

/// How selected meshes are grouped into solids.
enum class Volume {
  automatic,  ///< the selected meshes together, but those of another size in a solid of their own
  all,        ///< the selected meshes together
  per_mesh,   ///< each selected mesh alone, with all joints
};

struct SceneBinding {
  SceneWeights weights;
  BindStatistics statistics;  ///< of several solids summed, stage by stage
  Findings findings;
};

/// Distances of a scene that are saved or reused.
struct FieldUse {
  std::vector<CachedSolid>* keep = nullptr;  ///< gets those of every solid
  const DistanceCache* kept = nullptr;       ///< of an earlier bind: none are computed. Error
                                             ///< (cannot_bind) where the scene is not that one
};

/// Binds the selected meshes of a scene to the joints that deform. Findings beside those of
/// bind_skin(): "volume-alone" (meshes whose size makes a solid of their own), "rule-unmatched" (an
/// edit, volume or region of the options that matches no solid). Vertices
/// that SceneMesh::assigned_joint assigns are left out of the solids and get full weight. `field`:
/// distances that are kept, or were. `characters`: to be moved from, of the solids, as
/// resolution_of() has prepared them with the same options; none: they are prepared here. Throws
/// Error as bind_skin() does, and cannot_bind when nothing is selected.
SceneBinding bind_scene(const BindableScene& scene, const BindOptions& options,
                        Volume volume = Volume::automatic, const Monitor& monitor = {},
                        std::span<Character> characters = {}, const FieldUse& field = {});

/// Writes the rows of vertices that rules assign, and drops "joint-without-vertices" for their
/// joints.
void apply_assignments(const BindableScene& scene, SceneBinding& binding);

/// Meshes of a scene as the one solid that the stages bind.
struct MeshGroup {
  std::vector<Eigen::Vector3d> positions;
  std::vector<Triangle> triangles;
  std::vector<std::size_t> start = {0};  ///< mesh i of the members has positions start[i] ..
};

/// All joints of the scene, in its order.
std::vector<Joint> joint_points(const BindableScene& scene);

/// The selected meshes with vertices, as indices, one list for each solid. With Volume::automatic
/// the first holds the smallest meshes, and each next one meshes that are many times as large as
/// the skeleton and as all before.
std::vector<std::vector<std::size_t>> group_meshes(const BindableScene& scene, Volume volume);

/// Whether solid `index` of group_meshes() was set apart for its size.
bool is_separate(Volume volume, std::size_t index);

/// Joints for solid `index` of group_meshes(), of the meshes `members`: all joints of the
/// scene; if it is alone and all of its meshes had skins, only joints of these deform.
std::vector<Joint> joints_of_volume(const BindableScene& scene, Volume volume, std::size_t index,
                                    const std::vector<std::size_t>& members);

MeshGroup join_meshes(const BindableScene& scene, const std::vector<std::size_t>& members);

struct SceneResolution {
  int resolution = 0;
  std::string why;                    ///< features_text() of the solid that asks for it
  std::vector<Character> characters;  ///< of every solid, for bind_scene()
};

/// The finest resolution that a solid of the scene asks for. Selection and options as for
/// bind_scene, whose errors it throws.
SceneResolution resolution_of(const BindableScene& scene, const BindOptions& options, Volume volume,
                              const ResolutionOptions& limits = {});

}  // namespace gvbind
