#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gvbind/device.h"
#include "gvbind/finding.h"
#include "gvbind/joint.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/skin_weights.h"

namespace gvbind {

struct Character;
struct CharacterOptions;

struct BindOptions {
  int resolution = 256;    ///< voxels per side: a power of two, 16 to 2048
  double penalty = 4.0;    ///< factor on edges into boundary voxels, 1 to 1000 (section 6)
  double alpha = 0.4;      ///< 0 smooth .. 1 tight (equation 8)
  int max_influences = 4;  ///< weights per vertex; 0: all
  Device device = Device::automatic;
  unsigned views = all_views;  ///< bits of ViewBit; at least one of each of two axes
  bool winding = true;         ///< decide ambiguous voxels by winding number (section 5.1)
  LeafRule leaf = LeafRule::surface;
  bool straight = true;  ///< Euclidean distances where paths allow (euclidean_correction.h)
  bool rigid = true;     ///< components belong to the joints whose bones they contain, those of one
                         ///< joint are rigid (component_joints.h)
  bool find_controls = true;  ///< controls own nothing (control_joints.h)
  OutsideRule outside = OutsideRule::extend;
  bool orient_faces = true;       ///< flip triangles that face inward (orient_faces.h)
  bool separate_touching = true;  ///< paths do not cross contacts of surfaces of far bones
                                  ///< (contact_separation.h)
};

/// As the paper binds (section 8): geodesic distances, alpha 0.1, every joint and vertex for
/// itself, the mesh as it is, and leaves half as long as their parents.
inline BindOptions paper_options() {
  BindOptions options;
  options.alpha = 0.1;
  options.leaf = LeafRule::extend;
  options.straight = false;
  options.rigid = false;
  options.find_controls = false;
  options.orient_faces = false;
  options.separate_touching = false;
  return options;
}

struct StageTime {
  std::string stage;
  double seconds = 0.0;
  std::size_t peak_bytes = 0;  ///< peak resident memory of the process at the end of the stage
};

struct BindStatistics {
  std::string device;  ///< "cpu", or the EGL renderer's name
  std::vector<StageTime> stages;
  std::size_t interior_voxels = 0;  ///< interior and not boundary, of the uniform grid
  std::size_t boundary_voxels = 0;
  std::size_t ambiguous_voxels = 0;    ///< not boundary, with the vote of one axis alone
  std::size_t ambiguous_interior = 0;  ///< of these, those found to be interior
  std::size_t sparse_voxels = 0;
  std::size_t unreached_vertices = 0;       ///< took the weights of the nearest reached vertex
  std::vector<std::size_t> joint_vertices;  ///< of every joint: vertices with any weight of it
};

struct BindResult {
  SkinWeights weights;  ///< influence i is joint i
  BindStatistics statistics;
  Findings findings;
};

/// Called as each stage begins: its name, and the fraction of the whole that is done, 0 to 1.
using Progress = std::function<void(const char* stage, double done)>;

/// Stages 1 to 4 (algorithm 1). Positions and joints in one space, any unit; triangles index
/// positions and are counter-clockwise seen from outside; they need not be closed, connected or
/// manifold. Every position gets a row of weights, also one that no triangle uses. Same input and
/// options give the same weights on any number of threads.
///
/// Findings, those about a joint with its name as pointer: those of character.h, "joint-outside"
/// (it meets no voxel of the mesh; how far it is and how many vertices it owns), "joint-without-
/// vertices" (it ends with no vertex), "surfaces-touch" (two joints' surfaces that touch were kept
/// apart), "surfaces-too-thin" (or could not be), "parts-joined" (parts of the solid that hold no
/// bone, bridge_components.h), "vertices-unreached" (no joint reaches them: they take the weights
/// of the nearest reached vertex), "device-failed" (automatic went on with the CPU), "rigid-parts"
/// (how many parts of the mesh go with one joint each).
///
/// Throws Error: usage (an option out of its range); cannot_bind (see normalize.h, a parent that is
/// no earlier joint, more than 65535 joints, no joint that deforms, one outside the mesh where the
/// options forbid that, no vertex reached); resource (memory, or the device that was asked for).
BindResult bind_skin(std::span<const Eigen::Vector3d> positions,
                     std::span<const Triangle> triangles, std::span<const Joint> joints,
                     const BindOptions& options = {}, const Progress& progress = {});

/// What prepare_character() needs to know of the options.
CharacterOptions character_options(const BindOptions& options);

/// The same with a character prepared from the joints with character_options(options), for those
/// who ask it for its feature sizes first.
BindResult bind_skin(Character&& character, std::span<const Joint> joints,
                     const BindOptions& options = {}, const Progress& progress = {});

}  // namespace gvbind
