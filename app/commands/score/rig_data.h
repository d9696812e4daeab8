#pragma once

// Tested by tests/command/score_test.py.

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// A character as sets of research data hold it: one mesh, joints that are points, and weights.
struct RigData {
  std::vector<std::string> joint_names;
  std::vector<Eigen::Vector3d> joints;
  std::vector<int> parents;  ///< by joint, -1: none yet
  std::vector<Eigen::Vector3d> positions;
  std::vector<Triangle> triangles;
  std::vector<std::vector<Influence>> rows;  ///< by vertex; may be empty or not sum to one

  /// Throws Error(input) for a missing joint, one that is its own parent, and one with
  /// another parent already.
  void set_parent(std::size_t child, std::size_t parent);
  /// Throws Error(input), naming the vertex, for a missing one, and for a weight that is no
  /// number or negative.
  void add_weight(std::size_t vertex, std::size_t joint, double weight);
};

/// The scene, joints after their parents. Throws Error(input) without joints, vertices, triangles
/// or weights, for places that are not finite, a triangle with a missing corner, and a
/// circle of parents.
Scene scene_of(const RigData& data);

/// Vertices and polygons of an .obj, split into triangles; `v` and `f` lines alone count. Throws
/// Error(input) that names the line. Not by Assimp, which splits and reorders the vertices that a
/// rig's text counts.
void read_obj(std::string_view text, RigData& data);

/// RigNet's text of a rig: lines `joints NAME X Y Z`, `root NAME`, `hier PARENT CHILD` and
/// `skin VERTEX NAME WEIGHT ...`. VERTEX is an index into
/// `data.positions`. Throws Error(input) that names the line.
void read_rig_text(std::string_view text, RigData& data);

/// A character of Articulation-XL as a .npz without Python objects (docs/score.md has its arrays).
/// Throws Error(input) with the name of the array.
RigData read_rig_npz(const std::vector<std::uint8_t>& bytes);

}  // namespace gvbind
