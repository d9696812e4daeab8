#include "assets/scene_resolution.h"

#include <cstdint>
#include <limits>
#include <string>

#include "assets/scene_volume.h"
#include "gvbind/error.h"
#include "gvbind/prepare/character.h"

namespace gvbind {

SceneResolution resolution_of(const Scene& scene, const BindOptions& options, Volume volume,
                              const ResolutionOptions& limits) {
  constexpr std::size_t max_joints = std::numeric_limits<std::uint16_t>::max();  // of a bind too
  if (scene.joints.size() > max_joints)
    throw Error(ErrorKind::cannot_bind, std::to_string(scene.joints.size()) + " joints; at most " +
                                            std::to_string(max_joints));
  const std::vector<Joint> joints = joint_points(scene);
  SceneResolution finest;
  for (const std::vector<std::size_t>& members : volumes_of(scene, volume)) {
    const SceneVolume joined = join_meshes(scene, members);
    const Character character =
        prepare_character(joined.positions, joined.triangles, joints,
                          {options.leaf, options.find_controls, options.orient_faces});
    const FeatureSizes features = feature_sizes(character);
    const int resolution = resolution_for(features, limits);
    if (resolution > finest.resolution) finest = {resolution, features_text(features, joints)};
  }
  if (finest.resolution == 0) throw Error(ErrorKind::cannot_bind, "no mesh to bind");
  return finest;
}

}  // namespace gvbind
