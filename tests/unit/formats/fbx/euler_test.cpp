#include "formats/fbx/euler.h"

#include <catch2/catch.hpp>
#include <random>

using namespace gvbind;

namespace {

void add_key(Channel& channel, double time, const Eigen::Quaterniond& q) {
  channel.times.push_back(time);
  channel.values.insert(channel.values.end(), {q.x(), q.y(), q.z(), q.w()});
}

Channel rotations() {
  Channel channel;
  channel.path = Channel::Path::rotation;
  return channel;
}

Eigen::Quaterniond about_y(double degrees) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(degrees * degree, Eigen::Vector3d::UnitY()));
}

Eigen::Vector3d angles_at(const Channel& channel, double time) {
  std::size_t k = 0;
  while (k + 2 < channel.times.size() && channel.times[k + 1] <= time) ++k;
  const Eigen::Vector3d a(channel.values.data() + 3 * k), b(channel.values.data() + 3 * k + 3);
  return a + (time - channel.times[k]) / (channel.times[k + 1] - channel.times[k]) * (b - a);
}

}  // namespace

TEST_CASE("angles turn as the rotation that they are of, near to those before") {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> angle(-720.0, 720.0);
  for (int i = 0; i < 2000; ++i) {
    const Eigen::Quaterniond q =
        Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
            .normalized();
    const Eigen::Vector3d near(angle(random), angle(random), angle(random));
    const Eigen::Vector3d found = euler_angles(q, near);
    REQUIRE(rotation_of(found).angularDistance(q) < 1e-7);
    REQUIRE((found - near).cwiseAbs().maxCoeff() <= 360.0);
    REQUIRE((euler_angles(q, found) - found).norm() < 1e-6);
  }
}

TEST_CASE("at the poles of the angles x stays and z makes up for it") {
  for (const double pole : {90.0, -90.0})
    for (const double spin : {0.0, 50.0, -130.0}) {
      const Eigen::Quaterniond q =
          about_y(pole) * Eigen::AngleAxisd(spin * degree, Eigen::Vector3d::UnitX());
      const Eigen::Vector3d found = euler_angles(q, Eigen::Vector3d(17.0, 0.0, 0.0));
      CHECK(found.x() == Approx(17.0));
      CHECK(rotation_of(found).angularDistance(q) < 1e-6);
    }
}

TEST_CASE("angles between keys follow the short way of the rotations") {
  Channel channel = rotations();
  add_key(channel, 0.0, Eigen::Quaterniond::Identity());
  add_key(channel, 1.0, about_y(85.0) * Eigen::AngleAxisd(2.0, Eigen::Vector3d::UnitZ()));
  add_key(channel, 3.0, about_y(175.0));
  constexpr double tolerance = 1e-4;
  const Channel angles = euler_channel(channel, Eigen::Vector3d::Zero(), tolerance);
  for (int i = 0; i <= 300; ++i) {
    const double time = i / 100.0;
    const std::size_t k = time < 1.0 ? 0 : 1;
    const auto at = [&](std::size_t key) {
      const double* q = channel.values.data() + 4 * key;
      return Eigen::Quaterniond(q[3], q[0], q[1], q[2]);
    };
    const double share = (time - channel.times[k]) / (channel.times[k + 1] - channel.times[k]);
    const Eigen::Quaterniond meant = at(k).slerp(share, at(k + 1));
    CHECK(rotation_of(angles_at(angles, time)).angularDistance(meant) < 2.0 * tolerance);
  }
}

TEST_CASE("angles that hold until the next key get no keys between") {
  Channel channel = rotations();
  channel.step = true;
  for (int i = 0; i < 5; ++i) add_key(channel, i, about_y(40.0 * i));
  const Channel angles = euler_channel(channel, Eigen::Vector3d::Zero(), 1e-4);
  CHECK(angles.step);
  CHECK(angles.times == channel.times);
}
