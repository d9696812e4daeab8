#include "gvbind/solid/contact_separation.h"

#include <catch2/catch.hpp>

#include "gvbind/bind_skin.h"
#include "gvbind/solid_of.h"
#include "gvbind/weight_field.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

constexpr int resolution = 64;
constexpr std::size_t a_box = 6 * 13 * 13;

/// A box of the same shape with subdivided faces, so that it has vertices everywhere.
Shape fine_box(const Eigen::Vector3d& low, const Eigen::Vector3d& high, int cuts = 12) {
  Shape s;
  for (int axis = 0; axis < 3; ++axis)
    for (const bool far : {false, true}) {
      const auto first = static_cast<std::uint32_t>(s.positions.size());
      const auto n = static_cast<std::uint32_t>(cuts + 1);
      for (int i = 0; i <= cuts; ++i)
        for (int k = 0; k <= cuts; ++k) {
          Eigen::Vector3d p;
          p[axis] = far ? high[axis] : low[axis];
          const int u = (axis + 1) % 3, v = (axis + 2) % 3;
          p[u] = low[u] + (high[u] - low[u]) * i / cuts;
          p[v] = low[v] + (high[v] - low[v]) * k / cuts;
          s.positions.push_back(p);
        }
      for (std::uint32_t i = 0; i + 1 < n; ++i)
        for (std::uint32_t k = 0; k + 1 < n; ++k) {
          const std::uint32_t a = first + i * n + k, b = a + n, c = a + 1, d = b + 1;
          if (far) {
            s.triangles.push_back({a, b, c});
            s.triangles.push_back({b, d, c});
          } else {
            s.triangles.push_back({a, c, b});
            s.triangles.push_back({b, c, d});
          }
        }
    }
  return s;
}

/// Trousers: hips, and two legs separated by `gap_voxels` voxels (at resolution 64). Joints: 0
/// hips, 1 and 2 left leg, 3 and 4 right leg. The vertices of the left leg are the second `a_box`.
/// `shift`: offset of the gap on the grid, in voxels.
Figure trousers(double gap_voxels, double shift = 0.0, double thick = 0.5) {
  const double voxel = 4.0 / 62.0, half = gap_voxels * voxel / 2.0;
  Figure f;
  f.shape = fine_box({-thick, 3, 0}, {thick, 4, 0.6});
  f.shape.append(fine_box({-thick, 0, 0}, {-half, 3.05, 0.6}));
  f.shape.append(fine_box({half, 0, 0}, {thick, 3.05, 0.6}));
  // The cube is centered on the box, so a peg on one side shifts everything else.
  if (shift > 0.0)
    f.shape.append(box({thick - 0.1, 3.4, 0.2}, {thick + 2.0 * shift * voxel, 3.6, 0.4}));
  const double x = (half + thick) / 2.0;
  f.joints = {{{0, 3.6, 0.3}, -1},
              {{-x, 3.0, 0.3}, 0},
              {{-x, 0.2, 0.3}, 1, false},
              {{x, 3.0, 0.3}, 0},
              {{x, 0.2, 0.3}, 3, false}};
  return f;
}

ContactSeparation found_in(const Staged& s, const ContactOptions& options = {}) {
  return separate_contacts(s.character, s.solid, s.bones, options);
}

/// The largest weight of the right leg's joint on the left leg, away from the hips.
double bleed(const Figure& f, bool part) {
  BindOptions options;
  options.resolution = resolution;
  options.device = Device::cpu;
  options.touching = part ? TouchRule::separate : TouchRule::join;
  options.weights = WeightRule::falloff;
  options.components = ComponentRule::bend;
  const SkinWeights w =
      gvbind::bind_skin({f.shape.positions, f.shape.triangles}, f.joints, options).weights;
  double most = 0.0;
  for (std::size_t v = a_box; v < 2 * a_box; ++v) {
    if (f.shape.positions[v].y() > 2.0) continue;
    for (std::uint32_t k = w.first[v]; k < w.first[v + 1]; ++k)
      if (w.joint[k] == 3) most = std::max(most, double(w.weight[k]));
  }
  return most;
}

}  // namespace

TEST_CASE("legs that touch do not share their weights, wherever the gap falls on the grid",
          "[slow]") {
  for (const double gap : {0.05, 0.4, 0.9, 1.3})
    for (const double shift : {0.0, 0.3, 0.5, 0.8}) {
      INFO("gap " << gap << ", shift " << shift);
      const Figure f = trousers(gap, shift);
      CHECK(bleed(f, true) < 0.005);
    }
  CHECK(bleed(trousers(0.4), false) > 0.05);
}

TEST_CASE("a field reads distances on the same side of a contact as a bind does") {
  const Figure f = trousers(0.4);
  BindOptions options;
  options.resolution = resolution;
  options.device = Device::cpu;
  const MeshView mesh{f.shape.positions, f.shape.triangles};
  const SkinWeights bound = gvbind::bind_skin(mesh, f.joints, options).weights;
  const WeightField field = WeightField::build(mesh, f.joints, options);
  const SkinWeights at = field.at(f.shape.positions);
  CHECK(at.first == bound.first);
  CHECK(at.joint == bound.joint);
  CHECK(at.weight == bound.weight);
}

TEST_CASE("legs that touch at an angle to the grid do not share their weights either",
          "[threads]") {
  Figure f = trousers(0.4);
  const Eigen::AngleAxisd turn(0.5, Eigen::Vector3d(1.0, 2.0, 3.0).normalized());
  Figure bent = f;
  for (Eigen::Vector3d& p : bent.shape.positions) p = turn * p;
  for (Joint& j : bent.joints) j.position = turn * j.position;
  const Staged s = staged(bent, resolution);
  const ContactSeparation touching = found_in(s);
  REQUIRE(touching.contacts.size() == 1);
  CHECK(touching.contacts[0].a == 1);
  CHECK(touching.contacts[0].b == 3);
  BindOptions options;
  options.resolution = resolution;
  options.device = Device::cpu;
  options.components = ComponentRule::bend;
  options.weights = WeightRule::falloff;
  const SkinWeights w =
      gvbind::bind_skin({bent.shape.positions, bent.shape.triangles}, bent.joints, options).weights;
  for (std::size_t v = a_box; v < 2 * a_box; ++v) {
    if (f.shape.positions[v].y() > 2.0) continue;
    for (std::uint32_t k = w.first[v]; k < w.first[v + 1]; ++k)
      if (w.joint[k] == 3) CHECK(w.weight[k] < 0.005);
  }
}

TEST_CASE("cut voxels are boundary voxels between the two, and the solid stays connected") {
  const Figure f = trousers(0.4, 0.3);
  Staged s = staged(f, resolution);
  const ContactSeparation touching = found_in(s);
  REQUIRE(touching.contacts.size() == 1);
  CHECK(touching.contacts[0].voxels == touching.cut.size());
  CHECK(std::ranges::is_sorted(touching.cut));
  for (const MortonCode code : touching.cut) {
    const Eigen::Vector3i cell = morton_cell(code);
    CHECK(s.solid.boundary.test(cell.x(), cell.y(), cell.z()));
    CHECK(std::abs(cell.x() + 0.5 - resolution / 2.0 + 0.3) < 2.1);
  }
  cut_out(touching.cut, s.solid);
  const SparseVoxels voxels = sparse_voxels(s.solid, s.bones);
  for (const MortonCode code : touching.cut) CHECK(voxels.find(code) == no_voxel);
  const std::vector<Eigen::Vector3i> places =
      positions_behind_cut(s.character, touching.cut, s.solid);
  std::size_t moved = 0;
  for (std::size_t v = 0; v < places.size(); ++v) {
    std::uint32_t touched[8];
    CHECK(voxels.touching(places[v], touched) > 0);
    if (places[v] == s.character.mesh.positions[v]) continue;
    ++moved;
    // Each is moved into its own leg.
    if (v >= a_box && v < 2 * a_box) CHECK(places[v].x() <= s.character.mesh.positions[v].x());
    if (v >= 2 * a_box && v < 3 * a_box) CHECK(places[v].x() >= s.character.mesh.positions[v].x());
  }
  CHECK(moved > 50);
}

TEST_CASE("vertices on the faces of voxels move alike on both sides of a mirror") {
  const Figure f = trousers(0.4, 0.3);
  Staged s = staged(f, resolution);
  std::vector<MortonCode> cut = found_in(s).cut, cut_there;
  cut_out(cut, s.solid);
  constexpr int side = lattice_size / resolution;
  for (Eigen::Vector3i& p : s.character.mesh.positions) p = (p.array() + side / 2) / side * side;
  s.character.welded = welded_vertices(s.character.mesh);
  Character opposite_character = s.character;
  opposite_character.mesh = mirrored(s.character.mesh);
  const auto opposite = [](const Eigen::Vector3i& cell) {
    return Eigen::Vector3i(resolution - 1 - cell.x(), cell.y(), cell.z());
  };
  for (const MortonCode code : cut) {
    const Eigen::Vector3i cell = opposite(morton_cell(code));
    cut_there.push_back(morton_code(cell.x(), cell.y(), cell.z()));
  }
  std::ranges::sort(cut_there);
  Solid there;
  there.boundary = there.non_exterior = BitGrid(resolution);
  for (int i = 0; i < resolution * resolution * resolution; ++i) {
    const Eigen::Vector3i cell(i % resolution, i / resolution % resolution,
                               i / resolution / resolution);
    const Eigen::Vector3i to = opposite(cell);
    if (s.solid.non_exterior.test(cell.x(), cell.y(), cell.z()))
      there.non_exterior.set(to.x(), to.y(), to.z());
  }
  const auto here = positions_behind_cut(s.character, cut, s.solid);
  const auto over = positions_behind_cut(opposite_character, cut_there, there);
  std::size_t moved = 0;
  for (std::size_t v = 0; v < here.size(); ++v) {
    CHECK(mirrored(over[v]) == here[v]);
    moved += here[v] != s.character.mesh.positions[v];
  }
  CHECK(moved > 50);
}

TEST_CASE("surfaces with air between them, and those of neighbors, stay as they are", "[slow]") {
  const Figure apart = trousers(4.0);
  CHECK(found_in(staged(apart, resolution)).cut.empty());
  // An arm bent at the elbow: its halves touch, but are close along the skeleton.
  Figure elbow;
  elbow.shape = fine_box({0, 0, 0}, {1, 0.49, 0.5});
  elbow.shape.append(fine_box({0, 0.51, 0}, {1, 1.0, 0.5}));
  elbow.joints = {{{0.2, 0.25, 0.25}, -1},
                  {{0.5, 0.25, 0.25}, 0},
                  {{0.5, 0.75, 0.25}, 1},
                  {{0.2, 0.75, 0.25}, 2, false}};
  CHECK(found_in(staged(elbow, resolution)).cut.empty());
  // A sheet over a back: its two sides face away from each other.
  Figure sheet = figure();
  sheet.shape.append(fine_box({-0.3, 0.5, -0.3}, {0.3, 1.5, -0.29}));
  CHECK(found_in(staged(sheet, resolution)).cut.empty());
}

TEST_CASE("limbs too thin for their voxels are left joined, and nothing is torn off") {
  const Figure f = trousers(0.3, 0.0, 0.1);
  const Staged s = staged(f, resolution);
  const ContactSeparation touching = found_in(s);
  CHECK(touching.cut.empty());
  CHECK(touching.too_thin > 0);
}

TEST_CASE("mirroring and the order of triangles and corners do not affect the cut voxels") {
  const Figure f = trousers(0.4, 0.3);
  const std::vector<MortonCode> cut = found_in(staged(f, resolution)).cut;
  REQUIRE_FALSE(cut.empty());
  Figure mirrored = f;
  for (Eigen::Vector3d& p : mirrored.shape.positions) p.z() = -p.z();
  for (Joint& j : mirrored.joints) j.position.z() = -j.position.z();
  for (Triangle& t : mirrored.shape.triangles) std::swap(t[0], t[1]);
  std::vector<MortonCode> back;
  for (const MortonCode code : found_in(staged(mirrored, resolution)).cut) {
    const Eigen::Vector3i cell = morton_cell(code);
    back.push_back(morton_code(cell.x(), cell.y(), resolution - 1 - cell.z()));
  }
  std::ranges::sort(back);
  CHECK(back == cut);
  Figure shuffled = f;
  std::mt19937 random(3);
  std::ranges::shuffle(shuffled.shape.triangles, random);
  for (Triangle& t : shuffled.shape.triangles)
    std::rotate(t.begin(), t.begin() + random() % 3, t.end());
  CHECK(found_in(staged(shuffled, resolution)).cut == cut);
}
