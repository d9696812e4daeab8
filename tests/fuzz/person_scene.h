#pragma once

#include <string>
#include <utility>

#include "character/scene.h"

namespace gvbind::fuzz {

/// A human skeleton of 16 joints in a T pose with one triangle, 1.7 m tall.
inline Scene person_scene() {
  Scene scene;
  const auto add = [&](const char* name, int parent, double x, double y, double z) {
    SceneJoint& joint = scene.joints.emplace_back();
    joint.name = name;
    joint.parent = parent;
    joint.bind.translation() = Eigen::Vector3d(x, y, z);
    return static_cast<int>(scene.joints.size()) - 1;
  };
  const int hips = add("Hips", -1, 0, 0.9, 0), spine = add("Spine", hips, 0, 1.1, 0),
            neck = add("Neck", spine, 0, 1.4, 0);
  add("Head", neck, 0, 1.5, 0);
  for (const auto& [side, sign] : {std::pair{"Left", 1.0}, std::pair{"Right", -1.0}}) {
    const auto name = [prefix = std::string(side)](const char* part) { return prefix + part; };
    int at = add(name("UpLeg").c_str(), hips, sign * 0.1, 0.85, 0);
    at = add(name("Leg").c_str(), at, sign * 0.1, 0.45, 0);
    add(name("Foot").c_str(), at, sign * 0.1, 0.08, 0);
    at = add(name("Arm").c_str(), spine, sign * 0.2, 1.35, 0);
    at = add(name("ForeArm").c_str(), at, sign * 0.45, 1.35, 0);
    add(name("Hand").c_str(), at, sign * 0.7, 1.35, 0);
  }
  SceneMesh& mesh = scene.meshes.emplace_back();
  mesh.name = "Body";
  mesh.positions = {{-0.2, 0, 0}, {0.2, 0, 0}, {0, 1.7, 0}};
  mesh.triangles = {{0, 1, 2}};
  return scene;
}

}  // namespace gvbind::fuzz
