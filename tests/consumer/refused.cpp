#include <gvbind/convert.h>
#include <gvbind/refine.h>
#include <gvbind/rig.h>
#include <gvbind/springs.h>
#include <gvbind/transfer.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace {

void call(const std::string& command, const char* input, const char* output) {
  if (command == "convert") gvbind::convert_file(input, output);
  if (command == "transfer") gvbind::transfer::transfer_files(input, {"cape"}, output);
  if (command == "rig") gvbind::rig::rig_file(input, output);
  if (command == "refine") gvbind::motion::refine_file(input, output);
}

/// Options that the command line would not pass on.
bool refuses_options() {
  int refused = 0;
  const auto expect = [&](const auto& step) {
    try {
      step();
    } catch (const gvbind::Error& error) {
      refused += error.kind() == gvbind::ErrorKind::usage;
    }
  };
  expect([] { gvbind::motion::refine_file("a.glb", "b.glb", {.poses = 0}); });
  expect([] {
    gvbind::transfer::transfer_files("a.glb", {"a"}, "b.glb", {.weights = {.angle = 181.0}});
  });
  expect([] { gvbind::rig::rig_file("a.glb", "b.glb", {.skeleton = "bipd"}); });
  expect([] { gvbind::vrm::add_springs_to_file("a.fbx", "b.txt"); });
  expect([] { gvbind::rig::rig_file("a.glb", "b.glb", {.up = Eigen::Vector3d(1, 1, 0)}); });
  expect([] { gvbind::rig::rig_file("a.obj", "b.glb", {.meters_per_unit = -1.0}); });
  expect([] { gvbind::rig::rig_file("a.glb", "b.glb", {.hints = {{"hips", {NAN, 0, 0}}}}); });
  expect([] {
    const gvbind::vrm::GivenSpring loose{.place = "here", .joints = {"tail*"}, .drag = 7.0};
    gvbind::vrm::add_springs_to_file("a.glb", "b.glb", {.given = {{.springs = {loose}}}});
  });
  expect([] {
    const gvbind::vrm::GivenCollider none{.name = "c", .joint = "hips", .radius = NAN};
    gvbind::vrm::add_springs_to_file("a.glb", "b.glb", {.given = {{.colliders = {none}}}});
  });
  return refused == 9;
}

}  // namespace

// COMMAND INPUT OUTPUT: the line that the command would print.
int main(int argc, char** argv) {
  if (argc != 4) return refuses_options() ? 0 : 1;
  try {
    call(argv[1], argv[2], argv[3]);
  } catch (const gvbind::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 0;
  }
  return 1;
}
