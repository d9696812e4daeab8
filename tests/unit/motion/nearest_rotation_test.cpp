#include "motion/nearest_rotation.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <catch2/catch.hpp>
#include <random>

namespace gvbind {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Dice {
  std::mt19937 bits;

  double number(double low, double high) {
    return low + (high - low) * static_cast<double>(bits()) / 4294967295.0;
  }
  Matrix3d rotation() {
    return Eigen::Quaterniond(number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1))
        .normalized()
        .toRotationMatrix();
  }
};

/// By the singular value decomposition.
Matrix3d reference(const Matrix3d& matrix) {
  const Eigen::JacobiSVD<Matrix3d> svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double sign = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0.0 ? -1.0 : 1.0;
  return svd.matrixU() * Vector3d(1, 1, sign).asDiagonal() * svd.matrixV().transpose();
}

bool is_rotation(const Matrix3d& m) {
  return (m * m.transpose() - Matrix3d::Identity()).norm() < 1e-12 && m.determinant() > 0.0;
}

TEST_CASE("the nearest rotation is that of the singular value decomposition") {
  Dice dice{std::mt19937(1)};
  for (int i = 0; i < 20'000; ++i) {
    const Matrix3d u = dice.rotation(), v = dice.rotation();
    const double b = dice.number(0.05, 1.0), scale = std::exp(dice.number(-20.0, 20.0));
    // Of one sign or the other, and zero for a flat neighborhood; a pair with the sign of the
    // other one is not determined.
    double c = i % 3 == 0 ? 0.0 : dice.number(-1.0, 1.0) * b;
    if (b + c < 0.02) c = 0.0;
    const Matrix3d matrix = scale * u * Vector3d(1.0, b, c).asDiagonal() * v.transpose();
    const Matrix3d found = motion::nearest_rotation(matrix);
    CHECK(is_rotation(found));
    CHECK((found - reference(matrix)).norm() < 1e-11);
  }
}

TEST_CASE("the nearest rotation of a matrix that determines none is a rotation") {
  Dice dice{std::mt19937(2)};
  const Vector3d line(1, 2, 3);
  CHECK(is_rotation(motion::nearest_rotation(Matrix3d::Zero())));
  CHECK(is_rotation(motion::nearest_rotation(line * line.transpose())));
  CHECK(is_rotation(motion::nearest_rotation(-Matrix3d::Identity())));
  CHECK(is_rotation(motion::nearest_rotation(1e-200 * Matrix3d::Identity())));
  for (int i = 0; i < 1'000; ++i) {
    const Vector3d factors(1.0, std::pow(10.0, dice.number(-12.0, 0.0)),
                           std::pow(10.0, dice.number(-16.0, 0.0)) * (i % 2 == 0 ? 1.0 : -1.0));
    CHECK(is_rotation(motion::nearest_rotation(dice.rotation() * factors.asDiagonal() *
                                               dice.rotation().transpose())));
  }
}

}  // namespace
}  // namespace gvbind
