#include "rig/held_things.h"

#include <catch2/catch.hpp>
#include <string>

#include "characters.h"
#include "rig/rig_skeleton.h"

namespace gvbind {

namespace {

using Eigen::Vector3d;

SceneMesh bar(const std::string& name, const Vector3d& low, const Vector3d& high) {
  SceneMesh mesh;
  mesh.name = name;
  for (int c = 0; c < 8; ++c)
    mesh.positions.emplace_back(c & 1 ? high.x() : low.x(), c & 2 ? high.y() : low.y(),
                                c & 4 ? high.z() : low.z());
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

/// The mannequin without joints, and a bar across its left hand.
Scene with_bar(const std::string& name) {
  Scene scene = mannequin();
  // The mannequin stands with its arms out, so the hand is where it is widest.
  Vector3d at = scene.meshes[0].positions[0];
  for (const SceneMesh& mesh : scene.meshes)
    for (const Vector3d& p : mesh.positions)
      if (p.x() > at.x()) at = p;
  scene.joints.clear();
  for (SceneMesh& mesh : scene.meshes) {
    mesh.skin_joints.clear();
    mesh.weights = {};
  }
  scene.meshes.push_back(bar(name, at - Vector3d(0.04, 0.04, 0.1), at + Vector3d(0.04, 0.04, 0.9)));
  return scene;
}

std::vector<Vector3d> rigged(const Scene& scene, rig::RigOptions options = {}) {
  Findings findings;
  const rig::MadeSkeleton made = rig::made_skeleton(scene, rig::open_template("biped", {}),
                                                    rig::JointNames::gvbind, {}, options, findings);
  std::vector<Vector3d> places;
  for (const SceneJoint& joint : made.scene.joints) places.push_back(joint.bind.translation());
  return places;
}

}  // namespace

TEST_CASE("names of weapons and tools are those of held things") {
  for (const char* name : {"Sword", "1H_Axe_Offhand", "w_knife", "bolt_gun_0", "RoundShield"})
    CHECK(rig::names_held_thing(name));
  for (const char* name :
       {"Body", "Gunner", "Bowtie", "Elbow", "Staffordshire", "Armor", "Hat", ""})
    CHECK_FALSE(rig::names_held_thing(name));
}

TEST_CASE("triangles of held things are left out by mesh and by material") {
  Scene scene;
  scene.meshes = {bar("body", {0, 0, 0}, {1, 1, 1}), bar("sword", {2, 0, 0}, {3, 1, 1}),
                  bar("head", {0, 2, 0}, {1, 3, 1})};
  scene.meshes[0].materials = {"skin", "shield"};
  scene.meshes[0].triangle_materials.assign(12, 0);
  scene.meshes[0].triangle_materials[3] = 1;
  const auto body = rig::body_triangles(scene);
  CHECK(body[0].size() == 11);
  CHECK(body[0][3] == scene.meshes[0].triangles[4]);
  CHECK(body[1].empty());
  CHECK(body[2].size() == 12);
  scene.meshes[1].selected = false;
  CHECK(rig::body_triangles(scene)[0].size() == 11);
}

TEST_CASE("a file that is mostly a held thing is a body whole") {
  Scene scene;
  scene.meshes = {bar("handle", {0, 0, 0}, {1, 1, 1}), bar("gun", {2, 0, 0}, {3, 1, 1}),
                  bar("gun.001", {4, 0, 0}, {5, 1, 1})};
  for (const auto& triangles : rig::body_triangles(scene)) CHECK(triangles.size() == 12);
}

TEST_CASE("a skeleton is the same with a sword in the hand, and another with a bar of no name") {
  Scene bare = with_bar("");
  bare.meshes.pop_back();
  const std::vector<Vector3d> without = rigged(bare);
  CHECK(rigged(with_bar("Sword")) == without);
  CHECK(rigged(with_bar("Cube")) != without);
}

TEST_CASE("hints in percent are of the box of all, held things too") {
  const Scene scene = with_bar("Sword");
  Eigen::AlignedBox3d box;
  for (const SceneMesh& mesh : scene.meshes)
    for (const Vector3d& p : mesh.positions) box.extend(p);
  rig::RigOptions options;
  options.hints = {{"forearm.L", {0.8, 0.5, 0.2}, true}};
  const Vector3d wanted = box.min() + Vector3d(0.8, 0.5, 0.2).cwiseProduct(box.sizes());
  double least = 1e9;
  for (const Vector3d& place : rigged(scene, options))
    least = std::min(least, (place - wanted).norm());
  CHECK(least < 1e-6);
}

}  // namespace gvbind
