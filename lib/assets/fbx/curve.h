#pragma once

// Tested by tests/convert/convert_test.cpp.

#include <vector>

#include "assets/fbx/tree.h"

namespace gvbind {

constexpr double fbx_ticks_per_second = 46186158000.0;

/// An AnimationCurve: keys and how the value goes from each to the next.
struct FbxCurve {
  enum class Kind { constant, next, linear, cubic };  ///< next: the later key's value
  struct Span {
    Kind kind = Kind::linear;
    double right_slope = 0.0, left_slope = 0.0;  ///< at its begin and its end, per second
    double right_weight = 1.0 / 3.0, left_weight = 1.0 / 3.0;  ///< of the tangents, of its length
  };
  std::vector<double> times;   ///< seconds, ascending
  std::vector<double> values;  ///< as many
  std::vector<Span> spans;     ///< as many; the last has no use
};

/// Throws Error(input) where keys and values differ in number, or there are none.
FbxCurve read_curve(const FbxNode& curve);

/// Before the first and after the last key it stands still.
double curve_value(const FbxCurve& curve, double seconds);

}  // namespace gvbind
