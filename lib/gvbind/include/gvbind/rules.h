#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gvbind/primitive.h"

namespace gvbind {

// What a rigger decides against the method. All of it is in bind space, so it holds at every
// resolution.

/// What becomes of the voxels whose centers lie in a primitive.
enum class EditKind {
  add,   ///< they belong to the solid
  cut,   ///< they do not, not even where the surface is
  seal,  ///< exterior ones become surface, and what they shut off from the outside becomes interior
};

struct VolumeEdit {
  EditKind kind = EditKind::add;
  Primitive where;
  std::string origin = {};  ///< for findings: "edits.txt:3"
};

/// Distances to a joint begin in this region as they begin at its bones (section 9).
struct SeedRegion {
  std::uint32_t joint = 0;
  Primitive where;
  std::string origin = {};
};

/// Vertices within belong to these joints and no others (section 9).
struct JointRegion {
  std::vector<std::uint32_t> joints;
  Primitive where;
  std::string origin = {};
};

/// Where a joint of one group owns most, those of the other own nothing.
struct ForbiddenJoints {
  std::vector<std::uint32_t> first, second;
};

/// The falloff of these joints, wherever they own weight.
struct JointAlpha {
  std::vector<std::uint32_t> joints;
  double alpha = 0.4;  ///< 0 smooth .. 1 tight
};

struct BindRules {
  std::vector<VolumeEdit> edits;     ///< in turn: the last that holds a voxel decides
  std::vector<SeedRegion> volumes;   ///< beside the bones
  std::vector<JointRegion> regions;  ///< the last that holds a vertex decides
  std::vector<ForbiddenJoints> forbidden;
  std::vector<JointAlpha> alphas;  ///< the last that lists a joint decides
};

/// What rules came upon, in their order.
struct RuleUse {
  std::vector<std::size_t> edits;    ///< voxels that each changed
  std::vector<std::size_t> volumes;  ///< voxels of the solid in each
  std::vector<std::size_t> regions;  ///< vertices in each
};

}  // namespace gvbind
