#pragma once

// Tested by tests/unit/formats/import/import_test.cpp.

struct aiScene;

namespace gvbind {

/// Splits concave faces with more than four corners into triangles: if corners lie on a straight
/// edge, or an edge is visited twice, Assimp's own triangulation loses some of the area.
void split_concave_faces(const aiScene& scene);

}  // namespace gvbind
