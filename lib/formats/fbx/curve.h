#pragma once

// Tested by tests/unit/formats/fbx/curve_test.cpp.

#include <cstdint>
#include <vector>

#include "formats/fbx/tree.h"

namespace gvbind {

/// Of most files; FbxObjects::ticks_per_second has that of a document.
constexpr double fbx_ticks_per_second = 46186158000.0;

/// An AnimationCurve: keys, the interpolation between them, and the extrapolation beyond them.
struct FbxCurve {
  enum class Kind { constant, next, linear, cubic };  ///< next: the later key's value
  struct Span {
    Kind kind = Kind::linear;
    double right_slope = 0.0, left_slope = 0.0;  ///< at its start and its end, per second
    double right_weight = 1.0 / 3.0, left_weight = 1.0 / 3.0;  ///< relative to its length
  };
  /// offset: repeated, each repetition starting at the end value of the one before.
  enum class Beyond { hold, slope, repeat, mirror, offset };
  struct End {
    Beyond beyond = Beyond::hold;
    std::int64_t count = -1;  ///< of repetitions; negative: endless
  };
  std::vector<double> times;   ///< seconds, ascending
  std::vector<double> values;  ///< one for each time
  std::vector<Span> spans;     ///< from each key to the next; the last is unused
  End before, after;
  double ticks_per_second = fbx_ticks_per_second;
  std::size_t left_out = 0;  ///< keys that are not finite, or earlier than the one before
};

/// `ticks`: per second. Throws Error(input) if keys and values differ in number, or no key is
/// valid.
FbxCurve read_curve(const FbxNode& curve, double ticks = fbx_ticks_per_second);

double curve_value(const FbxCurve& curve, double seconds);

/// A time with a kink in the curve or a jump of its value.
struct FbxCurveBreak {
  double seconds = 0.0;
  bool jumps = false;
};
/// The breaks from `begin` to `end`, in seconds, unordered; at most `most`.
std::vector<FbxCurveBreak> curve_breaks(const FbxCurve& curve, double begin, double end,
                                        std::size_t most);

/// Whether all spans are constant.
bool is_stepped(const FbxCurve& curve);

}  // namespace gvbind
