#include "rig/twist_joints.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "gvbind/error.h"

namespace gvbind::rig {

namespace {

struct Limb {
  const char* joint;
  const char* end;
  bool is_base;  ///< as of TwistLimb
};
constexpr std::array<Limb, 3> limbs = {
    {{"upper_arm", "forearm", false}, {"forearm", "hand", true}, {"thigh", "shin", false}}};

int joint_named(const Scene& scene, const std::string& name) {
  const auto found = std::ranges::find(scene.joints, name, &SceneJoint::name);
  return found == scene.joints.end() ? -1 : static_cast<int>(found - scene.joints.begin());
}

void add_to_limb(const TwistLimb& limb, MadeSkeleton& made) {
  const int joint = joint_named(made.scene, limb.joint), end = joint_named(made.scene, limb.end);
  if (joint < 0 || end < 0) return;
  const Eigen::Vector3d from = made.scene.joints[joint].bind.translation(),
                        way = made.scene.joints[end].bind.translation() - from;
  for (std::size_t k = 0; k < limb.twists.size(); ++k) {
    SceneJoint twist = made.scene.joints[joint];
    twist.name = limb.twists[k];
    twist.parent = joint;
    twist.bind.translation() =
        from + way * (static_cast<double>(k + 1) / static_cast<double>(limb.twists.size() + 1));
    made.scene.joints.push_back(twist);
    made.confidence.push_back(made.confidence[static_cast<std::size_t>(joint)]);
  }
  made.twists.push_back(limb);
}

}  // namespace

void check_twist(int count, const std::string& skeleton, const char* flag) {
  if (count < 0 || count > max_twist_joints)
    throw Error(ErrorKind::usage, std::string(flag) + ": " + std::to_string(count) +
                                      " is not a number from 0 to " +
                                      std::to_string(max_twist_joints));
  if (count > 0 && skeleton != "biped")
    throw Error(ErrorKind::usage, std::string(flag) +
                                      ": twist joints are for the template 'biped', not for '" +
                                      skeleton + "'");
}

void add_twist_joints(int count, JointNames names, MadeSkeleton& made) {
  for (const Limb& limb : limbs)
    for (const std::string side : {".L", ".R"}) {
      const auto joint = biped_joint_name(limb.joint + side, names),
                 end = biped_joint_name(limb.end + side, names);
      if (!joint || !end) continue;
      TwistLimb added{*joint, *end, {}, limb.is_base};
      for (int k = 1; k <= count; ++k)
        added.twists.push_back(biped_twist_name(limb.joint + side, k, count, names));
      if (count > 0) add_to_limb(added, made);
    }
}

}  // namespace gvbind::rig
