#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <functional>
#include <unordered_map>

#include "assets/fbx/objects.h"

namespace gvbind {

/// What places a Model below its parent; angles in degrees.
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
  int rotation_order = 0;        ///< 0 xyz 1 xzy 2 yzx 3 yxz 4 zxy 5 zyx (first turned first)
  bool rotation_active = false;  ///< pre and post rotation and the order count
  int inherit_type = 0;          ///< 0 RrSs, 1 RSrs, 2 Rrs (segment scale compensation)
};

struct FbxWorld {
  Eigen::Affine3d world = Eigen::Affine3d::Identity();
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  ///< of the whole chain, without scaling
};

FbxTransform read_transform(const FbxNode& model, const FbxNode* model_template);

/// Of Euler angles in degrees.
Eigen::Matrix3d fbx_rotation(const Eigen::Vector3d& degrees, int order);

/// T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1.
Eigen::Affine3d local_transform(const FbxTransform& transform);

/// `parent_scaling`: the Lcl Scaling of the parent, which type 2 does not inherit.
FbxWorld compose(const FbxWorld& parent, const Eigen::Vector3d& parent_scaling,
                 const FbxTransform& transform);

/// Of every Model, as the nodes stand, or with what `change` makes of a Model's own transform.
/// Throws Error(input) where Models hang from each other in a circle.
std::unordered_map<std::int64_t, Eigen::Affine3d> world_transforms(
    const FbxObjects& objects,
    const std::function<void(std::int64_t model, FbxTransform& transform)>& change = {});

/// GeometricTranslation, -Rotation, -Scaling: control points -> the Model's space.
Eigen::Affine3d geometric_transform(const FbxNode& model, const FbxNode* model_template);

}  // namespace gvbind
