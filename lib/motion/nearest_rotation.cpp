#include "motion/nearest_rotation.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>

namespace gvbind::motion {

namespace {

using Eigen::Matrix3d;

constexpr int most_steps = 12;
constexpr double converged = 1e-12;  ///< squared change of a step, of nine numbers of about 1
/// Of the determinant relative to the cubed norm, at most 3^-1.5. Below it, a factor is too near to
/// zero for few steps.
constexpr double least_determinant = 1e-3;

Matrix3d cofactors(const Matrix3d& m) {
  Matrix3d made;
  made.col(0) = m.col(1).cross(m.col(2));
  made.col(1) = m.col(2).cross(m.col(0));
  made.col(2) = m.col(0).cross(m.col(1));
  return made;
}

Matrix3d by_decomposition(const Matrix3d& matrix) {
  const Eigen::JacobiSVD<Matrix3d> svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix3d u = svd.matrixU();
  if ((u * svd.matrixV().transpose()).determinant() < 0.0) u.col(2) *= -1.0;
  return u * svd.matrixV().transpose();
}

}  // namespace

// With rotations U and V and factors a >= b >= |c|, the matrix is U diag(a, b, c) V^T and its
// cofactors are U diag(bc, ac, ab) V^T. Where a^2 + b^2 + c^2 = 1, the first two factors of their
// sum are above zero, so the sign of the determinant is that of the third one, which is large even
// for a flat neighborhood (c = 0). Newton's steps X = (X + X^-T) / 2 (Higham 1986) take all factors
// to 1.
Matrix3d nearest_rotation(const Matrix3d& matrix) {
  const double norm = matrix.norm();
  if (!(norm > 1e-100) || !(norm < 1e100)) return by_decomposition(matrix);
  Matrix3d x = matrix / norm;
  x += cofactors(x);
  Matrix3d turned = cofactors(x);
  double determinant = x.col(0).dot(turned.col(0));
  const double size = x.norm();
  if (!(determinant > least_determinant * size * size * size)) return by_decomposition(matrix);
  x *= 1.7320508075688772 / size;  // a rotation's norm
  for (int step = 0; step < most_steps; ++step) {
    turned = cofactors(x);
    determinant = x.col(0).dot(turned.col(0));
    const Matrix3d next = 0.5 * x + (0.5 / determinant) * turned;
    const double change = (next - x).squaredNorm();
    x = next;
    if (change < converged) return x;
  }
  return by_decomposition(matrix);
}

}  // namespace gvbind::motion
