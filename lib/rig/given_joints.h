#pragma once

// Tested by tests/unit/rig/rig_character_test.cpp.

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "rig/bones_in_body.h"
#include "rig/rig_template.h"

namespace gvbind::rig {

/// Joints of a template that stay as its file has them.
struct GivenPlaces {
  std::vector<Eigen::Vector3d> places;  ///< by joint of the template, in the space of the mesh
  BonesInBody bones;
};

/// Of several ways to read a template's file, the one whose bones are nearest to the flesh; none
/// without one. `given`: as of RigOptions, by joint of the input.
std::optional<GivenPlaces> best_given(const RigTemplate& rig, const BodyVolume& body,
                                      std::span<const std::vector<Eigen::Vector3d>> given);

/// Joints to take in place of `placed` (voxels): `given`, or the template moved and scaled as a
/// whole, if its bones lie in the body as well as `bones`, those of `placed`. None otherwise.
std::optional<GivenPlaces> taken_places(const std::optional<GivenPlaces>& given,
                                        const RigTemplate& rig, const BodyVolume& body,
                                        const std::vector<Eigen::Vector3d>& placed,
                                        const BonesInBody& bones);

}  // namespace gvbind::rig
