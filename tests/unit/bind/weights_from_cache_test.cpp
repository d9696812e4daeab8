#include "bind/weights_from_cache.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "characters.h"
#include "gvbind/error.h"
#include "preview/poses.h"

using namespace gvbind;

namespace {

BindOptions quick() {
  BindOptions options;
  options.resolution = 64;
  options.device = Device::cpu;
  return options;
}

DistanceCache distance_cache(const Scene& scene, const BindOptions& options,
                             SceneBinding* binding = nullptr) {
  DistanceCache made{"a.glb", {}, options.resolution, {}};
  SceneBinding bound =
      bind_scene(scene, options, Volume::automatic, {}, {}, {&made.solids, nullptr});
  if (binding) *binding = std::move(bound);
  return decode_field(encode_field(made));
}

/// A level of detail that keeps the first vertex of each cluster.
struct Decimated {
  SceneMesh mesh;
  std::vector<std::uint32_t> kept;  ///< indices in the full mesh
};

Decimated decimated(const SceneMesh& full, double cell) {
  Decimated made;
  made.mesh = full;
  made.mesh.positions.clear();
  made.mesh.triangles.clear();
  std::map<std::vector<int>, std::uint32_t> clusters;
  std::vector<std::uint32_t> index;
  for (std::uint32_t v = 0; v < full.positions.size(); ++v) {
    const Eigen::Vector3d p = full.positions[v] / cell;
    const auto [found, is_new] = clusters.emplace(
        std::vector<int>{int(std::floor(p.x())), int(std::floor(p.y())), int(std::floor(p.z()))},
        static_cast<std::uint32_t>(made.kept.size()));
    if (is_new) {
      made.kept.push_back(v);
      made.mesh.positions.push_back(full.positions[v]);
    }
    index.push_back(found->second);
  }
  for (const Triangle& t : full.triangles) {
    const Triangle u{index[t[0]], index[t[1]], index[t[2]]};
    if (u[0] != u[1] && u[1] != u[2] && u[2] != u[0]) made.mesh.triangles.push_back(u);
  }
  return made;
}

double largest_difference(WeightRow a, WeightRow b) {
  std::map<std::uint32_t, double> weights;
  for (const Influence& entry : a) weights[entry.joint] += double{entry.weight};
  for (const Influence& entry : b) weights[entry.joint] -= double{entry.weight};
  double largest = 0.0;
  for (const auto& [joint, difference] : weights) largest = std::max(largest, std::abs(difference));
  return largest;
}

std::size_t finding_count(const SceneBinding& binding, const char* code) {
  std::size_t count = 0;
  for (const Finding& finding : binding.findings) count += finding.code == code;
  return count;
}

/// Every joint rotates by up to 45 degrees about a random axis.
std::vector<Eigen::Affine3d> random_pose(const Scene& scene, std::mt19937& draw) {
  // Distributions of std differ between libraries.
  const auto number = [&] { return static_cast<double>(draw()) / 2147483648.0 - 1.0; };
  std::vector<Eigen::Quaterniond> turns;
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const Eigen::Vector3d axis(number(), number(), number());
    turns.emplace_back(Eigen::AngleAxisd(number() * M_PI / 4, axis.normalized()));
  }
  return preview::pose_joints(scene.joints, turns);
}

/// The mesh of the triangles' centers, none of which is a vertex of another mesh.
SceneMesh centers_of(const SceneMesh& full) {
  SceneMesh made = full;
  made.positions.clear();
  made.triangles.clear();
  for (const Triangle& t : full.triangles)
    made.positions.push_back((full.positions[t[0]] + full.positions[t[1]] + full.positions[t[2]]) /
                             3.0);
  for (std::uint32_t v = 0; v + 2 < made.positions.size(); v += 3)
    made.triangles.push_back({v, v + 1, v + 2});
  return made;
}

/// How far the centers move from those of the full mesh's triangles: the mean over ten poses, in
/// thousandths of the box's longest side.
double apart_in_poses(const Scene& full, const Scene& centers) {
  std::mt19937 draw(7);
  Eigen::AlignedBox3d box;
  double sum = 0.0;
  std::size_t count = 0;
  for (int pose = 0; pose < 10; ++pose) {
    const std::vector<Eigen::Affine3d> turned = random_pose(full, draw);
    for (std::size_t m = 0; m < full.meshes.size(); ++m) {
      const std::vector<Eigen::Vector3d> corner = preview::skin_positions(full.meshes[m], turned);
      const std::vector<Eigen::Vector3d> center =
          preview::skin_positions(centers.meshes[m], turned);
      for (const Eigen::Vector3d& p : full.meshes[m].positions) box.extend(p);
      for (std::size_t t = 0; t < center.size(); ++t, ++count) {
        const Triangle& of = full.meshes[m].triangles[t];
        sum += (center[t] - (corner[of[0]] + corner[of[1]] + corner[of[2]]) / 3.0).norm();
      }
    }
  }
  return 1e3 * sum / static_cast<double>(count) / box.sizes().maxCoeff();
}

}  // namespace

TEST_CASE("a level of detail has the weights of the full mesh where they share vertices") {
  for (const auto& make : {quadruped, biped})
    for (const WeightRule weights : {WeightRule::falloff, WeightRule::fitted}) {
      const Scene full = make();
      BindOptions options = quick();
      options.weights = weights;
      SceneBinding bound;
      const DistanceCache field = distance_cache(full, options, &bound);
      Scene lod = full;
      std::vector<Decimated> meshes;
      for (std::size_t m = 0; m < full.meshes.size(); ++m) {
        meshes.push_back(decimated(full.meshes[m], 0.04));
        lod.meshes[m] = meshes[m].mesh;
      }
      REQUIRE(lod.meshes[0].positions.size() < full.meshes[0].positions.size());
      const SceneBinding made = bind_from_field(lod, options, field);
      CHECK(finding_count(made, "outside-field") == 0);
      for (std::size_t m = 0; m < full.meshes.size(); ++m)
        for (std::size_t v = 0; v < meshes[m].kept.size(); ++v)
          CHECK(largest_difference(made.weights.meshes[m].row(v),
                                   bound.weights.meshes[m].row(meshes[m].kept[v])) <= 1e-6);
    }
}

TEST_CASE("new vertices of a level of detail move with the surface that they stand for") {
  for (const auto& make : {quadruped, biped, mannequin}) {
    Scene full = make();
    if (full.joints.empty()) full.joints = mannequin_skeleton().joints;
    SceneBinding bound;
    BindOptions options = quick();
    options.resolution = 128;
    const DistanceCache field = distance_cache(full, options, &bound);
    Scene centers = full;
    for (std::size_t m = 0; m < full.meshes.size(); ++m) {
      full.meshes[m].weights = bound.weights.meshes[m];
      centers.meshes[m] = centers_of(full.meshes[m]);
    }
    const SceneBinding made = bind_from_field(centers, options, field);
    for (std::size_t m = 0; m < full.meshes.size(); ++m)
      centers.meshes[m].weights = made.weights.meshes[m];
    const double apart = apart_in_poses(full, centers);
    CAPTURE(apart);
    CHECK(apart > 0.0);
    CHECK(apart < 2.0);
  }
}

TEST_CASE("joints are matched by name, whatever their order") {
  const Scene full = quadruped();
  SceneBinding bound;
  const DistanceCache field = distance_cache(full, quick(), &bound);
  Scene other = full;
  SceneJoint root;  // inserted before all others
  root.name = "another root";
  root.deforms = false;
  other.joints.insert(other.joints.begin(), root);
  for (std::size_t j = 1; j < other.joints.size(); ++j)
    if (other.joints[j].parent >= 0 || j > 1) ++other.joints[j].parent;
  const SceneBinding made = bind_from_field(other, quick(), field);
  const SkinWeights &a = made.weights.meshes[0], &b = bound.weights.meshes[0];
  REQUIRE(a.joint.size() == b.joint.size());
  for (std::size_t i = 0; i < a.joint.size(); ++i) CHECK(a.joint[i] == b.joint[i] + 1);
  CHECK(a.weight == b.weight);
}

TEST_CASE("vertices outside follow the nearest place inside, and are counted") {
  const Scene full = quadruped();
  const DistanceCache field = distance_cache(full, quick());
  Scene costume = full;
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : full.meshes[0].positions) box.extend(p);
  SceneMesh& mesh = costume.meshes[0];
  mesh.positions = {{box.center().x(), box.max().y() + 0.3, box.center().z()},
                    {box.center().x(), box.max().y() + 0.301, box.center().z()},
                    full.meshes[0].positions[3]};
  mesh.triangles = {{0, 1, 2}};
  costume.meshes.resize(1);
  const SceneBinding made = bind_from_field(costume, quick(), field);
  CHECK(finding_count(made, "outside-field") == 1);
  const SkinWeights& weights = made.weights.meshes[0];
  REQUIRE(weights.vertex_count() == 3);
  CHECK(largest_difference(weights.row(0), weights.row(1)) < 0.05);
  for (std::size_t v = 0; v < 3; ++v) CHECK_FALSE(weights.row(v).empty());
}

TEST_CASE("a skeleton that is another one is refused with the joint's name") {
  const Scene full = quadruped();
  const DistanceCache field = distance_cache(full, quick());
  const auto message = [&](const auto& change) {
    Scene other = full;
    for (SceneJoint& joint : other.joints) change(joint);
    try {
      bind_from_field(other, quick(), field);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using Catch::Contains;
  CHECK_THAT(message([](SceneJoint& joint) { joint.name += "_x"; }), Contains("is missing"));
  CHECK_THAT(message([](SceneJoint& joint) { joint.deforms = false; }), Contains("may not own"));
  CHECK_THAT(message([](SceneJoint& joint) { joint.bind.pretranslate(Eigen::Vector3d(0, 1, 0)); }),
             Contains("lies elsewhere"));
}
