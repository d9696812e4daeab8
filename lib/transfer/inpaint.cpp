#include "transfer/inpaint.h"

#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>
#include <algorithm>

#include "gvbind/base/weld.h"
#include "gvbind/error.h"

namespace gvbind::transfer {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

/// The cotangent of the angle at `a`.
double cotangent(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  const double sine = (b - a).cross(c - a).norm(), cosine = (b - a).dot(c - a);
  return sine > 0.0 ? cosine / sine : 0.0;
}

/// Vertices merged by position, and indices of those to be solved for.
struct Unknowns {
  std::vector<std::uint32_t> first;  ///< by vertex, its representative
  std::vector<int> index;  ///< by representative, index among the unknowns; -1: known or unused
  std::vector<std::uint32_t> known_at;  ///< by representative, a vertex with a known value
  int count = 0;
};

constexpr std::uint32_t nowhere = static_cast<std::uint32_t>(-1);

Unknowns number_unknowns(const InpaintProblem& problem) {
  Unknowns u;
  u.first = welded(problem.positions);
  const std::size_t count = u.first.size();
  u.index.assign(count, -1);
  u.known_at.assign(count, nowhere);
  for (std::uint32_t v = 0; v < count; ++v)
    if (problem.known[v] && u.known_at[u.first[v]] == nowhere) u.known_at[u.first[v]] = v;
  for (const Triangle& t : problem.triangles)
    for (const std::uint32_t v : t) {
      const std::uint32_t f = u.first[v];
      if (u.known_at[f] == nowhere && u.index[f] < 0) u.index[f] = u.count++;
    }
  return u;
}

/// The system of equations, assembled by triangle.
struct System {
  Triplets entries;
  Eigen::MatrixXd right;
};

void add_edge(const InpaintProblem& problem, const Unknowns& u, std::uint32_t a, std::uint32_t b,
              double weight, System& system) {
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    const int row = u.index[from];
    if (row < 0) continue;
    system.entries.emplace_back(row, row, weight);
    if (u.index[to] >= 0)
      system.entries.emplace_back(row, u.index[to], -weight);
    else
      system.right.row(row) += weight * problem.values.row(u.known_at[to]);
  }
}

void add_triangle(const InpaintProblem& problem, const Unknowns& u, const Triangle& t,
                  double least_weight, System& system) {
  const Eigen::Vector3d corners[] = {problem.positions[t[0]], problem.positions[t[1]],
                                     problem.positions[t[2]]};
  const double area = 0.5 * (corners[1] - corners[0]).cross(corners[2] - corners[0]).norm();
  const double regularization = area / 3.0 / (problem.spread_length * problem.spread_length);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    const std::uint32_t a = u.first[t[j]], b = u.first[t[k]], own = u.first[t[i]];
    const double cot = 0.5 * cotangent(corners[i], corners[j], corners[k]);
    if (a != b) add_edge(problem, u, a, b, std::max(cot, least_weight), system);
    if (u.index[own] < 0) continue;
    // A small regularization for triangles without area, so that the solution is unique.
    const double anchor = std::max(regularization, 1e-12);
    system.entries.emplace_back(u.index[own], u.index[own], anchor);
    system.right.row(u.index[own]) += anchor * problem.values.row(own);
  }
}

}  // namespace

Eigen::MatrixXd inpaint(const InpaintProblem& problem) {
  constexpr double least_weight =
      1e-3;  // lower bound for cotangents of obtuse and needle triangles
  const Unknowns u = number_unknowns(problem);
  Eigen::MatrixXd result = problem.values;
  Eigen::MatrixXd found;
  if (u.count > 0) {
    System system{{}, Eigen::MatrixXd::Zero(u.count, problem.values.cols())};
    for (const Triangle& t : problem.triangles) add_triangle(problem, u, t, least_weight, system);
    Sparse matrix(u.count, u.count);
    matrix.setFromTriplets(system.entries.begin(), system.entries.end());
    const Eigen::SimplicialLDLT<Sparse> solver(matrix);
    found = solver.solve(system.right);
    if (solver.info() != Eigen::Success || !found.allFinite())
      throw Error(ErrorKind::cannot_bind, "the weights of its hidden parts cannot be solved for");
  }
  for (Eigen::Index v = 0; v < result.rows(); ++v) {
    const std::uint32_t f = u.first[v];
    if (problem.known[v]) continue;
    if (u.known_at[f] != nowhere)
      result.row(v) = problem.values.row(u.known_at[f]);
    else if (u.index[f] >= 0)
      result.row(v) = found.row(u.index[f]);
  }
  return result;
}

}  // namespace gvbind::transfer
