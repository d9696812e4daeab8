#include "character/skeleton_units.h"

#include <catch2/catch.hpp>

#include "formats/import/samples.h"
#include "support/shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

const Units meters_y_up = {};
const Units centimeters_z_up = {
    .meters = 0.01, .up = Eigen::Vector3d::UnitZ(), .front = -Eigen::Vector3d::UnitY()};
const Units unknown = {.meters = 1.0,
                       .up = Eigen::Vector3d::UnitY(),
                       .front = Eigen::Vector3d::UnitZ(),
                       .known = false};

/// Joint positions of a biped 1.8 m tall with its arms along x, in meters, Y up.
std::vector<Eigen::Vector3d> biped() {
  return {{0, 1.0, 0},     {0, 1.4, 0},      {0, 1.75, 0.05},  {0.8, 1.45, 0},
          {-0.8, 1.45, 0}, {0.1, 0.05, 0.1}, {-0.1, 0.05, 0.1}};
}

Scene skeleton(const Eigen::Matrix3d& turn, double scale, const Units& units) {
  Scene scene;
  scene.units = units;
  for (const Eigen::Vector3d& p : biped()) {
    SceneJoint joint;
    joint.name = 'j';
    joint.name += std::to_string(scene.joints.size());
    joint.parent = scene.joints.empty() ? -1 : 0;
    joint.bind.translation() = turn * p * scale;
    joint.node = 5;
    scene.joints.push_back(joint);
  }
  return scene;
}

Scene body(const Eigen::Matrix3d& turn, double scale, const Units& units) {
  const Shape shape = box({-0.9, 0, -0.15}, {0.9, 1.8, 0.2});
  Scene scene;
  scene.units = units;
  SceneMesh mesh;
  mesh.triangles = shape.triangles;
  for (const Eigen::Vector3d& p : shape.positions) mesh.positions.push_back(turn * p * scale);
  scene.meshes.push_back(mesh);
  return scene;
}

/// Y up, front Z -> Z up, front -Y.
Eigen::Matrix3d to_z_up() {
  return Eigen::AngleAxisd(M_PI / 2, Eigen::Vector3d::UnitX()).toRotationMatrix();
}

void check_positions(const Scene& result, const Eigen::Matrix3d& turn, double scale) {
  const auto expected = biped();
  REQUIRE(result.joints.size() == expected.size());
  for (std::size_t j = 0; j < expected.size(); ++j)
    CHECK((result.joints[j].bind.translation() - turn * expected[j] * scale).norm() < 1e-6 * scale);
}

}  // namespace

TEST_CASE("known units: lengths and axes", "[units]") {
  const Eigen::Matrix3d same = Eigen::Matrix3d::Identity();
  Findings findings;
  const Scene up = skeleton_in_units(skeleton(to_z_up(), 100, centimeters_z_up),
                                     body(same, 1, meters_y_up), findings);
  check_positions(up, same, 1);
  const Scene down = skeleton_in_units(skeleton(same, 1, meters_y_up),
                                       body(to_z_up(), 100, centimeters_z_up), findings);
  check_positions(down, to_z_up(), 100);
  CHECK(findings.empty());
  CHECK(down.meshes.empty());
  CHECK(down.units.meters == 0.01);
  CHECK(down.units.up == Eigen::Vector3d::UnitZ());
  CHECK(down.joints[0].node == -1);
  CHECK(down.joints[3].name == "j3");
  CHECK(down.joints[3].parent == 0);
}

TEST_CASE("binds become rigid", "[units]") {
  Scene source = skeleton(Eigen::Matrix3d::Identity(), 1, meters_y_up);
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  source.joints[0].bind.linear() = turn * 100;
  source.joints[1].bind.linear() = turn * Eigen::Vector3d(1, 2, 0.5).asDiagonal();
  source.joints[2].bind.linear() = turn * Eigen::Vector3d(-1, 1, 1).asDiagonal();
  source.joints[3].bind.linear().setZero();
  Findings findings;
  const Scene result = skeleton_in_units(source, body(to_z_up(), 100, centimeters_z_up), findings);
  for (const SceneJoint& joint : result.joints) {
    CHECK((joint.bind.linear().transpose() * joint.bind.linear()).isIdentity(1e-9));
    CHECK(joint.bind.linear().determinant() == Approx(1));
  }
  CHECK(result.joints[0].bind.linear().isApprox(to_z_up() * turn, 1e-9));
  CHECK(result.joints[1].bind.linear().isApprox(to_z_up() * turn, 1e-9));
  check_positions(result, to_z_up(), 100);
}

TEST_CASE("unknown units are found from the boxes", "[units]") {
  const Eigen::Matrix3d same = Eigen::Matrix3d::Identity();
  for (const double unit : {1.0, 0.01, 0.1, 0.001, 0.0254, 0.3048}) {
    CAPTURE(unit);
    Findings findings;
    check_positions(skeleton_in_units(skeleton(same, 1 / unit, unknown),
                                      body(to_z_up(), 100, centimeters_z_up), findings),
                    to_z_up(), 100);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].code == "skeleton-units");
    CHECK(findings[0].severity == Severity::note);
    // Only the skeleton has units.
    check_positions(
        skeleton_in_units(skeleton(same, 1, meters_y_up), body(same, 1 / unit, unknown), findings),
        same, 1 / unit);
    // Neither has units: centimeters against `unit`.
    check_positions(
        skeleton_in_units(skeleton(same, 1 / unit, unknown), body(same, 100, unknown), findings),
        same, 100);
  }
}

TEST_CASE("the finding says which units were taken", "[units]") {
  Findings findings;
  skeleton_in_units(skeleton(to_z_up(), 1 / 0.0254, unknown),
                    body(Eigen::Matrix3d::Identity(), 1, meters_y_up), findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].message.starts_with("assuming 0.0254 m per unit and +Z up for the skeleton, "));
  CHECK(findings[0].message.find("0.9") != std::string::npos);
}

TEST_CASE("unknown up axes are found from the boxes", "[units]") {
  const Eigen::Matrix3d same = Eigen::Matrix3d::Identity();
  Findings findings;
  SECTION("of the skeleton") {
    check_positions(
        skeleton_in_units(skeleton(to_z_up(), 1, unknown), body(same, 1, meters_y_up), findings),
        same, 1);
  }
  SECTION("of the meshes") {
    check_positions(
        skeleton_in_units(skeleton(same, 1, meters_y_up), body(to_z_up(), 1, unknown), findings),
        to_z_up(), 1);
  }
  SECTION("of both") {
    check_positions(
        skeleton_in_units(skeleton(same, 1, unknown), body(to_z_up(), 1, unknown), findings),
        to_z_up(), 1);
    check_positions(
        skeleton_in_units(skeleton(to_z_up(), 1, unknown), body(same, 1, unknown), findings), same,
        1);
    check_positions(
        skeleton_in_units(skeleton(to_z_up(), 1, unknown), body(to_z_up(), 1, unknown), findings),
        to_z_up(), 1);
  }
  for (const Finding& finding : findings) CHECK(finding.code == "skeleton-units");
}

TEST_CASE("a skeleton that does not fit is warned about", "[units]") {
  const Eigen::Matrix3d same = Eigen::Matrix3d::Identity();
  Findings findings;
  Scene aside = skeleton(same, 1, meters_y_up);
  for (SceneJoint& joint : aside.joints) joint.bind.translation().x() += 10;
  skeleton_in_units(aside, body(same, 1, meters_y_up), findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "skeleton-outside");
  CHECK(findings[0].severity == Severity::warning);
  CHECK(findings[0].message == "7 of 7 joints lie outside the box of the meshes");

  findings.clear();
  skeleton_in_units(skeleton(same, 1e6, unknown), body(same, 1, meters_y_up), findings);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].code == "skeleton-units");
  CHECK(findings[0].severity == Severity::warning);
  CHECK(findings[1].code == "skeleton-outside");
}

TEST_CASE("skeletons and targets at the edge", "[units]") {
  const Eigen::Matrix3d same = Eigen::Matrix3d::Identity();
  Findings findings;
  CHECK(error_of(ErrorKind::cannot_bind, [&] {
          skeleton_in_units(Scene{}, body(same, 1, meters_y_up), findings);
        }) == "no joints in the skeleton");
  // Without a mesh to compare with, the skeleton stays as it is.
  check_positions(skeleton_in_units(skeleton(same, 1, unknown), Scene{}, findings), same, 1);
  // A single joint has no size.
  Scene one = skeleton(same, 1, unknown);
  one.joints.resize(1);
  const Scene result = skeleton_in_units(one, body(same, 1, meters_y_up), findings);
  CHECK(result.joints[0].bind.translation().isApprox(Eigen::Vector3d(0, 1, 0)));
}
