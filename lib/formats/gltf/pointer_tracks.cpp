#include "formats/gltf/pointer_tracks.h"

#include <utility>

#include "gvbind/error.h"

namespace gvbind::gltf {
namespace {

constexpr const char* pointer_extension = "KHR_animation_pointer";

/// The path that a channel moves by its pointer; empty if it has none.
std::string pointer_of(const Json& channel) {
  const Json* target = channel.is_object() ? find(channel, "target") : nullptr;
  const Json* own = target && target->is_object() ? extension(*target, pointer_extension) : nullptr;
  const Json* pointer = own ? find(*own, "pointer") : nullptr;
  return pointer && pointer->is_string() ? pointer->get<std::string>() : std::string();
}

bool is_at_or_below(const std::string& pointer, const std::string& path) {
  return pointer == path || pointer.starts_with(path + "/");
}

/// The name in "/extensions/NAME/..."; empty for other properties.
std::string extension_in(const std::string& property) {
  const std::string prefix = "/extensions/";
  if (!property.starts_with(prefix)) return {};
  const std::string rest = property.substr(prefix.size());
  return rest.substr(0, rest.find('/'));
}

}  // namespace

bool has_pointer_track(const Json& root, const std::string& path) {
  for (const Json& animation : list(root, "animations"))
    for (const Json& channel : list(animation, "channels"))
      if (is_at_or_below(pointer_of(channel), path)) return true;
  return false;
}

void repeat_pointer_tracks(Json& root, std::size_t node, std::span<const std::size_t> others) {
  const std::string path = "/nodes/" + std::to_string(node);
  for (std::size_t a = 0; a < list(root, "animations").size(); ++a) {
    const std::size_t count = list(root["animations"][a], "channels").size();
    for (std::size_t c = 0; c < count; ++c) {
      const std::string pointer = pointer_of(root["animations"][a]["channels"][c]);
      if (!pointer.starts_with(path + "/")) continue;
      const std::string property = pointer.substr(path.size());
      const std::string owner = extension_in(property);
      for (const std::size_t other : others) {
        if (!owner.empty() && !extension(root["nodes"][other], owner.c_str())) continue;
        Json& channels = root["animations"][a]["channels"];
        Json copy = channels[c];
        copy["target"]["extensions"][pointer_extension]["pointer"] =
            "/nodes/" + std::to_string(other) + property;
        channels.push_back(std::move(copy));
      }
    }
  }
}

void refuse_weight_pointers(const Json& root, std::size_t node) {
  const auto mesh = root["nodes"][node]["mesh"].get<std::size_t>();
  if (!has_pointer_track(root, "/nodes/" + std::to_string(node) + "/weights") &&
      !has_pointer_track(root, "/meshes/" + std::to_string(mesh) + "/weights"))
    return;
  throw Error(ErrorKind::cannot_bind,
              "mesh " + in_quotes(name_of(root["meshes"][mesh], "mesh", mesh)) +
                  " has tracks of KHR_animation_pointer for its morph weights, which would not fit "
                  "more morph targets; export them as channels of a node's weights");
}

}  // namespace gvbind::gltf
