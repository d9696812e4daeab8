#include "gvbind/fitted/surface_heat.h"

#include <Eigen/Dense>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

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

struct Fields {
  CharacterDistances distances;
  CandidateField candidates;
};

Fields fields_of(const Figure& f) {
  Fields made;
  made.distances = distances_of(f, by_heat());
  made.candidates = candidate_field(made.distances, f.joints);
  return made;
}

/// A flat sheet between 0.25 and 0.75 of the cube with two triangles per square.
LatticeMesh sheet(int squares) {
  LatticeMesh mesh;
  const auto at = [&](int i) { return lattice_size / 4 + lattice_size / 2 / squares * i; };
  for (int y = 0; y <= squares; ++y)
    for (int x = 0; x <= squares; ++x) mesh.positions.emplace_back(at(x), at(y), lattice_size / 2);
  const auto vertex = [&](int x, int y) {
    return static_cast<std::uint32_t>(y * (squares + 1) + x);
  };
  for (int y = 0; y < squares; ++y)
    for (int x = 0; x < squares; ++x) {
      mesh.triangles.push_back({vertex(x, y), vertex(x + 1, y), vertex(x + 1, y + 1)});
      mesh.triangles.push_back({vertex(x, y), vertex(x + 1, y + 1), vertex(x, y + 1)});
    }
  return mesh;
}

SurfacePatches patches_of(const LatticeMesh& mesh, int resolution) {
  return surface_patches(mesh, welded_vertices(mesh), resolution);
}

/// The energy of the function x on the patches: on a flat sheet it is the area, for any patches.
double energy_of_slope(const SurfacePatches& patches) {
  double sum = 0.0;
  for (std::uint32_t p = 0; p < patches.count(); ++p)
    for (std::uint32_t n = patches.first[p]; n < patches.first[p + 1]; ++n) {
      const double rise =
          (patches.center[patches.neighbor[n]].x() - patches.center[p].x()) / lattice_size;
      sum += 0.5 * patches.conductance[n] * rise * rise;
    }
  return sum;
}

}  // namespace

TEST_CASE("patches have the area of the surface, and conduct as it does") {
  for (const int squares : {8, 64}) {  // one vertex per patch; about sixteen vertices per patch
    const SurfacePatches patches = patches_of(sheet(squares), 32);
    CHECK(patches.count() == (squares == 8 ? 81u : 17u * 17u));
    CHECK(std::accumulate(patches.area.begin(), patches.area.end(), 0.0) ==
          Approx(0.25).epsilon(1e-5));
    CHECK(energy_of_slope(patches) == Approx(0.25).epsilon(0.06));
  }
}

TEST_CASE("sheets that share a cell but no edge are patches of their own") {
  LatticeMesh mesh = sheet(8);
  const std::size_t vertices = mesh.positions.size(), triangles = mesh.triangles.size();
  for (std::size_t v = 0; v < vertices; ++v)
    mesh.positions.push_back(mesh.positions[v] + Eigen::Vector3i(0, 0, 16));
  for (std::size_t t = 0; t < triangles; ++t) {
    Triangle above = mesh.triangles[t];
    for (std::uint32_t& corner : above) corner += static_cast<std::uint32_t>(vertices);
    mesh.triangles.push_back(above);
  }
  const SurfacePatches patches = patches_of(mesh, 4);
  for (std::size_t v = 0; v < vertices; ++v) CHECK(patches.patch[v] != patches.patch[v + vertices]);
}

TEST_CASE("heat solves its equations") {
  const Figure f = limb();
  const Fields fields = fields_of(f);
  const HeatOptions options;
  const SurfaceHeat heat = surface_heat(fields.distances, fields.candidates, options);
  const SurfacePatches& patches = heat.patches;
  const auto n = static_cast<Eigen::Index>(patches.count());
  REQUIRE(n > 100);
  // A straight limb sees all of its bones, and the nearest is the one at the shortest distance.
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n), right = Eigen::MatrixXd::Zero(n, 4);
  for (std::uint32_t p = 0; p < patches.count(); ++p) {
    const double anchor = options.anchor * patches.area[p] / (heat.nearest[p] * heat.nearest[p]);
    matrix(p, p) += anchor;
    double least = 9.0;
    std::vector<double> distance(4, 9.0 * lattice_size);
    for (std::size_t j = 0; j < 4; ++j) {
      for (const LatticeSegment& s : fields.distances.bones[j]) {
        const Eigen::Vector3d a = s.a.cast<double>(), b = s.b.cast<double>();
        const double t = std::clamp(
            (patches.center[p] - a).dot(b - a) / std::max((b - a).squaredNorm(), 1.0), 0.0, 1.0);
        distance[j] = std::min(distance[j], (patches.center[p] - a - t * (b - a)).norm());
      }
      distance[j] /= lattice_size;
      least = std::min(least, distance[j]);
    }
    CHECK(heat.nearest[p] == Approx(least).epsilon(1e-6));
    const auto equal = [&](double d) { return d < least * (1.0 + 1e-6); };
    for (Eigen::Index j = 0; j < 4; ++j)
      if (equal(distance[static_cast<std::size_t>(j)]))
        right(p, j) = anchor / static_cast<double>(std::ranges::count_if(distance, equal));
    for (std::uint32_t k = patches.first[p]; k < patches.first[p + 1]; ++k) {
      matrix(p, p) += patches.conductance[k];
      matrix(p, patches.neighbor[k]) -= patches.conductance[k];
    }
  }
  const Eigen::MatrixXd exact = matrix.ldlt().solve(right);
  for (std::uint32_t p = 0; p < patches.count(); ++p) {
    double found = 0.0;
    for (std::uint32_t i = heat.first[p]; i < heat.first[p + 1]; ++i) {
      CHECK(double{heat.heat[i].heat} == Approx(exact(p, heat.heat[i].joint)).margin(2e-3));
      found += double{heat.heat[i].heat};
    }
    CHECK(found == Approx(1.0).margin(1e-5));
  }
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
  CHECK(tight.joint.size() < plain.joint.size());
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
