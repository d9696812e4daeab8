#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "commands/pose/pose_option.h"
#include "commands/pose/volume_mask.h"
#include "gvbind/error.h"
#include "motion/pose_surface.h"
#include "round_trip.h"
#include "rule_scene.h"

namespace {

using namespace gvbind;

/// Calls `read`; an error must name the file.
void check_refusal(const std::string& path, const std::function<void()>& read) {
  fuzz::accepts([&] {
    try {
      read();
    } catch (const Error& error) {
      fuzz::require(error.kind() == ErrorKind::usage && fuzz::names_line(error.what(), path),
                    "a refusal names the file and the line");
      throw;
    }
  });
}

void check_pose(const std::string& path, const PosedFile& file) {
  check_refusal(path, [&] {
    const std::vector<Eigen::Affine3d> pose = pose_option(path, file);
    fuzz::require(pose.size() == file.scene.joints.size(), "every joint has its turn");
    for (const Eigen::Affine3d& joint : pose)
      fuzz::require(
          joint.matrix().allFinite() && std::abs(joint.linear().determinant() - 1.0) < 1e-6,
          "poses turn joints and do no more");
  });
}

void check_mask(const std::string& path, const PosedFile& file) {
  check_refusal(path, [&] {
    const std::vector<double> mask = volume_mask(path, file);
    fuzz::require(mask.size() == motion::pose_surface(file.scene).first.back(),
                  "a vertex, a factor");
    for (const double factor : mask)
      fuzz::require(std::abs(factor) < 100.001, "factors of joint and mesh are 10 at most");
  });
}

/// Each vertex has two of three joints, so that factors of joints matter.
Scene skinned_scene() {
  Scene scene = fuzz::rule_scene();
  SceneMesh& mesh = scene.meshes.front();
  mesh.skin_joints = {0, 1, 2};
  mesh.weights.first = {0};
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    mesh.weights.joint.insert(mesh.weights.joint.end(), {v % 2, v % 2 + 1});
    mesh.weights.weight.insert(mesh.weights.weight.end(), {0.25f, 0.75f});
    mesh.weights.first.push_back(static_cast<std::uint32_t>(mesh.weights.joint.size()));
  }
  return scene;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::ScratchFile file("fuzz_poses");
  static const Scene scene = skinned_scene();
  static const Document document = scene;
  static const std::string name = "body.glb";
  const fuzz::TimeLimit limit;
  file.put(data, size);
  const PosedFile posed{name, document, scene};
  check_pose(file.path.string(), posed);
  check_mask(file.path.string(), posed);
  return 0;
}
