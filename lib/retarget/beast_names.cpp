#include "retarget/beast_names.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "rig/joint_words.h"

namespace gvbind::retarget {
namespace {

enum class Segment { none, leg, upper, lower, foot, toe };

/// The words about legs in the name of a joint.
struct LegName {
  Segment segment = Segment::none;
  bool is_front = false;
  int side = 0;
  bool operator==(const LegName&) const = default;
};

constexpr std::array<std::string_view, 2> front_words = {"front", "fore"};
constexpr std::array<std::string_view, 3> hind_words = {"hind", "back", "rear"};
constexpr std::array<std::pair<std::string_view, Segment>, 12> segments = {
    {{"upleg", Segment::upper},
     {"upperleg", Segment::upper},
     {"thigh", Segment::upper},
     {"lowleg", Segment::lower},
     {"lowerleg", Segment::lower},
     {"shin", Segment::lower},
     {"calf", Segment::lower},
     {"foot", Segment::foot},
     {"paw", Segment::foot},
     {"hoof", Segment::foot},
     {"toe", Segment::toe},
     {"leg", Segment::leg}}};

/// A name without the letters that tell its side.
std::string letters_of(const std::string& name) {
  std::string letters;
  for (const std::string& word : rig::words_of_name(name))
    if (word != "left" && word != "right" && word != "l" && word != "r") letters += word;
  return letters;
}

LegName leg_name(const std::string& name) {
  LegName out;
  out.side = rig::joint_side(name);
  const std::string letters = letters_of(name);
  if (out.side == 0) return out;
  const auto begins = [&](std::string_view word) {
    const std::string_view rest =
        std::string_view(letters).substr(std::min(word.size(), letters.size()));
    if (!letters.starts_with(word)) return;
    for (const auto& [end, segment] : segments)
      if (rest == end) out.segment = segment;
  };
  for (const std::string_view word : front_words) begins(word);
  out.is_front = out.segment != Segment::none;
  for (const std::string_view word : hind_words) begins(word);
  return out;
}

/// The segment of a plain "leg" follows from its place among the leg's joints.
Segment segment_of(const std::vector<LegName>& legs, const std::vector<int>& parents, int node) {
  const LegName& leg = legs[node];
  if (leg.segment != Segment::leg) return leg.segment;
  LegName upper = leg;
  upper.segment = Segment::upper;
  if (std::ranges::find(legs, upper) != legs.end()) return Segment::none;
  int above = 0;
  for (int at = parents[node]; at >= 0; at = parents[at]) above += legs[at] == leg;
  constexpr std::array order = {Segment::upper, Segment::lower, Segment::foot};
  return above < 3 ? order[static_cast<std::size_t>(above)] : Segment::none;
}

std::string_view human_name(const LegName& leg, Segment segment) {
  switch (segment) {
    case Segment::upper:
      return leg.is_front ? "upper_arm" : "thigh";
    case Segment::lower:
      return leg.is_front ? "forearm" : "shin";
    case Segment::foot:
      return leg.is_front ? "hand" : "foot";
    case Segment::toe:
      return leg.is_front ? "finger" : "toe";
    case Segment::leg:
    case Segment::none:
      break;
  }
  return leg.is_front ? "shoulder" : "helper";
}

}  // namespace

bool name_four_legs(const std::vector<int>& parents, std::vector<std::string>& names) {
  std::vector<LegName> legs;
  for (const std::string& name : names) legs.push_back(leg_name(name));
  const auto has = [&](bool front) {
    return std::ranges::count_if(legs, [&](const LegName& leg) {
             return leg.segment != Segment::none && leg.is_front == front;
           }) >= 4;
  };
  if (!has(true) || !has(false)) return false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (legs[i].segment == Segment::none) continue;
    const Segment segment = segment_of(legs, parents, static_cast<int>(i));
    names[i] = std::string(human_name(legs[i], segment)) + (legs[i].side > 0 ? ".L" : ".R");
  }
  return true;
}

}  // namespace gvbind::retarget
