#include "retarget/leg_names.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "rig/joint_words.h"

namespace gvbind::retarget {
namespace {

using NameWords = std::vector<std::string>;

bool is_any(std::string_view word, std::initializer_list<std::string_view> of) {
  return std::ranges::find(of, word) != of.end();
}

bool has(const NameWords& words, std::initializer_list<std::string_view> any) {
  return std::ranges::any_of(words, [&](const std::string& word) { return is_any(word, any); });
}

bool holds(const std::string& text, std::initializer_list<std::string_view> any) {
  return std::ranges::any_of(
      any, [&](std::string_view part) { return text.find(part) != std::string::npos; });
}

struct PartWord {
  std::string_view word;
  LegPart part;
};

/// Longer words stand before those that they contain.
constexpr PartWord joined_words[] = {
    {"middleleg", LegPart::middle}, {"midleg", LegPart::middle},   {"legmid", LegPart::middle},
    {"upperleg", LegPart::upper},   {"upleg", LegPart::upper},     {"legup", LegPart::upper},
    {"lowerleg", LegPart::lower},   {"lowleg", LegPart::lower},    {"leglow", LegPart::lower},
    {"upperarm", LegPart::upper},   {"forearm", LegPart::lower},   {"lowerarm", LegPart::lower},
    {"legtop", LegPart::upper},     {"legbottom", LegPart::lower}, {"metacarpus", LegPart::ankle},
    {"metatarsus", LegPart::ankle}};

constexpr PartWord part_words[] = {
    {"thigh", LegPart::upper},     {"femur", LegPart::upper},     {"humerus", LegPart::upper},
    {"shin", LegPart::lower},      {"calf", LegPart::lower},      {"tibia", LegPart::lower},
    {"knee", LegPart::lower},      {"elbow", LegPart::lower},     {"radius", LegPart::lower},
    {"stifle", LegPart::lower},    {"ankle", LegPart::ankle},     {"hock", LegPart::ankle},
    {"tarsus", LegPart::ankle},    {"carpus", LegPart::ankle},    {"cannon", LegPart::ankle},
    {"wrist", LegPart::ankle},     {"foot", LegPart::foot},       {"feet", LegPart::foot},
    {"paw", LegPart::foot},        {"hoof", LegPart::foot},       {"hand", LegPart::foot},
    {"pastern", LegPart::foot},    {"fetlock", LegPart::foot},    {"toe", LegPart::toe},
    {"toes", LegPart::toe},        {"claw", LegPart::toe},        {"digit", LegPart::toe},
    {"phalanx", LegPart::toe},     {"phalanges", LegPart::toe},   {"scapula", LegPart::collar},
    {"shoulder", LegPart::collar}, {"clavicle", LegPart::collar}, {"collarbone", LegPart::collar},
    {"collar", LegPart::collar},   {"pelvis", LegPart::collar},   {"hip", LegPart::collar},
    {"legbase", LegPart::collar},  {"leg", LegPart::leg}};

LegPart part_of(const NameWords& words) {
  std::string joined;
  for (const std::string& word : words) joined += word;
  if (has(words, {"leg"}) && has(words, {"base", "pelvis", "shoulder", "hip"}))
    return LegPart::collar;
  // "Front_Leg_Foot": the word that says more.
  LegPart part = LegPart::none;
  for (const PartWord& known : part_words)
    if (part == LegPart::none && has(words, {known.word})) part = known.part;
  if (part != LegPart::none && part != LegPart::leg) return part;
  for (const PartWord& known : joined_words)
    if (joined.find(known.word) != std::string::npos) return known.part;
  return part;
}

/// Takes a word for a place off the front of a word, where a part of a leg or nothing follows.
bool take_place(std::string& word, LegPlace& place) {
  struct PlaceWord {
    std::string_view word;
    LegPlace place;
  };
  constexpr std::array<PlaceWord, 6> places = {{{"front", LegPlace::front},
                                                {"fore", LegPlace::front},
                                                {"hind", LegPlace::hind},
                                                {"back", LegPlace::hind},
                                                {"rear", LegPlace::hind},
                                                {"fwd", LegPlace::front}}};
  for (const PlaceWord& known : places) {
    if (!word.starts_with(known.word)) continue;
    const std::string rest = word.substr(known.word.size());
    if (rest == "arm" || (!rest.empty() && part_of({rest}) == LegPart::none)) continue;
    word = rest;
    place = known.place;
    return true;
  }
  return false;
}

/// Takes "left" and "right" out of a word.
void take_side(std::string& word, int& side) {
  for (const auto& [text, value] : {std::pair<std::string_view, int>("left", 1), {"right", -1}})
    if (const std::size_t at = word.find(text); at != std::string::npos) {
      word.erase(at, text.size());
      side = value;
    }
}

/// Reads a word that is nothing but letters for place and side: "f", "l", "fl", "bl", "lh".
bool take_letters(const std::string& word, LegName& out) {
  if (word.empty() || word.size() > 2) return false;
  LegPlace place = LegPlace::unknown;
  int side = 0;
  for (const char c : word) {
    if (c == 'l' && side == 0) {
      side = 1;
    } else if (c == 'r' && side == 0) {
      side = -1;
    } else if ((c == 'f' || c == 'v') && place == LegPlace::unknown) {
      place = LegPlace::front;
    } else if ((c == 'b' || c == 'h') && place == LegPlace::unknown) {
      place = LegPlace::hind;
    } else {
      return false;
    }
  }
  if (side != 0) out.side = side;
  if (place != LegPlace::unknown && out.place == LegPlace::unknown) {
    out.place = place;
    out.by_letter = true;
  }
  return true;
}

bool is_control(const NameWords& words) {
  return has(words,
             {"ik",       "fk",     "pole",  "target", "twist",      "roll",      "ctrl", "control",
              "helper",   "mch",    "org",   "vis",    "tweak",      "end",       "nub",  "tip",
              "effector", "gimbal", "pivot", "parent", "poletarget", "polevector"});
}

}  // namespace

LegName leg_name(const std::string& name) {
  LegName out;
  NameWords words = rig::words_of_name(name);
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words[i - 1] == "fore" && words[i] == "arm") {
      words[i] = "forearm";
      words[i - 1].clear();
    }
  if (is_control(words)) return out;
  NameWords rest;
  bool placed_by_word = false;
  for (std::string word : words) {
    LegPlace place = LegPlace::unknown;
    take_side(word, out.side);
    if (take_place(word, place)) {
      out.place = place;
      out.by_letter = false;
      placed_by_word = true;
    } else if (take_letters(word, out)) {
      word.clear();
    }
    if (!word.empty()) rest.push_back(word);
  }
  if (out.side == 0) out.side = rig::joint_side(name);
  out.part = part_of(rest);
  std::string joined;
  for (const std::string& word : rest) joined += word;
  out.is_arm = out.part != LegPart::none && !has(rest, {"leg"}) &&
               holds(joined, {"arm", "hand", "wrist", "elbow", "shoulder", "clavicle", "scapula",
                              "humerus", "radius", "carpus"});
  // Toes have letters for their own order.
  if (out.by_letter && out.part == LegPart::toe) out.place = LegPlace::unknown;
  out.is_corner = placed_by_word && rest.empty() && out.side != 0;
  return out;
}

}  // namespace gvbind::retarget
