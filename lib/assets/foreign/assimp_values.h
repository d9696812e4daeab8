#pragma once

#include <assimp/matrix4x4.h>
#include <assimp/types.h>
#include <assimp/vector3.h>

#include <Eigen/Geometry>
#include <string>

namespace gvbind {

inline Eigen::Affine3d affine(const aiMatrix4x4& m) {
  Eigen::Affine3d result;
  result.matrix() << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4, 0, 0,
      0, 1;
  return result;
}

inline Eigen::Vector3d vector(const aiVector3D& v) { return {v.x, v.y, v.z}; }

inline std::string text_of(const aiString& text) { return std::string(text.data, text.length); }

}  // namespace gvbind
