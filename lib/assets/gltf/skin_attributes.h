#pragma once

// Tested by tests/gltf/patch_test.cpp.

#include <cstdint>
#include <vector>

#include "assets/gltf/accessor.h"
#include "assets/gltf/skin_writer.h"
#include "gvbind/skin_weights.h"

namespace gvbind::gltf {

constexpr std::size_t lanes = 4;  ///< influences of one set JOINTS_n, WEIGHTS_n

/// The new attributes of one mesh, by vertex: all sets' lanes one after the other.
struct SkinAttributes {
  std::size_t sets = 1;
  ComponentType joint_type = ComponentType::u8;
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;

  bool operator==(const SkinAttributes&) const = default;
};

/// As many sets as the widest row needs. `joint_count`: of the scene.
SkinAttributes attributes_of(const SkinWeights& weights, const SkinPlan& plan,
                             std::size_t joint_count);

/// Puts the lanes that the document holds into the rows of vertices without `weights`: slots and
/// floats bit for bit, normalized integers as the floats that they stand for.
void keep_other_rows(const GltfDocument& document, std::size_t mesh, const SkinWeights& weights,
                     SkinAttributes& attributes);

}  // namespace gvbind::gltf
