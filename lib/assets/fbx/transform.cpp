#include "assets/fbx/transform.h"

#include <cmath>

namespace gvbind {
namespace {

Eigen::Vector3d vector_property(const FbxNode& object, const FbxNode* fallback,
                                std::string_view name, const Eigen::Vector3d& missing) {
  const FbxNode* entry = find_property(object, fallback, name);
  if (!entry || entry->properties.size() < 7) return missing;
  Eigen::Vector3d out = missing;
  for (int k = 0; k < 3; ++k)
    out[k] = number_of(entry->properties[static_cast<std::size_t>(4 + k)]).value_or(missing[k]);
  return out;
}

struct Chain {
  FbxWorld world;
  Eigen::Vector3d scaling = Eigen::Vector3d::Ones();
};

}  // namespace

FbxTransform read_transform(const FbxNode& model, const FbxNode* model_template) {
  FbxTransform t;
  const auto vector = [&](std::string_view name, Eigen::Vector3d& value) {
    value = vector_property(model, model_template, name, value);
  };
  vector("Lcl Translation", t.translation);
  vector("RotationOffset", t.rotation_offset);
  vector("RotationPivot", t.rotation_pivot);
  vector("PreRotation", t.pre_rotation);
  vector("PostRotation", t.post_rotation);
  vector("Lcl Rotation", t.rotation);
  vector("ScalingOffset", t.scaling_offset);
  vector("ScalingPivot", t.scaling_pivot);
  vector("Lcl Scaling", t.scaling);
  t.rotation_active = integer_property(model, model_template, "RotationActive", 0) != 0;
  t.rotation_order = integer_property(model, model_template, "RotationOrder", 0);
  t.inherit_type = integer_property(model, model_template, "InheritType", 0);
  return t;
}

Eigen::Matrix3d fbx_rotation(const Eigen::Vector3d& degrees, int order) {
  // The axis that turns first stands last in the product.
  static constexpr int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0},
                                     {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
  const int row = order >= 0 && order < 6 ? order : 0;
  Eigen::Matrix3d out = Eigen::Matrix3d::Identity();
  for (const int axis : axes[row])
    out = Eigen::AngleAxisd(degrees[axis] * M_PI / 180.0, Eigen::Vector3d::Unit(axis)) * out;
  return out;
}

namespace {

Eigen::Matrix3d local_rotation(const FbxTransform& t) {
  if (!t.rotation_active) return fbx_rotation(t.rotation, 0);
  return fbx_rotation(t.pre_rotation, 0) * fbx_rotation(t.rotation, t.rotation_order) *
         fbx_rotation(t.post_rotation, 0).transpose();
}

}  // namespace

Eigen::Affine3d local_transform(const FbxTransform& t) {
  Eigen::Affine3d out = Eigen::Affine3d::Identity();
  out.translate(t.translation + t.rotation_offset + t.rotation_pivot);
  out.rotate(local_rotation(t));
  out.translate(-t.rotation_pivot + t.scaling_offset + t.scaling_pivot);
  out.scale(t.scaling);
  out.translate(-t.scaling_pivot);
  return out;
}

FbxWorld compose(const FbxWorld& parent, const Eigen::Vector3d& parent_scaling,
                 const FbxTransform& t) {
  const Eigen::Affine3d local = local_transform(t);
  const Eigen::Matrix3d rotation = local_rotation(t);
  const auto scaling = t.scaling.asDiagonal();
  FbxWorld out;
  out.rotation = parent.rotation * rotation;
  out.world.translation() = parent.world * local.translation();
  // What the parent's world holds besides rotation: its scaling and shear.
  const Eigen::Matrix3d rest = parent.rotation.transpose() * parent.world.linear();
  if (t.inherit_type == 0) {
    out.world.linear() = out.rotation * rest * scaling;
  } else if (t.inherit_type == 2) {
    const Eigen::Vector3d undo =
        parent_scaling.unaryExpr([](double s) { return s == 0.0 ? 0.0 : 1.0 / s; });
    out.world.linear() = out.rotation * rest * undo.asDiagonal() * scaling;
  } else {
    out.world.linear() = parent.world.linear() * local.linear();
  }
  return out;
}

std::unordered_map<std::int64_t, Eigen::Affine3d> world_transforms(
    const FbxObjects& objects,
    const std::function<void(std::int64_t model, FbxTransform& transform)>& change) {
  std::unordered_map<std::int64_t, Chain> done;
  std::unordered_map<std::int64_t, Eigen::Affine3d> out;
  for (const FbxObject& model : objects.all) {
    if (!objects.is(model, "Model")) continue;
    std::vector<const FbxObject*> path;
    const FbxObject* up = &model;
    while (up && !done.contains(up->id)) {
      if (path.size() > objects.all.size())
        throw Error(ErrorKind::input,
                    "model '" + model.name + "' hangs from itself in a circle of connections");
      path.push_back(up);
      up = objects.parent_model(up->id);
    }
    Chain parent = up ? done.at(up->id) : Chain{};
    for (auto it = path.rbegin(); it != path.rend(); ++it) {
      FbxTransform t = read_transform(objects.node(**it), objects.model_template);
      if (change) change((*it)->id, t);
      parent = {compose(parent.world, parent.scaling, t), t.scaling};
      done.emplace((*it)->id, parent);
      out.emplace((*it)->id, parent.world.world);
    }
  }
  return out;
}

Eigen::Affine3d geometric_transform(const FbxNode& model, const FbxNode* model_template) {
  const auto vector = [&](std::string_view name, double missing) {
    return vector_property(model, model_template, name, Eigen::Vector3d::Constant(missing));
  };
  Eigen::Affine3d out = Eigen::Affine3d::Identity();
  out.translate(vector("GeometricTranslation", 0.0));
  out.rotate(fbx_rotation(vector("GeometricRotation", 0.0), 0));
  out.scale(vector("GeometricScaling", 1.0));
  return out;
}

}  // namespace gvbind
