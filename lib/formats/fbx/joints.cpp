// Tested by tests/unit/formats/fbx/patch_test.cpp.

#include <Eigen/SVD>
#include <cmath>
#include <unordered_set>

#include "formats/fbx/edit.h"
#include "formats/fbx/objects.h"

namespace gvbind {
namespace {

/// Blender's bones have no scaling, so joints below a scaled one would move there.
Eigen::Affine3d without_scaling(const Eigen::Affine3d& matrix) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(matrix.linear(),
                                              Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d u = svd.matrixU();
  if ((u * svd.matrixV().transpose()).determinant() < 0.0) u.col(2) *= -1.0;
  Eigen::Affine3d out(Eigen::Translation3d(matrix.translation()));
  out.linear() = u * svd.matrixV().transpose();
  return out;
}

/// Degrees about x, then y, then z.
Eigen::Vector3d bind_angles(const Eigen::Matrix3d& r) {
  const double across = std::hypot(r(0, 0), r(1, 0));
  const bool locked = across < 1e-9;
  const double x = locked ? std::atan2(-r(1, 2), r(1, 1)) : std::atan2(r(2, 1), r(2, 2));
  const double y = std::atan2(-r(2, 0), across);
  const double z = locked ? 0.0 : std::atan2(r(1, 0), r(0, 0));
  return Eigen::Vector3d(x, y, z) * (180.0 / M_PI);
}

std::vector<FbxProperty> numbers(const Eigen::Vector3d& v) {
  return {make_number(v.x()), make_number(v.y()), make_number(v.z())};
}

void refuse_names_twice(const FbxObjects& objects, const Scene& skeleton) {
  std::unordered_set<std::string> names;
  for (const FbxObject& object : objects.all)
    if (objects.is(object, "Model") &&
        (object.type == "LimbNode" || object.type == "Limb" || object.type == "Root"))
      names.insert(object.name);
  std::string twice;
  for (const SceneJoint& joint : skeleton.joints) {
    if (!names.contains(joint.name)) continue;
    if (!twice.empty()) twice += ", ";
    twice += joint.name;
  }
  if (!twice.empty())
    throw Error(ErrorKind::input, "has joints already that are to be added: " + twice);
}

/// By joint: the distance to its first child.
std::vector<double> lengths_of(const Scene& skeleton) {
  std::vector<double> out(skeleton.joints.size(), 1.0);
  // Backwards, so that the first child's value is the last written.
  for (std::size_t j = skeleton.joints.size(); j-- > 0;) {
    const int parent = skeleton.joints[j].parent;
    if (parent < 0) continue;
    const auto above = static_cast<std::size_t>(parent);
    out[above] =
        (skeleton.joints[j].bind.translation() - skeleton.joints[above].bind.translation()).norm();
  }
  return out;
}

}  // namespace

void add_limb(FbxEditor& editor, const std::string& name, const Eigen::Affine3d& local,
              double length, std::int64_t model) {
  FbxNode properties = make_node(
      "Properties70", {},
      {property_entry("RotationActive", "bool", "", "", {make_integer(1)}),
       property_entry("InheritType", "enum", "", "", {make_integer(1)}),
       property_entry("DefaultAttributeIndex", "int", "Integer", "", {make_integer(0)}),
       property_entry("Lcl Translation", "Lcl Translation", "", "A", numbers(local.translation())),
       property_entry("Lcl Rotation", "Lcl Rotation", "", "A",
                      numbers(bind_angles(local.linear()))),
       property_entry("Lcl Scaling", "Lcl Scaling", "", "A", numbers(Eigen::Vector3d::Ones()))});
  editor.add_object("Model", model, name, "Model", "LimbNode",
                    {make_node("Version", {make_integer(232)}), std::move(properties),
                     make_node("Culling", {make_text("CullingOff")})});
  const std::int64_t attribute = editor.new_id();
  FbxNode size = property_entry("Size", "double", "Number", "", {make_number(length)});
  editor.add_object("NodeAttribute", attribute, name, "NodeAttribute", "LimbNode",
                    {make_node("Properties70", {}, {std::move(size)}),
                     make_node("TypeFlags", {make_text("Skeleton")})});
  editor.connect(attribute, model);
}

void add_joints(FbxDocument& document, const Scene& skeleton) {
  with_path(document.path, [&] {
    refuse_names_twice(objects_of(document), skeleton);
    FbxEditor editor(document);
    const std::vector<double> lengths = lengths_of(skeleton);
    std::vector<std::int64_t> models;
    std::vector<Eigen::Affine3d> binds;
    for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
      const SceneJoint& joint = skeleton.joints[j];
      binds.push_back(without_scaling(joint.bind));
      models.push_back(editor.new_id());
      const auto parent = static_cast<std::size_t>(joint.parent);
      const Eigen::Affine3d local =
          joint.parent < 0 ? binds[j] : binds[parent].inverse(Eigen::Isometry) * binds[j];
      add_limb(editor, joint.name, local, lengths[j], models[j]);
      editor.connect(models[j], joint.parent < 0 ? 0 : models[parent]);
    }
    if (!models.empty()) editor.finish();
  });
}

}  // namespace gvbind
