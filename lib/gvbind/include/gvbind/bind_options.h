#pragma once

#include <memory>
#include <vector>

#include "gvbind/rules.h"

namespace gvbind {

/// Votes for the solid on a GPU. The library of the stages contains none; gvbind/egl.h has one
/// that uses EGL, which the command passes. Defined in the private header
/// gvbind/solid/voxelize.h.
struct GpuVoxelizer;

/// Device that voxelizes the mesh.
enum class Device {
  automatic,  ///< the options' GPU voxelizer on a hardware device if it is likely to be faster,
              ///< else the CPU
  egl,        ///< the options' GPU voxelizer on any device, including software drivers
  cpu,
};

/// The six views of section 5.1, named after the side of the camera.
enum ViewBit : unsigned {
  view_plus_x = 1u << 0,
  view_minus_x = 1u << 1,
  view_plus_y = 1u << 2,
  view_minus_y = 1u << 3,
  view_plus_z = 1u << 4,
  view_minus_z = 1u << 5,
  all_views = 63u,
};

/// Classification of voxels on which the views disagree (section 5.1).
enum class AmbiguousRule {
  winding,  ///< interior if the winding number of their center says so
  outside,  ///< exterior
};

/// The bone of a joint without children (a leaf).
enum class LeafRule {
  surface,  ///< continues its parent's bone until just before the surface, at most as far as that
            ///< bone is long
  extend,   ///< half as long as its parent's bone, in the same direction
  point,    ///< the joint's position alone
  ignore,   ///< no bone
};

/// How distances to bones are measured.
enum class DistanceRule {
  straight,  ///< Euclidean where a path inside the mesh allows it
  path,      ///< along paths through the voxels, as in the paper
};

/// Treatment of connected components of the mesh.
enum class ComponentRule {
  automatic,  ///< only joints with bones in a component bind it; with one such joint it is rigid
  bend,       ///< every joint may bind every vertex
};

/// Joints that only hold or drive others (controls, IK duplicates, pole targets).
enum class ControlRule {
  automatic,  ///< get no weight
  keep,       ///< get weight like all others
};

/// Treatment of a joint whose bones meet no voxel of the mesh.
enum class OutsideRule {
  extend,  ///< its distances start at the nearest voxels, with the distance to them added
  snap,    ///< moved to the nearest voxel
  skip,    ///< gets no weight
  error,   ///< the bind fails
};

/// Triangles that face inward.
enum class FaceRule {
  automatic,  ///< flipped for the bind
  keep,       ///< used as they are
};

/// Contacts between surfaces of distant bones (fingers, thighs).
enum class TouchRule {
  separate,  ///< paths do not cross the contact
  join,      ///< weights spread across it
};

/// How the joints share a vertex.
enum class WeightRule {
  fitted,   ///< a network trained on weights painted by artists
  falloff,  ///< distances alone (equations 7 to 9)
  heat,     ///< heat equilibrium on the surface, as Blender's automatic weights
};

/// How unnormalized weights fall with the distance d. With fitted weights, the scores of the
/// network take the place of distances.
enum class FalloffRule {
  paper,  ///< d^-lambda, lambda = 5 (1 - alpha) + 30 alpha (equations 8 and 9)
  note,   ///< 1 / ((1 - alpha) d + alpha d^2)^2 with d in cube sides: much smoother
};

/// How a joint leaves a vertex when max_influences is exceeded.
enum class LimitRule {
  cut,     ///< its weight is dropped: weights jump where the set of joints changes
  smooth,  ///< all weights are reduced by the first dropped one, so a joint fades to zero before it
           ///< is dropped (SkinCells, equation 7, with that weight for D_l)
};

/// Use of joint names ("hand", "twist", "ik").
enum class NameRule {
  use,     ///< hint for fitted weights; Rigify's prefixes mark the joints that deform
  ignore,  ///< not used
};

/// Network parameters, see `gvbind fit`.
struct FittedNetworks;

/// Weights of finished characters, see `--like`.
struct PaintedPairs;

struct BindOptions {
  int resolution = 256;    ///< voxels per side: a power of two, 16 to 2048
  double penalty = 4.0;    ///< factor on edges into boundary voxels, 1 to 1000 (section 6)
  double alpha = 0.4;      ///< 0 smooth .. 1 tight (equation 8)
  int max_influences = 4;  ///< influences per vertex; 0: no limit
  double prune = 0.0;      ///< smaller weights are dropped, see pruned(); 0 to 1
  Device device = Device::automatic;
  const GpuVoxelizer* gpu = nullptr;  ///< must outlive the bind; null: `automatic` means the CPU
  unsigned views = all_views;         ///< bits of ViewBit that vote, at least one
  AmbiguousRule ambiguous = AmbiguousRule::winding;
  LeafRule leaf = LeafRule::surface;
  DistanceRule distance = DistanceRule::straight;
  ComponentRule components = ComponentRule::automatic;
  ControlRule controls = ControlRule::automatic;
  OutsideRule outside = OutsideRule::extend;
  FaceRule faces = FaceRule::automatic;
  TouchRule touching = TouchRule::separate;
  WeightRule weights = WeightRule::fitted;
  FalloffRule falloff = FalloffRule::paper;
  LimitRule limit = LimitRule::cut;
  NameRule names = NameRule::use;
  std::shared_ptr<const FittedNetworks> network =
      {};                                         ///< for fitted weights; null: the built-in ones
  std::shared_ptr<const PaintedPairs> like = {};  ///< with fitted weights: follow these; null: none
  BindRules rules = {};                           ///< a rigger's overrides
  /// Where several meshes are bound as one, the first vertex of each but the first, ascending. Heat
  /// flows and bones are seen within a mesh.
  std::vector<std::uint32_t> mesh_starts = {};
  int threads = 0;  ///< upper limit; 0: the caller's TBB arena, by default one per core
};

/// Turns distances, or the scores of a network, into weights.
struct Falloff {
  double alpha = 0.4;      ///< 0 smooth .. 1 tight
  int max_influences = 4;  ///< influences per point; 0: no limit
  double prune = 0.0;      ///< smaller weights are dropped, see pruned(); 0 to 1
  FalloffRule rule = FalloffRule::paper;
  std::vector<JointAlpha> joint_alphas = {};  ///< override `alpha`; the last entry for a joint wins
  LimitRule limit = LimitRule::cut;
};

/// The falloff of a bind with these options.
Falloff falloff_of(const BindOptions& options);

/// The paper's settings (section 8): geodesic distances, alpha 0.1, all joints and vertices
/// independent, the mesh unchanged, leaf bones half as long as their parents'.
BindOptions paper_options();

}  // namespace gvbind
