#include <Eigen/SVD>
#include <cmath>
#include <unordered_set>

#include "assets/fbx/fbx_edit.h"
#include "assets/fbx/fbx_objects.h"

namespace gvbind {
namespace {

struct Placement {
  Eigen::Vector3d translation, degrees, scaling;
};

/// Rotation in the order xyz. Shear, which a node cannot hold, is left out.
Placement placement_of(const Eigen::Affine3d& local) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(local.linear(),
                                              Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d r = svd.matrixU() * svd.matrixV().transpose();
  const double side = r.determinant() < 0.0 ? -1.0 : 1.0;
  r *= side;
  Placement out;
  out.translation = local.translation();
  out.scaling = (r.transpose() * local.linear()).diagonal();
  const double across = std::hypot(r(0, 0), r(1, 0));
  const bool locked = across < 1e-9;
  const double x = locked ? std::atan2(-r(1, 2), r(1, 1)) : std::atan2(r(2, 1), r(2, 2));
  const double y = std::atan2(-r(2, 0), across);
  const double z = locked ? 0.0 : std::atan2(r(1, 0), r(0, 0));
  out.degrees = Eigen::Vector3d(x, y, z) * (180.0 / M_PI);
  return out;
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

double length_of(const Scene& skeleton, std::size_t j) {
  for (const SceneJoint& child : skeleton.joints)
    if (child.parent == static_cast<int>(j))
      return (child.bind.translation() - skeleton.joints[j].bind.translation()).norm();
  return 1.0;
}

void add_joint(FbxEditor& editor, const SceneJoint& joint, const Eigen::Affine3d& local,
               double length, std::int64_t model) {
  const Placement place = placement_of(local);
  FbxNode properties = make_node(
      "Properties70", {},
      {property_entry("RotationActive", "bool", "", "", {make_integer(1)}),
       property_entry("InheritType", "enum", "", "", {make_integer(1)}),
       property_entry("DefaultAttributeIndex", "int", "Integer", "", {make_integer(0)}),
       property_entry("Lcl Translation", "Lcl Translation", "", "A", numbers(place.translation)),
       property_entry("Lcl Rotation", "Lcl Rotation", "", "A", numbers(place.degrees)),
       property_entry("Lcl Scaling", "Lcl Scaling", "", "A", numbers(place.scaling))});
  editor.add_object("Model", model, joint.name, "Model", "LimbNode",
                    {make_node("Version", {make_integer(232)}), std::move(properties),
                     make_node("Culling", {make_text("CullingOff")})});
  const std::int64_t attribute = editor.new_id();
  FbxNode size = property_entry("Size", "double", "Number", "", {make_number(length)});
  editor.add_object("NodeAttribute", attribute, joint.name, "NodeAttribute", "LimbNode",
                    {make_node("Properties70", {}, {std::move(size)}),
                     make_node("TypeFlags", {make_text("Skeleton")})});
  editor.connect(attribute, model);
}

}  // namespace

void add_joints(FbxDocument& document, const Scene& skeleton) {
  with_path(document.path, [&] {
    refuse_names_twice(objects_of(document), skeleton);
    FbxEditor editor(document);
    std::vector<std::int64_t> models;
    for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
      const SceneJoint& joint = skeleton.joints[j];
      const bool root = joint.parent < 0;
      const auto parent = static_cast<std::size_t>(std::max(joint.parent, 0));
      const Eigen::Affine3d local =
          root ? joint.bind : skeleton.joints[parent].bind.inverse(Eigen::Affine) * joint.bind;
      models.push_back(editor.new_id());
      add_joint(editor, joint, local, length_of(skeleton, j), models[j]);
      editor.connect(models[j], root ? 0 : models[parent]);
    }
    if (!models.empty()) editor.finish();
  });
}

}  // namespace gvbind
