#include "gvbind/prepare/character.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "gvbind/base/utf8.h"
#include "gvbind/prepare/control_joints.h"
#include "gvbind/prepare/inside_query.h"
#include "gvbind/prepare/near_joints.h"
#include "gvbind/prepare/orient_faces.h"

namespace gvbind {

namespace {

Findings findings_of(std::span<const Joint> joints, const JointRoles& roles) {
  Findings findings;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const std::string name =
        joints[i].name.empty() ? "joint " + std::to_string(i) : "joint '" + joints[i].name + "'";
    const auto say = [&](const char* code, const char* why) {
      findings.push_back({Severity::note, code, name + " gets no weight: " + why, joints[i].name});
    };
    if (roles.role[i] == JointRole::control)
      say("joint-holds-others", "it is outside the mesh, above the joints inside");
    if (roles.role[i] == JointRole::ik_duplicate)
      say("joint-repeats", "it duplicates a joint of the body, as an IK chain does");
    if (roles.role[i] == JointRole::pole_target)
      say("joint-away", "its branch lies away from the mesh, as pole targets do");
  }
  return findings;
}

void orient_faces(Character& layout) {
  const FlippedFaces flipped = orient_faces(layout.scene);
  if (flipped.triangles == 0) return;
  layout.findings.push_back({Severity::note, "faces-turned",
                             counted(flipped.triangles, "triangle", "triangles") + " in " +
                                 counted(flipped.patches, "piece", "pieces") +
                                 " of the mesh facing inward: counted the other way round",
                             ""});
}

}  // namespace

Character prepare_character(std::span<const Eigen::Vector3d> positions,
                            std::span<const Triangle> triangles, std::span<const Joint> joints,
                            const CharacterOptions& options) {
  Character layout;
  const bool ask_body = options.find_controls || options.leaf == LeafRule::surface;
  const LeafRule simple = options.leaf == LeafRule::surface ? LeafRule::point : options.leaf;
  layout.scene = normalize(positions, triangles, bone_segments(joints, {simple}));
  if (options.orient_faces) orient_faces(layout);
  if (!ask_body) return layout;

  const InsideQuery body(layout.scene);
  std::vector<Joint> owners(joints.begin(), joints.end());
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
      owners[i].deforms = roles.role[i] == JointRole::deforming;
    continued_by = std::move(roles.continued_by);
  }
  const std::vector<Triangle> flipped = std::move(layout.scene.triangles);
  layout.scene =
      normalize(positions, flipped,
                bone_segments(owners, {options.leaf, options.find_controls}, &body, continued_by));
  return layout;
}

}  // namespace gvbind
