#include "rig/rig_character.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "characters.h"
#include "gvbind/base/parallel.h"
#include "gvbind/error.h"
#include "rig/builtin_templates.h"
#include "support/shapes.h"

namespace gvbind {

namespace {

using Eigen::Vector3d;

struct Mesh {
  std::vector<Vector3d> positions;
  std::vector<Triangle> triangles;
};

Mesh mesh_of(const Scene& scene) {
  Mesh mesh;
  for (const SceneMesh& part : scene.meshes) {
    const auto base = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.insert(mesh.positions.end(), part.positions.begin(), part.positions.end());
    for (const Triangle& t : part.triangles)
      mesh.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
  }
  return mesh;
}

double size_of(const Mesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Vector3d& p : mesh.positions) box.extend(p);
  return box.sizes().maxCoeff();
}

rig::RiggedCharacter rigged(const Mesh& mesh, const char* kind,
                            const rig::RigOptions& options = {}) {
  return rig::rig_character({mesh.positions, mesh.triangles}, rig::builtin_template(kind).value(),
                            options);
}

Mesh moved(Mesh mesh, const Eigen::Affine3d& by) {
  for (Vector3d& p : mesh.positions) p = by * p;
  if (by.linear().determinant() < 0.0)
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

/// Merges the vertices of each grid cell into the first one.
Mesh decimated(const Mesh& mesh, double cell) {
  Mesh made = mesh;
  std::map<std::tuple<long, long, long>, Vector3d> first;
  for (Vector3d& p : made.positions) {
    const Vector3d at = (p / cell).array().floor();
    p = first.emplace(std::tuple(long(at.x()), long(at.y()), long(at.z())), p).first->second;
  }
  return made;
}

/// The largest distance between joints, relative to the size of the body.
double difference(const rig::RiggedCharacter& one, const rig::RiggedCharacter& other,
                  const Eigen::Affine3d& by, double size) {
  double most = 0.0;
  const std::vector<Joint> joints = rig::builtin_template("biped").value();
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (joints[j].deforms)
      most = std::max(most, (by * one.joints[j].position - other.joints[j].position).norm());
  return most / size;
}

/// The mean distance to the scene's joints of the same name, relative to the size.
double mean_error(const Scene& scene, const char* kind) {
  const Mesh mesh = mesh_of(scene);
  const rig::RiggedCharacter made = rigged(mesh, kind);
  const std::vector<Joint> joints = rig::builtin_template(kind).value();
  double sum = 0.0;
  int count = 0;
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (const SceneJoint& own : scene.joints)
      if (own.name == joints[j].name) {
        sum += (own.bind.translation() - made.joints[j].position).norm();
        ++count;
      }
  REQUIRE(count >= 10);
  return sum / count / size_of(mesh);
}

}  // namespace

TEST_CASE("templates find the places that the sample characters' own joints have") {
  CHECK(mean_error(biped(), "biped") < 0.065);  // a hat and a skirt hide neck and hips
  CHECK(mean_error(quadruped(), "quadruped") < 0.06);
}

TEST_CASE("moved, scaled and turned meshes get the same skeleton") {
  const Mesh mesh = mesh_of(biped());
  const rig::RiggedCharacter made = rigged(mesh, "biped");
  const double size = size_of(mesh);
  Eigen::Affine3d scaled = Eigen::Affine3d::Identity();
  scaled.linear() *= 37.5;
  scaled.translation() = Vector3d(1000.0, -20.0, 7.0);
  CHECK(difference(made, rigged(moved(mesh, scaled), "biped"), scaled, 37.5 * size) < 0.01);
  for (const int axis : {0, 1, 2}) {
    Eigen::Affine3d turned = Eigen::Affine3d::Identity();
    turned.linear().col(0) = Vector3d::Unit(axis);
    turned.linear().col(1) = Vector3d::Unit((axis + 1) % 3);
    turned.linear().col(2) = Vector3d::Unit((axis + 2) % 3);
    CHECK(difference(made, rigged(moved(mesh, turned), "biped"), turned, size) < 0.01);
  }
}

TEST_CASE("a body whose up is known is turned about the vertical alone") {
  Eigen::Affine3d lying = Eigen::Affine3d::Identity();
  lying.linear() << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  const Mesh mesh = moved(mesh_of(mannequin()), lying);
  CHECK(rigged(mesh, "biped").turn(1, 1) < 0.5);
  CHECK(rigged(mesh, "biped", {.orient = rig::OrientRule::upright}).turn(1, 1) > 0.5);
}

TEST_CASE("a mirrored mesh gets the mirrored skeleton, and both sides are alike") {
  const Mesh mesh = mesh_of(mannequin());
  const rig::RiggedCharacter made = rigged(mesh, "biped");
  CHECK(made.is_mirrored);
  CHECK(made.symmetry > 0.95);
  Eigen::Affine3d mirror = Eigen::Affine3d::Identity();
  mirror.linear()(0, 0) = -1.0;
  const rig::RiggedCharacter other = rigged(moved(mesh, mirror), "biped");
  const std::vector<Joint> joints = rig::builtin_template("biped").value();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    std::string name = joints[j].name;
    if (name.ends_with(".L"))
      name.back() = 'R';
    else if (name.ends_with(".R"))
      name.back() = 'L';
    const auto partner = std::ranges::find(joints, name, &Joint::name) - joints.begin();
    const Vector3d image = mirror * made.joints[j].position;
    CHECK((image - made.joints[static_cast<std::size_t>(partner)].position).norm() < 1e-9);
    CHECK((image - other.joints[static_cast<std::size_t>(partner)].position).norm() <
          0.01 * size_of(mesh));
  }
}

TEST_CASE("decimated, cut open and doubled meshes get nearly the same skeleton") {
  const Mesh mesh = mesh_of(mannequin());
  const rig::RiggedCharacter made = rigged(mesh, "biped");
  const double size = size_of(mesh);
  const Eigen::Affine3d same = Eigen::Affine3d::Identity();
  CHECK(difference(made, rigged(decimated(mesh, 0.006 * size), "biped"), same, size) < 0.02);
  Mesh open = mesh;
  for (std::size_t t = open.triangles.size(); t-- > 0;)
    if (t % 50 == 7) open.triangles.erase(open.triangles.begin() + static_cast<std::ptrdiff_t>(t));
  CHECK(difference(made, rigged(open, "biped"), same, size) < 0.02);
  Mesh twice = mesh;
  twice.triangles.insert(twice.triangles.end(), mesh.triangles.begin(), mesh.triangles.end());
  CHECK(difference(made, rigged(twice, "biped"), same, size) < 0.01);
}

TEST_CASE("any number of threads gives the same skeleton", "[threads]") {
  const Mesh mesh = mesh_of(biped());
  rig::RiggedCharacter one, four;
  with_threads(1, {}, [&] { one = rigged(mesh, "biped"); });
  with_threads(4, {}, [&] { four = rigged(mesh, "biped"); });
  for (std::size_t j = 0; j < one.joints.size(); ++j) {
    CHECK(one.joints[j].position == four.joints[j].position);
    CHECK(one.joints[j].confidence == four.joints[j].confidence);
  }
}

TEST_CASE("a hinted joint stays where it is, and an unknown one is refused") {
  const Mesh mesh = mesh_of(biped());
  rig::RigOptions options;
  options.hints = {{"forearm.L", {0.41, 1.21, -0.01}}};
  const rig::RiggedCharacter made = rigged(mesh, "biped", options);
  const std::vector<Joint> joints = rig::builtin_template("biped").value();
  const auto hinted = std::ranges::find(joints, "forearm.L", &Joint::name) - joints.begin();
  CHECK(
      (made.joints[static_cast<std::size_t>(hinted)].position - options.hints[0].position).norm() <
      1e-6);
  CHECK(made.joints[static_cast<std::size_t>(hinted)].confidence == 1.0);
  options.hints = {{"wing.L", {0, 0, 0}}};
  CHECK_THROWS_WITH(rigged(mesh, "biped", options), Catch::Contains("wing.L"));
}

TEST_CASE("fingers lie beyond the hand, whatever the unit of the skeleton") {
  const Mesh mesh = mesh_of(mannequin());
  std::vector<Joint> joints = rig::builtin_template("biped").value();
  const auto hand = std::ranges::find(joints, "hand.L", &Joint::name) - joints.begin();
  joints.push_back({joints[static_cast<std::size_t>(hand)].position + Vector3d(0.07, -0.06, 0.0),
                    static_cast<int>(hand), true, "index.L"});
  const rig::RiggedCharacter meters = rig::rig_character({mesh.positions, mesh.triangles}, joints);
  for (Joint& joint : joints) joint.position *= 1000.0;
  const rig::RiggedCharacter millimeters =
      rig::rig_character({mesh.positions, mesh.triangles}, joints);
  const double size = size_of(mesh);
  for (std::size_t j = 0; j < joints.size(); ++j)
    CHECK((meters.joints[j].position - millimeters.joints[j].position).norm() < 1e-6 * size);
  const double beyond =
      (meters.joints.back().position - meters.joints[static_cast<std::size_t>(hand)].position)
          .norm();
  CHECK(beyond > 0.02 * size);
  CHECK(beyond < 0.15 * size);
}

TEST_CASE("arms of a template that have no length get a place all the same") {
  const Mesh mesh = mesh_of(mannequin());
  std::vector<Joint> joints = rig::builtin_template("biped").value();
  Vector3d shoulder = Vector3d::Zero();
  for (Joint& joint : joints) {
    if (joint.name.starts_with("upper_arm")) shoulder = joint.position;
    if (joint.name.starts_with("forearm") || joint.name.starts_with("hand"))
      joint.position = shoulder;
  }
  const rig::RiggedCharacter made = rig::rig_character({mesh.positions, mesh.triangles}, joints);
  for (const rig::RiggedJoint& joint : made.joints) CHECK(joint.position.allFinite());
}

/// A box from its middle and half its sides.
void add_box(const Vector3d& at, const Vector3d& half, Mesh& mesh) {
  const auto base = static_cast<std::uint32_t>(mesh.positions.size());
  for (int c = 0; c < 8; ++c)
    mesh.positions.emplace_back(
        at +
        half.cwiseProduct(Vector3d(c & 1 ? 1.0 : -1.0, c & 2 ? 1.0 : -1.0, c & 4 ? 1.0 : -1.0)));
  for (const Triangle& t :
       {Triangle{0, 2, 1}, Triangle{1, 2, 3}, Triangle{4, 5, 6}, Triangle{5, 7, 6},
        Triangle{0, 1, 4}, Triangle{1, 5, 4}, Triangle{2, 6, 3}, Triangle{3, 6, 7},
        Triangle{0, 4, 2}, Triangle{2, 4, 6}, Triangle{1, 3, 5}, Triangle{3, 7, 5}})
    mesh.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
}

TEST_CASE("arms that stick out further than ears are the arms of a body with a large head") {
  Mesh bear;
  add_box({0, 0.45, 0}, {0.25, 0.3, 0.2}, bear);
  add_box({0, 1.1, 0}, {0.5, 0.4, 0.4}, bear);
  for (const double side : {1.0, -1.0}) {
    add_box({side * 0.15, 0.1, 0.03}, {0.08, 0.1, 0.1}, bear);
    add_box({side * 0.55, 0.6, 0}, {0.35, 0.07, 0.07}, bear);
    add_box({side * 0.5, 1.55, 0}, {0.15, 0.15, 0.06}, bear);
  }
  const std::vector<Joint> joints = rig::builtin_template("biped").value();
  const rig::RiggedCharacter made = rigged(bear, "biped");
  const auto hand = std::ranges::find(joints, "hand.L", &Joint::name) - joints.begin();
  CHECK(made.joints[static_cast<std::size_t>(hand)].position.y() == Approx(0.6).margin(0.1));
}

TEST_CASE("a flat mesh and an empty one are refused") {
  const Mesh plane{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2}, {1, 3, 2}}};
  CHECK_THROWS_AS(rigged(plane, "biped"), Error);
  CHECK_THROWS_AS(rigged({}, "biped"), Error);
}

TEST_CASE("a slanted triangle and a slanted sheet enclose nothing") {
  const Mesh triangle{{{0, 0, 0}, {1, 0.3, 0.2}, {0.2, 1, 0.7}}, {{0, 1, 2}}};
  CHECK_THROWS_WITH(rigged(triangle, "biped"), Catch::Contains("encloses no volume"));
  Mesh sheet{{{0, 0, 0}, {1, 0.3, 0.2}, {0.2, 1, 0.7}, {1.2, 1.3, 0.9}}, {{0, 1, 2}, {1, 3, 2}}};
  CHECK_THROWS_WITH(rigged(sheet, "biped"), Catch::Contains("encloses no volume"));
}

TEST_CASE("two characters beside each other are refused, one in pieces is not") {
  const Mesh one = mesh_of(mannequin());
  const double size = size_of(one);
  for (const Vector3d& by : {Vector3d(1.2, 0, 0), Vector3d(0, 0, 0.7), Vector3d(0.9, 0.3, 0.6)}) {
    Mesh two = one;
    const auto base = static_cast<std::uint32_t>(one.positions.size());
    for (const Vector3d& p : one.positions) two.positions.emplace_back(0.8 * p + size * by);
    for (const Triangle& t : one.triangles)
      two.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
    CHECK_THROWS_WITH(rigged(two, "biped"), Catch::Contains("2 bodies"));
  }
  CHECK(rigged(one, "biped").joints.size() == rig::builtin_template("biped")->size());
}

TEST_CASE("a thing beside the character, larger than it, gets no skeleton") {
  const Mesh one = mesh_of(mannequin());
  const double size = size_of(one);
  double volume = 0.0;
  for (const Triangle& t : one.triangles)
    volume += one.positions[t[0]].dot(one.positions[t[1]].cross(one.positions[t[2]])) / 6.0;
  const double thickness = 1.5 * volume / (0.6 * std::pow(size, 3));
  const test::Shape board = test::box({0.8, 0, -0.3}, {0.8 + thickness, 1, 0.3});
  Mesh both = one;
  const auto base = static_cast<std::uint32_t>(one.positions.size());
  for (const Vector3d& p : board.positions) both.positions.emplace_back(size * p);
  for (const Triangle& t : board.triangles)
    both.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
  CHECK(difference(rigged(one, "biped"), rigged(both, "biped"), Eigen::Affine3d::Identity(), size) <
        0.04);
}

}  // namespace gvbind
