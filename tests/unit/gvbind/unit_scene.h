#pragma once

#include <span>

#include "gvbind/prepare/character.h"
#include "support/shapes.h"

namespace gvbind::test {

/// A mesh in its bounding cube and its bones, unchanged: faces are not oriented, no joint is left
/// out.
struct UnitScene : LatticeMesh {
  UnitCube cube;
  LatticeBones bones;
};

inline UnitScene normalize(std::span<const Eigen::Vector3d> positions,
                           std::span<const Triangle> triangles, std::span<const JointBones> bones) {
  const UnitCube cube = unit_cube({positions, triangles}, bones);
  return {lattice_mesh(cube, {positions, triangles}), cube, lattice_bones(cube, bones)};
}

inline UnitScene unit_scene(const Shape& shape, std::span<const JointBones> bones = {}) {
  return normalize(shape.positions, shape.triangles, bones);
}

inline Components components_of(const LatticeMesh& mesh) {
  return connected_components(mesh, welded_vertices(mesh));
}

/// The scene with the results of prepare_character().
inline Character character_of(const UnitScene& scene, std::span<const Joint> joints = {}) {
  Character character{scene.cube,
                      scene,
                      scene.bones,
                      welded_vertices(scene),
                      components_of(scene),
                      {},
                      SkeletonDistance(joints, scene.cube),
                      false,
                      {}};
  character.winding = WindingTree(character.mesh);
  return character;
}

}  // namespace gvbind::test
