#pragma once

// Tested by tests/unit/bind/scene_rules_test.cpp.

#include <Eigen/Geometry>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// By vertex, whether a triangle has it. Files keep others that nothing shows, anywhere. All true
/// for a mesh without triangles.
std::vector<bool> shape_vertices(const SceneMesh& mesh);

/// The box of these vertices.
Eigen::AlignedBox3d shape_box(const SceneMesh& mesh);

}  // namespace gvbind
