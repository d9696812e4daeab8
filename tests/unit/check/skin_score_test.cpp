#include "check/skin_score.h"

#include <Eigen/Geometry>
#include <catch2/catch.hpp>
#include <cmath>

#include "check/numpy_random.h"
#include "preview/tube.h"

namespace gvbind {
namespace {

using test::tube;

/// The tube with random rows; every fifth row of a `rough` one does not sum to one.
Scene random_rows(unsigned seed, bool rough) {
  Scene scene = tube();
  SceneMesh& mesh = scene.meshes[0];
  mesh.weights = {};
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    std::vector<float> row(scene.joints.size(), 0.0f);
    float sum = 0.0f;
    for (float& w : row) {
      seed = seed * 1664525u + 1013904223u;
      w = seed >> 30 == 0 ? 0.0f : static_cast<float>(seed >> 16) / 65536.0f;
      sum += w;
    }
    if (sum == 0.0f) row[0] = sum = 1.0f;
    const float scale = rough && v % 5 == 0 ? 0.9f : 1.0f;
    for (std::uint32_t j = 0; j < row.size(); ++j) {
      if (row[j] == 0.0f) continue;
      mesh.weights.joint.push_back(j);
      mesh.weights.weight.push_back(scale * row[j] / sum);
    }
    mesh.weights.first.push_back(static_cast<std::uint32_t>(mesh.weights.joint.size()));
  }
  mesh.skin_joints.clear();
  for (int j = static_cast<int>(scene.joints.size()) - 1; j >= 0; --j)
    mesh.skin_joints.push_back(j);  // draws follow parents, not this order
  return scene;
}

Eigen::VectorXd dense_row(const Scene& scene, std::size_t v) {
  Eigen::VectorXd row = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(scene.joints.size()));
  for (const Influence e : scene.meshes[0].weights.row(v)) row[e.joint] += double{e.weight};
  return row;
}

/// The measures written down again, with dense rows and matrices.
check::SkinScore slow_score(const Scene& skin, const Scene& reference, double tolerance) {
  check::SkinScore made;
  double ours = 0.0, theirs = 0.0, both = 0.0;
  const SceneMesh& mesh = reference.meshes[0];
  std::vector<std::size_t> used;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    Eigen::VectorXd a = dense_row(skin, v), b = dense_row(reference, v);
    if (std::abs(b.sum() - 1.0) >= tolerance) continue;
    used.push_back(v);
    a /= a.sum();
    b /= b.sum();
    made.l1 += (a - b).lpNorm<1>();
    for (Eigen::Index j = 0; j < a.size(); ++j) {
      ours += a[j] > 1e-4;
      theirs += b[j] > 1e-4;
      both += a[j] > 1e-4 && b[j] > 1e-4;
    }
  }
  Eigen::AlignedBox3d box;
  for (const auto& p : mesh.positions) box.extend(p);
  for (const SceneJoint& j : reference.joints) box.extend(j.bind.translation());
  check::NumpyRandom random(7);
  for (int pose = 0; pose < 10; ++pose) {
    std::vector<Eigen::Matrix4d> matrix;
    for (const SceneJoint& joint : reference.joints) {
      Eigen::Vector3d axis;
      for (double& x : axis) x = random.normal();
      const Eigen::Matrix3d turn(
          Eigen::AngleAxisd(random.uniform(-45, 45) * M_PI / 180, axis.normalized()));
      Eigen::Matrix4d local = Eigen::Matrix4d::Identity();
      local.topLeftCorner<3, 3>() = turn;
      local.topRightCorner<3, 1>() = joint.bind.translation() - turn * joint.bind.translation();
      matrix.push_back(joint.parent < 0 ? local
                                        : matrix[static_cast<std::size_t>(joint.parent)] * local);
    }
    for (const std::size_t v : used) {
      const Eigen::VectorXd a = dense_row(skin, v), b = dense_row(reference, v);
      const Eigen::VectorXd apart = a / a.sum() - b / b.sum();
      Eigen::Vector4d moved = Eigen::Vector4d::Zero();
      for (std::size_t j = 0; j < matrix.size(); ++j)
        moved +=
            apart[static_cast<Eigen::Index>(j)] * (matrix[j] * mesh.positions[v].homogeneous());
      made.mean_distance += moved.head<3>().norm() / box.sizes().maxCoeff() * 1e3 / 10;
    }
  }
  const auto count = static_cast<double>(used.size());
  made.vertices = used.size();
  made.left_out = mesh.positions.size() - used.size();
  made.precision = both / ours;
  made.recall = both / theirs;
  made.l1 /= count;
  made.mean_distance /= count;
  return made;
}

void check_equal(const check::SkinScore& a, const check::SkinScore& b) {
  CHECK(a.vertices == b.vertices);
  CHECK(a.left_out == b.left_out);
  CHECK(a.precision == Approx(b.precision).epsilon(1e-12));
  CHECK(a.recall == Approx(b.recall).epsilon(1e-12));
  CHECK(a.l1 == Approx(b.l1).epsilon(1e-9));
  CHECK(a.mean_distance == Approx(b.mean_distance).epsilon(1e-9));
}

}  // namespace

TEST_CASE("draws are those of numpy's default generator") {
  // numpy.random.default_rng(7), three normal draws and a uniform one in turn.
  check::NumpyRandom random(7);
  CHECK(random.normal() == Approx(0.0012301533574825742).epsilon(1e-14));
  CHECK(random.normal() == Approx(0.2987455375084699).epsilon(1e-14));
  CHECK(random.normal() == Approx(-0.2741378553622176).epsilon(1e-14));
  CHECK(random.uniform(-45, 45) == Approx(-24.731352900846733).epsilon(1e-14));
  // A million draws meet every layer, and the tail.
  check::NumpyRandom many(7);
  double sum = 0.0, most = 0.0, last = 0.0;
  for (int i = 0; i < 1'000'000; ++i) {
    sum += last = many.normal();
    most = std::max(most, std::abs(last));
  }
  CHECK(sum == Approx(-112.78554893201773).epsilon(1e-9));
  CHECK(last == Approx(1.617001458485082).epsilon(1e-14));
  CHECK(most == Approx(4.947871460149176).epsilon(1e-14));
  CHECK(many.uniform(0, 1) == Approx(0.1291022438369006).epsilon(1e-14));
}

TEST_CASE("a skin scores itself without a fault") {
  const check::SkinScore same = check::score_skin(tube(), tube());
  CHECK(same.vertices == tube().meshes[0].positions.size());
  CHECK(same.precision == 1.0);
  CHECK(same.recall == 1.0);
  CHECK(same.l1 == 0.0);
  CHECK(same.mean_distance == 0.0);
}

TEST_CASE("scores are those of dense rows and matrices") {
  const Scene skin = random_rows(1, false), reference = random_rows(2, true);
  check_equal(check::score_skin(skin, reference), slow_score(skin, reference, 0.01));
  check::SkinScoreOptions all;
  all.sum_tolerance = 0.5;
  check_equal(check::score_skin(skin, reference, all), slow_score(skin, reference, 0.5));
  CHECK(check::score_skin(skin, reference).left_out > 0);
}

TEST_CASE(
    "a vertex without weight has an L1 of one, and a mesh that is not selected does not count") {
  Scene skin = tube();
  SkinWeights& rows = skin.meshes[0].weights;
  rows = {};
  rows.first.assign(skin.meshes[0].positions.size() + 1, 0);
  const check::SkinScore none = check::score_skin(skin, tube());
  CHECK(none.l1 == Approx(1.0));
  CHECK(none.recall == 0.0);
  skin.meshes[0].selected = false;
  CHECK(check::score_skin(skin, tube()).vertices == 0);
}

TEST_CASE("a cut takes small weights from the skin alone") {
  const Scene skin = random_rows(1, false), reference = random_rows(2, false);
  check::SkinScoreOptions options;
  options.cut = 1.0;  // the largest stays
  const check::SkinScore cut = check::score_skin(skin, reference, options),
                         plain = check::score_skin(skin, reference);
  CHECK(cut.recall < plain.recall);
  options.cut = 1e-9;
  CHECK(check::score_skin(skin, reference, options).l1 == Approx(plain.l1).epsilon(1e-12));
}

}  // namespace gvbind
