#pragma once

// Tested by tests/unit/rig/plausibility_test.cpp.

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "rig/body_volume.h"
#include "rig/rig_template.h"

namespace gvbind::rig {

/// The probability that no main joint of a placed human skeleton is far off, from the order and the
/// proportions of its joints: head above neck above shoulders above hips above feet, lengths of
/// arms and legs relative to the trunk. Logistic, fitted to bodies whose joints are known, see
/// docs/measurements/rig.md. `places`: voxels, upright. `least_margin`: 0 to 1, of the limbs' tips.
/// None for skeletons that are not human or lack one of these joints.
std::optional<double> human_plausibility(const RigTemplate& rig, const BodyVolume& body,
                                         const std::vector<Eigen::Vector3d>& places,
                                         double least_margin);

}  // namespace gvbind::rig
