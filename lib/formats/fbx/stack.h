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
  std::optional<FbxCurve> percent;  ///< the weight as it changes
  bool turns_compose = true;        ///< rotations as turns; else angle by angle
  bool scales_multiply = true;      ///< else they are added
};

/// The values of one layer for one property. An axis without a curve takes the curve node's own
/// value, or else the value from below.
struct FbxLayerCurves {
  std::size_t layer = 0;
  std::array<std::optional<FbxCurve>, 3> axes;
  std::array<std::optional<double>, 3> constants;
};

/// Of one property: by layer, the lowest first. Numbers are on the first axis.
using FbxPropertyCurves = std::vector<FbxLayerCurves>;

/// What of a stack could not be read, and is left out.
struct FbxStackDamage {
  std::size_t curves = 0, keys = 0;
};

/// The curves of an AnimationStack that place Models and weigh blend shapes.
struct FbxStack {
  std::vector<FbxAnimationLayer> layers;
  /// By object and by name of the property: Lcl Translation, Lcl Rotation, Lcl Scaling,
  /// DeformPercent, the names of shapes within a geometry.
  std::unordered_map<std::int64_t, std::map<std::string, FbxPropertyCurves>> curves;
  std::set<std::string> other_properties;  ///< with curves
  FbxStackDamage damage;

  /// Null without curves and values of curve nodes.
  const FbxPropertyCurves* find(std::int64_t object, const std::string& property) const;
};

/// Layers that are muted, or not solo where others are, are left out.
FbxStack read_stack(const FbxObjects& objects, const FbxPropertyLinks& links, std::int64_t stack);

/// A number of an object, `rest` without curves.
double number_at(const FbxStack& stack, std::int64_t object, const std::string& property,
                 double rest, double seconds);

/// Replaces the parts of a Model's transform that the stack animates.
void place_transform(const FbxStack& stack, std::int64_t model, double seconds,
                     FbxTransform& transform);

}  // namespace gvbind
