#include "rig/joint_words.h"

#include <catch2/catch.hpp>

namespace gvbind {

TEST_CASE("names of common rigs are understood") {
  CHECK(rig::joint_role("mixamorig:LeftForeArm") == "forearm.L");
  CHECK(rig::joint_role("mixamorig:RightUpLeg") == "thigh.R");
  CHECK(rig::joint_role("mixamorig:RightLeg") == "shin.R");
  CHECK(rig::joint_role("upperarm_l") == "upper_arm.L");
  CHECK(rig::joint_role("clavicle_r") == "collar.R");
  CHECK(rig::joint_role("Bip01 L Calf") == "shin.L");
  CHECK(rig::joint_role("DEF-upper_arm.R") == "upper_arm.R");
  CHECK(rig::joint_role("Hips") == "hips");
  CHECK(rig::joint_role("LeftToeBase") == "toe.L");
  CHECK(rig::joint_word("HeadTop_End") == rig::JointWord::end);
  CHECK(rig::joint_word("upperarm_twist_01_l") == rig::JointWord::helper);
  CHECK(rig::joint_word("LeftHandIndex1") == rig::JointWord::finger);
  CHECK(rig::joint_word("jaw") == rig::JointWord::face);
  CHECK(rig::joint_role("Bone.004").empty());
}

}  // namespace gvbind
