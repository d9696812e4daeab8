#pragma once

#include <memory>
#include <vector>

#include "gvbind/rules.h"

namespace gvbind {

/// Votes for the solid on a GPU. The library has none: a program hands in its own, as the command
/// does with one that uses EGL. Defined by gvbind/solid/voxelize.h, which is not public.
struct GpuVoxelizer;

/// What voxelizes the mesh.
enum class Device {
  automatic,  ///< hardware of the options' GPU voxelizer where it may save time, else the CPU
  egl,        ///< any device of the options' GPU voxelizer, software drivers too
  cpu,
};

/// The six views of section 5.1, named by the side they look from.
enum ViewBit : unsigned {
  view_plus_x = 1u << 0,
  view_minus_x = 1u << 1,
  view_plus_y = 1u << 2,
  view_minus_y = 1u << 3,
  view_plus_z = 1u << 4,
  view_minus_z = 1u << 5,
  all_views = 63u,
};

/// What becomes of voxels that the views disagree about (section 5.1).
enum class AmbiguousRule {
  winding,  ///< interior where the winding number of their center says so
  outside,  ///< not interior
};

/// The bone of a joint without children.
enum class LeafRule {
  surface,  ///< along its parent's bone's direction until shortly before the mesh ends, at most as
            ///< long as that bone
  extend,   ///< half its parent's bone, further along the same direction
  point,    ///< the joint alone
  ignore,   ///< none
};

/// Distances to bones.
enum class DistanceRule {
  straight,  ///< Euclidean where paths inside the mesh allow
  path,      ///< along the paths, as the paper has it
};

/// Connected components of the mesh.
enum class ComponentRule {
  automatic,  ///< they follow the joints whose bones they contain; those of one joint are rigid
  bend,       ///< every vertex may follow every joint
};

/// Joints that only hold or steer others (controls, IK duplicates, pole targets).
enum class ControlRule {
  automatic,  ///< own no weight
  keep,       ///< own weight like others
};

/// A joint none of whose bones meets a voxel of the mesh.
enum class OutsideRule {
  extend,  ///< its distances begin at the nearest voxels, with the distance to them
  snap,    ///< as if it were moved to the nearest voxel
  skip,    ///< owns nothing
  error,   ///< the bind is refused
};

/// Triangles that face inward.
enum class FaceRule {
  automatic,  ///< are flipped for the bind
  keep,       ///< are trusted
};

/// Surfaces of far bones that touch (fingers, thighs).
enum class TouchRule {
  separate,  ///< paths do not cross the contact
  join,      ///< weights are shared across it
};

/// What decides how much each joint owns of a vertex.
enum class WeightRule {
  fitted,   ///< a network fitted on weights of artists
  falloff,  ///< the distances alone (equations 7 to 9)
  heat,     ///< heat in equilibrium on the surface (Baran and Popovic 2007, section 4)
};

/// How weights fall with distance d, before those of a vertex are scaled to sum to one. Fitted
/// scores stand for distances here, so that both rules work on them.
enum class FalloffRule {
  paper,  ///< d^-lambda, lambda = 5 (1 - alpha) + 30 alpha (equations 8 and 9)
  note,   ///< 1 / ((1 - alpha) d + alpha d^2)^2 with d in sides of the box: much smoother
};

/// Where a joint is one too many for a vertex and leaves it.
enum class LimitRule {
  cut,     ///< its weight is cut off: weights jump where joints change places
  smooth,  ///< all weights are less by its own, so that it has none where it leaves (SkinCells,
           ///< equation 7, with the first joint left out in the place of D_l)
};

/// Names of joints ("hand", "twist", "ik").
enum class NameRule {
  use,     ///< are a hint for fitted weights; Rigify's prefixes say which joints deform
  ignore,  ///< play no part
};

/// Fitted numbers, see `gvbind fit`.
struct PairNetwork;

struct BindOptions {
  int resolution = 256;    ///< voxels per side: a power of two, 16 to 2048
  double penalty = 4.0;    ///< factor on edges into boundary voxels, 1 to 1000 (section 6)
  double alpha = 0.4;      ///< 0 smooth .. 1 tight (equation 8)
  int max_influences = 4;  ///< weights per vertex; 0: all
  double prune = 0.0;      ///< weights below this go, see pruned(); 0 to 1
  Device device = Device::automatic;
  const GpuVoxelizer* gpu = nullptr;  ///< must outlive the bind; none: `automatic` is the CPU
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
  std::shared_ptr<const PairNetwork> network = {};  ///< of fitted weights; null: the built-in one
  BindRules rules = {};                             ///< what a rigger decides
  int threads = 0;  ///< at most; 0: those of the caller's TBB arena, one per core unless limited
};

/// How distances, or the scores that are fitted instead, become weights.
struct Falloff {
  double alpha = 0.4;      ///< 0 smooth .. 1 tight
  int max_influences = 4;  ///< weights per point; 0: all
  double prune = 0.0;      ///< weights below this go, see pruned(); 0 to 1
  FalloffRule rule = FalloffRule::paper;
  std::vector<JointAlpha> joint_alphas = {};  ///< in place of alpha; the last that lists a joint
  LimitRule limit = LimitRule::cut;
};

/// That of a bind with these options.
Falloff falloff_of(const BindOptions& options);

/// As the paper binds (section 8): geodesic distances, alpha 0.1, every joint and vertex for
/// itself, the mesh as it is, and leaves half as long as their parents.
BindOptions paper_options();

}  // namespace gvbind
