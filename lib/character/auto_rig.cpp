#include "character/auto_rig.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

namespace gvbind {

namespace {

using Names = std::unordered_set<std::string>;

constexpr std::string_view control_prefix = "c_", stretch_word = "_stretch";
constexpr std::string_view steering_words[] = {"fk", "ik", "ref", "nostr", "pole"};
/// Controls that have no joint of the same name.
constexpr std::string_view sole_controls[] = {
    "c_pos",   "c_traj", "c_root_master", "c_root_bend",  "c_stretch_",
    "c_foot_", "c_p_",   "c_toes_end",    "c_toes_pivot", "toes_02"};
constexpr std::ptrdiff_t min_marks = 2;

bool is_steering_word(std::string_view word) {
  while (!word.empty() && word.back() >= '0' && word.back() <= '9') word.remove_suffix(1);
  return std::ranges::find(steering_words, word) != std::end(steering_words);
}

bool has_steering_word(std::string_view name) {
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("._"), name.size());
    if (is_steering_word(name.substr(0, end))) return true;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return false;
}

/// "arm_stretch.l" for "arm.l", "leg_stretch_dupli_001.l" for "leg_dupli_001.l".
std::string stretched(const std::string& name) {
  std::size_t end = name.find("_dupli");
  if (end == name.npos) end = name.find_last_of("._");
  if (end == name.npos) end = name.size();
  return std::string(name).insert(end, stretch_word);
}

bool is_twin(const std::string& name, const Names& names) {
  return name.starts_with(control_prefix) && names.contains(name.substr(control_prefix.size()));
}

bool is_control(const std::string& name, const Names& names) {
  return has_steering_word(name) || is_twin(name, names) || names.contains(stretched(name)) ||
         name.find("_scale_fix") != name.npos ||
         std::ranges::any_of(sole_controls,
                             [&](std::string_view sole) { return name.starts_with(sole); });
}

bool is_stretch_bone(const std::string& name) {
  return !name.starts_with(control_prefix) && name.find(stretch_word) != name.npos;
}

}  // namespace

std::vector<bool> auto_rig_controls(std::span<const SceneJoint> joints) {
  Names names;
  for (const SceneJoint& joint : joints) names.insert(joint.name);
  if (std::ranges::count_if(names, is_stretch_bone) < min_marks ||
      std::ranges::count_if(names, [&](const std::string& n) { return is_twin(n, names); }) <
          min_marks)
    return {};
  std::vector<bool> controls;
  for (const SceneJoint& joint : joints) controls.push_back(is_control(joint.name, names));
  return controls;
}

}  // namespace gvbind
