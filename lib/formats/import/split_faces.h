#pragma once

// Tested by tests/unit/formats/import/import_test.cpp.

struct aiScene;

namespace gvbind {

/// Splits faces of more than four corners that are not convex into triangles: where corners lie on
/// a straight edge, or an edge is visited twice, Assimp's own triangles lack some of the area.
void split_concave_faces(const aiScene& scene);

}  // namespace gvbind
