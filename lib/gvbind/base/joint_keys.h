#pragma once

// Tested by tests/unit/fit/like_test.cpp.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gvbind {

/// Without the namespaces before the last colon or bar ("mixamorig:Hips", "Armature|Hips").
std::string_view plain_name(std::string_view name);

/// Whether the plain name begins with one of these prefixes ("DEF") and a dash, or with an
/// underscore or a dot, which exporters and other rigs put there ("DEF-spine", "DEF_spine").
bool has_prefix(std::string_view name, std::span<const std::string_view> prefixes);

/// Whether the name marks a joint that deforms, as in rigs made with Blender ("DEF-spine"). In a
/// skeleton with `min_called_deforming` such joints the others are controls, helpers or props.
bool is_called_deforming(std::string_view name);
constexpr std::ptrdiff_t min_called_deforming = 3;

/// A joint's name as characters of one studio share it: its plain name in lower case, of ASCII only
/// letters and digits.
std::string joint_key(std::string_view name);

/// The keys of all joints of a skeleton, without the words that exporters add to nearly every name:
/// a common first word ("Bip01 "), a common last word ("_Rig") and a running number ("hips_02").
/// Each stays where joints would become hard to tell apart.
std::vector<std::string> joint_keys(std::span<const std::string_view> names);

}  // namespace gvbind
