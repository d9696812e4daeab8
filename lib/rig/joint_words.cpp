#include "rig/joint_words.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace gvbind::rig {

namespace {

bool has(const std::vector<std::string>& words, std::initializer_list<std::string_view> any) {
  return std::ranges::any_of(words, [&](const std::string& word) {
    return std::ranges::find(any, std::string_view(word)) != any.end();
  });
}

bool holds(const std::string& joined, std::initializer_list<std::string_view> any) {
  return std::ranges::any_of(
      any, [&](std::string_view part) { return joined.find(part) != std::string::npos; });
}

/// Words of sides and of whole rigs.
bool says_nothing(const std::string& word) {
  return has({word}, {"l", "r", "left", "right", "bip", "bone", "def", "mixamorig", "j", "b"});
}

JointWord limb_word(const std::vector<std::string>& words, const std::string& name) {
  if (holds(name, {"thumb", "index", "middle", "ring", "pinky", "little", "finger"}))
    return JointWord::finger;
  if (holds(name, {"toe"}) || has(words, {"ball"})) return JointWord::toe;
  if (holds(name, {"foot", "ankle"}) || has(words, {"feet", "paw", "hoof"})) return JointWord::foot;
  if (holds(name, {"forearm", "lowerarm", "elbow", "armlower"})) return JointWord::forearm;
  if (holds(name, {"clavicle", "collar", "scapula"})) return JointWord::collar;
  if (holds(name, {"upperarm", "armupper"})) return JointWord::upper_arm;
  if (holds(name, {"shoulder"})) return JointWord::collar;
  if (holds(name, {"hand", "wrist", "palm", "fist"})) return JointWord::hand;
  if (holds(name, {"thigh", "upleg", "upperleg", "legupper"})) return JointWord::thigh;
  if (holds(name, {"shin", "calf", "knee", "lowerleg", "leglower"})) return JointWord::shin;
  if (has(words, {"arm"})) return JointWord::upper_arm;
  if (has(words, {"leg"})) return JointWord::shin;
  return JointWord::none;
}

JointWord trunk_word(const std::vector<std::string>& words, const std::string& name) {
  if (holds(name, {"neck"})) return JointWord::neck;
  if (has(words, {"head", "skull"})) return JointWord::head;
  if (has(words, {"hip", "hips", "pelvis"}) || holds(name, {"lowertorso"})) return JointWord::hips;
  if (holds(name, {"chest"}) || has(words, {"ribs", "thorax"})) return JointWord::chest;
  if (holds(name, {"spine", "torso", "abdomen"}) || has(words, {"waist", "belly"}))
    return JointWord::spine;
  if (holds(name, {"tail"})) return JointWord::tail;
  return JointWord::none;
}

}  // namespace

std::vector<std::string> words_of_name(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  if (colon != std::string_view::npos) name.remove_prefix(colon + 1);
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool letter = std::isalpha(c) != 0;
    const auto is_lower = [&](std::size_t at) {
      return at < name.size() && std::islower(static_cast<unsigned char>(name[at])) != 0;
    };
    const bool ends_row =
        i > 0 && std::isupper(static_cast<unsigned char>(name[i - 1])) != 0 && is_lower(i + 1);
    const bool starts = i > 0 && std::isupper(c) && (is_lower(i - 1) || ends_row);
    if ((!letter || starts) && !words.back().empty()) words.emplace_back();
    if (letter) words.back() += static_cast<char>(std::tolower(c));
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

JointWord joint_word(std::string_view name) {
  const std::vector<std::string> words = words_of_name(name);
  std::string joined;
  for (const std::string& word : words)
    if (!says_nothing(word)) joined += word;
  if (has(words, {"end", "nub", "tip", "top", "effector"}) || holds(joined, {"topend", "_end"}))
    return JointWord::end;
  if (has(words, {"ik", "fk", "pole", "target", "twist", "roll", "ctrl", "control", "helper", "mch",
                  "org", "weapon", "prop", "slot", "socket", "attach", "holder"}))
    return JointWord::helper;
  if (holds(joined, {"eye", "brow", "jaw", "mouth", "lip", "tongue", "teeth", "cheek", "ear",
                     "hair", "nose", "hat"}) &&
      !holds(joined, {"forearm", "upperarm", "heart"}))
    return JointWord::face;
  const JointWord limb = limb_word(words, joined);
  return limb == JointWord::none ? trunk_word(words, joined) : limb;
}

int joint_side(std::string_view name) {
  const std::vector<std::string> words = words_of_name(name);
  if (has(words, {"l", "left", "lf"})) return 1;
  if (has(words, {"r", "right", "rt"})) return -1;
  std::string lower(name);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower.find("left") != std::string::npos) return 1;
  return lower.find("right") != std::string::npos ? -1 : 0;
}

bool names_whole_limb(std::string_view name) {
  const std::vector<std::string> words = words_of_name(name);
  std::string joined;
  for (const std::string& word : words) joined += word;
  return has(words, {"leg", "arm"}) && !holds(joined, {"lower", "upper", "knee", "shin", "calf"});
}

bool says_more(std::string_view name, std::string_view other) {
  std::vector<std::string> own = words_of_name(name), fewer = words_of_name(other);
  std::erase_if(own, says_nothing);
  std::erase_if(fewer, says_nothing);
  return own.size() > fewer.size() && std::ranges::all_of(fewer, [&](const std::string& word) {
           return std::ranges::find(own, word) != own.end();
         });
}

bool names_palm(std::string_view name) {
  const std::vector<std::string> words = words_of_name(name);
  return has(words, {"palm"});
}

std::string joint_role(std::string_view name) {
  return joint_role(joint_word(name), joint_side(name));
}

std::string joint_role(JointWord word, int side) {
  static constexpr std::string_view texts[] = {
      "", "hips",  "spine", "chest", "neck", "head", "collar", "upper_arm", "forearm", "hand",
      "", "thigh", "shin",  "foot",  "toe",  "tail", "",       "",          ""};
  const std::string_view text = texts[static_cast<std::size_t>(word)];
  if (text.empty()) return "";
  return std::string(text) + (side > 0 ? ".L" : side < 0 ? ".R" : "");
}

}  // namespace gvbind::rig
