#include "egl/slab_voxelizer.h"

#include <bit>
#include <catch2/catch.hpp>
#include <optional>
#include <random>

#include "egl/egl_context.h"
#include "egl/reference.h"
#include "gvbind/error.h"
#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/solid/column_voxelizer.h"
#include "support/skip.h"

namespace gvbind {
namespace {

using namespace test;

// Shared by all cases, since software drivers start slowly.
egl::EglContext* context() {
  static std::optional<egl::EglContext> made = []() -> std::optional<egl::EglContext> {
    for (const egl::EglDevice& device : egl::probe_egl_devices())
      if (device.usable) return egl::EglContext(device);
    return std::nullopt;
  }();
  if (!made) skip("no usable EGL device");
  return made ? &*made : nullptr;
}

Shape tilted(Shape shape, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> component(-1.0, 1.0);
  const Eigen::Quaterniond turn =
      Eigen::Quaterniond(component(random), component(random), component(random), component(random))
          .normalized();
  for (auto& p : shape.positions) p = turn * p;
  return shape;
}

Shape two_sheets() {
  Shape shape = capsule({0, 0, 0}, {0, 3, 0}, 1.0);
  const auto base = static_cast<std::uint32_t>(shape.positions.size());
  shape.positions.insert(shape.positions.end(),
                         {{-2, -1.1, 0.3}, {2, -0.9, 0.2}, {2, 4.2, 0.9}, {-2, 4.4, 1.7}});
  // The same faces with both orientations and another order of corners.
  for (const Triangle& t : {Triangle{0, 1, 2}, {0, 2, 3}, {1, 0, 2}, {3, 2, 0}})
    shape.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
  return shape;
}

void compare_views(const Shape& shape, int r) {
  const UnitScene scene = on_grid(centered(shape), r);
  for (unsigned bit = 0; bit < 6; ++bit) {
    const int axis = static_cast<int>(bit / 2);
    const AxisVotes votes = egl::voxelize_slabs(*context(), scene, r, 1u << bit);
    INFO("view " << bit);
    CHECK(differences(votes.axis[axis], slow_view(scene, r, axis, bit % 2 == 0)) == 0);
    for (int other = 0; other < 3; ++other)
      if (other != axis) CHECK(count(votes.axis[other]) == 0);
  }
}

TEST_CASE("each view finds the nearest face beyond a center", "[egl]") {
  if (!context()) return;
  SECTION("a body in general position") {
    compare_views(tilted(capsule({0, 0, 0}, {2, 1, 3}, 0.7), 1), 32);
  }
  SECTION("two bodies that overlap") {
    Shape shape = tilted(box({0, 0, 0}, {1, 2, 3}), 2);
    shape.append(tilted(capsule({0.2, 0.3, 0}, {1, 1, 4}, 0.4), 3));
    compare_views(shape, 32);
  }
  SECTION("an open body: columns run to the cube's sides") {
    Shape shape = tilted(box({0, 0, 0}, {1, 1, 1}), 4);
    shape.triangles.erase(shape.triangles.begin(), shape.triangles.begin() + 3);
    compare_views(shape, 16);
  }
  SECTION("inside out") {
    Shape shape = tilted(box({0, 0, 0}, {1, 1, 1}), 5);
    for (Triangle& t : shape.triangles) std::swap(t[0], t[1]);
    compare_views(shape, 16);
  }
}

// Above this resolution, single precision cannot always tell on which side of a face a center is.
std::size_t tolerance(int r, const BitGrid& grid) {
  return r <= 128 ? 0 : 2 + count(grid) / 1'000'000;
}

TEST_CASE("a closed body gets six equal views", "[egl]") {
  if (!context()) return;
  const int r = GENERATE(16, 128, 512);
  for (unsigned seed = 0; seed < 4; ++seed) {
    const UnitScene scene = centered(seed % 2 ? tilted(capsule({0, 0, 0}, {1, 4, 2}, 1.1), seed)
                                              : tilted(box({0, 0, 0}, {1, 2, 3}), seed));
    const AxisVotes both = egl::voxelize_slabs(*context(), scene, r);
    INFO("resolution " << r << ", seed " << seed);
    REQUIRE(count(both.axis[0]) > 0);
    CHECK(differences(both.axis[1], both.axis[0]) <= tolerance(r, both.axis[0]));
    CHECK(differences(both.axis[2], both.axis[0]) <= tolerance(r, both.axis[0]));
    if (r > 128) break;
    for (unsigned bit = 0; bit < 6; ++bit) {
      const AxisVotes one = egl::voxelize_slabs(*context(), scene, r, 1u << bit);
      INFO("view " << bit);
      CHECK(differences(one.axis[bit / 2], both.axis[bit / 2]) == 0);
    }
  }
}

TEST_CASE("the same solid as without a GPU", "[egl]") {
  if (!context()) return;
  const int r = GENERATE(32, 128);
  Shape shape;
  SECTION("a closed body") { shape = tilted(capsule({0, 0, 0}, {1, 4, 2}, 1.1), 8); }
  SECTION("bodies that overlap") {
    shape = tilted(box({0, 0, 0}, {1, 2, 3}), 2);
    shape.append(tilted(capsule({0.2, 0.3, 0}, {1, 1, 4}, 0.4), 3));
  }
  SECTION("doubled sheets") { shape = tilted(two_sheets(), 5); }
  const UnitScene scene = centered(shape);
  const BitGrid surface = boundary_voxels(scene, r);
  const AxisVotes ours = egl::voxelize_slabs(*context(), scene, r);
  const AxisVotes theirs = voxelize_columns(scene, r);
  for (int axis = 0; axis < 3; ++axis)
    CHECK(differences(ours.axis[axis], theirs.axis[axis], surface) == 0);
}

TEST_CASE("boxes whose faces pass through centers get six equal views", "[egl]") {
  if (!context()) return;
  UnitScene scene;
  const int half = lattice_size / 32;
  const Shape shape =
      box({5.0 * half, 7.0 * half, 9.0 * half}, {21.0 * half, 15.0 * half, 11.0 * half});
  for (const auto& p : shape.positions) scene.positions.push_back(p.cast<int>());
  scene.triangles = shape.triangles;
  const AxisVotes votes = egl::voxelize_slabs(*context(), scene, 16);
  CHECK(count(votes.axis[0]) == 8u * 4u * 1u);
  CHECK(differences(votes.axis[1], votes.axis[0]) == 0);
  CHECK(differences(votes.axis[2], votes.axis[0]) == 0);
}

TEST_CASE("doubled sheets turn nothing inside", "[egl]") {
  if (!context()) return;
  for (unsigned seed = 0; seed < 3; ++seed) {
    const UnitScene scene = centered(tilted(two_sheets(), seed));
    UnitScene without = scene;
    without.triangles.resize(without.triangles.size() - 4);
    for (const int r : {32, 128}) {
      const AxisVotes votes = egl::voxelize_slabs(*context(), scene, r);
      const AxisVotes plain = egl::voxelize_slabs(*context(), without, r);
      const BitGrid surface = boundary_voxels(scene, r);
      for (int axis = 0; axis < 3; ++axis) {
        INFO("resolution " << r << ", seed " << seed << ", axis " << axis);
        // An open sheet inside the body hides it from one side only.
        CHECK(differences(votes.axis[axis], plain.axis[axis], surface) == 0);
      }
    }
  }
}

TEST_CASE("one body at every resolution", "[egl]") {
  if (!context()) return;
  const UnitScene scene = centered(tilted(capsule({0, 0, 0}, {1, 4, 2}, 1.1, 96, 96), 7));
  // A single view at the highest resolution keeps this fast.
  const auto volume_at = [&](int r) {
    const AxisVotes votes =
        egl::voxelize_slabs(*context(), scene, r, r > 512 ? view_minus_y : all_views);
    return static_cast<double>(count(votes.axis[1])) / std::pow(r, 3);
  };
  const double volume = volume_at(256);
  for (const int r : {1024, 512, 128, 64, 32, 16}) {
    INFO("resolution " << r);
    CHECK(volume_at(r) == Approx(volume).epsilon(0.6 / r + 0.6 / 256));
  }
}

TEST_CASE("random triangles: opposite views are each other's mirror", "[egl]") {
  if (!context()) return;
  std::mt19937 random(11);
  std::uniform_int_distribution<int> place(0, lattice_size);
  UnitScene scene;
  for (int i = 0; i < 3000; ++i)
    scene.positions.emplace_back(place(random), place(random), place(random));
  for (std::uint32_t i = 0; i + 2 < 3000; i += 3) scene.triangles.push_back({i, i + 1, i + 2});
  UnitScene mirrored = scene;
  for (auto& p : mirrored.positions) p.z() = std::max(0, lattice_size - 1 - p.z());
  for (auto& t : mirrored.triangles) std::swap(t[0], t[1]);
  constexpr int r = 64;
  const BitGrid plus = egl::voxelize_slabs(*context(), scene, r, view_plus_z).axis[2];
  const BitGrid minus = egl::voxelize_slabs(*context(), mirrored, r, view_minus_z).axis[2];
  std::size_t different = 0;
  for (int z = 0; z < r; ++z)
    for (int y = 0; y < r; ++y)
      for (int x = 0; x < r; ++x) different += plus.test(x, y, z) != minus.test(x, y, r - 1 - z);
  CHECK(count(plus) > 0);
  CHECK(different < 100);
}

TEST_CASE("nothing to draw, nothing inside", "[egl]") {
  if (!context()) return;
  UnitScene scene;
  scene.positions = {{0, 0, 0}, {lattice_size, lattice_size, lattice_size}, {lattice_size, 0, 0}};
  SECTION("no triangles") {}
  SECTION("a triangle without area") { scene.triangles = {{0, 1, 1}, {2, 2, 2}}; }
  SECTION("a triangle between the centers") {
    scene.positions = {{10, 10, 10}, {20, 10, 10}, {10, 20, 20}};
    scene.triangles = {{0, 1, 2}};
  }
  const AxisVotes votes = egl::voxelize_slabs(*context(), scene, 64);
  for (const BitGrid& grid : votes.axis) {
    CHECK(grid.resolution == 64);
    CHECK(count(grid) == 0);
  }
}

TEST_CASE("faces on the cube's sides", "[egl]") {
  if (!context()) return;
  UnitScene scene;
  for (const auto& p :
       box(Eigen::Vector3d::Zero(), Eigen::Vector3d::Constant(lattice_size)).positions)
    scene.positions.push_back(p.cast<int>());
  scene.triangles = box({0, 0, 0}, {1, 1, 1}).triangles;
  for (const int r : {16, 128, 256})
    for (unsigned bit = 0; bit < 6; ++bit) {
      const AxisVotes votes = egl::voxelize_slabs(*context(), scene, r, 1u << bit);
      CHECK(count(votes.axis[bit / 2]) == static_cast<std::size_t>(r) * r * r);
    }
}

TEST_CASE("several passes give the result of a single one", "[egl]") {
  if (!context()) return;
  const int r = GENERATE(64, 256);
  Shape shape;
  SECTION("bodies that overlap") {
    shape = tilted(box({0, 0, 0}, {1, 2, 3}), 2);
    shape.append(tilted(capsule({0.2, 0.3, 0}, {1, 1, 4}, 0.4), 3));
  }
  SECTION("an open body and doubled sheets") {
    shape = tilted(two_sheets(), 5);
    shape.triangles.erase(shape.triangles.begin(), shape.triangles.begin() + 3);
  }
  const UnitScene scene = centered(shape);
  const AxisVotes whole = egl::voxelize_slabs(*context(), scene, r);
  egl::PassLimits narrow, small, short_of_indices, all;
  narrow.side = r == 64 ? 64 : 100;
  small.pixels = r * r / 5;
  short_of_indices.indices = 200;
  all = {narrow.side, small.pixels, 1};
  for (const egl::PassLimits& limits : {narrow, small, short_of_indices, all}) {
    const AxisVotes parts = egl::voxelize_slabs(*context(), scene, r, all_views, limits);
    INFO("resolution " << r << ", side " << limits.side << ", pixels " << limits.pixels
                       << ", indices " << limits.indices);
    for (int axis = 0; axis < 3; ++axis) {
      CHECK(count(whole.axis[axis]) > 0);
      CHECK(differences(parts.axis[axis], whole.axis[axis]) == 0);
    }
  }
}

TEST_CASE("resolutions that are no power of two are refused", "[egl]") {
  if (!context()) return;
  for (const int r : {0, -16, 8, 100, 4096})
    CHECK_THROWS_AS(egl::voxelize_slabs(*context(), UnitScene{}, r), Error);
}

}  // namespace
}  // namespace gvbind
