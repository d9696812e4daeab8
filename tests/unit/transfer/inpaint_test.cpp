#include "transfer/inpaint.h"

#include <catch2/catch.hpp>
#include <cmath>

namespace gvbind {
namespace {

/// A strip of squares with side 1 along x, two triangles each.
struct Strip {
  std::vector<Eigen::Vector3d> positions;
  std::vector<Triangle> triangles;

  explicit Strip(std::uint32_t squares) {
    for (std::uint32_t i = 0; i <= squares; ++i) {
      positions.emplace_back(i, 0, 0);
      positions.emplace_back(i, 1, 0);
    }
    for (std::uint32_t i = 0; i < squares; ++i) {
      triangles.push_back({2 * i, 2 * i + 2, 2 * i + 1});
      triangles.push_back({2 * i + 1, 2 * i + 2, 2 * i + 3});
    }
  }

  /// The first and the last pair are known, (1, 0) and (0, 1); the others are regularized towards
  /// `pull`.
  transfer::InpaintProblem problem(double spread_length, const Eigen::RowVector2d& pull) const {
    transfer::InpaintProblem p{positions, triangles, std::vector<bool>(positions.size(), false),
                               Eigen::MatrixXd(static_cast<Eigen::Index>(positions.size()), 2),
                               spread_length};
    p.values.rowwise() = pull;
    const auto last = static_cast<Eigen::Index>(positions.size()) - 1;
    for (const Eigen::Index v : {Eigen::Index{0}, Eigen::Index{1}}) p.values.row(v) << 1, 0;
    for (const Eigen::Index v : {last - 1, last}) p.values.row(v) << 0, 1;
    p.known[0] = p.known[1] = true;
    p.known[positions.size() - 2] = p.known[positions.size() - 1] = true;
    return p;
  }
};

}  // namespace

TEST_CASE("between known ends and hardly held, weights go straight from one to the other") {
  const Strip strip(10);
  const Eigen::MatrixXd w = transfer::inpaint(strip.problem(1e4, {0.5, 0.5}));
  for (Eigen::Index v = 0; v < w.rows(); ++v)
    CHECK(w(v, 1) == Approx(strip.positions[static_cast<std::size_t>(v)].x() / 10.0).margin(2e-3));
}

TEST_CASE("held tightly, weights are those they are drawn to") {
  const Strip strip(10);
  const Eigen::MatrixXd w = transfer::inpaint(strip.problem(0.01, {0.3, 0.7}));
  CHECK(w(10, 0) == Approx(0.3).margin(1e-3));
  CHECK(w(0, 0) == 1.0);
}

TEST_CASE("a known value reaches as far as the hold length says") {
  // On a long strip, the difference from the regularization's values falls as exp(-x /
  // spread_length).
  const Strip strip(60);
  const Eigen::MatrixXd w = transfer::inpaint(strip.problem(4.0, {0.0, 1.0}));
  const double near = w(2 * 4, 0), far = w(2 * 8, 0);
  CHECK(far / near == Approx(std::exp(-1.0)).epsilon(0.03));
}

TEST_CASE("rows stay within 0 and 1 and sum to one, on needles and folds too") {
  Strip strip(30);
  for (std::size_t v = 0; v < strip.positions.size(); ++v)
    strip.positions[v] += Eigen::Vector3d(0.45 * std::sin(7.0 * static_cast<double>(v)),
                                          0.9 * std::cos(5.0 * static_cast<double>(v)),
                                          0.2 * std::sin(static_cast<double>(v)));
  const Eigen::MatrixXd w = transfer::inpaint(strip.problem(5.0, {0.8, 0.2}));
  CHECK(w.minCoeff() >= -1e-9);
  CHECK(w.maxCoeff() <= 1.0 + 1e-9);
  for (Eigen::Index v = 0; v < w.rows(); ++v) CHECK(w.row(v).sum() == Approx(1.0));
}

TEST_CASE("vertices at one position are one") {
  const Strip whole(10);
  Strip cut(10);
  // Each square gets its own corners.
  std::vector<Eigen::Vector3d> positions;
  for (Triangle& t : cut.triangles)
    for (std::uint32_t& v : t) {
      positions.push_back(cut.positions[v]);
      v = static_cast<std::uint32_t>(positions.size()) - 1;
    }
  transfer::InpaintProblem problem = whole.problem(3.0, {0.5, 0.5});
  const Eigen::MatrixXd expected = transfer::inpaint(problem);
  transfer::InpaintProblem split{
      positions, cut.triangles, std::vector<bool>(positions.size(), false),
      Eigen::MatrixXd(static_cast<Eigen::Index>(positions.size()), 2), 3.0};
  split.values.rowwise() = Eigen::RowVector2d(0.5, 0.5);
  // Only one of the coincident corners is known.
  split.known[0] = split.known[2] = true;
  split.values.row(0) << 1, 0;
  split.values.row(2) << 1, 0;
  const std::size_t last = positions.size() - 1;
  split.known[last] = split.known[last - 1] = true;
  split.values.row(static_cast<Eigen::Index>(last)) << 0, 1;
  split.values.row(static_cast<Eigen::Index>(last) - 1) << 0, 1;
  const Eigen::MatrixXd found = transfer::inpaint(split);
  for (std::size_t v = 0; v < positions.size(); ++v)
    for (std::size_t k = 0; k < whole.positions.size(); ++k)
      if (whole.positions[k] == positions[v])
        CHECK(found(static_cast<Eigen::Index>(v), 0) ==
              Approx(expected(static_cast<Eigen::Index>(k), 0)).margin(1e-9));
}

TEST_CASE(
    "components without known values keep the regularization's values, and so do loose vertices") {
  Strip strip(3);
  strip.positions.emplace_back(50, 0, 0);
  transfer::InpaintProblem p{strip.positions, strip.triangles, std::vector<bool>(9, false),
                             Eigen::MatrixXd::Constant(9, 2, 0.5), 1.0};
  const Eigen::MatrixXd w = transfer::inpaint(p);
  CHECK(w.isApprox(p.values, 1e-9));
}

}  // namespace gvbind
