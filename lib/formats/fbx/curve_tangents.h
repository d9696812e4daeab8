#pragma once

// Tested by tests/unit/formats/fbx/curve_test.cpp.

#include <cstdint>
#include <vector>

#include "formats/fbx/curve.h"

namespace gvbind {

/// Bits of KeyAttrFlags.
namespace fbx_key {
constexpr std::int32_t constant = 0x2, linear = 0x4, cubic = 0x8;
constexpr std::int32_t next = 0x100;       // of constant keys
constexpr std::int32_t automatic = 0x100;  // of cubic keys
constexpr std::int32_t tcb = 0x200, user = 0x400;
constexpr std::int32_t clamp = 0x1000, time_independent = 0x2000, clamp_progressive = 0x4000;
constexpr std::int32_t right_weighted = 0x1000000, next_left_weighted = 0x2000000;
}  // namespace fbx_key

/// The attributes of one key in a file, except its time and value.
struct FbxKeyAttributes {
  std::int32_t flags = fbx_key::linear;
  /// Slopes per second: the key's right one and the next key's left one. Keys with automatic
  /// tangents have biases in percent here, keys with TCB tension, continuity and bias.
  double right = 0.0, next_left = 0.0, third = 0.0;
  double right_weight = 1.0 / 3.0, next_left_weight = 1.0 / 3.0;
};

/// The spans of a curve with known times and values; `keys` has one entry for each key.
std::vector<FbxCurve::Span> solve_spans(const FbxCurve& curve,
                                        const std::vector<FbxKeyAttributes>& keys);

}  // namespace gvbind
