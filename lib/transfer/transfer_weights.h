#pragma once

#include <cstddef>
#include <vector>

#include "character/scene.h"
#include "transfer/nearest_surface.h"

namespace gvbind {

struct TransferOptions {
  double distance = 0.05;  ///< how far a vertex may be from the body to take its weights, of the
                           ///< diagonal of the garment's box; 0 to 10
  double angle = 35.0;     ///< how far its normal may turn from the body's, degrees, 0 to 180
  double hold = 0.1;       ///< hold_length of the inpainting, of that diagonal; more than 0
  int max_influences = 4;  ///< joints per vertex at most; 0: any number
};

/// A bound body: its surface, and the weights of its vertices.
class WeightedSurface {
 public:
  /// The meshes of the scene that are named true and have weights, moved by `to_garment`. Joint j
  /// becomes joint_of[j]; its weights are left out where that is negative, and so are triangles
  /// with a corner that has none.
  WeightedSurface(const Scene& scene, const std::vector<bool>& meshes,
                  const Eigen::Affine3d& to_garment, const std::vector<int>& joint_of);

  bool empty() const { return surface_.triangles().empty(); }
  const NearestSurface& surface() const { return surface_; }
  /// Interpolated, of length one or zero.
  Eigen::Vector3d normal_at(const ClosestPoint& point) const;
  /// Interpolated, by falling weight, summing to one.
  std::vector<Influence> weights_at(const ClosestPoint& point) const;

 private:
  struct Parts {
    std::vector<Eigen::Vector3d> positions;
    std::vector<Triangle> triangles;
    SkinWeights weights;
  };
  static Parts gather(const Scene& scene, const std::vector<bool>& meshes,
                      const Eigen::Affine3d& to_garment, const std::vector<int>& joint_of);
  explicit WeightedSurface(Parts parts);

  NearestSurface surface_;
  SkinWeights weights_;
  std::vector<Eigen::Vector3d> normals_;
};

struct TransferredWeights {
  SkinWeights weights;        ///< one row per vertex of the garment
  std::size_t copied = 0;     ///< vertices that took those of the body's nearest point
  std::size_t inpainted = 0;  ///< vertices that got theirs from the garment around them
};

/// Abdrashitov et al. 2023, "Robust Skin Weights Transfer via Weight Inpainting": where a vertex is
/// near the body and looks the same way, the weights of the nearest point; elsewhere inpainted over
/// the garment, drawn to those of the nearest point. `body` is in the garment's bind space and not
/// empty. A vertex that is not finite gets an empty row.
TransferredWeights transfer_weights(const WeightedSurface& body, const SceneMesh& garment,
                                    const TransferOptions& options = {});

}  // namespace gvbind
