#include "check/check.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>

#include "check/trousers.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;
using test::Row;
using test::smooth_row;
using test::trousers;

/// The findings in order: "error weight-sum, warning bleed".
std::string heard(const Scene& scene, const check::CheckOptions& options = {}) {
  std::string text;
  for (const Finding& f : check::check_scene(scene, options).findings) {
    if (!text.empty()) text += ", ";
    text += f.severity == Severity::error     ? "error "
            : f.severity == Severity::warning ? "warning "
                                              : "note ";
    text += f.code;
  }
  return text;
}

Scene with_vertex(std::size_t vertex, const Row& row) {
  std::size_t next = 0;
  return trousers(
      [&](double s, const Vector3d&) { return next++ == vertex ? row : smooth_row(s); });
}

}  // namespace

TEST_CASE("a sound skin is passed over in silence") { CHECK(heard(trousers()).empty()); }

TEST_CASE("each fault alone is the one that is found") {
  CHECK(heard({}) == "error no-skin");
  CHECK(heard(with_vertex(3, {{3, 0.9f}})) == "error weight-sum");
  CHECK(heard(with_vertex(3, {{3, 1.0f}, {2, -0.1f}})) == "error weights-damaged");
  CHECK(heard(with_vertex(3, {})) == "error vertices-without-weight");
  CHECK(heard(with_vertex(3, {{3, 0.9f}, {2, 0.04f}, {1, 0.03f}, {0, 0.02f}, {4, 0.01f}})) ==
        "note too-many-influences");
  Scene idle = trousers();
  idle.joints.push_back(test::joint("tail", 0, {0, 2, 0}));
  CHECK(heard(idle) == "note joints-without-effect");
  Scene stays = trousers();
  stays.meshes.emplace_back();
  CHECK(heard(stays) == "note mesh-without-skin");
  stays.meshes.back().attached_to = 0;
  CHECK(heard(stays).empty());
  Scene points = trousers();
  points.meshes[0].triangles.clear();
  CHECK(heard(points) == "warning no-triangles");
}

TEST_CASE("bleed and stretch warn from one limit and fail from another") {
  const Scene scene = trousers([](double s, const Vector3d& p) {
    return p.x() < -0.1 && p.y() > 0.6 && p.y() < 0.8 ? Row{{1, 0.6f}, {4, 0.4f}} : smooth_row(s);
  });
  check::CheckOptions options;
  options.stretch_p99 = {};
  options.far_joint = options.far_surface = {};
  const double share = check::check_scene(scene).bleed.share;
  options.bleed_share = {0.9 * share, 1.1 * share};
  CHECK(heard(scene, options) == "warning bleed");
  options.bleed_share = {0.8 * share, 0.9 * share};
  CHECK(heard(scene, options) == "error bleed");
  options.bleed_share = {1.1 * share, 1.2 * share};
  CHECK(heard(scene, options).empty());
  const double p99 = check::check_scene(scene).stretch.p99;
  options.stretch_p99 = {0.9 * p99, 1.1 * p99};
  CHECK(heard(scene, options) == "warning stretch");
}

TEST_CASE("messages name joint, mesh and vertex") {
  const Scene scene = trousers([](double s, const Vector3d& p) {
    return p.x() < -0.1 && p.y() > 0.6 && p.y() < 0.8 ? Row{{4, 1.0f}} : smooth_row(s);
  });
  check::CheckOptions options;
  options.bleed_share = {0.01, 1.0};
  const check::CheckResult result = check::check_scene(scene, options);
  const auto bleed = std::find_if(result.findings.begin(), result.findings.end(),
                                  [](const Finding& f) { return f.code == "bleed"; });
  REQUIRE(bleed != result.findings.end());
  CHECK(bleed->message.find("from 'thigh_l' to 'thigh_r'") != std::string::npos);
  CHECK(bleed->message.find("of mesh 'trousers'") != std::string::npos);
  CHECK(bleed->pointer == "thigh_l");
}

TEST_CASE(
    "the largest ratio that a message of stretch names is not below that of one edge in a "
    "hundred") {
  // Few edges tear, and only at the knee; other edges stretch much less.
  const Scene scene = trousers([](double s, const Vector3d& p) {
    return p.x() < -0.1 && p.y() > 0.55 && p.y() < 0.9 ? Row{{6, 1.0f}} : smooth_row(s);
  });
  check::CheckOptions options;
  options.stretch_p99 = {1.0, 1e6};
  const check::CheckResult result = check::check_scene(scene, options);
  const Finding& stretch = *std::ranges::find(result.findings, "stretch", &Finding::code);
  CHECK(result.stretch.worst.worst == result.stretch.largest);
  for (const check::StretchPair& pair : result.stretch.pairs)
    CHECK(pair.worst <= result.stretch.worst.worst);
  char worst[64];
  std::snprintf(worst, sizeof worst, "becomes %.3g times as long", result.stretch.largest);
  CHECK(stretch.message.find(worst) != std::string::npos);
}

TEST_CASE("a part that follows a far joint is a finding of its own, by joint or by surface") {
  const Scene scene = trousers([](double s, const Vector3d&) {
    return s < 0.3 ? Row{{4, 1.0f}} : smooth_row(s);
  });
  check::CheckOptions options;
  options.bleed_share = options.stretch_p99 = options.idle_joints = {};
  options.dead_joints.region = 1.0;
  options.far_surface.error = 0.05;
  CHECK(heard(scene, options) == "error far-joint");
  options.far_surface = {};
  CHECK(heard(scene, options) == "warning far-joint");
  options.far_joint = {};
  CHECK(heard(scene, options).empty());
}

TEST_CASE("another skin on the same surface is judged as if alone") {
  const Scene scene = trousers();
  Scene other = trousers([](double s, const Vector3d&) { return smooth_row(s, 0.3); });
  check::SkinSurface surface = check::skin_surface(scene);
  check::take_weights(surface, other);
  const check::CheckResult alone = check::check_scene(other),
                           after = check::check_surface(other, std::move(surface));
  CHECK(after.stretch.p99 == alone.stretch.p99);
  CHECK(after.bleed.share == alone.bleed.share);
  CHECK(after.far_joints.worst == alone.far_joints.worst);
}

TEST_CASE("a sum off one may be a warning") {
  check::CheckOptions options;
  options.off_sum = Severity::warning;
  CHECK(heard(with_vertex(3, {{3, 0.9f}}), options) == "warning weight-sum");
}

TEST_CASE("the limit of influences is the lower of the two") {
  check::CheckOptions options;
  options.influences = {check::CheckLimit::none, 1};
  CHECK(heard(trousers(), options) == "error too-many-influences");
  CHECK(check::check_scene(trousers(), options).rows.over_influences > 0);
  options.influences = {};
  CHECK(heard(trousers(), options).empty());
}

TEST_CASE("errors come first") {
  Scene scene = with_vertex(3, {});
  scene.joints.push_back(test::joint("tail", 0, {0, 2, 0}));
  CHECK(heard(scene) == "error vertices-without-weight, note joints-without-effect");
}

TEST_CASE("a scene of nothing but damage is judged") {
  Scene scene = trousers([](double, const Vector3d&) { return Row{{99, NAN}}; });
  for (Vector3d& p : scene.meshes[0].positions) p.setConstant(NAN);
  for (SceneJoint& j : scene.joints) j.bind.matrix().setConstant(NAN);
  const check::CheckResult result = check::check_scene(scene);
  CHECK(result.rows.without_weight == result.rows.vertices);
  CHECK(result.bleed.share == 0.0);
  CHECK(result.stretch.edges == 0);
}

}  // namespace gvbind
