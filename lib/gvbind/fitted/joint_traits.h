#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gvbind/fitted/candidate_field.h"

namespace gvbind {

/// Kinds of joints that names give hints at.
constexpr std::size_t name_hint_count = 15;

/// What is known of a joint, whatever the point.
struct JointTraits {
  double length = 0.0;     ///< of its longest bone, cube sides
  double thickness = 0.0;  ///< of the solid around it, cube sides
  double territory = 0.0;  ///< share of the solid that is nearest to it
  double below = 0.0;      ///< of its descendants
  double children_territory = 0.0;
  int children = 0, depth = 0;
  bool is_root = false, is_outside = false, is_on_parent = false, is_on_other = false;
  bool owns = false;              ///< by the rules of prepare/
  double length_to_parent = 0.0;  ///< ratio, logarithm
  bool hint[name_hint_count] = {};
};

std::vector<JointTraits> joint_traits(const CharacterDistances& distances,
                                      const CandidateField& field, std::span<const Joint> joints);

}  // namespace gvbind
