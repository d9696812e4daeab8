#pragma once

#include <cstdint>
#include <optional>

#include "character/scene.h"

namespace gvbind::test {

/// Typical faults of skins.
enum class Fault {
  holes,            ///< a patch of vertices has no row of weights
  zeroed,           ///< the rows of a patch exist, but all their weights are zero
  shuffled,         ///< rows belong to other vertices of their mesh
  partly_shuffled,  ///< likewise, for one vertex in ten
  swapped_sides,    ///< joints have the weights of their mirror partners
  wrong_limb,       ///< a joint and its descendants follow a joint elsewhere
  permuted_joints,  ///< joints have each other's weights
  shifted_joints,   ///< each joint has the weights of the next one
};

constexpr Fault all_faults[] = {Fault::holes,           Fault::zeroed,        Fault::shuffled,
                                Fault::partly_shuffled, Fault::swapped_sides, Fault::wrong_limb,
                                Fault::permuted_joints, Fault::shifted_joints};

const char* name_of(Fault fault);

/// Breaks the skin of a scene whose weights all refer to existing joints; the seed selects the
/// location. None if the fault cannot be made: no two sides with 5 % of the weight, no limb with 2
/// % of it and a joint a fifth of the size away, or fewer than three joints with weight.
std::optional<Scene> broken(Scene scene, Fault fault, std::uint64_t seed);

}  // namespace gvbind::test
