#include "formats/import/split_faces.h"

#include <assimp/scene.h>
#include <algorithm>
#include <memory>
#include <vector>

#include "character/polygon.h"

namespace gvbind {
namespace {

std::vector<Eigen::Vector3d> corners_of(const aiMesh& mesh, const aiFace& face) {
  std::vector<Eigen::Vector3d> out;
  for (unsigned i = 0; i < face.mNumIndices; ++i) {
    const aiVector3D& point = mesh.mVertices[face.mIndices[i]];
    out.push_back(Eigen::Vector3f(static_cast<float>(point.x), static_cast<float>(point.y),
                                  static_cast<float>(point.z))
                      .cast<double>());
  }
  return out;
}

void move_face(aiFace& from, aiFace& to) {
  std::swap(from.mIndices, to.mIndices);
  std::swap(from.mNumIndices, to.mNumIndices);
}

aiFace* append_triangles(const aiFace& face, const std::vector<Triangle>& triangles, aiFace* out) {
  for (const Triangle& triangle : triangles) {
    out->mNumIndices = 3;
    out->mIndices = new unsigned[3];
    for (std::size_t k = 0; k < 3; ++k) out->mIndices[k] = face.mIndices[triangle[k]];
    ++out;
  }
  return out;
}

void split_faces(aiMesh& mesh) {
  if (!mesh.mVertices) return;
  std::vector<std::vector<Triangle>> split(mesh.mNumFaces);
  std::size_t count = 0;
  for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
    if (mesh.mFaces[f].mNumIndices > 4) {
      const std::vector<Eigen::Vector3d> corners = corners_of(mesh, mesh.mFaces[f]);
      if (!is_convex(corners)) polygon_triangles(corners, 0, split[f]);
    }
    count += std::max<std::size_t>(split[f].size(), 1);
  }
  if (count == mesh.mNumFaces) return;
  std::unique_ptr<aiFace[]> faces(new aiFace[count]);
  aiFace* out = faces.get();
  for (unsigned f = 0; f < mesh.mNumFaces; ++f)
    if (split[f].empty())
      move_face(mesh.mFaces[f], *out++);
    else
      out = append_triangles(mesh.mFaces[f], split[f], out);
  delete[] mesh.mFaces;
  mesh.mFaces = faces.release();
  mesh.mNumFaces = static_cast<unsigned>(count);
  mesh.mPrimitiveTypes |= aiPrimitiveType_TRIANGLE;
  // SortByPType aborts if a primitive type is set but no face has it.
  if (std::none_of(mesh.mFaces, mesh.mFaces + count,
                   [](const aiFace& face) { return face.mNumIndices > 3; }))
    mesh.mPrimitiveTypes &= ~static_cast<unsigned>(aiPrimitiveType_POLYGON);
}

}  // namespace

void split_concave_faces(const aiScene& scene) {
  for (unsigned m = 0; m < scene.mNumMeshes; ++m) split_faces(*scene.mMeshes[m]);
}

}  // namespace gvbind
