#include "gvbind/prepare/character.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "gvbind/base/utf8.h"
#include "gvbind/prepare/control_joints.h"
#include "gvbind/prepare/near_joints.h"
#include "gvbind/prepare/orient_faces.h"
#include "gvbind/prepare/winding_number.h"

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
      say("joint-repeats",
          "it duplicates a joint of the body, as IK chains do, or moves one, as Rigify's ORG- "
          "joints do");
    if (roles.role[i] == JointRole::pole_target)
      say("joint-away", "its branch lies away from the mesh, as pole targets do");
  }
  return findings;
}

void report_flipped(const FlippedFaces& flipped, Findings& findings) {
  if (flipped.triangles == 0) return;
  findings.push_back({Severity::note, "faces-turned",
                      counted(flipped.triangles, "triangle", "triangles") + " in " +
                          counted(flipped.patches, "piece", "pieces") +
                          " of the mesh facing inward: counted the other way round",
                      ""});
}

/// Bones according to the options; adds findings about joints that get no weight.
std::vector<JointBones> find_bones(std::span<const Joint> joints, const CharacterOptions& options,
                                   Character& c) {
  const InsideQuery inside(c.cube, c.mesh, c.winding);
  if (options.controls == ControlRule::keep) return bone_segments(joints, {options.leaf}, &inside);
  JointRoles roles = joint_roles(joints, inside);
  const std::vector<bool> near = near_joints(joints, roles, c.cube, c.mesh, c.welded);
  if (near.empty())
    for (Finding& finding : findings_of(joints, roles)) c.findings.push_back(std::move(finding));
  else
    limit_to_near(joints, near, roles, c.findings);
  c.is_garment = !near.empty();
  std::vector<Joint> owners(joints.begin(), joints.end());
  for (std::size_t i = 0; i < owners.size(); ++i)
    owners[i].deforms = roles.role[i] == JointRole::deforming;
  return bone_segments(owners, {options.leaf, true}, &inside, roles.continued_by);
}

}  // namespace

// Orientation, roles and leaf ends are determined in a cube around the mesh and all joints. If the
// final bones leave that cube unchanged, its lattice, welding and winding tree are reused.
// Otherwise (controls often lie far outside) they are computed again.
Character prepare_character(const MeshView& mesh, std::span<const Joint> joints,
                            const CharacterOptions& options) {
  Character c;
  const LeafRule simple = options.leaf == LeafRule::surface ? LeafRule::point : options.leaf;
  std::vector<JointBones> bones = bone_segments(joints, {simple});
  c.cube = unit_cube(mesh, bones);
  c.mesh = lattice_mesh(c.cube, mesh);
  c.welded = welded_vertices(c.mesh);
  if (options.faces == FaceRule::automatic)
    report_flipped(orient_faces(c.mesh, c.welded), c.findings);
  c.winding = WindingTree(c.mesh);
  if (options.controls == ControlRule::automatic || options.leaf == LeafRule::surface) {
    bones = find_bones(joints, options, c);
    const UnitCube cube = unit_cube(mesh, bones);
    if (cube != c.cube) {
      c.cube = cube;
      c.winding = {};
      const std::vector<Triangle> oriented = std::move(c.mesh.triangles);
      c.mesh = lattice_mesh(c.cube, {mesh.positions, oriented});
      c.welded = welded_vertices(c.mesh);
      c.winding = WindingTree(c.mesh);
    }
  }
  c.bones = lattice_bones(c.cube, bones);
  c.components = connected_components(c.mesh, c.welded);
  c.skeleton = SkeletonDistance(joints, c.cube);
  return c;
}

}  // namespace gvbind
