#pragma once

// Tested by tests/command/view_test.py.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "character/match_skin.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/rules.h"
#include "view/view_input.h"

namespace gvbind {

/// Another skin of the same shape, to be shown beside the file's own.
struct ViewComparison {
  std::string name;
  SkinMatch match;
};

/// Scores of pairs of vertices and joints, from which the page works out the weights of a mesh.
struct TunedMesh {
  std::vector<std::uint32_t> first;  ///< pairs of vertex v: first[v] .. first[v + 1]; empty: none
  std::vector<std::uint32_t> joint;  ///< of the scene of the page
  std::vector<float> score;
  std::vector<std::uint32_t> owner;  ///< by vertex: the joint with its whole weight, or UINT32_MAX
  std::vector<std::uint32_t>
      source;  ///< by vertex: the one whose row it copies, counted over all tuned meshes
  /// Rows of the page's file that locks keep. A row is empty where they cannot; no rows: nowhere.
  SkinWeights held;
};

/// The solid that distances were measured in: leaves of an octree, in Morton order.
struct ViewSolid {
  UnitCube cube;
  int resolution = 0;              ///< finest voxels a side
  std::vector<double> skip;        ///< by leaf: finest voxels between it and the leaf before
  std::vector<std::uint8_t> leaf;  ///< its level; 128 more where a triangle meets it
};

/// Saved distances that the page tunes: the options of their bind, and scores.
struct ViewTuning {
  std::string field;  ///< its path, for the command that the page gives
  std::string input;  ///< the page's file, for --input: it has the weights that locks keep
  double alpha = 0.0, prune = 0.0;
  std::vector<std::pair<std::uint32_t, double>> joint_alphas;
  int influences = 0;  ///< 0: no limit
  int least_influences = 1, most_influences = 1;
  bool smooth_limit = false;
  std::vector<ForbiddenJoints> forbidden;  ///< of the bind
  std::vector<std::string> forbid;         ///< the same as they were given
  std::vector<ViewSolid> solids;
  std::vector<TunedMesh> meshes;           ///< by mesh of the file of distances
  std::vector<std::uint32_t> start = {0};  ///< by tuned mesh: its first vertex; then their number
  /// By mesh and vertex of the page: the vertex whose row it takes, counted over all tuned meshes.
  /// A mesh without any stays as it is.
  std::vector<std::vector<std::uint32_t>> taken;
  /// From the space of the file of distances to the bind space of the page.
  Eigen::Affine3d to_page = Eigen::Affine3d::Identity();
};

/// The file and the WebAssembly of the package for npm, by which the page binds it anew.
struct ViewBinder {
  std::string name;  ///< of the file
  std::vector<std::uint8_t> file, wasm, script;
};

/// Additions to a page; null: none.
struct ViewExtras {
  const ViewComparison* other = nullptr;
  const ViewTuning* tuning = nullptr;
  const ViewBinder* binder = nullptr;
};

/// The data of a page: a length (32 bits, little-endian), JSON of that many bytes, padding to four
/// bytes, then the sections that the JSON names by offset and length after it. `app/view/data.js`
/// reads it. Distances and places in the JSON are in the world space of the glTF.
std::vector<std::uint8_t> view_data(const ViewInput& input, const ViewExtras& extras);

}  // namespace gvbind
