// Tested by tests/command/convert_losses_test.py.

#include <unordered_set>
#include <utility>

#include "formats/fbx/read_source.h"

/// Converts the visibility flags of an FBX to nodes that hide everything below them.
namespace gvbind {
namespace {

/// Models in display layers that are switched off.
std::unordered_set<std::int64_t> hidden_by_layers(const FbxSource& source) {
  std::unordered_set<std::int64_t> out;
  for (const FbxObject& object : source.objects.all) {
    if (!source.objects.is(object, "CollectionExclusive") || object.type != "DisplayLayer")
      continue;
    if (integer_property(source.node(object), nullptr, "Show", 1) != 0) continue;
    for (const FbxObject* model : source.objects.children_of(object.id, "Model"))
      out.insert(model->id);
  }
  return out;
}

/// By node, whether it is visible. `Show` affects only its Model; `Visibility` also affects those
/// below, except Models that do not inherit it.
std::vector<bool> shown_nodes(const FbxSource& source, const NodeScene& scene) {
  const std::unordered_set<std::int64_t> switched_off = hidden_by_layers(source);
  std::vector<bool> shown, passed_on;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const int above = scene.nodes[i].parent;
    const auto parent = static_cast<std::size_t>(above);
    if (i >= source.models.size()) {  // a camera's or light's node
      shown.push_back(shown[parent]);
      continue;
    }
    const FbxObject& object = *source.models[i].object;
    const FbxNode *fallback = source.objects.model_template, &model = source.node(object);
    const auto is_set = [&](const char* name) {
      return integer_property(model, fallback, name, 1) != 0;
    };
    const bool own = !(number_property(model, fallback, "Visibility", 1.0) <= 0.0) &&
                     !switched_off.contains(object.id);
    passed_on.push_back(own &&
                        (above < 0 || !is_set("Visibility Inheritance") || passed_on[parent]));
    shown.push_back(passed_on.back() && is_set("Show"));
  }
  return shown;
}

bool draws(const Node& node) { return node.mesh >= 0 || node.light >= 0; }

/// If some nodes below a hidden mesh are visible, moves the mesh to a node of its own.
void move_mesh(NodeScene& scene, std::size_t i) {
  Node& node = scene.nodes[i];
  Node own;
  own.name = node.name + " hidden";
  own.parent = static_cast<int>(i);
  own.mesh = std::exchange(node.mesh, -1);
  own.skin = std::exchange(node.skin, -1);
  own.morph_weights = std::exchange(node.morph_weights, {});
  own.hidden = true;
  const int made = static_cast<int>(scene.nodes.size());
  for (Clip& clip : scene.clips)
    for (Channel& channel : clip.channels)
      if (channel.node == own.parent && channel.path == Channel::Path::weights) channel.node = made;
  scene.nodes.push_back(std::move(own));
}

}  // namespace

void hide_fbx_nodes(const FbxSource& source, NodeScene& scene) {
  const std::vector<bool> shown = shown_nodes(source, scene);
  const std::size_t count = scene.nodes.size();
  std::vector<bool> any(count, false), any_shown(count, false), covered(count, false);
  for (std::size_t i = count; i-- > 0;) {
    if (draws(scene.nodes[i])) any[i] = true;
    if (draws(scene.nodes[i]) && shown[i]) any_shown[i] = true;
    if (scene.nodes[i].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(scene.nodes[i].parent);
    any[parent] = any[parent] || any[i];
    any_shown[parent] = any_shown[parent] || any_shown[i];
  }
  for (std::size_t i = 0; i < count; ++i) {
    const int parent = scene.nodes[i].parent;
    covered[i] = parent >= 0 && covered[parent];
    // A hidden skeleton hides nothing that is drawn; hiding it could hide meshes attached later.
    if (shown[i] || covered[i] || !any[i]) continue;
    if (!any_shown[i])
      covered[i] = scene.nodes[i].hidden = true;
    else if (scene.nodes[i].mesh >= 0)
      move_mesh(scene, i);
  }
}

}  // namespace gvbind
