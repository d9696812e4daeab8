#include "transfer/transfer_weights.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "preview/tube.h"

namespace gvbind {
namespace {

const std::vector<int> same_joints = {0, 1, 2};

/// An upright tube of radius 0.2 whose weights go from joint 0 at its bottom to joint 1 at its top.
Scene body() {
  Scene scene = test::tube();
  SkinWeights weights;
  for (const Eigen::Vector3d& p : scene.meshes[0].positions) {
    const auto top = static_cast<float>(std::clamp(p.y() / 2.0, 0.0, 1.0));
    weights.joint.insert(weights.joint.end(), {0, 1});
    weights.weight.insert(weights.weight.end(), {1.0F - top, top});
    weights.first.push_back(static_cast<std::uint32_t>(weights.joint.size()));
  }
  scene.meshes[0].weights = weights;
  return scene;
}

transfer::WeightedSurface surface_of(const Scene& scene,
                                     const std::vector<int>& joints = same_joints) {
  return {scene, std::vector<bool>(scene.meshes.size(), true), Eigen::Affine3d::Identity(), joints};
}

/// The tube, widened by a factor about its axis.
SceneMesh coat(double factor) {
  SceneMesh mesh = test::tube().meshes[0];
  mesh.weights = {};
  for (Eigen::Vector3d& p : mesh.positions)
    p = Eigen::Vector3d(factor * p.x(), p.y(), factor * p.z());
  return mesh;
}

double share_of(const SkinWeights& weights, std::size_t vertex, std::uint32_t joint) {
  double share = 0.0;
  for (const Influence entry : weights.row(vertex))
    if (entry.joint == joint) share += entry.weight;
  return share;
}

}  // namespace

TEST_CASE("a garment that is the body gets the body's weights") {
  const Scene scene = body();
  const transfer::TransferredWeights made =
      transfer::transfer_weights(surface_of(scene), scene.meshes[0]);
  CHECK(made.inpainted == 0);
  for (std::size_t v = 0; v < made.copied; ++v)
    CHECK(share_of(made.weights, v, 0) ==
          Approx(share_of(scene.meshes[0].weights, v, 0)).margin(2e-4));
}

TEST_CASE("a coat close to the body takes the weights beneath it") {
  const SceneMesh garment = coat(1.1);
  const transfer::TransferredWeights made = transfer::transfer_weights(surface_of(body()), garment);
  CHECK(made.inpainted == 0);
  for (std::size_t v = 0; v < garment.positions.size(); ++v)
    CHECK(share_of(made.weights, v, 1) == Approx(garment.positions[v].y() / 2.0).margin(0.03));
}

TEST_CASE("vertices far from the body or facing away are inpainted from near ones") {
  SceneMesh garment = coat(1.1);
  // The lower half flares out like a skirt.
  for (Eigen::Vector3d& p : garment.positions)
    if (p.y() < 1.0) {
      const double flare = 1.0 + 4.0 * (1.0 - p.y());
      p = Eigen::Vector3d(flare * p.x(), p.y(), flare * p.z());
    }
  const transfer::TransferredWeights made = transfer::transfer_weights(surface_of(body()), garment);
  CHECK(made.inpainted > 20);
  CHECK(made.copied > 20);
  for (std::size_t v = 0; v < garment.positions.size(); ++v) {
    double sum = 0.0;
    for (const Influence entry : made.weights.row(v)) sum += entry.weight;
    CHECK(sum == Approx(1.0));
  }
  SceneMesh inside_out = coat(1.1);
  for (Triangle& t : inside_out.triangles) std::swap(t[1], t[2]);
  // The two poles lie on the body, where normals do not count.
  CHECK(transfer::transfer_weights(surface_of(body()), inside_out).copied == 2);
}

TEST_CASE("away from the body weights are the bind's, if that comes near the body's") {
  SceneMesh garment = coat(1.1);
  for (Eigen::Vector3d& p : garment.positions) p.x() += 5.0;
  SkinWeights bound;
  for (std::size_t v = 0; v < garment.positions.size(); ++v) {
    bound.joint.push_back(v % 2);
    bound.weight.push_back(1.0F);
    bound.first.push_back(static_cast<std::uint32_t>(bound.joint.size()));
  }
  const transfer::WeightedSurface surface = surface_of(body());
  const std::vector<double> agrees(surface.surface().positions().size(), 0.1);
  const std::vector<double> differs(agrees.size(), 1.9);
  const transfer::BoundRows trusted{bound, agrees}, refused{bound, differs};
  const transfer::TransferredWeights made =
      transfer::transfer_weights(surface, garment, {}, &trusted);
  CHECK(made.by_bind);
  CHECK(made.near == 0);
  for (std::size_t v = 0; v < garment.positions.size(); ++v)
    CHECK(share_of(made.weights, v, static_cast<std::uint32_t>(v % 2)) == Approx(1.0));
  const transfer::TransferredWeights other =
      transfer::transfer_weights(surface, garment, {}, &refused);
  CHECK_FALSE(other.by_bind);
  CHECK(other.weights.weight == transfer::transfer_weights(surface, garment).weights.weight);
}

TEST_CASE("the limits decide who copies") {
  const SceneMesh garment = coat(2.0);
  transfer::TransferOptions options;
  options.distance = 0.0;
  // Both tubes end in the same two points.
  CHECK(transfer::transfer_weights(surface_of(body()), garment, options).copied == 2);
  options.distance = 10.0;
  options.angle = 180.0;
  CHECK(transfer::transfer_weights(surface_of(body()), garment, options).inpainted == 0);
}

TEST_CASE("rows hold as many joints as are allowed, the largest, and sum to one") {
  transfer::TransferOptions options;
  options.max_influences = 1;
  const SceneMesh garment = coat(1.1);
  const transfer::TransferredWeights made =
      transfer::transfer_weights(surface_of(body()), garment, options);
  for (std::size_t v = 0; v < garment.positions.size(); ++v) {
    REQUIRE(made.weights.row(v).size() == 1);
    CHECK(made.weights.row(v)[0].weight == 1.0F);
    if (garment.positions[v].y() > 1.1) CHECK(made.weights.row(v)[0].joint == 1);
  }
}

TEST_CASE("joints get the garment's numbers, and those that it lacks none") {
  const transfer::TransferredWeights moved =
      transfer::transfer_weights(surface_of(body(), {7, 3, -1}), coat(1.1));
  CHECK(share_of(moved.weights, 0, 7) + share_of(moved.weights, 0, 3) == Approx(1.0));
  const transfer::TransferredWeights lost =
      transfer::transfer_weights(surface_of(body(), {-1, 3, -1}), coat(1.1));
  for (std::size_t v = 0; v < lost.copied; ++v)
    if (!lost.weights.row(v).empty()) CHECK(share_of(lost.weights, v, 3) == Approx(1.0));
}

TEST_CASE("a larger or moved pair gives the same weights") {
  Scene scene = body();
  SceneMesh garment = coat(1.3);
  const transfer::TransferredWeights plain = transfer::transfer_weights(surface_of(scene), garment);
  const Eigen::Affine3d change = Eigen::Translation3d(50, -20, 7) * Eigen::Scaling(128.0) *
                                 Eigen::AngleAxisd(1.0, Eigen::Vector3d(1, 2, 3).normalized());
  for (Eigen::Vector3d& p : garment.positions) p = change * p;
  const transfer::WeightedSurface moved(scene, {true}, change, same_joints);
  const transfer::TransferredWeights other = transfer::transfer_weights(moved, garment);
  CHECK(other.copied == plain.copied);
  for (std::size_t v = 0; v < garment.positions.size(); ++v)
    CHECK(share_of(other.weights, v, 0) == Approx(share_of(plain.weights, v, 0)).margin(1e-4));
}

TEST_CASE("where the body has no weights, those of its nearest skin that has some count") {
  Scene scene = body();
  SkinWeights half;
  for (std::size_t v = 0; v < scene.meshes[0].positions.size(); ++v)
    if (scene.meshes[0].positions[v].y() < 1.0)
      half.first.push_back(half.first.back());
    else
      half.append_row(scene.meshes[0].weights, v);
  scene.meshes[0].weights = half;
  const transfer::TransferredWeights made =
      transfer::transfer_weights(surface_of(scene), coat(1.1));
  for (std::size_t v = 0; v < made.weights.vertex_count(); ++v)
    REQUIRE_FALSE(made.weights.row(v).empty());
}

TEST_CASE("damaged garments get weights as far as they go") {
  SceneMesh garment = coat(1.1);
  garment.positions[3].x() = std::nan("");
  garment.triangles.push_back({0, 1, 4000000000U});
  const transfer::TransferredWeights made = transfer::transfer_weights(surface_of(body()), garment);
  CHECK(made.weights.vertex_count() == garment.positions.size());
  CHECK(made.weights.row(3).empty());
  CHECK_FALSE(made.weights.row(4).empty());
}

}  // namespace gvbind
