#include "gvbind/fitted/surface_heat.h"

#include <Eigen/Dense>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "gvbind/base/weld.h"
#include "gvbind/bind_skin.h"
#include "gvbind/figure_binds.h"
#include "gvbind/reference_bind.h"
#include "gvbind/weight_field.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

BindOptions by_heat() { return weighed_by(WeightRule::heat); }

/// A limb along x with four joints.
Figure limb() {
  Figure f;
  f.shape = capsule({-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, 0.25, 24, 40);
  f.joints = {
      {{-1.0, 0.0, 0.0}, -1}, {{-0.4, 0.0, 0.0}, 0}, {{0.2, 0.0, 0.0}, 1}, {{0.8, 0.0, 0.0}, 2}};
  return f;
}

/// A bone of each joint in cube sides, and the surface that it heats.
struct HeatInput {
  std::vector<Eigen::Vector3d> positions;
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> part;  ///< by vertex; empty: one mesh

  HeatSurface surface() const {
    return heat_surface(heat_triangles(positions, triangles,
                                       welded(std::span<const Eigen::Vector3d>(positions)), part));
  }
};

HeatInput input_of(const Shape& shape, double scale = 0.25) {
  HeatInput made{{}, shape.triangles, {}};
  for (const Eigen::Vector3d& p : shape.positions)
    made.positions.push_back(Eigen::Vector3d::Constant(0.5) + scale * p);
  return made;
}

HeatBone bone(std::uint32_t joint, const Eigen::Vector3d& a, const Eigen::Vector3d& b,
              double scale = 0.25) {
  const Eigen::Vector3d middle = Eigen::Vector3d::Constant(0.5);
  return {joint, middle + scale * a, middle + scale * b};
}

double cotangent(const Eigen::Vector3d& at, const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return (a - at).dot(b - at) / (a - at).cross(b - at).norm();
}

/// The same equations once more, with dense matrices, a row of the unsymmetric system for each
/// place, and each triangle tried for each ray.
Eigen::MatrixXd slow_heat(const HeatSurface& s, const std::vector<HeatBone>& bones,
                          std::size_t joints) {
  const auto n = static_cast<Eigen::Index>(s.count());
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> around;
  Eigen::VectorXd area = Eigen::VectorXd::Zero(n);
  std::vector<Eigen::Vector3d> normal(s.count(), Eigen::Vector3d::Zero());
  for (const Triangle& t : s.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
      ++around[std::minmax(a, b)];
      const Eigen::Vector3d across =
          (s.position[b] - s.position[a]).cross(s.position[c] - s.position[a]);
      normal[a] += across.normalized();
      const double ca = cotangent(s.position[a], s.position[b], s.position[c]);
      const double cb = cotangent(s.position[b], s.position[c], s.position[a]);
      const double cc = cotangent(s.position[c], s.position[a], s.position[b]);
      if (ca < 0)
        area[a] += across.norm() / 2;
      else if (cb < 0 || cc < 0)
        area[a] += across.norm() / 4;
      else
        area[a] += (cb * (s.position[a] - s.position[c]).squaredNorm() +
                    cc * (s.position[a] - s.position[b]).squaredNorm()) /
                   4;
    }
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  for (const Triangle& t : s.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
      const double flow =
          cotangent(s.position[c], s.position[a], s.position[b]) / around[std::minmax(a, b)] / 2;
      matrix(a, a) += flow / area[a];
      matrix(a, b) -= flow / area[a];
      matrix(b, b) += flow / area[b];
      matrix(b, a) -= flow / area[b];
    }
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(n, static_cast<Eigen::Index>(joints));
  for (std::uint32_t p = 0; p < s.count(); ++p) {
    std::vector<double> distance;
    std::vector<Eigen::Vector3d> target;
    for (const HeatBone& at : bones) {
      const Eigen::Vector3d along = at.b - at.a;
      const double t = std::clamp(
          (s.position[p] - at.a).dot(along) / std::max(along.squaredNorm(), 1e-30), 0.0, 1.0);
      target.push_back(at.a + t * along);
      const Eigen::Vector3d away = s.position[p] - target.back();
      distance.push_back(2 * away.norm() / (away.normalized().dot(normal[p].normalized()) + 1.001));
    }
    const double least = *std::ranges::min_element(distance);
    for (std::size_t b = 0; b < bones.size(); ++b) {
      if (distance[b] > least * 1.0001) continue;
      const Eigen::Vector3d ray = target[b] - s.position[p];
      bool blocked = false;
      for (const Triangle& t : s.triangles) {
        Eigen::Matrix3d m;
        m << s.position[t[1]] - s.position[t[0]], s.position[t[2]] - s.position[t[0]], -ray;
        if (std::abs(m.determinant()) < 1e-15) continue;
        const Eigen::Vector3d x = m.inverse() * (s.position[p] - s.position[t[0]]);
        const bool hit =
            x[0] >= 0 && x[1] >= 0 && x[0] + x[1] <= 1 && x[2] > 2e-5 && x[2] < 1 - 2e-5;
        blocked = blocked || (hit && m.col(0).cross(m.col(1)).dot(ray) < 0);
      }
      if (blocked) continue;
      matrix(p, p) += 1 / (least * least);
      right(p, bones[b].joint) += 1 / (least * least);
    }
  }
  Eigen::MatrixXd heat = matrix.fullPivLu().solve(right);
  for (double& h : heat.reshaped()) h = h < 0.025 ? 0.0 : h < 0.05 ? (h - 0.025) * 2 : h;
  for (Eigen::Index p = 0; p < n; ++p) heat.row(p) /= heat.row(p).sum();
  return heat;
}

Eigen::MatrixXd dense(const SurfaceHeat& heat, std::size_t joints) {
  Eigen::MatrixXd made = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(heat.surface.count()),
                                               static_cast<Eigen::Index>(joints));
  for (std::uint32_t p = 0; p < heat.surface.count(); ++p)
    for (std::uint32_t i = heat.first[p]; i < heat.first[p + 1]; ++i)
      made(p, heat.heat[i].joint) = double{heat.heat[i].heat};
  return made;
}

/// A bent limb beside a plate that hides a bone from a part of the limb.
HeatInput limb_and_plate() {
  Shape shape = capsule({-1.0, 0.0, 0.0}, {1.0, 0.2, 0.0}, 0.25, 10, 12);
  shape.append(box({-0.2, -0.3, 0.35}, {0.5, 0.4, 0.4}));
  return input_of(shape);
}

const std::vector<HeatBone> limb_bones = {
    bone(0, {-1, 0, 0}, {-0.3, 0.1, 0}), bone(1, {-0.3, 0.1, 0}, {0.4, 0.1, 0}),
    bone(2, {0.4, 0.1, 0}, {1, 0.2, 0}), bone(3, {0.1, 0.0, 0.7}, {0.3, 0.0, 0.7})};

double mean_largest(const SkinWeights& weights) {
  double sum = 0.0;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    float largest = 0.0f;
    for (const auto [joint, weight] : weights.row(v)) largest = std::max(largest, weight);
    sum += double{largest};
  }
  return sum / static_cast<double>(weights.vertex_count());
}

}  // namespace

TEST_CASE("heat solves its equations") {
  const HeatInput input = limb_and_plate();
  const SurfaceHeat heat = surface_heat(input.surface(), limb_bones);
  REQUIRE(heat.surface.count() > 100);
  const Eigen::MatrixXd slow = slow_heat(heat.surface, limb_bones, 4);
  CHECK((dense(heat, 4) - slow).cwiseAbs().maxCoeff() < 1e-5);
  CHECK(slow.col(3).maxCoeff() > 0.5);  // the plate sees that bone
}

TEST_CASE("a mesh does not hide bones from another mesh") {
  HeatInput input = input_of(box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
  const std::size_t inner = input.positions.size();
  const HeatInput shell = input_of(box({-0.6, -0.6, -0.6}, {0.6, 0.6, 0.6}));
  input.positions.insert(input.positions.end(), shell.positions.begin(), shell.positions.end());
  for (Triangle t : shell.triangles) {
    for (std::uint32_t& corner : t) corner += static_cast<std::uint32_t>(inner);
    input.triangles.push_back(t);
  }
  const Eigen::Vector3d inside = Eigen::Vector3d::Constant(0.5);
  const HeatSurface one = input.surface();
  CHECK(HeatSight(one).sees(0, inside));
  CHECK(!HeatSight(one).sees(one.place.back(), inside));
  input.part.assign(input.positions.size(), 0);
  std::fill(input.part.begin() + static_cast<std::ptrdiff_t>(inner), input.part.end(), 1u);
  const HeatSurface two = input.surface();
  CHECK(HeatSight(two).sees(two.place.back(), inside));
}

TEST_CASE("vertices at one position are one place within a mesh, and two in two meshes") {
  HeatInput input = input_of(box({0, 0, 0}, {1, 1, 1}));
  const std::size_t count = input.surface().count();
  const HeatInput copy = input;
  input.positions.insert(input.positions.end(), copy.positions.begin(), copy.positions.end());
  CHECK(input.surface().count() == count);
  input.part.assign(input.positions.size(), 0);
  std::fill(input.part.begin() + static_cast<std::ptrdiff_t>(copy.positions.size()),
            input.part.end(), 1u);
  CHECK(input.surface().count() == 2 * count);
}

TEST_CASE("two-sided triangles are one, without a normal, in any order") {
  HeatInput input = input_of(limb().shape);
  const HeatSurface plain = input.surface();
  const std::vector<Triangle> one_side = input.triangles;
  for (const Triangle& t : one_side) input.triangles.push_back({t[1], t[0], t[2]});
  for (const bool turned : {false, true}) {
    if (turned) std::ranges::reverse(input.triangles);
    const HeatSurface doubled = input.surface();
    CHECK(doubled.triangles.size() == plain.triangles.size());
    CHECK(std::ranges::count(doubled.two_sided, true) == std::ssize(plain.triangles));
    for (const Eigen::Vector3d& normal : doubled.normal) REQUIRE(normal.isZero());
  }
}

TEST_CASE("triangles without height change no heat") {
  HeatInput input = input_of(limb().shape);
  const std::vector<HeatBone> bones = {bone(0, {-1, 0, 0}, {0, 0, 0}),
                                       bone(1, {0, 0, 0}, {1, 0, 0})};
  const SurfaceHeat plain = surface_heat(input.surface(), bones);
  const auto corners = static_cast<std::uint32_t>(input.positions.size());
  for (std::uint32_t i = 0; i < 40; ++i) {
    const Triangle t = input.triangles[3 * i];
    input.positions.emplace_back((input.positions[t[0]] + input.positions[t[1]]) / 2.0);
    input.triangles.push_back({t[0], t[1], corners + i});
  }
  const SurfaceHeat other = surface_heat(input.surface(), bones);
  for (std::uint32_t v = 0; v < corners; ++v) {
    const auto a = plain.at_place(plain.surface.place[v]),
               b = other.at_place(other.surface.place[v]);
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      CHECK(a[i].joint == b[i].joint);
      CHECK(std::abs(a[i].heat - b[i].heat) < 1e-6f);
    }
  }
}

TEST_CASE("a piece that sees no bone is heated by the nearest") {
  // A plate whose faces look away from each other, with the bone behind another plate.
  HeatInput input = input_of(box({0, 0, 0}, {1, 1, 0.1}));
  const HeatInput far = input_of(box({0, 0, 0.3}, {1, 1, 0.4}));
  const auto base = static_cast<std::uint32_t>(input.positions.size());
  input.positions.insert(input.positions.end(), far.positions.begin(), far.positions.end());
  for (Triangle t : far.triangles) {
    for (std::uint32_t& corner : t) corner += base;
    input.triangles.push_back(t);
  }
  const std::vector<HeatBone> bones = {bone(2, {0.4, 0.5, -0.2}, {0.6, 0.5, -0.2})};
  const SurfaceHeat heat = surface_heat(input.surface(), bones);
  for (std::uint32_t p = 0; p < heat.surface.count(); ++p) {
    REQUIRE(heat.first[p + 1] == heat.first[p] + 1);
    CHECK(heat.heat[heat.first[p]].joint == 2);
  }
}

TEST_CASE(
    "a joint's bone leads to the child with most joints below it, and a leaf is half as long") {
  Figure f = limb();
  f.joints.push_back({{-0.4, 0.5, 0.0}, 1});  // a side branch of joint 1
  const bool turned = GENERATE(false, true);
  if (turned) f.joints.back().along = Eigen::Vector3d::UnitZ();
  const CharacterDistances distances = distances_of(f, by_heat());
  const std::vector<HeatBone> bones = heat_bones(distances, f.joints);
  const auto place = [&](const Eigen::Vector3d& p) -> Eigen::Vector3d {
    return distances.character.cube.to_lattice(p).cast<double>() / lattice_size;
  };
  REQUIRE(bones.size() == 5);
  for (const auto& [joint, a, b] : bones) {
    CHECK((a - place(f.joints[joint].position)).norm() < 1e-5);
    const Eigen::Vector3d tails[] = {f.joints[1].position,
                                     f.joints[2].position,
                                     f.joints[3].position,
                                     {1.1, 0.0, 0.0},
                                     {-0.4, turned ? 0.5 : 0.75, turned ? 0.25 : 0.0}};
    CHECK((b - place(tails[joint])).norm() < 1e-5);
  }
}

TEST_CASE("no heat flows where solving costs more than allowed") {
  const HeatInput input = input_of(limb().shape);
  const std::vector<HeatBone> bones = {bone(0, {-1, 0, 0}, {0, 0, 0}),
                                       bone(3, {0, 0, 0}, {1, 0, 0})};
  const SurfaceHeat flows = surface_heat(input.surface(), bones);
  const SurfaceHeat stays = surface_heat(input.surface(), bones, {.max_operations = 1.0});
  REQUIRE(stays.surface.count() == flows.surface.count());
  std::size_t shared = 0;
  for (std::uint32_t p = 0; p < stays.surface.count(); ++p) {
    REQUIRE(stays.at_place(p).size() == 1);
    CHECK(stays.at_place(p)[0].heat == 1.0f);
    if (flows.at_place(p).size() == 2) ++shared;
    if (std::abs(stays.surface.position[p].x() - 0.5) < 0.05) continue;
    CHECK(stays.at_place(p)[0].joint == (stays.surface.position[p].x() < 0.5 ? 0 : 3));
  }
  CHECK(shared > 0);
}

TEST_CASE("heat weighs every vertex, and rows sum to one", "[threads]") {
  Figure f = figure();
  // A detached plate and a sliver.
  f.shape.append(box({0.5, 0.5, 0.3}, {0.6, 0.6, 0.32}));
  const auto first = static_cast<std::uint32_t>(f.shape.positions.size());
  f.shape.positions.insert(f.shape.positions.end(),
                           {{0.0, 1.2, 0.2}, {0.1, 1.2, 0.2}, {0.05, 1.2, 0.2}});
  f.shape.triangles.push_back({first, first + 1, first + 2});
  const SkinWeights weights = bind(f, by_heat());
  REQUIRE(weights.vertex_count() == f.shape.positions.size());
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    double sum = 0.0;
    for (const auto [joint, weight] : weights.row(v)) sum += double{weight};
    CHECK(sum == Approx(1.0).margin(1e-5));
    CHECK(weights.row(v).size() <= 4);
  }
}

TEST_CASE("heat has the same bytes on any number of threads") {
  const Figure f = figure();
  BindOptions one = by_heat(), two = by_heat();
  one.threads = 1;
  two.threads = 2;
  CHECK(same(bind(f, one), bind(f, two)));
}

TEST_CASE("heat on a mirrored limb is mirrored") {
  const Figure f = limb();
  Figure other = f;
  for (Eigen::Vector3d& p : other.shape.positions) p.z() = -p.z();
  for (Triangle& t : other.shape.triangles) std::swap(t[1], t[2]);
  CHECK(mean_l1(bind(f, by_heat()), bind(other, by_heat())) < 1e-4);
}

TEST_CASE("alpha, influences and forbidden pairs act on heat") {
  const Figure f = limb();
  BindOptions options = by_heat();
  const SkinWeights plain = bind(f, options);
  options.alpha = 0.9;
  const SkinWeights tight = bind(f, options);
  CHECK(mean_largest(tight) > mean_largest(plain) + 0.02);
  options = by_heat();
  options.max_influences = 1;
  CHECK(bind(f, options).joint.size() == f.shape.positions.size());
  options = by_heat();
  options.rules.forbidden.push_back({{0}, {1}});
  const SkinWeights parted = bind(f, options);
  for (std::size_t v = 0; v < parted.vertex_count(); ++v) {
    const WeightRow row = parted.row(v);
    if ((*row.begin()).joint == 0)
      for (const auto [joint, weight] : row) CHECK(joint != 1);
  }
}

TEST_CASE("heat at the places of vertices is that of the vertices") {
  const Figure f = figure();
  const WeightField field =
      WeightField::build({f.shape.positions, f.shape.triangles}, f.joints, by_heat());
  const SkinWeights vertices = field.at_vertices();
  CHECK(same(vertices, bind(f, by_heat())));
  CHECK(mean_l1(vertices, field.at(f.shape.positions)) < 1e-6);
}
