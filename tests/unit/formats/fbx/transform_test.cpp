#include <catch2/catch.hpp>

#include "formats/fbx/transform.h"
#include "samples.h"

using namespace gvbind;
using namespace gvbind::test;
using Eigen::Affine3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

bool near(const Vector3d& a, const Vector3d& b) { return (a - b).norm() < 1e-12; }

}  // namespace

TEST_CASE("rotation orders turn the axes one after the other") {
  // A quarter turn about each axis; their order decides where x ends.
  const Vector3d quarter(90, 90, 90);
  // xyz: X keeps x, Y takes it to -z, Z keeps -z.
  CHECK(near(fbx_rotation(quarter, 0) * Vector3d::UnitX(), {0, 0, -1}));
  // xzy: X keeps x, Z takes it to y, Y keeps y.
  CHECK(near(fbx_rotation(quarter, 1) * Vector3d::UnitX(), {0, 1, 0}));
  // yzx: Y takes x to -z, Z keeps -z, X takes it to y.
  CHECK(near(fbx_rotation(quarter, 2) * Vector3d::UnitX(), {0, 1, 0}));
  // yxz: Y takes x to -z, X takes it to y, Z takes y to -x.
  CHECK(near(fbx_rotation(quarter, 3) * Vector3d::UnitX(), {-1, 0, 0}));
  // zxy: Z takes x to y, X takes it to z, Y takes z to x.
  CHECK(near(fbx_rotation(quarter, 4) * Vector3d::UnitX(), {1, 0, 0}));
  // zyx: Z takes x to y, Y keeps y, X takes it to z.
  CHECK(near(fbx_rotation(quarter, 5) * Vector3d::UnitX(), {0, 0, 1}));
  // Spherical and unknown orders count as xyz.
  CHECK(fbx_rotation(quarter, 6) == fbx_rotation(quarter, 0));
  CHECK(fbx_rotation(quarter, -1) == fbx_rotation(quarter, 0));
}

TEST_CASE("a rotation pivot stays in place and its offset moves it") {
  FbxTransform t;
  t.rotation = {0, 0, 90};
  t.rotation_pivot = {1, 0, 0};
  CHECK(near(local_transform(t) * Vector3d(1, 0, 0), {1, 0, 0}));
  CHECK(near(local_transform(t) * Vector3d(2, 0, 0), {1, 1, 0}));
  t.rotation_offset = {0, 0, 5};
  CHECK(near(local_transform(t) * Vector3d(2, 0, 0), {1, 1, 5}));
  t.translation = {10, 0, 0};
  CHECK(near(local_transform(t) * Vector3d(2, 0, 0), {11, 1, 5}));
}

TEST_CASE("a scaling pivot stays in place and its offset is turned") {
  FbxTransform t;
  t.scaling = {2, 2, 2};
  t.scaling_pivot = {1, 0, 0};
  CHECK(near(local_transform(t) * Vector3d(1, 0, 0), {1, 0, 0}));
  CHECK(near(local_transform(t) * Vector3d(2, 0, 0), {3, 0, 0}));
  t.scaling_offset = {1, 0, 0};
  t.rotation = {0, 0, 90};
  CHECK(near(local_transform(t) * Vector3d(1, 0, 0), {0, 2, 0}));
}

TEST_CASE("pre and post rotation and the order count only where rotation is active") {
  FbxTransform t;
  t.pre_rotation = {90, 0, 0};
  t.rotation = {0, 0, 90};
  t.post_rotation = {0, 90, 0};
  t.rotation_order = 5;
  CHECK(near(local_transform(t) * Vector3d::UnitX(), {0, 1, 0}));
  t.rotation_active = true;
  // The inverse post-rotation takes x to z, the rotation about Z keeps it, and the pre-rotation
  // takes it to -y.
  CHECK(near(local_transform(t) * Vector3d::UnitX(), {0, -1, 0}));
  t.pre_rotation = t.post_rotation = Vector3d::Zero();
  t.rotation = {90, 90, 90};
  CHECK(near(local_transform(t) * Vector3d::UnitX(), {0, 0, 1}));
}

TEST_CASE("the three ways to inherit scaling") {
  FbxTransform parent, child;
  parent.scaling = {2, 1, 1};
  child.rotation = {0, 0, 90};
  child.scaling = {1, 3, 1};
  child.translation = {1, 0, 0};
  const FbxWorld above = compose({}, parent);
  const auto world = [&](int type) {
    child.inherit_type = type;
    return compose(above, child).world;
  };
  for (const int type : {0, 1, 2}) CHECK(near(world(type).translation(), {2, 0, 0}));
  // RrSs: scaled by both along its own axes, then rotated.
  CHECK(near(world(0).linear() * Vector3d::UnitX(), {0, 2, 0}));
  CHECK(near(world(0).linear() * Vector3d::UnitY(), {-3, 0, 0}));
  // RSrs: rotated, then scaled along the parent's axes.
  CHECK(near(world(1).linear() * Vector3d::UnitX(), {0, 1, 0}));
  CHECK(near(world(1).linear() * Vector3d::UnitY(), {-6, 0, 0}));
  // Rrs: the parent's own scale is not inherited.
  CHECK(near(world(2).linear() * Vector3d::UnitX(), {0, 1, 0}));
  CHECK(near(world(2).linear() * Vector3d::UnitY(), {-3, 0, 0}));
}

TEST_CASE("segment scale compensation passes the grandparent's scaling on") {
  FbxTransform grandparent, parent, child;
  grandparent.scaling = {2, 2, 2};
  parent.scaling = {3, 3, 3};
  parent.inherit_type = 1;
  child.inherit_type = 2;
  const FbxWorld top = compose({}, grandparent);
  const FbxWorld middle = compose(top, parent);
  const FbxWorld low = compose(middle, child);
  CHECK(middle.world.linear().isApprox(6.0 * Matrix3d::Identity()));
  CHECK(low.world.linear().isApprox(2.0 * Matrix3d::Identity()));
}

TEST_CASE("scaling of type 0 is multiplied along the axes, however deep") {
  FbxTransform top, middle, low;
  top.scaling = {2, 1, 1};
  middle.rotation = {0, 0, 30};
  middle.scaling = {1, 3, 1};
  low.rotation = {0, 40, 0};
  low.translation = {1, 1, 1};
  const FbxWorld world = compose(compose(compose({}, top), middle), low);
  const Matrix3d turns = fbx_rotation(middle.rotation, 0) * fbx_rotation(low.rotation, 0);
  CHECK(world.world.linear().isApprox(turns * Vector3d(2, 3, 1).asDiagonal()));
  CHECK(near(world.world.translation(), fbx_rotation(middle.rotation, 0) * Vector3d(2, 3, 1)));
  // Type 2 omits only the scale of the direct parent.
  low.inherit_type = 2;
  CHECK(compose(compose(compose({}, top), middle), low)
            .world.linear()
            .isApprox(turns * Vector3d(2, 1, 1).asDiagonal()));
}

TEST_CASE("limits hold where they are active, and a rotation space may be for them only") {
  const auto flag = [](const std::string& name, int value) {
    return "\t\t\tP: \"" + name + "\", \"bool\", \"\", \"\"," + std::to_string(value) + "\n";
  };
  const auto read = [&](const std::string& more) {
    const auto document = parse_text(ascii_text(
        model_text(1, "A", "Null",
                   vector_text("Lcl Translation", 5, 5, 5) + vector_text("Lcl Rotation", 0, 0, 90) +
                       vector_text("PreRotation", 90, 0, 0) +
                       vector_text("TranslationMax", 1, 2, 3) + flag("TranslationMaxY", 1) +
                       vector_text("RotationMax", 0, 0, 0) + more),
        ""));
    const FbxObjects objects = objects_of(*document);
    return local_transform(read_transform(objects.node(objects.all[0]), nullptr));
  };
  CHECK(near(read("").translation(), {5, 5, 5}));
  CHECK(near(read(flag("TranslationActive", 1)).translation(), {5, 2, 5}));
  CHECK(near(read("").linear() * Vector3d::UnitX(), {0, 1, 0}));
  const std::string active = flag("RotationActive", 1);
  CHECK(near(read(active).linear() * Vector3d::UnitX(), {0, 0, 1}));
  CHECK(near(read(active + flag("RotationSpaceForLimitOnly", 1)).linear() * Vector3d::UnitX(),
             {0, 1, 0}));
  CHECK(near(read(active + flag("RotationMaxZ", 1)).linear() * Vector3d::UnitX(), {1, 0, 0}));
}

TEST_CASE("worlds follow connections, and templates fill in what Models lack") {
  std::string text =
      ascii_text(model_text(1, "Child", "LimbNode", vector_text("Lcl Translation", 0, 1, 0)) +
                     model_text(2, "Top", "Null", vector_text("Lcl Scaling", 2, 2, 2)),
                 link_text(1, 2) + link_text(2, 0));
  const std::string count = "ObjectType: \"Model\" {\n\t\tCount: 1\n";
  text.insert(text.find(count) + count.size(),
              "\t\tPropertyTemplate: \"FbxNode\" {\n\t\t\tProperties70:  {\n" +
                  vector_text("Lcl Translation", 5, 0, 0) + "\t\t\t}\n\t\t}\n");
  const auto document = parse_text(text);
  const auto worlds = world_transforms(objects_of(*document));
  CHECK(near(worlds.at(2).translation(), {5, 0, 0}));
  CHECK(near(worlds.at(1).translation(), {5, 2, 0}));
  CHECK(worlds.at(1).linear().isApprox(2.0 * Matrix3d::Identity()));
}

TEST_CASE("Models that hang from each other in a circle are refused") {
  const auto document =
      parse_text(ascii_text(model_text(1, "A", "LimbNode") + model_text(2, "B", "LimbNode"),
                            link_text(1, 2) + link_text(2, 1)));
  CHECK_THROWS_AS(world_transforms(objects_of(*document)), Error);
}

TEST_CASE("the geometric transform scales, turns and moves") {
  const auto document =
      parse_text(ascii_text(model_text(1, "A", "Mesh",
                                       vector_text("GeometricTranslation", 1, 2, 3) +
                                           vector_text("GeometricRotation", 0, 0, 90) +
                                           vector_text("GeometricScaling", 2, 1, 1)),
                            ""));
  const FbxObjects objects = objects_of(*document);
  CHECK(near(geometric_transform(objects.node(objects.all[0]), nullptr) * Vector3d::UnitX(),
             {1, 4, 3}));
}
