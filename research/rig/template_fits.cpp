// How well each built-in template fits each body: see docs/measurements/rig.md.
//
//   rig_template_fits FILE...
//
// A line for each: file, template, confidence of the body (the least of a joint), whether it is
// calibrated, cost by limb, share of the bones inside, distance of the flesh, symmetry.

#include <algorithm>
#include <cstdio>

#include "gvbind/error.h"
#include "rig/builtin_templates.h"
#include "rig/rig_character.h"
#include "rig_body.h"

namespace gvbind {
namespace {

void run_file(const char* file) {
  Findings findings;
  const Scene scene = scene_of(read_document(file, findings), {}, findings);
  const Eigen::Vector3d up = scene.units.up, front = scene.units.front;
  Eigen::Matrix3d turn;
  turn << up.cross(front).transpose(), up.transpose(), front.transpose();
  std::vector<Eigen::Vector3d> positions;
  std::vector<Triangle> triangles;
  for (const SceneMesh& mesh : scene.meshes) {
    if (mesh.weights.empty() && !scene.joints.empty()) continue;
    const auto base = static_cast<std::uint32_t>(positions.size());
    for (const Eigen::Vector3d& p : mesh.positions) positions.push_back(turn * p);
    for (const Triangle& t : mesh.triangles)
      triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
  }
  for (const std::string& name : rig::builtin_template_names()) {
    try {
      const rig::RiggedCharacter made = rig::rig_character(
          {positions, triangles}, *rig::builtin_template(name),
          {.resolution = 64,
           .orient = scene.units.known ? rig::OrientRule::upright : rig::OrientRule::automatic});
      const double least =
          std::ranges::min_element(made.joints, {}, &rig::RiggedJoint::confidence)->confidence;
      std::printf("%s\t%s\t%.3f\t%d\t%.4f\t%.4f\t%.5f\t%.3f\n", file, name.c_str(), least,
                  made.is_calibrated, made.limb_cost, made.bones.inside, made.bones.flesh,
                  made.symmetry);
    } catch (const std::exception& error) {
      std::printf("%s\t%s\terror: %s\n", file, name.c_str(), error.what());
    }
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace gvbind

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) gvbind::run_file(arguments[i]);
  return 0;
}
