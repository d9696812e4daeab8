#include "commands/bake/extreme_clip.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "formats/gltf/rotation_clip.h"
#include "gvbind/error.h"
#include "preview/poses.h"

namespace gvbind {
namespace {

constexpr double between_keys = 0.2;  ///< s

std::vector<bool> weighted_joints(const Scene& scene) {
  std::vector<bool> weighted(scene.joints.size(), false);
  for (const SceneMesh& mesh : scene.meshes)
    for (std::size_t v = 0; v < mesh.weights.vertex_count(); ++v)
      for (const Influence& entry : mesh.weights.row(v))
        if (entry.joint < weighted.size() && entry.weight > 0.0f) weighted[entry.joint] = true;
  return weighted;
}

/// Rest, the six extremes, rest.
gltf::TurnTrack extremes_of(const SceneJoint& joint, double start, double degrees) {
  gltf::TurnTrack track;
  track.node = static_cast<std::size_t>(joint.node);
  const auto add = [&](const Eigen::Quaterniond& turn) {
    track.times.push_back(start + between_keys * static_cast<double>(track.times.size()));
    track.turns.push_back(turn);
  };
  add(Eigen::Quaterniond::Identity());
  for (const int axis : {0, 1, 2})
    for (const double side : {1.0, -1.0}) {
      const Eigen::AngleAxisd turn(side * degrees * M_PI / 180.0, Eigen::Vector3d::Unit(axis));
      add(turn_in_frame(joint.bind, turn.toRotationMatrix()));
    }
  add(Eigen::Quaterniond::Identity());
  return track;
}

}  // namespace

void add_extreme_clip(const std::string& path, Document& document, const Scene& scene,
                      double degrees) {
  std::vector<gltf::TurnTrack> tracks;
  double start = 0.0;
  const std::vector<bool> weighted = weighted_joints(scene);
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const SceneJoint& joint = scene.joints[j];
    if (!weighted[j] || joint.parent < 0 || joint.node < 0 || !joint.bind.matrix().allFinite())
      continue;
    tracks.push_back(extremes_of(joint, start, degrees));
    start = tracks.back().times.back();
  }
  if (tracks.empty())
    throw Error(ErrorKind::cannot_bind, path +
                                            ": no joint but roots owns weight, so --extremes "
                                            "turns none");
  gltf::add_turn_clip(*std::get<std::shared_ptr<GltfDocument>>(document), extreme_clip_name,
                      tracks);
}

}  // namespace gvbind
