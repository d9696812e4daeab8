#pragma once

#include <cstddef>
#include <vector>

#include "character/scene.h"
#include "check/nearest_surface.h"
#include "gvbind/transfer.h"

namespace gvbind::transfer {

/// A bound body: its surface and the weights of its vertices.
class WeightedSurface {
 public:
  /// The selected meshes of the scene that have weights, transformed by `to_garment`. Joint j
  /// becomes joint_of[j]; if that is negative, its weights are dropped. Triangles with an
  /// unweighted corner are dropped.
  WeightedSurface(const Scene& scene, const std::vector<bool>& meshes,
                  const Eigen::Affine3d& to_garment, const std::vector<int>& joint_of);

  bool empty() const { return surface_.triangles().empty(); }
  const check::NearestSurface& surface() const { return surface_; }
  /// Interpolated; unit length or zero.
  Eigen::Vector3d normal_at(const check::ClosestPoint& point) const;
  /// By mesh of the scene, weights of the same joints beside its own (a bind's): by vertex of the
  /// surface, the L1 distance of the two, 0 to 2.
  std::vector<double> distance_to(const std::vector<SkinWeights>& others) const;
  /// Interpolated; by falling weight, normalized.
  std::vector<Influence> weights_at(const check::ClosestPoint& point) const;

 private:
  struct Parts {
    std::vector<Eigen::Vector3d> positions;
    std::vector<Triangle> triangles;
    SkinWeights weights;
    std::vector<std::size_t> meshes;       ///< of the scene
    std::vector<std::size_t> first = {0};  ///< vertices of meshes[i]: first[i] .. first[i + 1]
  };
  static Parts gather(const Scene& scene, const std::vector<bool>& meshes,
                      const Eigen::Affine3d& to_garment, const std::vector<int>& joint_of);
  explicit WeightedSurface(Parts parts);

  check::NearestSurface surface_;
  SkinWeights weights_;
  std::vector<std::size_t> meshes_, first_;
  std::vector<Eigen::Vector3d> normals_;
};

struct TransferredWeights {
  SkinWeights weights;        ///< one row per vertex of the garment
  std::size_t copied = 0;     ///< vertices with weights of the body's nearest point
  std::size_t inpainted = 0;  ///< vertices with inpainted weights
  std::size_t near = 0;       ///< vertices within the distance, whatever their normal
  bool by_bind = false;       ///< inpainted weights continue from the bind
};

/// Weights of a bind of the garment and the body together.
struct BoundRows {
  const SkinWeights& garment;          ///< one row per vertex of the garment
  std::span<const double> body_error;  ///< by vertex of the body's surface, as distance_to()
};

/// Abdrashitov et al. 2023, "Robust Skin Weights Transfer via Weight Inpainting": vertices near the
/// body with a similar normal copy the weights of the nearest point. Other vertices are inpainted
/// over the garment, regularized toward those of the nearest point. `body`: not empty, in the
/// garment's bind space. A vertex that is not finite gets an empty row. `bound` is used if the bind
/// comes near the body's own weights. Then vertices whose copy and bind differ by half are not
/// copied. If more than half of the vertices lie near the body, inpainted weights are regularized
/// toward the bind's; otherwise they are the bind's plus a harmonic correction that leads to the
/// copied weights.
TransferredWeights transfer_weights(const WeightedSurface& body, const SceneMesh& garment,
                                    const TransferOptions& options = {},
                                    const BoundRows* bound = nullptr);

}  // namespace gvbind::transfer
