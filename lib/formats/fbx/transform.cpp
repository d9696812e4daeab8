#include "formats/fbx/transform.h"

#include <array>
#include <cmath>
#include <string>

namespace gvbind {
namespace {

Eigen::Vector3d vector_property(const FbxNode& object, const FbxNode* fallback,
                                std::string_view name, const Eigen::Vector3d& missing) {
  const FbxNode* entry = find_property(object, fallback, name);
  if (!entry || entry->properties.size() < 7) return missing;
  Eigen::Vector3d out = missing;
  for (int k = 0; k < 3; ++k) out[k] = number_of(entry->properties[4 + k]).value_or(missing[k]);
  return out;
}

/// Reads the properties `KIND`Active, `KIND`MinX, `KIND`Min and so on.
FbxLimits read_limits(const FbxNode& model, const FbxNode* fallback, const std::string& kind) {
  FbxLimits out;
  if (integer_property(model, fallback, kind + "Active", 0) == 0) return out;
  const auto read = [&](const std::string& name, Eigen::Vector3d& limits) {
    const Eigen::Vector3d values = vector_property(model, fallback, name, Eigen::Vector3d::Zero());
    constexpr std::array<const char*, 3> axes = {"X", "Y", "Z"};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto axis = static_cast<Eigen::Index>(k);
      if (std::isfinite(values[axis]) && integer_property(model, fallback, name + axes[k], 0) != 0)
        limits[axis] = values[axis];
    }
  };
  read(kind + "Min", out.least);
  read(kind + "Max", out.most);
  return out;
}

Eigen::Vector3d within(const Eigen::Vector3d& value, const FbxLimits& limits) {
  return value.cwiseMin(limits.most).cwiseMax(limits.least);
}

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
  const bool for_limits_only =
      integer_property(model, model_template, "RotationSpaceForLimitOnly", 0) != 0;
  t.rotation_active =
      integer_property(model, model_template, "RotationActive", 0) != 0 && !for_limits_only;
  t.rotation_order = integer_property(model, model_template, "RotationOrder", 0);
  t.inherit_type = integer_property(model, model_template, "InheritType", 0);
  t.translation_limits = read_limits(model, model_template, "Translation");
  t.rotation_limits = read_limits(model, model_template, "Rotation");
  t.scaling_limits = read_limits(model, model_template, "Scaling");
  return t;
}

Eigen::Matrix3d fbx_rotation(const Eigen::Vector3d& degrees, int order) {
  // The axis that turns first is the last factor of the product.
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
  const Eigen::Vector3d angles = within(t.rotation, t.rotation_limits);
  if (!t.rotation_active) return fbx_rotation(angles, 0);
  return fbx_rotation(t.pre_rotation, 0) * fbx_rotation(angles, t.rotation_order) *
         fbx_rotation(t.post_rotation, 0).transpose();
}

}  // namespace

Eigen::Vector3d limited_scaling(const FbxTransform& t) {
  return within(t.scaling, t.scaling_limits);
}

Eigen::Affine3d local_transform(const FbxTransform& t) {
  Eigen::Affine3d out = Eigen::Affine3d::Identity();
  out.translate(within(t.translation, t.translation_limits) + t.rotation_offset + t.rotation_pivot);
  out.rotate(local_rotation(t));
  out.translate(-t.rotation_pivot + t.scaling_offset + t.scaling_pivot);
  out.scale(limited_scaling(t));
  out.translate(-t.scaling_pivot);
  return out;
}

FbxWorld compose(const FbxWorld& parent, const FbxTransform& t) {
  const Eigen::Affine3d local = local_transform(t);
  const Eigen::Matrix3d rotation = local_rotation(t);
  const Eigen::Vector3d scaling = limited_scaling(t);
  FbxWorld out;
  out.world.translation() = parent.world * local.translation();
  if (t.inherit_type == 1) {
    out.unscaled = parent.world.linear() * rotation;
    out.world.linear() = parent.world.linear() * local.linear();
    out.scaling = scaling;
    return out;
  }
  out.unscaled = parent.unscaled * rotation;
  out.inherited = t.inherit_type == 2 ? parent.inherited : parent.scaling;
  out.scaling = out.inherited.cwiseProduct(scaling);
  out.world.linear() = out.unscaled * out.scaling.asDiagonal();
  return out;
}

std::unordered_map<std::int64_t, Eigen::Affine3d> world_transforms(
    const FbxObjects& objects,
    const std::function<void(std::int64_t model, FbxTransform& transform)>& change) {
  std::unordered_map<std::int64_t, FbxWorld> done;
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
    FbxWorld parent = up ? done.at(up->id) : FbxWorld{};
    for (auto it = path.rbegin(); it != path.rend(); ++it) {
      FbxTransform t = read_transform(objects.node(**it), objects.model_template);
      if (change) change((*it)->id, t);
      parent = compose(parent, t);
      done.emplace((*it)->id, parent);
      out.emplace((*it)->id, parent.world);
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
