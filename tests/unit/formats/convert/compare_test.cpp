#include "formats/convert/compare_scenes.h"

#include <catch2/catch.hpp>
#include <functional>
#include <string>

#include "formats/convert/convert.h"
#include "formats/fbx/write_scene.h"
#include "formats/gltf/write_scene.h"
#include "gvbind/error.h"

using namespace gvbind;

namespace {

Node node_of(const std::string& name, int parent, const Eigen::Vector3d& place) {
  Node node;
  node.name = name;
  node.parent = parent;
  node.local.translation = place;
  return node;
}

Mesh skinned_mesh() {
  Mesh mesh;
  mesh.name = "body";
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  mesh.primitives = {{{{0, 1, 2}, {1, 3, 2}}, 0}};
  mesh.morphs = {{"smile", {{0, 0, 0}, {0, 0, 0.1F}, {0, 0, 0}, {0, 0, 0.2F}}, {}}};
  mesh.weights.first = {0, 1, 2, 3, 4};
  mesh.weights.joint = {0, 0, 1, 1};
  mesh.weights.weight = {1, 1, 1, 1};
  return mesh;
}

Clip bending_clip() {
  Channel turn{2, Channel::Path::rotation, false, {0.0, 1.0}, {0, 0, 0, 1, 0, 0, 0.6, 0.8}};
  Channel smile{0, Channel::Path::weights, false, {0.0, 1.0}, {0.0, 1.0}};
  return {"bend", {turn, smile}};
}

/// A quad between two joints, with a picture, a morph target and a clip.
NodeScene sound_scene() {
  NodeScene scene;
  scene.nodes = {node_of("body", -1, {0, 0, 0}), node_of("hip", -1, {0, 0, 0}),
                 node_of("knee", 1, {0, 0.5, 0})};
  scene.nodes[0].mesh = scene.nodes[0].skin = 0;
  scene.nodes[0].morph_weights = {0.0};
  scene.nodes[1].is_joint = scene.nodes[2].is_joint = true;
  scene.meshes = {skinned_mesh()};
  Skin skin{"skin", {1, 2}, {Eigen::Affine3d::Identity(), Eigen::Affine3d::Identity()}};
  skin.inverse_binds[1].translation() = Eigen::Vector3d(0, -0.5, 0);
  for (const Eigen::Affine3d& inverse : skin.inverse_binds)
    skin.joint_binds.push_back(inverse.inverse());
  scene.skins = {skin};
  scene.images = {{"skin", "image/png", {1, 2, 3}}};
  Material material;
  material.name = "red";
  material.base_color = {1, 0, 0, 1};
  material.color_map.image = 0;
  scene.materials = {material};
  scene.clips = {bending_clip()};
  return scene;
}

/// The error for a file that holds the scene with this change.
std::string fault(const std::function<void(NodeScene&)>& change) {
  NodeScene read = sound_scene();
  change(read);
  try {
    compare_scenes(sound_scene(), played_scene(std::move(read)));
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::output);
    const std::string start = "read back differs: ", message = error.what();
    REQUIRE(message.starts_with(start));
    return message.substr(start.size());
  }
  return "";
}

bool says(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a file that holds the scene is accepted, with helpers and in another order") {
  CHECK(fault([](NodeScene&) {}).empty());
  CHECK(fault([](NodeScene& read) {
          read.nodes.push_back(node_of("root", -1, {0, 0, 0}));
          const Node root = read.nodes.back();
          read.nodes.insert(read.nodes.begin(), root);
          read.nodes.pop_back();
          for (std::size_t i = 1; i < read.nodes.size(); ++i) ++read.nodes[i].parent;
          for (int& joint : read.skins[0].joints) ++joint;
          for (Channel& channel : read.clips[0].channels) ++channel.node;
        }).empty());
  CHECK(fault([](NodeScene& read) {
          std::swap(read.nodes[0], read.nodes[1]);
          read.nodes[2].parent = 0;
          read.skins[0].joints = {0, 2};
          read.clips[0].channels[1].node = 1;
          read.clips[0].channels[0].values[6] += 1e-5;
        }).empty());
}

TEST_CASE("nodes that are gone, called otherwise or stand elsewhere are found") {
  CHECK(
      says(fault([](NodeScene& read) { read.nodes[2].name = "Knie"; }), "node 'knee' is missing"));
  CHECK(says(fault([](NodeScene& read) { read.nodes[2].parent = -1; }), "node 'knee'"));
  CHECK(says(fault([](NodeScene& read) { read.nodes[2].local.translation.x() = 0.001; }),
             "node 'knee' stands elsewhere"));
  CHECK(says(fault([](NodeScene& read) { read.nodes[2].local.scale.z() = 1.01; }),
             "node 'knee' stands elsewhere"));
}

TEST_CASE("materials and pictures that differ are found") {
  CHECK(says(fault([](NodeScene& read) { read.materials.clear(); }), "0 materials, not 1"));
  CHECK(says(fault([](NodeScene& read) { read.materials[0].name = "blue"; }),
             "'red' is called 'blue'"));
  CHECK(says(fault([](NodeScene& read) { read.materials[0].base_color.y() = 0.1; }), "base color"));
  CHECK(says(fault([](NodeScene& read) { read.materials[0].color_map.image = -1; }), "is missing"));
  CHECK(says(fault([](NodeScene& read) { read.images[0].bytes[1] = 0; }), "has other bytes"));
}

TEST_CASE("meshes, skins and morph targets that differ are found") {
  CHECK(says(fault([](NodeScene& read) { read.nodes[0].mesh = -1; }), "node 'body' has no mesh"));
  CHECK(says(fault([](NodeScene& read) { read.meshes[0].primitives[0].triangles.pop_back(); }),
             "1 triangles of a material, not 2"));
  CHECK(says(fault([](NodeScene& read) { read.meshes[0].positions[3].x() = 1.1F; }),
             "at rest, vertex 3 of node 'body'"));
  CHECK(says(fault([](NodeScene& read) { read.skins[0].inverse_binds[1].setIdentity(); }),
             "at rest, vertex"));
  CHECK(says(fault([](NodeScene& read) { read.meshes[0].morphs.clear(); }),
             "0 morph targets, not 1"));
  CHECK(says(fault([](NodeScene& read) { read.meshes[0].morphs[0].positions[3].z() = 0; }),
             "morph target 'smile'"));
}

TEST_CASE("clips that move otherwise are found at the moment where they do") {
  CHECK(says(fault([](NodeScene& read) { read.clips.clear(); }), "0 clips, not 1"));
  CHECK(says(fault([](NodeScene& read) { read.clips[0].name = "run"; }), "'bend' is called 'run'"));
  CHECK(says(fault([](NodeScene& read) { read.clips[0].channels[0].values[6] = 0.0; }),
             "clip 'bend' at 0.5 s: vertex 2"));
  CHECK(says(fault([](NodeScene& read) { read.clips[0].channels[1].values[0] = 1.0; }),
             "clip 'bend' at 0 s: vertex"));
  // At rest, weights have no effect if joints are in their bind pose.
  CHECK(says(fault([](NodeScene& read) { read.meshes[0].weights.joint[3] = 0; }), "clip 'bend'"));
}

TEST_CASE("a written file holds the scene in either format") {
  NodeScene scene = sound_scene();
  Material untextured;
  untextured.name = "red";
  untextured.base_color = {1, 0, 0, 1};
  scene.materials = {untextured};
  DroppedFeatures losses;
  Findings findings;
  const Document fbx = write_fbx(scene, losses), gltf = write_gltf(scene);
  const Document read =
      parse_gltf(std::move(encode(gltf, "a.glb", findings).front().bytes), "a.glb", {});
  for (const Document& document : {fbx, read}) {
    CHECK_NOTHROW(compare_written(scene, document, {}));
    NodeScene other = scene;
    other.clips[0].channels[0].values[6] = 0.7;
    CHECK_THROWS_AS(compare_written(other, document, {}), Error);
  }
}
