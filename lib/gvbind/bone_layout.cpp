#include "gvbind/bone_layout.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "gvbind/body.h"
#include "gvbind/facing.h"
#include "gvbind/joint_roles.h"
#include "gvbind/near_joints.h"
#include "gvbind/text.h"

namespace gvbind {

namespace {

Findings findings_of(std::span<const JointPoint> joints, const JointRoles& roles) {
  Findings findings;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const std::string name =
        joints[i].name.empty() ? "joint " + std::to_string(i) : "joint '" + joints[i].name + "'";
    const auto say = [&](const char* code, const char* why) {
      findings.push_back({Severity::note, code, name + " gets no weight: " + why, joints[i].name});
    };
    if (roles.role[i] == JointRole::container)
      say("joint-holds-others", "it is outside the mesh, above the joints inside");
    if (roles.role[i] == JointRole::duplicate)
      say("joint-repeats", "it duplicates a joint of the body, as an IK chain does");
    if (roles.role[i] == JointRole::away)
      say("joint-away", "its branch lies away from the mesh, as pole targets do");
  }
  return findings;
}

void turn_faces(BoneLayout& layout) {
  const TurnedFaces turned = turn_faces_outward(layout.scene);
  if (turned.triangles == 0) return;
  layout.findings.push_back({Severity::note, "faces-turned",
                             counted(turned.triangles, "triangle", "triangles") + " in " +
                                 counted(turned.pieces, "piece", "pieces") +
                                 " of the mesh facing inward: counted the other way round",
                             ""});
}

}  // namespace

BoneLayout lay_out_bones(std::span<const Eigen::Vector3d> positions,
                         std::span<const Triangle> triangles, std::span<const JointPoint> joints,
                         const LayoutOptions& options) {
  BoneLayout layout;
  const bool ask_body = options.find_controls || options.leaf == LeafRule::surface;
  const LeafRule simple = options.leaf == LeafRule::surface ? LeafRule::point : options.leaf;
  layout.scene = normalize(positions, triangles, influences_of_joints(joints, {simple}));
  if (options.turn_faces) turn_faces(layout);
  if (!ask_body) return layout;

  const Body body(layout.scene);
  std::vector<JointPoint> owners(joints.begin(), joints.end());
  std::vector<int> continued_by;
  if (options.find_controls) {
    JointRoles roles = joint_roles(joints, body);
    const std::vector<bool> near = near_joints(joints, roles, layout.scene);
    if (near.empty()) {
      for (Finding& finding : findings_of(joints, roles))
        layout.findings.push_back(std::move(finding));
    } else {
      limit_to_near(joints, near, roles, layout.findings);
    }
    for (std::size_t i = 0; i < owners.size(); ++i)
      owners[i].deforms = roles.role[i] == JointRole::owner;
    continued_by = std::move(roles.continued_by);
  }
  const std::vector<Triangle> turned = std::move(layout.scene.triangles);
  layout.scene = normalize(
      positions, turned,
      influences_of_joints(owners, {options.leaf, options.find_controls}, &body, continued_by));
  return layout;
}

}  // namespace gvbind
