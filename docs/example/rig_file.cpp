#include <gvbind/rig.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const gvbind::rig::RiggedFile rigged =
      gvbind::rig::rig_file(argv[1], argv[2], {.skeleton = "biped"});
  for (const gvbind::rig::PlacedJoint& joint : rigged.joints)
    std::printf("%s: confidence %.2f\n", joint.name.c_str(), joint.confidence);
}
