#include <gvbind/refine.h>
#include <gvbind/rig.h>

#include <string>

// SKINNED REFINED CELLS MESH RIGGED: options that the command reads from files.
int main(int, char** argv) {
  gvbind::motion::RefineFileOptions refining;
  refining.poses = 4;
  refining.rounds = 1;
  refining.ranges = {{"*", {-10, -10, -10}, {20, 10, 10}}};
  refining.by_cells = true;
  refining.cells = argv[3];
  gvbind::motion::refine_file(argv[1], argv[2], refining);

  gvbind::rig::RigFileOptions rigging;
  rigging.names = gvbind::rig::JointNames::unreal;
  rigging.hints = {{"pelvis", {0.5, 0.55, 0.5}, true}};
  rigging.bind.resolution = 64;
  gvbind::rig::rig_file(argv[4], argv[5], rigging);
}
