#include "formats/gltf/split_skins.h"

#include <algorithm>
#include <map>
#include <utility>

#include "formats/gltf/append.h"
#include "formats/gltf/mesh.h"
#include "formats/gltf/palettes.h"
#include "formats/gltf/pointer_tracks.h"
#include "formats/gltf/sibling_nodes.h"

namespace gvbind {
namespace gltf {
namespace {

constexpr std::size_t lanes = 4;

/// The nodes that show one mesh with one skin.
struct Group {
  std::size_t mesh = 0, skin = 0;
  std::vector<std::size_t> nodes;
};

struct Divided {
  MeshData data;
  std::vector<std::size_t> palette_of;  ///< by triangle
  std::vector<SlotSet> palettes;
};

/// The new accessors of joints of one part, by the old accessors of joints and weights.
using WrittenJoints = std::map<std::vector<std::size_t>, std::vector<std::size_t>>;

[[noreturn]] void refuse(const Json& root, std::size_t mesh, const std::string& why) {
  throw Error(ErrorKind::cannot_bind,
              "mesh " + in_quotes(name_of(root["meshes"][mesh], "mesh", mesh)) + " " + why);
}

std::vector<Group> groups_to_split(const Json& root, std::size_t max_joints) {
  std::vector<Group> groups;
  for (std::size_t n = 0; n < list(root, "nodes").size(); ++n) {
    const Json &node = root["nodes"][n], *mesh = find(node, "mesh"), *skin = find(node, "skin");
    if (!mesh || !skin) continue;
    const auto m = mesh->get<std::size_t>(), s = skin->get<std::size_t>();
    if (root["skins"][s]["joints"].size() <= max_joints) continue;
    const auto same = std::ranges::find_if(
        groups, [&](const Group& group) { return group.mesh == m && group.skin == s; });
    if (same != groups.end())
      same->nodes.push_back(n);
    else
      groups.push_back({m, s, {n}});
  }
  return groups;
}

void check_can_split(const Json& root, std::size_t mesh) {
  constexpr std::size_t list_mode = 4, fan_mode = 6;
  bool has_morphs = false;
  for (const Json& primitive : root["meshes"][mesh]["primitives"]) {
    if (extension(primitive, "KHR_draco_mesh_compression"))
      refuse(root, mesh, "keeps weights that Draco has packed, so it cannot be split; bind it");
    const std::size_t mode = count_of(primitive, "mode", {"meshes", mesh}, list_mode);
    if (mode < list_mode || mode > fan_mode)
      refuse(root, mesh, "draws points or lines, so it cannot be split for --max-joints");
    has_morphs = has_morphs || find(primitive, "targets");
  }
  for (const Json& used : list(root, "extensionsUsed"))
    if (has_morphs && used == "KHR_animation_pointer")
      refuse(root, mesh,
             "has morph targets in a file with KHR_animation_pointer, so it cannot be split");
  if (has_pointer_track(root, "/meshes/" + std::to_string(mesh)))
    refuse(root, mesh, "is moved by KHR_animation_pointer, so it cannot be split");
}

/// Adds the slots that have weight in a vertex.
void add_slots(std::span<const WeightSet> sets, std::size_t vertex, SlotSet& slots) {
  for (const WeightSet& set : sets) {
    double joints[lanes], weights[lanes];
    set.joints.read(vertex, vertex + 1, joints);
    set.weights.read(vertex, vertex + 1, weights);
    for (std::size_t lane = 0; lane < lanes; ++lane)
      if (weights[lane] != 0.0) slots.push_back(static_cast<std::uint32_t>(joints[lane]));
  }
}

Divided divide(const GltfDocument& document, const Group& group, std::size_t most) {
  const Json& root = document.json;
  Divided divided{read_mesh(document, group.mesh), {}, {}};
  const MeshData& data = divided.data;
  const std::size_t slot_count = root["skins"][group.skin]["joints"].size();
  std::map<SlotSet, std::size_t> known;
  std::vector<SlotSet> sets;
  std::vector<std::size_t> set_of;
  for (std::size_t p = 0; p < data.triangles_until.size(); ++p) {
    if (set_of.size() == data.triangles_until[p]) continue;
    const Json& primitive = root["meshes"][group.mesh]["primitives"][p];
    const std::vector<WeightSet> weights = weight_sets(document, primitive, {});
    const std::size_t first = data.layout.blocks[*data.layout.blocks_of_primitives[p]].first;
    while (set_of.size() < data.triangles_until[p]) {
      SlotSet slots;
      for (const std::uint32_t vertex : data.triangles[set_of.size()])
        add_slots(weights, vertex - first, slots);
      std::ranges::sort(slots);
      slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
      if (!slots.empty() && slots.back() >= slot_count)
        refuse(root, group.mesh, "has weight for a joint that its skin does not have");
      if (slots.size() > most)
        refuse(root, group.mesh,
               "has a triangle that " + std::to_string(slots.size()) +
                   " joints move, more than --max-joints " + std::to_string(most) +
                   "; take a larger N, or a smaller --max-influences");
      const auto [at, is_new] = known.emplace(std::move(slots), sets.size());
      if (is_new) sets.push_back(at->first);
      set_of.push_back(at->second);
    }
  }
  Palettes palettes = divide_into_palettes(sets, slot_count, most);
  for (const std::size_t set : set_of) divided.palette_of.push_back(palettes.of_set[set]);
  divided.palettes = std::move(palettes.slots);
  if (divided.palettes.empty()) divided.palettes.emplace_back();
  return divided;
}

/// Vertices that a part does not draw need a slot of their own for each weight, too.
void fill_up(SlotSet& palette, std::size_t slot_count, std::size_t least) {
  for (std::uint32_t slot = 0; slot < slot_count && palette.size() < least; ++slot)
    if (!std::ranges::binary_search(palette, slot))
      palette.insert(std::ranges::lower_bound(palette, slot), slot);
}

std::size_t append_skin(GltfDocument& document, std::size_t old, const SlotSet& palette,
                        std::size_t part) {
  Json skin = document.json["skins"][old], joints = Json::array();
  for (const std::uint32_t slot : palette) joints.push_back(skin["joints"][slot]);
  skin["joints"] = std::move(joints);
  if (const Json* matrices = find(skin, "inverseBindMatrices")) {
    const AccessorValues all = read_accessor(document, matrices->get<std::size_t>(), 16);
    std::vector<double> values;
    for (const std::uint32_t slot : palette) {
      if (slot >= all.count) fail(JsonElement{"skins", old}, "has too few matrices");
      values.insert(values.end(), all.row(slot).begin(), all.row(slot).end());
    }
    const AccessorShape shape{ComponentType::f32, 16, palette.size(), false};
    skin["inverseBindMatrices"] = append_values(document, values, shape, ViewTarget::none, false);
  }
  name_part(skin, part);
  document.json["skins"].push_back(std::move(skin));
  return document.json["skins"].size() - 1;
}

/// Slots of one vertex in the palette. Lanes of joints that the palette lacks, which the part does
/// not draw, become any that the vertex has not.
void remap_row(const SlotSet& palette, std::span<const double> weights, std::span<double> slots) {
  std::vector<bool> taken(palette.size(), false);
  std::vector<std::size_t> lacking;
  for (std::size_t lane = 0; lane < slots.size(); ++lane) {
    const auto old = static_cast<std::uint32_t>(slots[lane]);
    const auto at = std::ranges::lower_bound(palette, old);
    const bool held = at != palette.end() && *at == old;
    const auto slot = held ? static_cast<std::size_t>(at - palette.begin()) : 0;
    slots[lane] = 0.0;
    if (weights[lane] == 0.0) continue;
    if (!held) {
      lacking.push_back(lane);
      continue;
    }
    slots[lane] = static_cast<double>(slot);
    taken[slot] = true;
  }
  std::size_t slot = 0;
  for (const std::size_t lane : lacking) {
    while (slot < taken.size() && taken[slot]) ++slot;
    if (slot < taken.size()) slots[lane] = static_cast<double>(slot++);
  }
}

std::vector<std::size_t> append_joints(GltfDocument& document, std::span<const WeightSet> sets,
                                       const SlotSet& palette) {
  const std::size_t vertices = sets.front().joints.count(), width = sets.size() * lanes;
  std::vector<std::vector<double>> values(sets.size(), std::vector<double>(vertices * lanes));
  std::vector<double> slots(width), weights(width);
  for (std::size_t v = 0; v < vertices; ++v) {
    for (std::size_t s = 0; s < sets.size(); ++s) {
      sets[s].joints.read(v, v + 1, slots.data() + s * lanes);
      sets[s].weights.read(v, v + 1, weights.data() + s * lanes);
    }
    remap_row(palette, weights, slots);
    for (std::size_t s = 0; s < sets.size(); ++s)
      std::copy_n(slots.data() + s * lanes, lanes, values[s].data() + v * lanes);
  }
  constexpr std::size_t byte_slots = 256;
  const ComponentType type = palette.size() > byte_slots ? ComponentType::u16 : ComponentType::u8;
  std::vector<std::size_t> accessors;
  for (const std::vector<double>& set : values)
    accessors.push_back(
        append_values(document, set, {type, lanes, vertices, false}, ViewTarget::vertices, false));
  return accessors;
}

void replace_joints(GltfDocument& document, const SlotSet& palette, WrittenJoints& written,
                    Json& primitive) {
  Json& attributes = primitive["attributes"];
  std::vector<std::size_t> key;
  std::size_t count = 0;
  for (;; ++count) {
    const Json* joints = find(attributes, ("JOINTS_" + std::to_string(count)).c_str());
    const Json* weights = find(attributes, ("WEIGHTS_" + std::to_string(count)).c_str());
    if (!joints || !weights) break;
    key.push_back(joints->get<std::size_t>());
    key.push_back(weights->get<std::size_t>());
  }
  if (count == 0) return;
  if (!written.contains(key)) {
    // Rows are copied out before the buffer grows.
    const std::vector<WeightSet> sets = weight_sets(document, primitive, {});
    written[key] = append_joints(document, sets, palette);
  }
  for (std::size_t set = 0; set < count; ++set)
    attributes["JOINTS_" + std::to_string(set)] = written[key][set];
}

std::size_t append_indices(GltfDocument& document, const std::vector<double>& indices,
                           std::size_t vertices) {
  constexpr std::size_t restart = 0xffff;
  const ComponentType type = vertices <= restart ? ComponentType::u16 : ComponentType::u32;
  return append_values(document, indices, {type, 1, indices.size(), false}, ViewTarget::indices,
                       false);
}

/// The primitives of a part, with the vertices that they have. One that draws nothing goes to the
/// first part.
Json part_primitives(GltfDocument& document, const Json& mesh, const Divided& divided,
                     std::size_t part, std::vector<SplitMesh::Range>& ranges) {
  const MeshLayout& layout = divided.data.layout;
  Json primitives = Json::array();
  WrittenJoints written;
  std::vector<bool> there(layout.blocks.size(), false);
  std::size_t in_part = 0, triangle = 0;
  for (std::size_t p = 0; p < mesh["primitives"].size(); ++p) {
    Json primitive = mesh["primitives"][p];
    const std::size_t first = triangle;
    const auto block = layout.blocks_of_primitives[p];
    std::vector<double> indices;
    for (; triangle < divided.data.triangles_until[p]; ++triangle)
      if (divided.palette_of[triangle] == part)
        for (const std::uint32_t vertex : divided.data.triangles[triangle])
          indices.push_back(static_cast<double>(vertex - layout.blocks[*block].first));
    const bool draws_nothing = first == triangle;
    if (indices.empty() && !(draws_nothing && part == 0)) continue;
    if (!indices.empty()) {
      primitive["indices"] = append_indices(document, indices, layout.blocks[*block].count);
      if (find(primitive, "mode")) primitive["mode"] = 4;
    }
    replace_joints(document, divided.palettes[part], written, primitive);
    primitives.push_back(std::move(primitive));
    if (!block || there[*block]) continue;
    there[*block] = true;
    ranges.push_back({layout.blocks[*block].first, in_part, layout.blocks[*block].count});
    in_part += layout.blocks[*block].count;
  }
  return primitives;
}

bool has_other_users(const Json& root, const Group& group) {
  std::size_t users = 0;
  for (const Json& node : root["nodes"])
    if (const Json* mesh = find(node, "mesh")) users += mesh->get<std::size_t>() == group.mesh;
  return users > group.nodes.size();
}

std::vector<std::uint32_t> drawing_parts(const Divided& divided) {
  std::vector<std::uint32_t> part(divided.data.layout.vertex_count, SplitMesh::no_part);
  for (std::size_t t = divided.data.triangles.size(); t-- > 0;)
    for (const std::uint32_t vertex : divided.data.triangles[t])
      part[vertex] = static_cast<std::uint32_t>(divided.palette_of[t]);
  return part;
}

/// The meshes and skins of the parts, and the vertices that each has.
struct WrittenParts {
  std::vector<PartOfNode> parts;
  std::vector<std::vector<SplitMesh::Range>> ranges;
};

WrittenParts write_parts(GltfDocument& document, const Group& group, Divided& divided,
                         std::size_t max_joints) {
  const Json mesh = document.json["meshes"][group.mesh];
  const std::size_t old_joints = document.json["skins"][group.skin]["joints"].size();
  std::size_t sets = 1;
  for (const Json& primitive : mesh["primitives"])
    sets = std::max(sets, weight_sets(document, primitive, {}).size());
  const bool in_place = !has_other_users(document.json, group);
  WrittenParts written;
  for (std::size_t part = 0; part < divided.palettes.size(); ++part) {
    fill_up(divided.palettes[part], old_joints, std::min(max_joints, sets * lanes));
    Json made = mesh;
    written.ranges.emplace_back();
    made["primitives"] = part_primitives(document, mesh, divided, part, written.ranges.back());
    name_part(made, part);
    Json& meshes = document.json["meshes"];
    const std::size_t index = in_place && part == 0 ? group.mesh : meshes.size();
    if (index == meshes.size())
      meshes.push_back(std::move(made));
    else
      meshes[index] = std::move(made);
    written.parts.push_back(
        {index, append_skin(document, group.skin, divided.palettes[part], part)});
  }
  return written;
}

void split_group(GltfDocument& document, const Group& group, std::size_t max_joints,
                 std::vector<SplitMesh>& done) {
  check_can_split(document.json, group.mesh);
  const std::size_t old_joints = document.json["skins"][group.skin]["joints"].size();
  Divided divided = divide(document, group, max_joints);
  const std::vector<std::uint32_t> drawn_by = drawing_parts(divided);
  const WrittenParts written = write_parts(document, group, divided, max_joints);
  const auto largest = std::ranges::max_element(divided.palettes, {}, &SlotSet::size);
  for (const std::size_t node : group.nodes) {
    SplitMesh split{name_of(document.json["nodes"][node], "node", node),
                    old_joints,
                    largest->size(),
                    {},
                    drawn_by};
    const std::vector<std::size_t> nodes = give_parts(document.json, node, written.parts);
    for (std::size_t part = 0; part < nodes.size(); ++part)
      split.parts.push_back({static_cast<std::int64_t>(nodes[part]), written.ranges[part]});
    done.push_back(std::move(split));
  }
}

}  // namespace
}  // namespace gltf

std::vector<SplitMesh> split_skins(GltfDocument& document, std::size_t max_joints) {
  return gltf::with_path(document.path, [&] {
    std::vector<SplitMesh> done;
    for (const gltf::Group& group : gltf::groups_to_split(document.json, max_joints))
      gltf::split_group(document, group, max_joints, done);
    if (!done.empty()) document.changed = true;
    return done;
  });
}

}  // namespace gvbind
