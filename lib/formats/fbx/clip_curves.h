#pragma once

// Tested by tests/command/convert_back_test.py.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "character/animation.h"
#include "formats/fbx/build.h"
#include "formats/fbx/edit.h"

namespace gvbind {

/// Keys of one curve.
struct CurveKeys {
  std::vector<std::int64_t> times;  ///< ticks of the document, ascending
  std::vector<float> values;
};

/// The object and property that curves animate, and their layer.
struct CurveTarget {
  std::int64_t layer = 0, object = 0;
  std::string_view name = {}, property = {};
};

/// One column of a channel, times `factor`; a single key if it is constant.
CurveKeys keys_of(const FbxEditor& editor, const Channel& channel, std::size_t column,
                  double factor, double rate);

void add_curve(FbxEditor& editor, const CurveKeys& keys, bool step, std::int64_t curve_node,
               const std::string& component);
std::int64_t add_curve_node(FbxEditor& editor, const CurveTarget& to, FbxNode properties);

/// The three columns of a channel as the curves of a vector property.
void add_vector_curves(FbxEditor& editor, const CurveTarget& to, const Channel& channel,
                       double factor, double rate);

/// The channel with only the keys that linear interpolation needs; all keys if it has steps.
Channel reduced_keys(Channel channel, double tolerance);

/// Keeps the keys that linear interpolation of angles needs, and those needed by programs that
/// interpolate along the shortest rotation.
Channel reduced_angles(const Channel& rotations, const Channel& angles);

/// Adds a stack and its only layer; returns the layer's id.
std::int64_t add_clip_layer(FbxEditor& editor, const Clip& clip, double rate);

}  // namespace gvbind
