#include "motion/delta_mush.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "gvbind/base/parallel.h"
#include "gvbind/base/weld.h"
#include "gvbind/error.h"
#include "motion/nearest_rotation.h"

namespace gvbind::motion {

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, 3>;

constexpr std::uint32_t no_node = UINT32_MAX;
constexpr double min_cotangent = 0.02, max_cotangent = 20.0;
constexpr double min_mass = 1e-3;  ///< relative to the mean: lower bound for nodes of slivers
constexpr std::size_t nodes_per_block = 1024;

/// Merges vertices at one position into nodes, ordered by their first vertices.
void weld(std::span<const Eigen::Vector3d> rest, DeltaMush& surface) {
  const std::vector<std::uint32_t> first = welded(rest);
  surface.node_of.assign(rest.size(), no_node);
  for (std::uint32_t v = 0; v < rest.size(); ++v) {
    if (!rest[v].allFinite()) continue;
    if (first[v] == v) {
      surface.node_of[v] = static_cast<std::uint32_t>(surface.first_vertex.size());
      surface.first_vertex.push_back(v);
    } else {
      surface.node_of[v] = surface.node_of[first[v]];
    }
  }
}

struct Edge {
  std::uint32_t a, b;
  double weight;
};

void add_edge(std::vector<Edge>& edges, std::uint32_t a, std::uint32_t b, double weight) {
  if (a == b) return;
  edges.push_back({std::min(a, b), std::max(a, b), weight});
}

std::vector<Edge> edges_of(std::span<const Eigen::Vector3d> rest,
                           std::span<const Triangle> triangles, DeltaMush& surface) {
  std::vector<Edge> edges;
  surface.mass.assign(surface.first_vertex.size(), 0.0);
  for (const Triangle& t : triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
      const Eigen::Vector3d u = rest[a] - rest[c], v = rest[b] - rest[c];
      const double area = u.cross(v).norm();
      surface.mass[surface.node_of[a]] += area / 6.0;
      const double cotangent = area > 0.0 ? u.dot(v) / area : min_cotangent;
      add_edge(edges, surface.node_of[a], surface.node_of[b],
               std::clamp(cotangent, min_cotangent, max_cotangent) / 2.0);
    }
  }
  double sum = 0.0;
  for (const double m : surface.mass) sum += m;
  const double mean = sum > 0.0 ? sum / static_cast<double>(surface.mass.size()) : 1.0;
  for (double& m : surface.mass) m = std::max(m, min_mass * mean);
  return edges;
}

/// A bridge is as stiff as a square with the lighter node's area.
void add_bridges(std::span<const Eigen::Vector3d> rest, std::span<const Bridge> bridges,
                 const DeltaMush& surface, std::vector<Edge>& edges) {
  for (const Bridge& bridge : bridges) {
    const std::uint32_t a = surface.node_of[bridge[0]], b = surface.node_of[bridge[1]];
    const double mass = std::min(surface.mass[a], surface.mass[b]);
    const double length = (rest[bridge[0]] - rest[bridge[1]]).squaredNorm();
    add_edge(edges, a, b, mass / std::max(length, mass));
  }
}

/// Stores each edge once at both of its nodes.
void link(std::vector<Edge>& edges, DeltaMush& surface) {
  std::ranges::stable_sort(
      edges, {}, [](const Edge& e) { return std::pair<std::uint32_t, std::uint32_t>(e.a, e.b); });
  std::size_t count = 0;
  for (const Edge& e : edges) {
    if (count > 0 && edges[count - 1].a == e.a && edges[count - 1].b == e.b)
      edges[count - 1].weight += e.weight;
    else
      edges[count++] = e;
  }
  edges.resize(count);
  const std::size_t nodes = surface.first_vertex.size();
  surface.first.assign(nodes + 1, 0);
  for (const Edge& e : edges) ++surface.first[e.a + 1], ++surface.first[e.b + 1];
  for (std::size_t a = 0; a < nodes; ++a) surface.first[a + 1] += surface.first[a];
  surface.neighbors.resize(2 * edges.size());
  std::vector<std::size_t> next(surface.first.begin(), surface.first.end() - 1);
  for (const Edge& e : edges) {
    surface.neighbors[next[e.a]++] = {e.b, e.weight};
    surface.neighbors[next[e.b]++] = {e.a, e.weight};
  }
}

/// M + h^2 K.
Eigen::SparseMatrix<double> smoothing_matrix(const DeltaMush& surface, double reach) {
  const auto count = static_cast<Eigen::Index>(surface.mass.size());
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(surface.neighbors.size() + surface.mass.size());
  for (std::size_t a = 0; a < surface.mass.size(); ++a) {
    double sum = surface.mass[a];
    for (std::size_t k = surface.first[a]; k < surface.first[a + 1]; ++k) {
      const DeltaMush::Neighbor& n = surface.neighbors[k];
      const double weight = reach * reach * n.weight;
      sum += weight;
      entries.emplace_back(static_cast<int>(a), static_cast<int>(n.node), -weight);
    }
    entries.emplace_back(static_cast<int>(a), static_cast<int>(a), sum);
  }
  Eigen::SparseMatrix<double> matrix(count, count);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Rows smoothed(const DeltaMush& surface, const Rows& nodes) {
  Rows weighted = nodes;
  for (Eigen::Index a = 0; a < nodes.rows(); ++a) weighted.row(a) *= surface.mass[a];
  return surface.solver->solve(weighted);
}

Rows rows_of(const DeltaMush& surface, std::span<const Eigen::Vector3d> positions) {
  Rows rows(static_cast<Eigen::Index>(surface.first_vertex.size()), 3);
  for (std::size_t a = 0; a < surface.first_vertex.size(); ++a)
    rows.row(static_cast<Eigen::Index>(a)) = positions[surface.first_vertex[a]];
  return rows;
}

/// The rotation that best maps a node's neighborhood at rest to that of the pose.
Eigen::Matrix3d turn_of(const DeltaMush& surface, const Rows& posed, std::size_t a) {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  const auto at = static_cast<Eigen::Index>(a);
  for (std::size_t k = surface.first[a]; k < surface.first[a + 1]; ++k) {
    const auto b = static_cast<Eigen::Index>(surface.neighbors[k].node);
    sum += surface.neighbors[k].weight * (posed.row(b) - posed.row(at)).transpose() *
           (surface.smooth.row(b) - surface.smooth.row(at));
  }
  return nearest_rotation(sum);
}

}  // namespace

DeltaMush prepare_delta_mush(std::span<const Eigen::Vector3d> rest,
                             std::span<const Triangle> triangles, std::span<const Bridge> bridges,
                             const DeltaMushOptions& options) {
  DeltaMush surface;
  weld(rest, surface);
  std::vector<Edge> edges = edges_of(rest, triangles, surface);
  add_bridges(rest, bridges, surface, edges);
  link(edges, surface);
  const Rows nodes = rows_of(surface, rest);
  if (nodes.rows() == 0) return surface;
  const double size = (nodes.colwise().maxCoeff() - nodes.colwise().minCoeff()).norm();
  surface.solver = std::make_shared<Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>>(
      smoothing_matrix(surface, options.reach * size));
  if (surface.solver->info() != Eigen::Success)
    throw Error(ErrorKind::cannot_bind,
                "the surface cannot be smoothed: its areas differ too much");
  surface.smooth = smoothed(surface, nodes);
  surface.detail = nodes - surface.smooth;
  return surface;
}

std::vector<Eigen::Vector3d> delta_mush(const DeltaMush& surface,
                                        std::span<const Eigen::Vector3d> posed) {
  std::vector<Eigen::Vector3d> result(posed.begin(), posed.end());
  if (surface.first_vertex.empty()) return result;
  const Rows smooth = smoothed(surface, rows_of(surface, posed));
  std::vector<Eigen::Vector3d> nodes(surface.first_vertex.size());
  parallel_for(nodes.size(), nodes_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t a = begin; a < end; ++a) {
      const auto row = static_cast<Eigen::Index>(a);
      nodes[a] = smooth.row(row).transpose() +
                 turn_of(surface, smooth, a) * surface.detail.row(row).transpose();
    }
  });
  for (std::size_t v = 0; v < result.size(); ++v)
    if (surface.node_of[v] != no_node) result[v] = nodes[surface.node_of[v]];
  return result;
}

}  // namespace gvbind::motion
