#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <functional>
#include <limits>
#include <unordered_map>

#include "formats/fbx/objects.h"

namespace gvbind {

/// The range of a vector's components.
struct FbxLimits {
  Eigen::Vector3d least = Eigen::Vector3d::Constant(-std::numeric_limits<double>::infinity());
  Eigen::Vector3d most = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity());
};

/// The properties that place a Model below its parent; angles in degrees.
struct FbxTransform {
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();
  Eigen::Vector3d rotation_offset = Eigen::Vector3d::Zero();
  Eigen::Vector3d rotation_pivot = Eigen::Vector3d::Zero();
  Eigen::Vector3d pre_rotation = Eigen::Vector3d::Zero();   ///< always in the order xyz
  Eigen::Vector3d post_rotation = Eigen::Vector3d::Zero();  ///< always in the order xyz
  Eigen::Vector3d rotation = Eigen::Vector3d::Zero();
  Eigen::Vector3d scaling_offset = Eigen::Vector3d::Zero();
  Eigen::Vector3d scaling_pivot = Eigen::Vector3d::Zero();
  Eigen::Vector3d scaling = Eigen::Vector3d::Ones();
  int rotation_order = 0;        ///< 0 xyz 1 xzy 2 yzx 3 yxz 4 zxy 5 zyx (first letter first)
  bool rotation_active = false;  ///< use pre- and post-rotation and the order
  int inherit_type = 0;          ///< 0 RrSs, 1 RSrs, 2 Rrs (segment scale compensation)
  FbxLimits translation_limits, rotation_limits, scaling_limits;
};

/// The transform of a Model: world = unscaled * scaling, with the translation of both.
struct FbxWorld {
  Eigen::Affine3d world = Eigen::Affine3d::Identity();
  /// Without the scaling that children with inherit types 0 and 2 apply along their own axes or not
  /// at all; includes the scaling of ancestors with type 1.
  Eigen::Matrix3d unscaled = Eigen::Matrix3d::Identity();
  Eigen::Vector3d scaling = Eigen::Vector3d::Ones();    ///< along the Model's own axes
  Eigen::Vector3d inherited = Eigen::Vector3d::Ones();  ///< the inherited part of `scaling`
};

/// The values as in the file; local_transform() and compose() apply the limits.
FbxTransform read_transform(const FbxNode& model, const FbxNode* model_template);

/// Angles in degrees.
Eigen::Matrix3d fbx_rotation(const Eigen::Vector3d& degrees, int order);

/// The scaling within its limits.
Eigen::Vector3d limited_scaling(const FbxTransform& transform);

/// T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1.
Eigen::Affine3d local_transform(const FbxTransform& transform);

FbxWorld compose(const FbxWorld& parent, const FbxTransform& transform);

/// Transforms of all Models in the node pose, or as modified by `change`. Throws Error(input) if
/// the hierarchy of Models has a cycle.
std::unordered_map<std::int64_t, Eigen::Affine3d> world_transforms(
    const FbxObjects& objects,
    const std::function<void(std::int64_t model, FbxTransform& transform)>& change = {});

/// GeometricTranslation, -Rotation, -Scaling: control points -> the Model's space.
Eigen::Affine3d geometric_transform(const FbxNode& model, const FbxNode* model_template);

}  // namespace gvbind
