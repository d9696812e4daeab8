#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gvbind/primitive.h"

namespace gvbind {

// A rigger's overrides. They are in bind space, hence independent of the resolution.

/// Effect of an edit on voxels whose centers lie in its primitive.
enum class EditKind {
  add,   ///< they become part of the solid
  cut,   ///< they become exterior, even on the surface
  seal,  ///< exterior voxels become surface; space that they enclose becomes interior
};

struct VolumeEdit {
  EditKind kind = EditKind::add;
  Primitive where;
  std::string origin = {};  ///< for findings: "edits.txt:3"
};

/// An additional region where the distances of a joint start, like its bones (section 9).
struct SeedRegion {
  std::uint32_t joint = 0;
  Primitive where;
  std::string origin = {};
};

/// Vertices inside are bound to these joints only (section 9).
struct JointRegion {
  std::vector<std::uint32_t> joints;
  Primitive where;
  std::string origin = {};
};

/// Where a joint of one group has the most weight, joints of the other get none.
struct ForbiddenJoints {
  std::vector<std::uint32_t> first, second;
};

/// Overrides the falloff of these joints.
struct JointAlpha {
  std::vector<std::uint32_t> joints;
  double alpha = 0.4;  ///< 0 smooth .. 1 tight
};

struct BindRules {
  std::vector<VolumeEdit> edits;     ///< in order: the last edit that contains a voxel wins
  std::vector<SeedRegion> volumes;   ///< in addition to the bones
  std::vector<JointRegion> regions;  ///< the last region that contains a vertex wins
  std::vector<ForbiddenJoints> forbidden;
  std::vector<JointAlpha> alphas;  ///< the last entry for a joint wins
};

/// Effect of each rule, in the order of the rules.
struct RuleUse {
  std::vector<std::size_t> edits;    ///< voxels changed by each
  std::vector<std::size_t> volumes;  ///< voxels of the solid in each
  std::vector<std::size_t> regions;  ///< vertices in each
};

}  // namespace gvbind
