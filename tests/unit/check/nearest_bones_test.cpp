#include "check/skeleton_geometry.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "check/trousers.h"

namespace gvbind {

TEST_CASE("the nearest bones are those that a look at every joint finds") {
  const Scene scene = test::trousers();
  const check::SkinSurface surface = check::skin_surface(scene);
  const check::SkeletonGeometry skeleton(scene.joints);
  const check::NearestBones nearest = check::find_nearest_bones(surface, skeleton);
  for (std::size_t v = 0; v < surface.vertex_count(); ++v) {
    double expected = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < scene.joints.size(); ++j)
      expected = std::min(expected, skeleton.to_bones(j, surface.positions[v]));
    CHECK(nearest.distance[v] * surface.size == Approx(expected).margin(1e-6));
    CHECK(skeleton.to_bones(nearest.joint[v], surface.positions[v]) ==
          Approx(expected).margin(1e-6));
  }
}

TEST_CASE("joints without weight are near to nothing") {
  Scene scene = test::trousers();
  for (std::uint32_t& joint : scene.meshes[0].weights.joint)
    if (joint == 3) joint = 2;
  const check::NearestBones nearest =
      check::find_nearest_bones(check::skin_surface(scene), check::SkeletonGeometry(scene.joints));
  for (const std::uint32_t joint : nearest.joint) CHECK(joint != 3u);
}

TEST_CASE("vertices nowhere and skins without weight have no nearest bones") {
  Scene scene = test::trousers();
  scene.meshes[0].positions[3] = {NAN, 0, 0};
  const check::SkeletonGeometry skeleton(scene.joints);
  const check::NearestBones nearest =
      check::find_nearest_bones(check::skin_surface(scene), skeleton);
  CHECK(nearest.joint[3] == check::no_joint);
  CHECK(nearest.joint[4] != check::no_joint);
  scene.meshes[0].weights = {};
  for (const std::uint32_t joint :
       check::find_nearest_bones(check::skin_surface(scene), skeleton).joint)
    CHECK(joint == check::no_joint);
}

}  // namespace gvbind
