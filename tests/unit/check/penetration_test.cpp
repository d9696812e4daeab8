#include "check/penetration.h"

#include <catch2/catch.hpp>

#include "check/trousers.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;
using test::Row;
using test::smooth_row;

/// The bend of the trousers mirrors their tube.
void face_outward(SceneMesh& mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
}

/// Trousers with a second layer 0.01 over them; `row` returns its weights by the place along it.
Scene dressed(const std::function<Row(double)>& row) {
  Scene scene = test::trousers();
  const test::Shape tube = test::capsule({0, 0, 0}, {0, test::whole, 0}, 0.11, 16, 80);
  SceneMesh coat;
  coat.name = "coat";
  coat.triangles = tube.triangles;
  coat.skin_joints = scene.meshes[0].skin_joints;
  for (const Vector3d& p : tube.positions) {
    coat.positions.push_back(test::bend(p.y(), p.x(), p.z()));
    test::add_row(coat.weights, row(std::clamp(p.y(), 0.0, test::whole)));
  }
  scene.meshes.push_back(std::move(coat));
  for (SceneMesh& mesh : scene.meshes) face_outward(mesh);
  return scene;
}

Row stiff(double) { return {{0, 1.0f}}; }

check::Penetration measured(const Scene& scene, const check::PenetrationOptions& options = {}) {
  return check::measure_penetration(check::skin_surface(scene), scene.joints, {}, options);
}

}  // namespace

TEST_CASE("one layer covers nothing") {
  CHECK(check::covered_vertices(check::skin_surface(test::trousers())).empty());
  const check::Penetration made = measured(test::trousers());
  CHECK(made.covered == 0);
  CHECK(made.share == 0.0);
  CHECK(made.pairs.empty());
}

TEST_CASE("the inner of two layers is covered, and the outer one is not") {
  const Scene scene = dressed([](double s) { return smooth_row(s); });
  const check::SkinSurface surface = check::skin_surface(scene);
  const std::size_t inner = scene.meshes[0].positions.size();
  const std::vector<check::CoveredVertex> covered = check::covered_vertices(surface);
  CHECK(covered.size() > inner * 9 / 10);
  for (const check::CoveredVertex& one : covered) {
    CHECK(surface.source[one.vertex].mesh == 0);
    CHECK(surface.source[surface.triangles[one.triangle][0]].mesh == 1);
  }
  check::LayerOptions near, sparse;
  near.reach = 0.001;
  sparse.max_samples = 100;
  CHECK(check::covered_vertices(surface, near).empty());
  const std::size_t few = check::covered_vertices(surface, sparse).size();
  CHECK(few > 20);
  CHECK(few <= 100);
}

TEST_CASE("layers with equal weights stay apart") {
  CHECK(measured(dressed([](double s) { return smooth_row(s); })).share < 1e-3);
}

TEST_CASE("legs come through a coat that does not follow them") {
  const check::Penetration made = measured(dressed(stiff));
  CHECK(made.share > 0.1);
  CHECK(made.worst > 0.01);
  REQUIRE(made.pairs.size() > 3);
  for (const check::PenetrationPair& pair : made.pairs) {
    CHECK(pair.outer == 0);
    CHECK(pair.inner > 0);
    CHECK(pair.worst > 1e-3);
    CHECK(pair.vertices > 0);
  }
  check::PenetrationOptions deep;
  deep.depth = 1.0;
  CHECK(measured(dressed(stiff), deep).share == 0.0);
}

TEST_CASE("depths do not depend on the unit") {
  const check::Penetration in_meters = measured(dressed(stiff));
  const check::Penetration in_centimeters =
      measured(test::moved(dressed(stiff), Eigen::Affine3d(Eigen::Scaling(100.0))));
  CHECK(in_centimeters.covered == in_meters.covered);
  CHECK(in_centimeters.share == Approx(in_meters.share).epsilon(0.02));
  CHECK(in_centimeters.worst == Approx(in_meters.worst).epsilon(1e-6));
}

TEST_CASE("the surface of the deepest vertex is posed as the measure has it") {
  const Scene scene = dressed(stiff);
  const check::SkinSurface surface = check::skin_surface(scene);
  const check::PenetrationPair& worst =
      check::measure_penetration(surface, scene.joints).pairs.front();
  const auto posed = posed_positions(surface, check::stretch_pose(scene.joints, worst.pose, {}));
  CHECK((posed[worst.vertex] - posed[worst.over]).norm() >= worst.worst * surface.size * 0.999);
}

}  // namespace gvbind
