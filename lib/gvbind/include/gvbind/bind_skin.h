#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gvbind/bind_options.h"
#include "gvbind/error.h"
#include "gvbind/finding.h"
#include "gvbind/joint.h"
#include "gvbind/mesh_view.h"
#include "gvbind/monitor.h"
#include "gvbind/skin_weights.h"

namespace gvbind {

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
  std::size_t ambiguous_voxels = 0;    ///< not boundary, with the vote of one of several axes
  std::size_t ambiguous_interior = 0;  ///< of these, those found to be interior
  std::size_t sparse_voxels = 0;
  std::size_t unreached_vertices = 0;       ///< took the weights of the nearest reached vertex
  RuleUse rules;                            ///< of the options' rules
  std::vector<std::size_t> joint_vertices;  ///< of every joint: vertices with any weight of it
};

struct BindResult {
  SkinWeights weights;  ///< SkinWeights::joint: index into the joints given
  BindStatistics statistics;
  Findings findings;
};

/// Geodesic Voxel Binding (algorithm 1). Positions and joints in one space, any unit. Every
/// position gets a row of weights, also one that no triangle uses. The same input and options give
/// the same weights on any number of threads. May be called from several threads at once.
///
/// Findings, those about a joint with its name as pointer: "joint-holds-others", "joint-repeats",
/// "joint-away" (a joint that owns no weight, and why), "joints-near" (of a garment alone: the
/// joints that may), "faces-turned" (triangles that were flipped), "joint-outside" (it meets no
/// voxel of the mesh; how far it is and how many vertices it owns), "joint-without-vertices",
/// "surfaces-touch" (contacts of two joints' surfaces were separated), "surfaces-too-thin" (or
/// could not be), "parts-joined" (components of the solid without a bone), "vertices-unreached" (no
/// joint reaches them: they take the weights of the nearest reached vertex), "device-failed"
/// (automatic went on with the CPU), "rigid-parts" (components of the mesh that follow one joint
/// each).
///
/// Throws Error: usage (an option out of its range, a rule for a joint that is not there);
/// cannot_bind (positions or joints that are not finite, no triangles, an index past the positions,
/// a mesh and skeleton without extent along an axis, a parent that is no earlier joint, more than
/// 65535 joints, no joint that deforms, one outside the mesh where the options forbid that, no
/// vertex reached); resource (memory, threads, or the device that was asked for); canceled.
BindResult bind_skin(const MeshView& mesh, std::span<const Joint> joints,
                     const BindOptions& options = {}, const Monitor& monitor = {});

}  // namespace gvbind
