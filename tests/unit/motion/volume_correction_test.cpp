#include "motion/volume_correction.h"

#include <catch2/catch.hpp>

#include "bind/bind_scene.h"
#include "characters.h"
#include "gvbind/base/parallel.h"
#include "motion/bent_tube.h"
#include "motion/displacement_field.h"
#include "preview/poses.h"

namespace gvbind {
namespace {

using test::farthest;
using test::jointed_tube;
using test::tube_pose;

Scene bound(Scene scene) {
  BindOptions options;
  options.resolution = 64;
  const SceneBinding binding = bind_scene(scene, options);
  for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
    scene.meshes[i].weights = binding.weights.meshes[i];
    scene.meshes[i].skin_joints = {0};
  }
  return scene;
}

void check_exact(const Scene& scene, const std::vector<Eigen::Affine3d>& pose) {
  const motion::VolumeModel model = motion::volume_model(scene);
  const motion::CorrectedPose corrected = motion::volume_positions(model, pose);
  const motion::VolumeError error = motion::volume_error(model, corrected);
  CAPTURE(error.linear, error.worst_linear);
  CHECK(error.worst < 1e-4);
  CHECK(error.worst_linear > error.worst);
  // The reported volumes are those of the positions.
  for (std::size_t i = 0; i < model.parts.parts.size(); ++i) {
    const motion::VolumePart& part = model.parts.parts[i];
    if (!part.holds_volume()) continue;
    std::vector<Eigen::Vector3d> points(part.point_count());
    for (std::size_t p = 0; p < part.nodes.size(); ++p)
      points[p] = corrected.positions[model.parts.vertex[part.nodes[p]]];
    motion::fill_caps(part, points);
    CHECK(motion::volume_of(part, points) == Approx(part.volume).epsilon(1e-4));
  }
}

TEST_CASE("tubes keep their volume, bent and twisted") {
  const Scene scene = jointed_tube();
  for (const double degrees : {90.0, 120.0}) check_exact(scene, tube_pose(degrees, {0, 0, 1}));
  for (const double degrees : {90.0, 170.0, 179.9})
    check_exact(scene, tube_pose(degrees, {0, 1, 0}));
}

TEST_CASE("a correction stays near its joint and within the tube's width") {
  const Scene scene = jointed_tube();
  const motion::VolumeModel model = motion::volume_model(scene);
  for (const Eigen::Vector3d& axis : {Eigen::Vector3d(0, 0, 1), Eigen::Vector3d(0, 1, 0)}) {
    const auto pose = tube_pose(120, axis);
    const auto linear = motion::linear_positions(model.surface, pose);
    const auto corrected = motion::volume_positions(model, pose).positions;
    for (std::size_t v = 0; v < linear.size(); ++v) {
      const double moved = (corrected[v] - linear[v]).norm();
      const double from = std::abs(model.surface.rest[v].y() - 2.0);
      CHECK(moved <= (from < 0.5 ? 0.5 : 1e-12));
    }
  }
}

TEST_CASE("S of two joints is the product of their weights, and U points away from the bone") {
  const Scene scene = jointed_tube();
  const motion::VolumeModel model = motion::volume_model(scene);
  REQUIRE(model.moved.size() == 1);
  REQUIRE(model.moved[0].size() == 2);
  CHECK_FALSE(model.moved[0][0].blends);
  for (std::size_t i = 0; i < model.moved[0][1].points.size(); ++i) {
    const std::uint32_t v =
        model.parts.vertex[model.parts.parts[0].nodes[model.moved[0][1].points[i]]];
    const WeightRow row = scene.meshes[0].weights.row(v);
    double expected = 0.0;
    if (row.size() == 2) expected = static_cast<double>(row[0].weight) * row[1].weight;
    const double share = model.moved[0][1].share[i];
    CHECK(share * (1.0 - share) == Approx(expected).margin(1e-6));
  }
  for (std::uint32_t v = 0; v < model.surface.vertex_count(); ++v) {
    const Eigen::Vector3d& p = model.surface.rest[v];
    if (p.y() > 0.0 && p.y() < 1.5)
      CHECK((model.field[model.parts.node_of[v]] - Eigen::Vector3d(p.x(), 0, p.z())).norm() < 1e-9);
  }
}

TEST_CASE("at rest and moved as a whole nothing is corrected") {
  const Scene scene = jointed_tube();
  const motion::VolumeModel model = motion::volume_model(scene);
  const std::vector<Eigen::Affine3d> rest(2, Eigen::Affine3d::Identity());
  CHECK(farthest(motion::volume_positions(model, rest).positions, scene.meshes[0].positions) <
        1e-12);
  Eigen::Affine3d move = Eigen::Translation3d(30, -2, 1) *
                         Eigen::AngleAxisd(2.0, Eigen::Vector3d(1, 2, 3).normalized()) *
                         Eigen::Scaling(2.0);
  const std::vector<Eigen::Affine3d> whole(2, move);
  CHECK(farthest(motion::volume_positions(model, whole).positions,
                 motion::linear_positions(model.surface, whole)) < 1e-10);
}

TEST_CASE("the samples keep the volume of every closed part in two poses") {
  for (Scene scene : {bound(biped()), bound(quadruped())})
    for (const preview::BentPose bend : {preview::BentPose::stride, preview::BentPose::crouch})
      check_exact(scene, preview::pose_joints(scene.joints, preview::bent_pose(scene, bend, 60.0)));
}

TEST_CASE("holes are capped, and a component that is mostly hole is a sheet") {
  Scene open = jointed_tube();
  std::erase_if(open.meshes[0].triangles, [&](const Triangle& t) {
    return std::ranges::any_of(
        t, [&](std::uint32_t v) { return open.meshes[0].positions[v].y() > 4.0; });
  });
  const motion::VolumeModel model = motion::volume_model(open);
  REQUIRE(model.parts.parts.size() == 1);
  CHECK(model.parts.parts[0].caps.size() == 1);
  CHECK(model.parts.parts[0].holds_volume());
  check_exact(open, tube_pose(120, {0, 0, 1}));

  Scene sheet = open;
  std::erase_if(sheet.meshes[0].triangles, [&](const Triangle& t) {
    return std::ranges::any_of(
        t, [&](std::uint32_t v) { return sheet.meshes[0].positions[v].z() < 0.2; });
  });
  CHECK_FALSE(motion::volume_model(sheet).parts.parts[0].holds_volume());
}

/// A box of these sizes around (0, 2, 0) in quads of about 0.1, its weights those of the tube.
Scene jointed_box(const Eigen::Vector3d& sizes) {
  Scene scene = jointed_tube();
  SceneMesh& mesh = scene.meshes[0];
  mesh.positions.clear();
  mesh.triangles.clear();
  mesh.weights = {};
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-0.5, 0.5}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const auto base = static_cast<std::uint32_t>(mesh.positions.size());
      constexpr std::uint32_t steps = 20;
      for (std::uint32_t i = 0; i <= steps; ++i)
        for (std::uint32_t j = 0; j <= steps; ++j) {
          Eigen::Vector3d p = Eigen::Vector3d::Zero();
          p[axis] = side * sizes[axis];
          p[u] = (static_cast<double>(i) / steps - 0.5) * sizes[u];
          p[v] = (static_cast<double>(j) / steps - 0.5) * sizes[v];
          mesh.positions.push_back(p + Eigen::Vector3d(0, 2, 0));
        }
      for (std::uint32_t i = 0; i < steps; ++i)
        for (std::uint32_t j = 0; j < steps; ++j) {
          const std::uint32_t at = base + i * (steps + 1) + j;
          std::uint32_t a = at + steps + 1, b = at + 1;
          if (side < 0.0) std::swap(a, b);
          mesh.triangles.push_back({at, a, b});
          mesh.triangles.push_back({a, at + steps + 2, b});
        }
    }
  for (const Eigen::Vector3d& p : mesh.positions) {
    const auto upper = static_cast<float>(std::clamp(p.y() - 1.5, 0.01, 0.99));
    mesh.weights.joint.insert(mesh.weights.joint.end(), {0, 1});
    mesh.weights.weight.insert(mesh.weights.weight.end(), {1.0F - upper, upper});
    mesh.weights.first.push_back(static_cast<std::uint32_t>(mesh.weights.joint.size()));
  }
  return scene;
}

void check_left_alone(const Scene& scene, motion::PartKind kind) {
  const motion::VolumeModel model = motion::volume_model(scene);
  REQUIRE(model.parts.parts.size() == 1);
  CHECK(model.parts.parts[0].kind == kind);
  const auto pose = tube_pose(100, {0, 0, 1});
  CHECK(motion::volume_positions(model, pose).positions ==
        motion::linear_positions(model.surface, pose));
}

TEST_CASE("sheets, skirts and cloth with two faces are not moved") {
  Scene sheet = jointed_tube();
  std::erase_if(sheet.meshes[0].triangles, [&](const Triangle& t) {
    return std::ranges::any_of(
        t, [&](std::uint32_t v) { return sheet.meshes[0].positions[v].z() < 0.2; });
  });
  check_left_alone(sheet, motion::PartKind::open);

  Scene skirt = jointed_tube();
  std::erase_if(skirt.meshes[0].triangles, [&](const Triangle& t) {
    return std::ranges::any_of(
        t, [&](std::uint32_t v) { return std::abs(skirt.meshes[0].positions[v].y() - 2.0) > 0.8; });
  });
  check_left_alone(skirt, motion::PartKind::open);

  check_left_alone(jointed_box({2, 3, 0.05}), motion::PartKind::thin);
  const motion::VolumeModel thick = motion::volume_model(jointed_box({1, 4, 1}));
  CHECK(thick.parts.parts.at(0).kind == motion::PartKind::solid);
}

TEST_CASE("a part is as thick as it is wide") {
  const motion::VolumeModel tube = motion::volume_model(jointed_tube());
  for (std::size_t p = 0; p < tube.parts.parts[0].nodes.size(); ++p) {
    const double y = tube.surface.rest[tube.parts.vertex[tube.parts.parts[0].nodes[p]]].y();
    if (y > 0.0 && y < 4.0)
      CHECK(tube.parts.parts[0].thickness[p] == Approx(1.0).epsilon(0.02));
    else
      CHECK(tube.parts.parts[0].thickness[p] > 0.98);
  }
}

/// No vertex is farther from linear skinning than its bound, nor than 4 % of the size.
void check_bounded(const Scene& scene, const std::vector<Eigen::Affine3d>& pose, double scale) {
  const motion::VolumeModel model = motion::volume_model(scene);
  const motion::CorrectedPose corrected = motion::volume_positions(model, pose);
  const auto linear = motion::linear_positions(model.surface, pose);
  double most = 0.0;
  for (std::size_t v = 0; v < linear.size(); ++v) {
    const double moved = (corrected.positions[v] - linear[v]).norm();
    CHECK(moved <= scale * model.bound[model.parts.node_of[v]] * (1.0 + 1e-9));
    most = std::max(most, moved);
  }
  CHECK(most <= 0.0401 * scale * size_of(model.surface));
  const motion::VolumeError error = motion::volume_error(model, corrected);
  CHECK(scale * error.moved * size_of(model.surface) == Approx(most).epsilon(1e-6));
}

TEST_CASE("no vertex is corrected farther than its bound") {
  // Bones far away have a long U, which is what tore garments.
  Scene far = jointed_tube();
  for (SceneJoint& joint : far.joints) joint.bind.translation().x() += 8.0;
  for (const double degrees : {40.0, 100.0, 179.0}) {
    const auto pose = tube_pose(degrees, Eigen::Vector3d(1, 2, 3).normalized());
    check_bounded(far, pose, 1.0);
    check_bounded(jointed_tube(), pose, 1.0);
    std::vector<Eigen::Affine3d> large = pose;
    for (Eigen::Affine3d& joint : large) joint = Eigen::Scaling(3.0) * joint;
    check_bounded(far, large, 3.0);
  }
  CHECK(motion::volume_error(
            motion::volume_model(far),
            motion::volume_positions(motion::volume_model(far), tube_pose(179, {0, 1, 0})))
            .held > 0);
  for (const Scene& scene : {bound(biped()), bound(quadruped())})
    check_bounded(scene,
                  preview::pose_joints(scene.joints,
                                       preview::bent_pose(scene, preview::BentPose::crouch, 90.0)),
                  1.0);
}

TEST_CASE("vertices doubled by a seam stay together and close the surface") {
  Scene scene = jointed_tube();
  SceneMesh& mesh = scene.meshes[0];
  const std::size_t count = mesh.positions.size();
  for (std::size_t v = 0; v < count; ++v) {
    mesh.positions.push_back(mesh.positions[v]);
    mesh.weights.append_row(SkinWeights(mesh.weights), v);
  }
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 2)
    for (std::uint32_t& v : mesh.triangles[i]) v += static_cast<std::uint32_t>(count);
  const motion::VolumeModel model = motion::volume_model(scene);
  REQUIRE(model.parts.parts.size() == 1);
  CHECK(model.parts.parts[0].closed());
  const auto posed = motion::volume_positions(model, tube_pose(90, {0, 0, 1})).positions;
  for (std::size_t v = 0; v < count; ++v) CHECK(posed[v] == posed[v + count]);
}

TEST_CASE("a mask says where the correction goes") {
  const Scene scene = jointed_tube();
  std::vector<double> mask;
  for (const Eigen::Vector3d& p : scene.meshes[0].positions)
    mask.push_back(p.x() > 0.0 ? 1.0 : 0.0);
  const motion::VolumeModel model = motion::volume_model(scene, mask);
  const auto pose = tube_pose(100, {0, 0, 1});
  const motion::CorrectedPose corrected = motion::volume_positions(model, pose);
  CHECK(motion::volume_error(model, corrected).worst < 1e-4);
  const auto linear = motion::linear_positions(model.surface, pose);
  double moved = 0.0;
  for (std::size_t v = 0; v < mask.size(); ++v) {
    const double distance = (corrected.positions[v] - linear[v]).norm();
    if (mask[v] == 0.0)
      CHECK(distance < 1e-12);
    else
      moved = std::max(moved, distance);
  }
  CHECK(moved > 0.01);
}

TEST_CASE("volumes are corrected the same on any number of threads", "[threads]") {
  const Scene scene = bound(biped());
  const auto pose = preview::pose_joints(
      scene.joints, preview::bent_pose(scene, preview::BentPose::crouch, 50.0));
  std::vector<Eigen::Vector3d> one, two;
  with_threads(
      1, {}, [&] { one = motion::volume_positions(motion::volume_model(scene), pose).positions; });
  with_threads(
      2, {}, [&] { two = motion::volume_positions(motion::volume_model(scene), pose).positions; });
  CHECK(one == two);
}

}  // namespace
}  // namespace gvbind
