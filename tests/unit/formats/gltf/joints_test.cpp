#include <catch2/catch.hpp>

#include "formats/gltf/sample.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

Sample bare_square() {
  Sample s;
  s.mesh(square_primitive(s));
  s.node({{"name", "body"}, {"mesh", 0}});
  s.json["scenes"].push_back({{"nodes", {0}}});
  return s;
}

Scene skeleton(std::size_t roots) {
  Scene s;
  for (std::size_t r = 0; r < roots; ++r) {
    const int root = static_cast<int>(s.joints.size());
    SceneJoint hip, knee;
    hip.name = "hip" + std::to_string(r);
    hip.bind.linear() =
        Eigen::AngleAxisd(0.3, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
    hip.bind.translation() = Eigen::Vector3d(static_cast<double>(r), 1, 0);
    knee.name = "knee" + std::to_string(r);
    knee.parent = root;
    knee.bind = hip.bind * Eigen::Translation3d(0, 0.5, 0) * Eigen::Scaling(1.5);
    s.joints.push_back(hip);
    s.joints.push_back(knee);
  }
  return s;
}

}  // namespace

TEST_CASE("added joints keep names, order, hierarchy and bind") {
  for (const std::size_t roots : {1, 2}) {
    INFO(roots);
    const Scene wanted = skeleton(roots);
    Findings findings;
    const auto document = parsed(bare_square());
    add_joints(*document, wanted);
    const Scene scene = scene_of(*document, {}, findings);
    REQUIRE(scene.joints.size() == wanted.joints.size());
    for (std::size_t j = 0; j < wanted.joints.size(); ++j) {
      CHECK(scene.joints[j].name == wanted.joints[j].name);
      CHECK(scene.joints[j].parent == wanted.joints[j].parent);
      CHECK(scene.joints[j].bind.isApprox(wanted.joints[j].bind, 1e-9));
    }
    SceneWeights weights;
    weights.meshes = {mixed_weights(4, wanted.joints.size(), 3)};
    patch_skin(*document, scene, weights);
    const Bytes output = encoded(*document);
    const Scene again = scene_of(*parse_gltf(output, "out.glb"), {}, findings);
    REQUIRE(again.joints.size() == wanted.joints.size());
    CHECK(again.joints.back().bind.isApprox(wanted.joints.back().bind, 1e-6));
    CHECK(again.meshes.at(0).weights.joint == weights.meshes[0].joint);
    // One new root node above all of them, in the mesh's scene.
    CHECK(chunks_of(output).json["scenes"][0]["nodes"].size() == 2);
  }
}

TEST_CASE("joints that the document has already are an error that names them") {
  const auto document = parsed(skinned_square());
  Scene again;
  for (const char* name : {"hip", "chest", "tail"}) {
    SceneJoint joint;
    joint.name = name;
    again.joints.push_back(joint);
  }
  CHECK(error_of(ErrorKind::input, [&] { add_joints(*document, again); }) ==
        "sample.glb: has the joints \"hip\", \"chest\" already");

  const auto bare = parsed(bare_square());
  add_joints(*bare, skeleton(1));
  CHECK(error_of(ErrorKind::input, [&] { add_joints(*bare, skeleton(1)); }) ==
        "sample.glb: has the joints \"hip0\", \"knee0\" already");
}

TEST_CASE("joints added to a document with a skin stand in its bind space") {
  Sample s = skinned_square();
  s.json["nodes"][1]["rotation"] = {0, 0, 0.6, 0.8};  // posed nodes: bind space is not world space
  s.json["nodes"][2]["rotation"] = {0, 0.6, 0, 0.8};
  const auto document = parsed(s);
  const Scene wanted = skeleton(1);
  add_joints(*document, wanted);
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  REQUIRE(scene.joints.size() == 4);
  CHECK(scene.joints[2].bind.isApprox(wanted.joints[0].bind, 1e-9));
  CHECK(scene.joints[3].bind.isApprox(wanted.joints[1].bind, 1e-9));
}
