#pragma once

#include <cstdint>
#include <optional>

#include "character/scene.h"

namespace gvbind::test {

/// Ways in which skins break in practice.
enum class Fault {
  holes,            ///< a patch of vertices has no row of weights
  zeroed,           ///< the rows of a patch are there, but all their weights are zero
  shuffled,         ///< rows belong to other vertices of their mesh
  partly_shuffled,  ///< the same for one vertex in ten
  swapped_sides,    ///< joints have the weights of their mirror images
  wrong_limb,       ///< a joint and all below follow a joint elsewhere
  permuted_joints,  ///< joints have each other's weights
  shifted_joints,   ///< each joint has the weights of the next one
};

constexpr Fault all_faults[] = {Fault::holes,           Fault::zeroed,        Fault::shuffled,
                                Fault::partly_shuffled, Fault::swapped_sides, Fault::wrong_limb,
                                Fault::permuted_joints, Fault::shifted_joints};

const char* name_of(Fault fault);

/// Breaks the skin of a scene in which every weight is of a joint that exists; the seed chooses
/// where. None where the character has nothing to be broken so: no two sides with a twentieth of
/// the weight, no limb with a fiftieth of it that any joint is a fifth of the size away from, fewer
/// than three joints with weight.
std::optional<Scene> broken(Scene scene, Fault fault, std::uint64_t seed);

}  // namespace gvbind::test
