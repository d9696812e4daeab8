#include <catch2/catch.hpp>

#include "samples.h"

using namespace gvbind;
using namespace gvbind::test;
using Eigen::Affine3d;
using Eigen::Vector3d;

TEST_CASE("joints are added with their hierarchy, names and places") {
  Scene mesh_only = arm_scene(0);
  for (const auto encoding : {FbxEncoding::binary, FbxEncoding::ascii}) {
    const auto document = build_fbx(mesh_only, encoding);
    Scene skeleton;
    skeleton.joints = arm_scene(5).joints;
    skeleton.joints[3].bind.scale(Vector3d(1.5, 1.5, 1.5));
    skeleton.joints[4].parent = -1;
    skeleton.joints[2].bind.rotate(Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitY()));
    add_joints(*document, skeleton);
    const auto again = reread(*document);
    Findings findings;
    const Scene scene = scene_of(*again, {}, findings);
    REQUIRE(scene.joints.size() == 5);
    for (std::size_t j = 0; j < 5; ++j) {
      CHECK(scene.joints[j].name == skeleton.joints[j].name);
      CHECK(scene.joints[j].parent == skeleton.joints[j].parent);
      const Affine3d &got = scene.joints[j].bind, &wanted = skeleton.joints[j].bind;
      CHECK(got.translation().isApprox(wanted.translation(), 1e-9));
      CHECK(got.linear().isApprox(wanted.rotation(), 1e-9));
    }
    CHECK(count_in_definitions(*again, "NodeAttribute") == 5);
    const SceneWeights weights = sample_weights(scene);
    patch_skin(*again, scene, weights);
    CHECK(scene_of(*reread(*again), {}, findings).meshes[0].weights.weight ==
          weights.meshes[0].weight);
  }
}

TEST_CASE("joints added at right angles keep their rotation") {
  for (const double y : {-90.0, 90.0, 89.999999999}) {
    Scene skeleton;
    SceneJoint joint;
    joint.name = "Hip";
    joint.bind.rotate(Eigen::AngleAxisd(0.4, Vector3d::UnitZ()) *
                      Eigen::AngleAxisd(y * M_PI / 180.0, Vector3d::UnitY()) *
                      Eigen::AngleAxisd(-1.1, Vector3d::UnitX()));
    const Eigen::Matrix3d turned = joint.bind.linear();
    joint.bind.scale(2.0);
    skeleton.joints.push_back(joint);
    const auto document = build_fbx(arm_scene(0));
    add_joints(*document, skeleton);
    Findings findings;
    CHECK(scene_of(*document, {}, findings).joints[0].bind.linear().isApprox(turned, 1e-9));
  }
}

TEST_CASE("a mirrored joint is added as a rotation") {
  Scene skeleton;
  skeleton.joints.resize(1);
  skeleton.joints[0].name = "Hip";
  skeleton.joints[0].bind.scale(Vector3d(-1, 1, 1));
  const auto document = build_fbx(arm_scene(0));
  add_joints(*document, skeleton);
  Findings findings;
  CHECK(scene_of(*document, {}, findings).joints[0].bind.linear().determinant() == Approx(1.0));
}

TEST_CASE("joints given twice are named") {
  const auto document = build_fbx(arm_scene(3));
  Scene skeleton;
  skeleton.joints = arm_scene(2).joints;
  const std::string message =
      message_of([&] { add_joints(*document, skeleton); }, ErrorKind::input);
  CHECK(message.find("joint0, joint1") != std::string::npos);
  CHECK(message.find("joint2") == std::string::npos);
  CHECK_FALSE(document->changed);
}
