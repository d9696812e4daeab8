#include "gvbind/prepare/orient_faces.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

void flip(Triangle& t) { std::swap(t[1], t[2]); }

Triangle from_lowest(Triangle t) {
  std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  return t;
}

/// Whether all triangles keep their orientation, whichever corner is first.
bool same_facing(const std::vector<Triangle>& a, const std::vector<Triangle>& b) {
  return std::ranges::equal(a, b, {}, from_lowest, from_lowest);
}

/// A tube without caps along y, facing outward.
Shape tube(double radius, double height, int around = 24) {
  Shape s;
  for (int i = 0; i <= 4; ++i)
    for (int k = 0; k < around; ++k) {
      const double angle = 2.0 * M_PI * k / around;
      s.positions.emplace_back(radius * std::cos(angle), height * i / 4, radius * std::sin(angle));
    }
  const auto at = [&](int i, int k) { return static_cast<std::uint32_t>(i * around + k % around); };
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < around; ++k) {
      s.triangles.push_back({at(i, k), at(i + 1, k), at(i, k + 1)});
      s.triangles.push_back({at(i, k + 1), at(i + 1, k), at(i + 1, k + 1)});
    }
  return s;
}

}  // namespace

TEST_CASE("triangles that face outward stay as they are") {
  Shape open = figure().shape;
  open.triangles.erase(open.triangles.begin() + 30, open.triangles.begin() + 90);
  Shape both = tube(0.5, 1.0);
  both.append(capsule({0, 0, 0}, {0, 1, 0}, 0.2));
  for (const Shape& shape : {figure().shape, turned(crossed_capsules()), open, both}) {
    UnitScene scene = unit_scene(shape);
    const FlippedFaces turned = orient_faces(scene, welded_vertices(scene));
    CHECK(turned.triangles == 0);
    CHECK(turned.patches == 0);
    CHECK(same_facing(scene.triangles, shape.triangles));
  }
}

TEST_CASE("a closed piece that is inside out is turned, and only that") {
  Shape shape = figure().shape;
  Shape inverted = capsule({2, 0, 0}, {2, 1, 0}, 0.3);
  shape.append(inverted);
  const std::vector<Triangle> right = shape.triangles;
  const std::size_t first = right.size() - inverted.triangles.size();
  std::for_each(shape.triangles.begin() + static_cast<std::ptrdiff_t>(first), shape.triangles.end(),
                flip);
  UnitScene scene = unit_scene(shape);
  const FlippedFaces turned = orient_faces(scene, welded_vertices(scene));
  CHECK(turned.triangles == inverted.triangles.size());
  CHECK(turned.patches == 1);
  CHECK(same_facing(scene.triangles, right));
}

TEST_CASE("a mesh that is all inside out is turned, open or closed") {
  Shape open = crossed_capsules();
  open.triangles.erase(open.triangles.begin() + 10, open.triangles.begin() + 20);
  for (Shape shape : {figure().shape, turned(open), tube(0.3, 2.0)}) {
    const std::vector<Triangle> right = shape.triangles;
    std::ranges::for_each(shape.triangles, flip);
    UnitScene scene = unit_scene(shape);
    CHECK(orient_faces(scene, welded_vertices(scene)).triangles == right.size());
    CHECK(same_facing(scene.triangles, right));
  }
}

TEST_CASE("single triangles that face otherwise than their neighbors are turned, in any order",
          "[slow][threads]") {
  std::mt19937 random(5);
  for (Shape shape : {figure().shape, tube(0.4, 1.0)}) {
    std::vector<Triangle> right = shape.triangles;
    std::ranges::shuffle(right, random);
    shape.triangles = right;
    std::size_t flipped = 0;
    for (Triangle& t : shape.triangles)
      if (random() % 3 == 0) {
        flip(t);
        ++flipped;
      }
    UnitScene scene = unit_scene(shape);
    CHECK(orient_faces(scene, welded_vertices(scene)).triangles == flipped);
    CHECK(same_facing(scene.triangles, right));
  }
}

TEST_CASE("a pouch in a body that faces its own middle stays: it is the wall of a hollow") {
  const auto without_front = [](Shape s) {
    std::erase_if(s.triangles, [&](const Triangle& t) {
      return std::ranges::all_of(t, [](std::uint32_t v) { return (v & 4) != 0; });
    });
    return s;
  };
  Shape shape = without_front(box({-1, -1, -1}, {1, 1, 1}));
  Shape pouch = without_front(box({-0.8, -0.8, -0.5}, {0.8, 0.8, 0.99}));
  std::ranges::for_each(pouch.triangles, flip);
  shape.append(pouch);
  UnitScene scene = unit_scene(shape);
  CHECK(orient_faces(scene, welded_vertices(scene)).triangles == 0);
}

TEST_CASE("cards, doubled sheets and bands of one side have no inside to turn out") {
  Shape card;
  card.positions = {{0, 0, 0}, {1, 0, 0.1}, {1, 1, 0}, {0, 1, 0.2}};
  card.triangles = {{0, 1, 2}, {0, 2, 3}};
  Shape doubled = card;
  for (Triangle t : card.triangles) {
    flip(t);
    doubled.triangles.push_back(t);
  }
  Shape band;
  for (int k = 0; k < 24; ++k)
    for (const double across : {-0.2, 0.2}) {
      const double angle = 2.0 * M_PI * k / 24, twist = angle / 2.0;
      const double radius = 1.0 + across * std::cos(twist);
      band.positions.emplace_back(radius * std::cos(angle), across * std::sin(twist),
                                  radius * std::sin(angle));
    }
  for (std::uint32_t k = 0; k < 24; ++k) {
    const std::uint32_t a = 2 * k, b = a + 1;
    const std::uint32_t c = k < 23 ? a + 2 : 1, d = k < 23 ? a + 3 : 0;
    band.triangles.push_back({a, b, c});
    band.triangles.push_back({b, d, c});
  }
  for (const Shape& shape : {card, doubled, band}) {
    UnitScene scene = unit_scene(shape);
    CHECK(orient_faces(scene, welded_vertices(scene)).triangles == 0);
    CHECK(same_facing(scene.triangles, shape.triangles));
  }
}

TEST_CASE("degenerate triangles and seams of doubled vertices do not hide inward faces") {
  Shape shape = capsule({0, 0, 0}, {0, 2, 0}, 0.4);
  // Every triangle has its own vertices, as at texture seams.
  Shape split;
  for (const Triangle& t : shape.triangles) {
    const auto first = static_cast<std::uint32_t>(split.positions.size());
    for (const std::uint32_t v : t) split.positions.push_back(shape.positions[v]);
    split.triangles.push_back({first, first + 2, first + 1});
  }
  const std::size_t count = split.triangles.size();
  split.triangles.push_back({0, 0, 1});
  split.triangles.push_back({2, 2, 2});
  UnitScene scene = unit_scene(split);
  CHECK(orient_faces(scene, welded_vertices(scene)).triangles == count);
}
