#include "check/skin_rows.h"

#include <catch2/catch.hpp>

#include "check/trousers.h"

namespace gvbind {

TEST_CASE("a joint above one with weight has an effect, one beyond has none") {
  const Scene scene = test::trousers([](double, const Eigen::Vector3d&) {
    return test::Row{{2, 1.0f}};
  });
  const check::JointUse use = check::measure_joint_use(scene);
  CHECK(use.deforming == 7);
  CHECK(use.without_weight == std::vector<std::size_t>{0, 1, 3, 4, 5, 6});
  CHECK(use.idle == std::vector<std::size_t>{3, 4, 5, 6});
}

TEST_CASE("joints that may not own weight are not missed") {
  Scene scene = test::trousers();
  CHECK(check::measure_joint_use(scene).without_weight.empty());
  scene.joints.push_back(test::joint("helper", 6, {0, 0, 0}));
  scene.joints.back().deforms = false;
  CHECK(check::measure_joint_use(scene).without_weight.empty());
  scene.joints.back().deforms = true;
  CHECK(check::measure_joint_use(scene).idle == std::vector<std::size_t>{7});
}

TEST_CASE("zero weights and weights of unknown joints have no effect") {
  Scene scene = test::trousers([](double, const Eigen::Vector3d&) {
    return test::Row{{99, 1.0f}, {1, 0.0f}};
  });
  CHECK(check::measure_joint_use(scene).idle.size() == 7);
}

}  // namespace gvbind
