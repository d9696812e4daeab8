#include "formats/gltf/palettes.h"

#include <algorithm>
#include <set>
#include <utility>

namespace gvbind::gltf {
namespace {

constexpr std::size_t no_palette = static_cast<std::size_t>(-1);

/// The sets that are left, by the number of their slots that the palette lacks.
struct Growing {
  std::span<const SlotSet> sets;
  const std::vector<std::vector<std::size_t>>& sets_of_slot;
  std::vector<bool> held;                               ///< by slot
  std::vector<std::size_t> missing;                     ///< by set
  std::set<std::pair<std::size_t, std::size_t>> queue;  ///< missing slots, set
  SlotSet slots;

  void hold(std::uint32_t slot) {
    held[slot] = true;
    slots.push_back(slot);
    for (const std::size_t set : sets_of_slot[slot]) {
      if (queue.erase({missing[set], set}) == 0) continue;
      queue.emplace(--missing[set], set);
    }
  }
};

SlotSet grow_palette(Growing& growing, std::size_t most, std::vector<std::size_t>& taken) {
  while (!growing.queue.empty()) {
    const auto [missing, set] = *growing.queue.begin();
    if (growing.slots.size() + missing > most) break;
    growing.queue.erase(growing.queue.begin());
    taken.push_back(set);
    for (const std::uint32_t slot : growing.sets[set])
      if (!growing.held[slot]) growing.hold(slot);
  }
  std::ranges::sort(growing.slots);
  return std::move(growing.slots);
}

}  // namespace

Palettes divide_into_palettes(std::span<const SlotSet> sets, std::size_t slot_count,
                              std::size_t most) {
  std::vector<std::vector<std::size_t>> sets_of_slot(slot_count);
  for (std::size_t set = 0; set < sets.size(); ++set)
    for (const std::uint32_t slot : sets[set]) sets_of_slot[slot].push_back(set);
  Palettes palettes;
  palettes.of_set.assign(sets.size(), no_palette);
  std::vector<std::size_t> missing;
  for (const SlotSet& set : sets) missing.push_back(set.size());
  for (std::size_t left = sets.size(); left > 0;) {
    Growing growing{sets, sets_of_slot, std::vector<bool>(slot_count, false), missing, {}, {}};
    for (std::size_t set = 0; set < sets.size(); ++set)
      if (palettes.of_set[set] == no_palette) growing.queue.emplace(missing[set], set);
    std::vector<std::size_t> taken;
    SlotSet slots = grow_palette(growing, most, taken);
    for (const std::size_t set : taken) palettes.of_set[set] = palettes.slots.size();
    palettes.slots.push_back(std::move(slots));
    left -= taken.size();
  }
  return palettes;
}

}  // namespace gvbind::gltf
