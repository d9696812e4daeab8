#include "formats/convert/compare_scenes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "formats/convert/scene_pairs.h"

namespace gvbind {
namespace {

std::string number_text(double number, const char* unit) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.3g%s", number, unit);
  return text.data();
}

/// A mesh of an expected node, with the node that shows it in the file.
struct ShownMesh {
  std::size_t expected_node = 0, read_node = 0;
  const VertexPairs* vertices = nullptr;
  VertexPairs in_clips = {};  ///< a subset
};

struct Comparison {
  const NodeScene& expected;
  const PlayedScene& read;
  const CompareOptions& options;
  NodePairs pairs = {};
  std::map<std::pair<int, int>, VertexPairs> vertices = {};  ///< by meshes
  std::vector<ShownMesh> shown = {};
  double size = 1.0;  ///< of the visible geometry at rest

  const Mesh& expected_mesh(const ShownMesh& mesh) const {
    return expected.meshes[expected.nodes[mesh.expected_node].mesh];
  }
  const Mesh& read_mesh(const ShownMesh& mesh) const {
    return read.scene.meshes[read.scene.nodes[mesh.read_node].mesh];
  }
};

void compare_pictures(const Comparison& c, const Material& expected, const Material& read) {
  const std::array<std::pair<const char*, Texture Material::*>, 5> maps = {
      {{"color", &Material::color_map},
       {"emission", &Material::emissive_map},
       {"normals", &Material::normal_map},
       {"metal and roughness", &Material::metal_rough_map},
       {"occlusion", &Material::occlusion_map}}};
  for (const auto& [name, map] : maps) {
    const int before = (expected.*map).image, after = (read.*map).image;
    if (before < 0) continue;
    const std::string what =
        "the picture of " + std::string(name) + " of material " + quoted(expected.name);
    if (after < 0) differ(what + " is missing");
    if (c.expected.images[before].bytes != c.read.scene.images[after].bytes)
      differ(what + " has other bytes");
  }
}

/// In FBX, parts without a material get one, after all others, if other parts have one.
bool has_plain_part(const Mesh& mesh) {
  const auto is_plain = [](const Submesh& primitive) { return primitive.material < 0; };
  return std::ranges::any_of(mesh.primitives, is_plain) &&
         !std::ranges::all_of(mesh.primitives, is_plain);
}

/// Alpha counts only if the material uses it.
double color_difference(const Material& expected, const Material& read) {
  const Eigen::Vector4d off = (expected.base_color - read.base_color).cwiseAbs();
  return expected.alpha == AlphaMode::blend ? off.maxCoeff() : off.head<3>().maxCoeff();
}

void compare_materials(const Comparison& c) {
  const auto &expected = c.expected.materials, &read = c.read.scene.materials;
  const bool one_more = std::ranges::any_of(c.expected.meshes, has_plain_part);
  if (expected.size() != read.size() && !(one_more && read.size() == expected.size() + 1))
    differ(std::to_string(read.size()) + " materials, not " + std::to_string(expected.size()));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (kept_name(expected[i].name) != kept_name(read[i].name))
      differ("material " + quoted(expected[i].name) + " is called " + quoted(read[i].name));
    const double off = color_difference(expected[i], read[i]);
    if (!(off <= c.options.color_tolerance))
      differ("the base color of material " + quoted(expected[i].name) + " is off by " +
             number_text(off, ""));
    compare_pictures(c, expected[i], read[i]);
  }
}

void compare_morphs(const Comparison& c, const ShownMesh& shown) {
  const Mesh &expected = c.expected_mesh(shown), &read = c.read_mesh(shown);
  if (expected.morphs.size() != read.morphs.size())
    differ("mesh " + quoted(expected.name) + " has " + std::to_string(read.morphs.size()) +
           " morph targets, not " + std::to_string(expected.morphs.size()));
  Eigen::AlignedBox3f box;
  for (const Eigen::Vector3f& p : expected.positions) box.extend(p);
  const double size = box.isEmpty() ? 0.0 : static_cast<double>(box.diagonal().norm());
  for (std::size_t m = 0; m < expected.morphs.size(); ++m)
    for (std::size_t k = 0; k < shown.vertices->expected.size(); ++k) {
      const std::uint32_t v = shown.vertices->expected[k];
      const Eigen::Vector3f &before = expected.morphs[m].positions[v],
                            &after = read.morphs[m].positions[shown.vertices->read[k]];
      const double off = static_cast<double>((before - after).norm());
      if (!(off <= c.options.rest_tolerance * (size + static_cast<double>(before.norm()))))
        differ("morph target " + quoted(expected.morphs[m].name) + " of mesh " +
               quoted(expected.name) + " moves vertex " + std::to_string(v) + " elsewhere");
    }
}

void pair_meshes(Comparison& c) {
  for (std::size_t i = 0; i < c.expected.nodes.size(); ++i) {
    const Node& node = c.expected.nodes[i];
    if (node.mesh < 0) continue;
    const Mesh& mesh = c.expected.meshes[node.mesh];
    const int holder = holder_of(c.read.scene, c.pairs, i, &Node::mesh);
    const bool drawn = std::ranges::any_of(
        mesh.primitives, [](const Submesh& primitive) { return !primitive.triangles.empty(); });
    if (holder < 0 && !drawn) continue;
    if (holder < 0) differ("node " + quoted(node.name) + " has no mesh");
    const auto h = static_cast<std::size_t>(holder);
    const std::pair meshes(node.mesh, c.read.scene.nodes[h].mesh);
    auto found = c.vertices.find(meshes);
    const bool is_new = found == c.vertices.end();
    if (is_new)
      found = c.vertices
                  .emplace(meshes, pair_vertices(mesh, c.read.scene.meshes[meshes.second],
                                                 c.options.most_vertices))
                  .first;
    c.shown.push_back({i, h, &found->second});
    if (is_new) compare_morphs(c, c.shown.back());
  }
}

void choose_in_clips(Comparison& c) {
  std::size_t posed = 0;
  for (const ShownMesh& shown : c.shown)
    posed += 3 * c.expected.clips.size() * shown.vertices->expected.size();
  const std::size_t step = posed / std::max<std::size_t>(c.options.most_posed, 1) + 1;
  for (ShownMesh& shown : c.shown)
    for (std::size_t k = 0; k < shown.vertices->expected.size(); k += step) {
      shown.in_clips.expected.push_back(shown.vertices->expected[k]);
      shown.in_clips.read.push_back(shown.vertices->read[k]);
    }
}

/// The poses of both scenes, and a description for messages.
struct Moment {
  std::string text;
  const ScenePose& expected;
  const ScenePose& read;
  bool in_clip = true;
};

void compare_posed(const Comparison& c, const Moment& moment) {
  const auto expected_world = world_matrices(c.expected, moment.expected),
             read_world = world_matrices(c.read.scene, moment.read);
  constexpr double rounding = 1e-6;  // error of single precision far from the origin
  for (const ShownMesh& shown : c.shown) {
    const VertexPairs& vertices = moment.in_clip ? shown.in_clips : *shown.vertices;
    const auto before = posed_vertices(c.expected, moment.expected, expected_world,
                                       shown.expected_node, vertices.expected);
    const auto after =
        posed_vertices(c.read.scene, moment.read, read_world, shown.read_node, vertices.read);
    Eigen::AlignedBox3d box;  // a pose may be far larger than the rest pose
    for (const Eigen::Vector3d& p : before)
      if (p.allFinite()) box.extend(p);
    const double size = std::max(c.size, box.isEmpty() ? 0.0 : box.diagonal().norm());
    for (std::size_t k = 0; k < before.size(); ++k) {
      if (!before[k].allFinite()) continue;
      const double off = (before[k] - after[k]).norm();
      if (!(off <= c.options.posed_tolerance * size + rounding * before[k].norm()))
        differ(moment.text + "vertex " + std::to_string(vertices.expected[k]) + " of node " +
               quoted(c.expected.nodes[shown.expected_node].name) + " is off by " +
               number_text(100.0 * off / size, " %") + " of the size");
    }
  }
}

/// Cameras and lights of FBX have other axes, so they are below a node with the original axes.
std::size_t place_of(const Comparison& c, std::size_t node) {
  for (int Node::*thing : {&Node::camera, &Node::light})
    if (c.expected.nodes[node].*thing >= 0)
      if (const int holder = holder_of(c.read.scene, c.pairs, node, thing); holder >= 0)
        return static_cast<std::size_t>(holder);
  return static_cast<std::size_t>(c.pairs.read_of[node]);
}

void compare_places(const Comparison& c) {
  const auto expected = world_matrices(c.expected), read = world_matrices(c.read.scene);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!expected[i].matrix().allFinite()) continue;
    const Eigen::Affine3d& there = read[place_of(c, i)];
    const double moved = (expected[i].translation() - there.translation()).norm();
    const double reach = c.size + expected[i].translation().norm();
    const double turned = (expected[i].linear() - there.linear()).norm();
    const double scale = expected[i].linear().norm();
    if (!(moved <= c.options.rest_tolerance * reach) ||
        !(turned <= c.options.rest_tolerance * scale + 1e-12))
      differ("node " + quoted(c.expected.nodes[i].name) + " stands elsewhere (by " +
             number_text(100.0 * moved / c.size, " %") + " of the size, its matrix by " +
             number_text(100.0 * turned / std::max(scale, 1e-12), " %") + ")");
  }
}

double size_at_rest(const Comparison& c, const ScenePose& rest) {
  const auto world = world_matrices(c.expected, rest);
  Eigen::AlignedBox3d box;
  for (const ShownMesh& shown : c.shown)
    for (const Eigen::Vector3d& p :
         posed_vertices(c.expected, rest, world, shown.expected_node, shown.vertices->expected))
      if (p.allFinite()) box.extend(p);
  if (box.isEmpty())
    for (const Eigen::Affine3d& node : world)
      if (node.translation().allFinite()) box.extend(node.translation());
  const double size = box.isEmpty() ? 0.0 : box.diagonal().norm();
  return size > 0.0 ? size : 1.0;
}

void compare_clips(const Comparison& c) {
  if (c.expected.clips.size() != c.read.clip_names.size())
    differ(std::to_string(c.read.clip_names.size()) + " clips, not " +
           std::to_string(c.expected.clips.size()));
  for (std::size_t k = 0; k < c.expected.clips.size(); ++k) {
    const Clip& clip = c.expected.clips[k];
    if (kept_name(clip.name) != kept_name(c.read.clip_names[k]))
      differ("clip " + quoted(clip.name) + " is called " + quoted(c.read.clip_names[k]));
    for (const double seconds : clip_moments(clip)) {
      const ScenePose expected = pose_scene(c.expected, clip, seconds),
                      read = c.read.pose(k, seconds);
      compare_posed(
          c, {"clip " + quoted(clip.name) + " at " + number_text(seconds, " s: "), expected, read});
    }
  }
}

}  // namespace

void compare_scenes(const NodeScene& expected, const PlayedScene& read,
                    const CompareOptions& options) {
  Comparison c{expected, read, options};
  c.pairs = pair_nodes(expected, read.scene);
  compare_materials(c);
  pair_meshes(c);
  const ScenePose rest = rest_pose(expected), there = rest_pose(read.scene);
  c.size = size_at_rest(c, rest);
  compare_places(c);
  compare_posed(c, {"at rest, ", rest, there, false});
  choose_in_clips(c);
  compare_clips(c);
}

}  // namespace gvbind
