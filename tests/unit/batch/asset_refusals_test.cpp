#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>

#include "bind/checked_write.h"
#include "commands/bind/bind_file.h"
#include "gvbind/asset.h"
#include "support/scratch_folder.h"

using namespace gvbind;
namespace fs = std::filesystem;

namespace {

const fs::path data = GVBIND_DATA;

struct Refusal {
  ErrorKind kind = ErrorKind::internal;
  std::string message;
  bool operator==(const Refusal&) const = default;
};

std::optional<Refusal> refusal_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return Refusal{error.kind(), error.what()};
  }
  return std::nullopt;
}

BindOptions coarse() {
  BindOptions options;
  options.resolution = 32;
  options.device = Device::cpu;
  return options;
}

/// The error of the command and of the library, which have to be equal.
Refusal refusal_of_both(const fs::path& input, const BindOptions& options = coarse(),
                        const fs::path& skeleton = {}) {
  BindRequest request;
  request.input = input;
  request.output = input.parent_path() / "bound.glb";
  request.skeleton = skeleton;
  request.options = options;
  const auto by_command = refusal_of([&] { bind_file(request, {}); });
  const auto by_library = refusal_of([&] {
    Asset asset = Asset::read(input);
    if (!skeleton.empty()) asset.add_skeleton(skeleton);
    asset.bind(options);
  });
  CHECK_FALSE(fs::exists(request.output));
  REQUIRE(by_command);
  REQUIRE(by_library);
  CHECK(by_command->message == by_library->message);
  CHECK(by_command->kind == by_library->kind);
  return *by_command;
}

void write_text(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

/// The sample with changed joints.
fs::path with_joints(const fs::path& folder, const std::function<void(Scene& scene)>& change) {
  Findings findings;
  Scene scene = scene_of(read_document(data / "biped.glb", findings), {}, findings);
  change(scene);
  for (SceneMesh& mesh : scene.meshes) mesh.weights = {}, mesh.skin_joints.clear();
  fs::path file = folder / "moved.glb";
  write_files(encode(build_document(scene, file), file, findings), file, {.overwrite = true});
  return file;
}

}  // namespace

TEST_CASE("the library refuses a file without meshes and one without joints as the command does") {
  const test::ScratchFolder folder;
  const fs::path bare = folder.path() / "bare.obj", bones = folder.path() / "bones.bvh";
  write_text(bare, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  write_text(bones,
             "HIERARCHY\nROOT a\n{\n OFFSET 0 0 0\n CHANNELS 3 Xposition Yposition Zposition\n"
             " End Site\n {\n  OFFSET 0 1 0\n }\n}\nMOTION\nFrames: 1\nFrame Time: 1\n0 0 0\n");
  const Refusal no_joints = refusal_of_both(bare);
  CHECK(no_joints.kind == ErrorKind::cannot_bind);
  CHECK(no_joints.message.find("holds no joints; --skeleton") != std::string::npos);
  const Refusal no_mesh = refusal_of_both(bones);
  CHECK(no_mesh.kind == ErrorKind::cannot_bind);
  CHECK(no_mesh.message.find("holds no mesh") != std::string::npos);
}

TEST_CASE("the library refuses a skeleton that does not fit as the command does") {
  const test::ScratchFolder folder;
  const auto moved = [&](const auto& move) {
    return with_joints(folder.path(), [&](Scene& scene) {
      for (SceneJoint& joint : scene.joints) move(joint.bind);
    });
  };
  const Refusal small =
      refusal_of_both(moved([](Eigen::Affine3d& bind) { bind.translation() *= 0.001; }));
  CHECK(small.kind == ErrorKind::cannot_bind);
  CHECK(small.message.find("--skeleton-scale") != std::string::npos);
  const Refusal apart =
      refusal_of_both(moved([](Eigen::Affine3d& bind) { bind.translation().x() += 1000.0; }));
  CHECK(apart.kind == ErrorKind::cannot_bind);
  CHECK(apart.message.find("outside the meshes") != std::string::npos);
}

TEST_CASE("the library refuses options, and a skeleton for a file with one, as the command does") {
  const test::ScratchFolder folder;
  const fs::path input = folder.path() / "biped.glb";
  fs::copy_file(data / "biped.glb", input);
  BindOptions uneven = coarse(), sharp = coarse();
  uneven.resolution = 100;
  sharp.alpha = 2.0;
  CHECK(refusal_of_both(input, uneven).kind == ErrorKind::usage);
  CHECK(refusal_of_both(input, sharp).kind == ErrorKind::usage);
  CHECK(refusal_of_both(input, coarse(), data / "biped.glb").kind == ErrorKind::input);
  CHECK(refusal_of_both(folder.path() / "missing.glb").kind == ErrorKind::input);
}

TEST_CASE("a skeleton is added to an asset without joints and bound") {
  const test::ScratchFolder folder;
  const fs::path bare = with_joints(folder.path(), [](Scene& scene) { scene.joints.clear(); });
  Asset asset = Asset::read(bare);
  CHECK(asset.joints().empty());
  asset.add_skeleton(data / "biped.glb");
  const std::size_t joints = asset.joints().size();
  CHECK(joints > 1);
  const AssetBinding binding = asset.bind(coarse());
  CHECK_FALSE(binding.weights.at(0).empty());
  const fs::path output = folder.path() / "bound.glb";
  asset.write(output);

  BindRequest request;
  request.input = bare;
  request.skeleton = data / "biped.glb";
  request.output = folder.path() / "by_command.glb";
  request.options = coarse();
  bind_file(request, {});
  CHECK(fs::file_size(output) == fs::file_size(request.output));
}
