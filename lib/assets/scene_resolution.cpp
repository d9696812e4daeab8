#include "assets/scene_resolution.h"

#include <cstdint>
#include <limits>
#include <string>

#include "assets/scene_volume.h"
#include "gvbind/character_distances.h"
#include "gvbind/error.h"
#include "gvbind/prepare/character.h"

namespace gvbind {

SceneResolution resolution_of(const Scene& scene, const BindOptions& options, Volume volume,
                              const ResolutionOptions& limits) {
  constexpr std::size_t max_joints = std::numeric_limits<std::uint16_t>::max();  // of a bind too
  if (scene.joints.size() > max_joints)
    throw Error(ErrorKind::cannot_bind, std::to_string(scene.joints.size()) + " joints; at most " +
                                            std::to_string(max_joints));
  SceneResolution finest;
  const std::vector<std::vector<std::size_t>> volumes = volumes_of(scene, volume);
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const std::vector<Joint> joints = joints_of_volume(scene, volume, i, volumes[i]);
    const SceneVolume joined = join_meshes(scene, volumes[i]);
    finest.characters.push_back(prepare_character({joined.positions, joined.triangles}, joints,
                                                  character_options(options)));
    const FeatureSizes features = feature_sizes(finest.characters.back());
    const int resolution = resolution_for(features, limits);
    if (resolution <= finest.resolution) continue;
    finest.resolution = resolution;
    finest.why = features_text(features, joints);
  }
  if (finest.resolution == 0) throw Error(ErrorKind::cannot_bind, "no mesh to bind");
  return finest;
}

}  // namespace gvbind
