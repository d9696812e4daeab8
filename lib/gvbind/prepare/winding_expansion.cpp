#include "gvbind/prepare/winding_expansion.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "gvbind/base/parallel.h"

namespace gvbind {

namespace {

constexpr double whole_angle = 4.0 * M_PI;
/// A node is far from a ball beyond this many radii of both, a triangle beyond this multiple of its
/// radius from the ball's surface. Measured on hair cards at resolution 256: errors up to 0.016.
constexpr double ball_radii = 2.0, node_radii = 1.5, triangle_radii = 3.0;
/// Accuracy of the tree where an expansion is too inexact.
constexpr double tree_accuracy = 4.0;
constexpr std::size_t moments_grain = 1 << 8;

/// Octupoles need three derivatives more than the polynomial's degree.
constexpr int derivative_degree = WindingExpansion::degree + 3;
constexpr int derivative_terms = polynomial_terms(derivative_degree);
constexpr int expansion_terms = polynomial_terms(WindingExpansion::degree);

/// Monomials x^i y^j z^k by degree, with indices of their neighbors; missing ones map to an extra
/// slot at the end.
struct Monomials {
  int exponent[derivative_terms][3] = {};
  int index[derivative_degree + 1][derivative_degree + 1][derivative_degree + 1] = {};
  int lower[derivative_terms][3] = {};   ///< one degree less along an axis
  int lowest[derivative_terms][3] = {};  ///< two degrees less
  int degree[derivative_terms] = {};

  constexpr Monomials() {
    int n = 0;
    for (int d = 0; d <= derivative_degree; ++d)
      for (int i = d; i >= 0; --i)
        for (int j = d - i; j >= 0; --j) {
          const int e[3] = {i, j, d - i - j};
          index[e[0]][e[1]][e[2]] = n;
          degree[n] = d;
          for (int axis = 0; axis < 3; ++axis) {
            exponent[n][axis] = e[axis];
            lower[n][axis] = e[axis] >= 1 ? of(e, axis, 1) : derivative_terms;
            lowest[n][axis] = e[axis] >= 2 ? of(e, axis, 2) : derivative_terms;
          }
          ++n;
        }
  }
  constexpr int of(const int (&e)[3], int axis, int less) const {
    return index[e[0] - (axis == 0 ? less : 0)][e[1] - (axis == 1 ? less : 0)]
                [e[2] - (axis == 2 ? less : 0)];
  }
  constexpr int raised(int n, int a) const {
    return index[exponent[n][0] + (a == 0)][exponent[n][1] + (a == 1)][exponent[n][2] + (a == 2)];
  }
};
constexpr Monomials monomials;

/// Taylor coefficients of 1 / |u + h| in h (Duan and Krasny 2001).
void expand_inverse(const Eigen::Vector3d& u, double (&a)[derivative_terms + 1]) {
  const double square = u.squaredNorm(), inverse = 1.0 / square;
  a[derivative_terms] = 0.0;
  a[0] = std::sqrt(inverse);
  for (int n = 1; n < derivative_terms; ++n) {
    const auto& lower = monomials.lower[n];
    const auto& lowest = monomials.lowest[n];
    const int d = monomials.degree[n];
    const double first = u.x() * a[lower[0]] + u.y() * a[lower[1]] + u.z() * a[lower[2]];
    const double second = a[lowest[0]] + a[lowest[1]] + a[lowest[2]];
    a[n] = -inverse * ((2.0 - 1.0 / d) * first + (1.0 - 1.0 / d) * second);
  }
}

/// Moments of degree 1 to 3, stored in the order of the monomials.
constexpr int moment_terms = polynomial_terms(3) - 1;

/// Contribution of each derivative to a polynomial term: the factors of differentiation.
struct Takes {
  int from[moment_terms] = {};
  double factor[moment_terms] = {};
};
struct AllTakes {
  Takes of[expansion_terms];
  constexpr AllTakes() {
    for (int n = 0; n < expansion_terms; ++n)
      for (int m = 0; m < moment_terms; ++m) {
        int at = n;
        double factor = monomials.degree[m + 1] == 2 ? -1.0 : 1.0;
        for (int axis = 0; axis < 3; ++axis)
          for (int i = 0; i < monomials.exponent[m + 1][axis]; ++i) {
            factor *= monomials.exponent[at][axis] + 1;
            at = monomials.raised(at, axis);
          }
        of[n].from[m] = at;
        of[n].factor[m] = factor;
      }
  }
};
constexpr AllTakes taken_terms;

/// Adds the integrals of n_i, n_i x_j and n_i x_j x_k / 2 over a triangle, x relative to `center`.
void add_triangle(const WindingTree::Corners& t, const Eigen::Vector3d& center,
                  WindingSources::Moments& sums) {
  const Eigen::Vector3d middle = (t.a + t.b + t.c) / 3.0, from = middle - center;
  const Eigen::Vector3d normal = (t.b - t.a).cross(t.c - t.a) / 2.0;
  Eigen::Matrix3d squares = from * from.transpose();
  for (const Eigen::Vector3d& corner : {t.a, t.b, t.c})
    squares += (corner - middle) * (corner - middle).transpose() / 12.0;
  for (int i = 0; i < 3; ++i) {
    const int n = monomials.raised(0, i);
    sums[n - 1] += normal[i];
    for (int j = 0; j < 3; ++j) {
      const int nj = monomials.raised(n, j);
      sums[nj - 1] += normal[i] * from[j];
      for (int k = 0; k < 3; ++k)
        sums[monomials.raised(nj, k) - 1] += normal[i] * squares(j, k) / 2.0;
    }
  }
}

/// Adds moments about a point offset by `by` from the reference point of the sums.
void add_moved(const WindingSources::Moments& moments, const Eigen::Vector3d& by,
               WindingSources::Moments& sums) {
  for (int m = 1; m <= moment_terms; ++m) {
    const double moment = moments[m - 1];
    sums[m - 1] += moment;
    if (monomials.degree[m] > 2) continue;
    for (int j = 0; j < 3; ++j) {
      const int mj = monomials.raised(m, j);
      sums[mj - 1] += moment * by[j];
      if (monomials.degree[m] > 1) continue;
      for (int k = 0; k < 3; ++k) sums[monomials.raised(mj, k) - 1] += moment * by[j] * by[k] / 2.0;
    }
  }
}

}  // namespace

WindingSources::WindingSources(const WindingTree& of) : tree(of) {
  for (std::size_t level = 0; level < tree.levels().size(); ++level) {
    const std::vector<WindingTree::Node>& nodes = tree.levels()[level];
    moments.emplace_back(nodes.size());
    parallel_for(nodes.size(), moments_grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto [first, last] = tree.below(level, i);
        for (std::size_t k = first; k < last; ++k)
          if (level == 0)
            add_triangle(tree.corners(k), nodes[i].center, moments[0][i]);
          else
            add_moved(moments[level - 1][k], tree.levels()[level - 1][k].center - nodes[i].center,
                      moments[level][i]);
      }
    });
  }
}

WindingExpansion::WindingExpansion(const WindingSources& sources, const Ball& ball)
    : sources_(&sources), ball_(ball) {
  if (!sources.tree.empty()) add({static_cast<std::uint32_t>(sources.tree.levels().size() - 1), 0});
}

WindingExpansion::WindingExpansion(const WindingExpansion& outer, const Ball& ball)
    : sources_(outer.sources_), ball_(ball), polynomial_(outer.polynomial_) {
  shift((ball.center - outer.ball_.center) / outer.ball_.radius);
  double scale[degree + 1] = {1.0};
  for (int d = 1; d <= degree; ++d) scale[d] = scale[d - 1] * (ball.radius / outer.ball_.radius);
  for (int n = 0; n < expansion_terms; ++n) polynomial_[n] *= scale[monomials.degree[n]];
  for (const NodeRef node : outer.near_) add(node);
}

void WindingExpansion::add(NodeRef ref) {
  const WindingTree& tree = sources_->tree;
  const WindingTree::Node& node = tree.levels()[ref.level][ref.index];
  const double distance = (node.center - ball_.center).norm();
  if (distance > ball_radii * ball_.radius + node_radii * node.radius) {
    add_far(node.center, sources_->moments[ref.level][ref.index]);
  } else if (ref.level == 0) {
    near_.push_back(ref);
  } else {
    const auto [first, last] = tree.below(ref.level, ref.index);
    for (std::size_t k = first; k < last; ++k) add({ref.level - 1, static_cast<std::uint32_t>(k)});
  }
}

void WindingExpansion::add_far(const Eigen::Vector3d& center,
                               const WindingSources::Moments& moments) {
  double a[derivative_terms + 1];
  expand_inverse((ball_.center - center) / ball_.radius, a);
  double scaled[moment_terms], scale = 1.0 / ball_.radius;
  for (int m = 0; m < moment_terms; ++m) {
    if (m == 0 || monomials.degree[m + 1] != monomials.degree[m]) scale /= ball_.radius;
    scaled[m] = moments[m] * scale;
  }
  for (int n = 0; n < expansion_terms; ++n) {
    const Takes& t = taken_terms.of[n];
    double sum = 0.0;
    for (int m = 0; m < moment_terms; ++m) sum += t.factor[m] * scaled[m] * a[t.from[m]];
    polynomial_[n] += sum;
  }
}

/// Re-expands for offsets from a point shifted by `by`.
void WindingExpansion::shift(const Eigen::Vector3d& by) {
  for (int axis = 0; axis < 3; ++axis)
    for (int n = 0; n < expansion_terms; ++n) {
      if (monomials.exponent[n][axis] != 0) continue;
      int line[degree + 1];
      const int length = degree - monomials.degree[n] + 1;
      line[0] = n;
      for (int i = 1; i < length; ++i) line[i] = monomials.raised(line[i - 1], axis);
      for (int from = 0; from + 1 < length; ++from)
        for (int i = length - 2; i >= from; --i)
          polynomial_[line[i]] += by[axis] * polynomial_[line[i + 1]];
    }
}

double WindingExpansion::polynomial_at(const Eigen::Vector3d& offset) const {
  double power[expansion_terms + 1], sum = polynomial_[0];
  power[0] = 1.0;
  for (int n = 1; n < expansion_terms; ++n) {
    const int axis = monomials.exponent[n][0] > 0 ? 0 : monomials.exponent[n][1] > 0 ? 1 : 2;
    power[n] = power[monomials.lower[n][axis]] * offset[axis];
    sum += polynomial_[n] * power[n];
  }
  return sum;
}

void WindingExpansion::gather() {
  const WindingTree& tree = sources_->tree;
  std::vector<WindingTree::Corners> near;
  for (const NodeRef ref : near_) {
    const auto [first, last] = tree.below(ref.level, ref.index);
    for (std::size_t k = first; k < last; ++k) {
      const WindingTree::Corners t = tree.corners(k);
      const Eigen::Vector3d middle = (t.a + t.b + t.c) / 3.0;
      const double size =
          std::sqrt(std::max({(t.a - middle).squaredNorm(), (t.b - middle).squaredNorm(),
                              (t.c - middle).squaredNorm()}));
      if ((middle - ball_.center).norm() <= ball_.radius + triangle_radii * size)
        near.push_back(t);
      else
        dipoles_.push_back({(middle - ball_.center) / ball_.radius,
                            (t.b - t.a).cross(t.c - t.a) / (2.0 * ball_.radius * ball_.radius)});
    }
  }
  triangles_ = near.size();
  corners_.resize(9 * triangles_);
  for (std::size_t i = 0; i < triangles_; ++i) {
    const Eigen::Vector3d* const of[3] = {&near[i].a, &near[i].b, &near[i].c};
    for (int corner = 0; corner < 3; ++corner)
      for (int axis = 0; axis < 3; ++axis)
        corners_[(3 * corner + axis) * triangles_ + i] =
            ((*of[corner])[axis] - ball_.center[axis]) / ball_.radius;
  }
  gathered_ = true;
}

double WindingExpansion::dipole_angle(const Eigen::Vector3d& offset) const {
  double sum = 0.0;
  for (const Dipole& d : dipoles_) {
    const double x = d.at.x() - offset.x(), y = d.at.y() - offset.y(), z = d.at.z() - offset.z();
    const double square = x * x + y * y + z * z;
    sum += (d.moment.x() * x + d.moment.y() * y + d.moment.z() * z) / (square * std::sqrt(square));
  }
  return sum;
}

/// Halved solid angles of a group of triangles from index `first`, as arguments of complex numbers
/// rest + i volume (van Oosterom and Strackee). The factor is 1 if the point lies in the triangle's
/// plane.
void WindingExpansion::half_angles(const Eigen::Vector3d& offset, std::size_t first,
                                   std::size_t count, double* rest, double* volume) const {
  constexpr double in_plane = 1e-9;
  const double px = offset.x(), py = offset.y(), pz = offset.z();
  const std::size_t n = triangles_;
  for (std::size_t i = 0; i < count; ++i) {
    const double* const t = corners_.data() + first + i;
    const double ax = t[0] - px, ay = t[n] - py, az = t[2 * n] - pz;
    const double bx = t[3 * n] - px, by = t[4 * n] - py, bz = t[5 * n] - pz;
    const double cx = t[6 * n] - px, cy = t[7 * n] - py, cz = t[8 * n] - pz;
    const double a = std::sqrt(ax * ax + ay * ay + az * az);
    const double b = std::sqrt(bx * bx + by * by + bz * bz);
    const double c = std::sqrt(cx * cx + cy * cy + cz * cz);
    const double all = a * b * c;
    const double spanned =
        ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    const bool flat = std::abs(spanned) <= in_plane * all;
    volume[i] = flat ? 0.0 : spanned;
    rest[i] = flat ? 1.0
                   : all + (ax * bx + ay * by + az * bz) * c + (bx * cx + by * cy + bz * cz) * a +
                         (cx * ax + cy * ay + cz * az) * b;
  }
}

/// The argument of a product is the sum of the arguments. It has passed half a turn whenever two
/// factors with imaginary parts of the same sign give one of the opposite sign.
double WindingExpansion::near_angle(const Eigen::Vector3d& offset) const {
  constexpr std::size_t batch = 32, factors_in_range = 8;
  double real = 1.0, imaginary = 0.0;
  int turns = 0;
  for (std::size_t first = 0; first < triangles_; first += batch) {
    const std::size_t count = std::min(batch, triangles_ - first);
    double rest[batch], volume[batch];
    half_angles(offset, first, count, rest, volume);
    for (std::size_t i = 0; i < count; ++i) {
      const double v = volume[i];
      const double re = real * rest[i] - imaginary * v;
      const double im = real * v + imaginary * rest[i];
      turns += (imaginary >= 0.0 && v > 0.0 && im < 0.0) - (imaginary < 0.0 && v < 0.0 && im > 0.0);
      real = re;
      imaginary = im;
      if ((i + 1) % factors_in_range != 0 && i + 1 != count) continue;
      const double scale = 1.0 / (std::abs(real) + std::abs(imaginary));
      real *= scale;
      imaginary *= scale;
    }
  }
  return 2.0 * (std::atan2(imaginary + 0.0, real) + 2.0 * M_PI * turns);  // + 0.0 turns -0 into 0
}

double WindingExpansion::at(const Eigen::Vector3d& point) {
  if (!gathered_) gather();
  const Eigen::Vector3d offset = (point - ball_.center) / ball_.radius;
  const double winding =
      (polynomial_at(offset) + near_angle(offset) + dipole_angle(offset)) / whole_angle;
  if (std::abs(std::abs(winding) - 0.5) > error) return winding;
  return sources_->tree.refined(point, winding, tree_accuracy);
}

}  // namespace gvbind
