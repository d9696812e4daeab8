#include "rig/joint_words.h"

#include <catch2/catch.hpp>

namespace gvbind {

TEST_CASE("names of common rigs are understood") {
  CHECK(joint_role("mixamorig:LeftForeArm") == "forearm.L");
  CHECK(joint_role("mixamorig:RightUpLeg") == "thigh.R");
  CHECK(joint_role("mixamorig:RightLeg") == "shin.R");
  CHECK(joint_role("upperarm_l") == "upper_arm.L");
  CHECK(joint_role("clavicle_r") == "collar.R");
  CHECK(joint_role("Bip01 L Calf") == "shin.L");
  CHECK(joint_role("DEF-upper_arm.R") == "upper_arm.R");
  CHECK(joint_role("Hips") == "hips");
  CHECK(joint_role("LeftToeBase") == "toe.L");
  CHECK(joint_word("HeadTop_End") == JointWord::end);
  CHECK(joint_word("upperarm_twist_01_l") == JointWord::helper);
  CHECK(joint_word("LeftHandIndex1") == JointWord::finger);
  CHECK(joint_word("jaw") == JointWord::face);
  CHECK(joint_role("Bone.004").empty());
}

}  // namespace gvbind
