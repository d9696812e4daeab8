#pragma once

// Tested by tests/unit/formats/fbx/animation_test.cpp.

#include <Eigen/Geometry>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/fbx/objects.h"

namespace gvbind {

/// The AnimationStacks in the file's order.
std::vector<const FbxObject*> animation_stacks(const FbxObjects& objects);
/// Their names.
std::vector<std::string> animation_names(const FbxObjects& objects);

/// Whether a stack moves blend shapes.
bool moves_morphs(const FbxDocument& document, const FbxObjects& objects, std::size_t stack);

/// The transform node -> world of every Model at `seconds` on a stack's own clock, with its layers
/// combined. Throws Error(input) for a clip with damaged curves.
std::unordered_map<std::int64_t, Eigen::Affine3d> animated_transforms(const FbxDocument& document,
                                                                      const FbxObjects& objects,
                                                                      std::size_t stack,
                                                                      double seconds);

}  // namespace gvbind
