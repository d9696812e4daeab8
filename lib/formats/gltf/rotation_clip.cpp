#include "formats/gltf/rotation_clip.h"

#include "formats/gltf/append.h"
#include "formats/gltf/nodes.h"

namespace gvbind::gltf {

namespace {

Eigen::Quaterniond rotation_of(const Json& node) {
  const Json* r = find(node, "rotation");
  if (!r) return Eigen::Quaterniond::Identity();
  const auto number = [&](std::size_t i) { return (*r)[i].get<double>(); };
  return Eigen::Quaterniond(number(3), number(0), number(1), number(2)).normalized();
}

/// The specification does not allow a matrix on an animated node.
bool is_animatable(Json& node) {
  if (!node.contains("matrix")) return true;
  const Eigen::Affine3d local = local_transform(node);
  node.erase("matrix");
  write_transform(node, local);
  return !node.contains("matrix");
}

}  // namespace

std::vector<std::size_t> add_turn_clip(GltfDocument& document, const std::string& name,
                                       std::span<const TurnTrack> tracks) {
  std::vector<std::size_t> left_out;
  Json animation = {{"name", name}, {"channels", Json::array()}, {"samplers", Json::array()}};
  for (const TurnTrack& track : tracks) {
    Json& node = document.json["nodes"][track.node];
    if (!is_animatable(node)) {
      left_out.push_back(track.node);
      continue;
    }
    const Eigen::Quaterniond rest = rotation_of(node);
    std::vector<double> values;
    for (const Eigen::Quaterniond& turn : track.turns) {
      const Eigen::Quaterniond q = (rest * turn).normalized();
      values.insert(values.end(), {q.x(), q.y(), q.z(), q.w()});
    }
    const std::size_t input =
        append_values(document, track.times, {ComponentType::f32, 1, track.times.size(), false},
                      ViewTarget::none, true);
    const std::size_t output =
        append_values(document, values, {ComponentType::f32, 4, track.turns.size(), false},
                      ViewTarget::none, false);
    animation["channels"].push_back({{"sampler", animation["samplers"].size()},
                                     {"target", {{"node", track.node}, {"path", "rotation"}}}});
    animation["samplers"].push_back(
        {{"input", input}, {"interpolation", "LINEAR"}, {"output", output}});
  }
  list_to_grow(document.json, "animations").push_back(std::move(animation));
  return left_out;
}

}  // namespace gvbind::gltf
