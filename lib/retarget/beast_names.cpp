#include "retarget/beast_names.h"

#include <algorithm>
#include <array>
#include <functional>

#include "gvbind/base/joint_keys.h"
#include "retarget/leg_names.h"

namespace gvbind::retarget {
namespace {

/// The words about legs in the names of one skeleton.
struct Legs {
  const std::vector<int>& parents;
  std::vector<LegName> names;

  int size() const { return static_cast<int>(names.size()); }
  bool lies_below(int node, int above) const {
    for (std::size_t steps = 0; node >= 0 && steps <= names.size(); node = parents[node], ++steps)
      if (node == above) return true;
    return false;
  }
  int depth(int node) const {
    int count = 0;
    for (; node >= 0 && count <= size(); node = parents[node]) ++count;
    return count;
  }
  bool is_at(int node, LegPlace place, int side) const {
    const LegName& name = names[node];
    return name.part != LegPart::none && name.place == place && name.side == side;
  }
  bool has_both(const std::function<bool(const LegName&)>& is) const {
    const auto on = [&](int side) {
      return std::ranges::any_of(
          names, [&](const LegName& name) { return name.side == side && is(name); });
    };
    return on(1) && on(-1);
  }
};

Legs read_legs(const std::vector<int>& parents, const std::vector<std::string>& names) {
  // In rigs that mark the joints that deform, all others are controls.
  const bool marked = std::ranges::any_of(names, is_called_deforming);
  Legs legs{parents, {}};
  for (const std::string& name : names)
    legs.names.push_back(!marked || is_called_deforming(name) ? leg_name(name) : LegName());
  return legs;
}

/// Letters count only where some stand for front legs and others for hind legs, and corners only
/// where all four are.
void drop_doubtful(Legs& legs) {
  const auto drop = [&](bool LegName::*kind) {
    const auto has = [&](LegPlace place) {
      return legs.has_both([&](const LegName& name) {
        return name.*kind && name.place == place && (name.is_corner || name.part != LegPart::none);
      });
    };
    const bool hind_by_word = legs.has_both([](const LegName& name) {
      return name.place == LegPlace::hind && name.part != LegPart::none;
    });
    const bool unmarked_hind =
        kind == &LegName::by_letter && !hind_by_word && legs.has_both([](const LegName& name) {
          return name.place == LegPlace::unknown && !name.is_arm && name.part != LegPart::none;
        });
    if (has(LegPlace::front) && (has(LegPlace::hind) || hind_by_word || unmarked_hind)) return;
    for (LegName& name : legs.names)
      if (name.*kind) name.place = LegPlace::unknown;
  };
  drop(&LegName::by_letter);
  drop(&LegName::is_corner);
  for (int i = 0; i < legs.size(); ++i)
    if (LegName& name = legs.names[i]; name.is_corner && name.place != LegPlace::unknown)
      for (int j = 0; j < legs.size(); ++j)
        if (legs.parents[j] == i && legs.names[j].part != LegPart::none) name.part = LegPart::leg;
}

/// Joints below and above a leg's belong to it, if their names do not say otherwise. False where
/// one joint would belong to a front and a hind leg, as the roll joints of a human foot would have
/// it.
bool spread_places(Legs& legs) {
  const auto takes = [&](int node, const LegName& from) {
    const LegName& own = legs.names[node];
    return own.part != LegPart::none && (own.side == 0 || own.side == from.side);
  };
  const std::vector<LegName> read = legs.names;
  for (int i = 0; i < legs.size(); ++i) {
    if (read[i].place == LegPlace::unknown || legs.names[i].part == LegPart::none) continue;
    const auto is_of_leg = [&](int at) {
      if (at < 0 || legs.names[at].part == LegPart::none) return false;
      if (legs.names[at].side == read[i].side) return true;
      // A side that a name leaves out is that of all below.
      if (legs.names[at].side != 0) return false;
      for (int j = 0; j < legs.size(); ++j)
        if (read[j].side == -read[i].side && legs.lies_below(j, at)) return false;
      return true;
    };
    for (int at = legs.parents[i]; is_of_leg(at); at = legs.parents[at]) {
      LegName& above = legs.names[at];
      if (above.place != LegPlace::unknown && above.place != read[i].place) return false;
      above.place = read[i].place;
      above.side = read[i].side;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < legs.size(); ++i) {
      const int above = legs.parents[i];
      if (above < 0 || legs.names[i].place != LegPlace::unknown) continue;
      const LegName& from = legs.names[above];
      if (from.place == LegPlace::unknown || from.part == LegPart::none || !takes(i, from))
        continue;
      legs.names[i].place = from.place;
      legs.names[i].side = from.side;
      changed = true;
    }
  }
  return true;
}

/// Whether there are front legs, and hind legs that are called so or are the only others.
bool has_four(const Legs& legs) {
  const auto is_leg = [](const LegName& name) {
    return name.part != LegPart::none && name.part != LegPart::collar && name.part != LegPart::toe;
  };
  return legs.has_both([&](const LegName& name) {
    return is_leg(name) && name.place == LegPlace::front;
  }) && legs.has_both([&](const LegName& name) {
    return is_leg(name) &&
           (name.place == LegPlace::hind || (name.place == LegPlace::unknown && !name.is_arm));
  });
}

/// The joints of one leg by their new parts. `end` becomes a hand or a foot.
struct LegJoints {
  int upper = -1, lower = -1, end = -1, toe = -1;
  std::vector<int> collars;
};

struct LegReader {
  const Legs& legs;
  std::vector<int> nodes;  ///< of the leg, the highest first

  /// The first of a part, preferably below `above`, and with others of the leg below it.
  int first(LegPart part, int above = -1) const {
    int best = -1, most = -1;
    for (const int node : nodes) {
      if (legs.names[node].part != part) continue;
      int score = 2 * (above >= 0 && legs.lies_below(node, above));
      for (const int other : nodes) score += other != node && legs.lies_below(other, node);
      if (above >= 0 && legs.lies_below(node, above)) score += static_cast<int>(nodes.size());
      if (score > most) {
        most = score;
        best = node;
      }
    }
    return best;
  }
  std::vector<int> all(LegPart part) const {
    std::vector<int> out;
    for (const int node : nodes)
      if (legs.names[node].part == part) out.push_back(node);
    return out;
  }
};

/// Joints that are only called legs take the parts that are missing, by their place.
void place_plain(const LegReader& leg, LegJoints& out, int& ankle, bool has_foot) {
  std::vector<int> plain = leg.all(LegPart::leg);
  const auto is_above = [&](int node, int other) {
    return node != other && leg.legs.lies_below(other, node);
  };
  for (const int known : {out.upper, out.lower})
    while (known >= 0 && !plain.empty() && is_above(plain.front(), known)) {
      if (known == out.upper || out.upper >= 0)
        out.collars.push_back(plain.front());
      else
        out.upper = plain.front();
      plain.erase(plain.begin());
    }
  int above = out.upper;
  for (int* part : {&out.upper, &out.lower, &ankle, &out.toe}) {
    const bool is_free = *part < 0 && (part != &out.toe || !has_foot);
    if (is_free && !plain.empty() && (above < 0 || is_above(above, plain.front()))) {
      *part = plain.front();
      plain.erase(plain.begin());
    }
    if (*part >= 0) above = *part;
  }
}

LegJoints read_leg(const LegReader& leg) {
  LegJoints out;
  out.collars = leg.all(LegPart::collar);
  out.upper = leg.first(LegPart::upper);
  out.lower = leg.first(LegPart::lower, out.upper);
  int ankle = leg.first(LegPart::ankle, out.lower), foot = leg.first(LegPart::foot, out.lower);
  out.toe = leg.first(LegPart::toe, foot);
  if (const int middle = leg.first(LegPart::middle, out.upper); middle >= 0) {
    if (out.lower >= 0 && ankle < 0) ankle = out.lower;
    if (out.lower < 0 || ankle == out.lower) out.lower = middle;
  }
  place_plain(leg, out, ankle, foot >= 0);
  if (out.upper < 0 && !out.collars.empty()) {
    out.upper = out.collars.back();
    out.collars.pop_back();
  }
  if (foot < 0) {
    foot = out.toe;
    out.toe = -1;
  }
  if (out.lower < 0 && ankle >= 0 && foot >= 0) {
    out.lower = ankle;
    ankle = -1;
  }
  out.end = ankle >= 0 ? ankle : foot;
  if (ankle >= 0 && foot >= 0) out.toe = foot;
  // "Metatarsus" and "Hoof": the lower one of two feet.
  if (ankle < 0 && out.toe < 0)
    for (const int node : leg.all(LegPart::foot))
      if (node != out.end && leg.legs.lies_below(node, out.end)) out.toe = node;
  return out;
}

void rename_leg(const LegReader& leg, bool front, int side, std::vector<std::string>& names) {
  const LegJoints joints = read_leg(leg);
  const auto rename = [&](int node, const char* name) {
    // Rigs that mark the joints that deform keep the mark.
    if (node >= 0)
      names[node] = std::string(is_called_deforming(names[node]) ? "DEF-" : "") + name +
                    (side > 0 ? ".L" : ".R");
  };
  for (const int node : leg.nodes) rename(node, "helper");
  for (const int node : joints.collars) rename(node, front ? "shoulder" : "helper");
  rename(joints.upper, front ? "upper_arm" : "thigh");
  rename(joints.lower, front ? "forearm" : "shin");
  rename(joints.end, front ? "hand" : "foot");
  rename(joints.toe, front ? "finger" : "toe");
}

}  // namespace

bool name_four_legs(const std::vector<int>& parents, std::vector<std::string>& names) {
  Legs legs = read_legs(parents, names);
  drop_doubtful(legs);
  if (!spread_places(legs) || !has_four(legs)) return false;
  for (const LegPlace place : {LegPlace::front, LegPlace::hind})
    for (const int side : {1, -1}) {
      LegReader leg{legs, {}};
      for (int i = 0; i < legs.size(); ++i)
        if (legs.is_at(i, place, side)) leg.nodes.push_back(i);
      std::ranges::stable_sort(leg.nodes, {}, [&](int node) { return legs.depth(node); });
      rename_leg(leg, place == LegPlace::front, side, names);
    }
  return true;
}

}  // namespace gvbind::retarget
