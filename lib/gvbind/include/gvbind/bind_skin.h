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
  std::string device;  ///< "cpu", or the name of the EGL renderer
  std::vector<StageTime> stages;
  std::size_t interior_voxels = 0;  ///< interior without boundary, uniform grid
  std::size_t boundary_voxels = 0;
  std::size_t ambiguous_voxels = 0;    ///< interior on some but not all axes, not boundary
  std::size_t ambiguous_interior = 0;  ///< ambiguous voxels classified as interior
  std::size_t sparse_voxels = 0;
  std::size_t unreached_vertices = 0;       ///< use the weights of the nearest reached vertex
  RuleUse rules;                            ///< effect of the options' rules
  std::vector<std::size_t> joint_vertices;  ///< by joint: vertices where it has weight
};

struct BindResult {
  SkinWeights weights;  ///< SkinWeights::joint indexes the joints passed in
  BindStatistics statistics;
  Findings findings;
};

/// Geodesic Voxel Binding (algorithm 1). Positions and joints share one space in any unit. Every
/// position gets a row of weights, even if no triangle uses it. Results depend on the input and
/// options only, not on the number of threads. Thread-safe.
///
/// Findings (if about a joint, the pointer is its name): "joint-holds-others", "joint-repeats",
/// "joint-away" (a joint gets no weight, and why), "joints-near" (a garment without its body: the
/// joints that may get weight), "faces-turned" (triangles were flipped), "joint-outside" (its bones
/// meet no voxel; its distance to the mesh and its number of vertices), "joint-without-vertices",
/// "surfaces-touch" (contacts between two joints' surfaces were separated), "surfaces-too-thin" (or
/// could not be separated), "parts-joined" (components of the solid without a bone),
/// "vertices-unreached" (no path from a joint: weights of the nearest reached vertex),
/// "device-failed" (`automatic` fell back to the CPU), "rigid-parts" (components of the mesh bound
/// to one joint each).
///
/// Throws Error: usage (an option out of range, a rule for a joint that does not exist);
/// cannot_bind (positions or joints that are not finite, no triangles, an index out of range, a
/// mesh and skeleton without extent along an axis, a parent that is not an earlier joint, more than
/// 65535 joints, no joint that deforms, a joint outside the mesh if the options forbid it, no
/// vertex reached); resource (memory, threads, or the requested device); canceled.
BindResult bind_skin(const MeshView& mesh, std::span<const Joint> joints,
                     const BindOptions& options = {}, const Monitor& monitor = {});

}  // namespace gvbind
