#pragma once

// Tested by tests/unit/formats/fbx/stack_test.cpp.

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/fbx/curve.h"
#include "formats/fbx/objects.h"
#include "formats/fbx/transform.h"

namespace gvbind {

/// How an AnimationLayer is combined with the layers below.
struct FbxAnimationLayer {
  enum class Blend { add, replace, mix };
  Blend blend = Blend::add;
  double weight = 1.0;
  std::optional<FbxCurve> percent;  ///< animated weight
  bool turns_compose = true;        ///< combine rotations as rotations; false: angle by angle
  bool scales_multiply = true;      ///< false: scales are added
};

/// One layer's values for one property. An axis without a curve uses the curve node's own value, or
/// else the value of the layers below.
struct FbxLayerCurves {
  std::size_t layer = 0;
  std::array<std::optional<FbxCurve>, 3> axes;
  std::array<std::optional<double>, 3> constants;
};

/// The curves of one property: by layer, the lowest first. Scalars use the first axis.
using FbxPropertyCurves = std::vector<FbxLayerCurves>;

/// The parts of a stack that could not be read and were left out.
struct FbxStackDamage {
  std::size_t curves = 0, keys = 0;
  std::size_t all = 0;  ///< keys of all other curves, with the sound ones
};

/// The curves of an AnimationStack that animate transforms of Models and blend shapes.
struct FbxStack {
  std::vector<FbxAnimationLayer> layers;
  /// By object and property name: Lcl Translation, Lcl Rotation, Lcl Scaling, DeformPercent, names
  /// of shapes inside a geometry.
  std::unordered_map<std::int64_t, std::map<std::string, FbxPropertyCurves>> curves;
  std::set<std::string> other_properties;  ///< other animated properties
  FbxStackDamage damage;
  std::map<std::int64_t, FbxStackDamage> damage_of;  ///< by object with curves

  /// Null if neither curves nor curve nodes give values.
  const FbxPropertyCurves* find(std::int64_t object, const std::string& property) const;
};

/// Leaves out muted layers, and layers that are not solo if any is.
FbxStack read_stack(const FbxObjects& objects, const FbxPropertyLinks& links, std::int64_t stack);

/// A scalar property of an object, `rest` if it has no curves.
double number_at(const FbxStack& stack, std::int64_t object, const std::string& property,
                 double rest, double seconds);

/// Replaces the animated parts of a Model's transform.
void place_transform(const FbxStack& stack, std::int64_t model, double seconds,
                     FbxTransform& transform);

}  // namespace gvbind
