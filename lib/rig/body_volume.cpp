#include "rig/body_volume.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "gvbind/base/parallel.h"
#include "gvbind/error.h"
#include "gvbind/prepare/components.h"
#include "gvbind/prepare/orient_faces.h"
#include "gvbind/prepare/winding_number.h"
#include "gvbind/solid/ambiguous_voxels.h"
#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/solid/vote.h"
#include "rig/bridge_parts.h"
#include "rig/depth_field.h"

namespace gvbind::rig {

namespace {

// Minimum number of voxels with their center inside; fewer are noise.
constexpr std::size_t least_inside = 8;

/// By voxel that meets a triangle, whether its center is inside.
std::vector<char> centers_inside(const std::vector<Eigen::Vector3i>& voxels, double side,
                                 const WindingTree& winding) {
  std::vector<char> inside(voxels.size(), 0);
  parallel_for(voxels.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      inside[i] = winding((voxels[i].cast<double>().array() + 0.5) * side) > 0.5;
  });
  return inside;
}

/// Rasterized slanted sheets can enclose voxels that meet no triangle, but none of these is inside.
void check_volume(const std::vector<Eigen::Vector3i>& cells, std::size_t known, double side,
                  const WindingTree& winding) {
  for (std::size_t i = 0; i < cells.size() && known < least_inside; ++i)
    known += winding((cells[i].cast<double>().array() + 0.5) * side) > 0.5;
  if (known < least_inside)
    throw Error(ErrorKind::cannot_bind,
                "the mesh encloses no volume, so a skeleton has no place in it");
}

bool has_neighbor(const BitGrid& grid, const Eigen::Vector3i& voxel) {
  for (int d = 0; d < 27; ++d) {
    const Eigen::Vector3i at = voxel + Eigen::Vector3i(d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1);
    if (at.minCoeff() >= 0 && at.maxCoeff() < grid.resolution && grid.test(at)) return true;
  }
  return false;
}

std::vector<Eigen::Vector3i> body_cells(const LatticeMesh& mesh, int resolution) {
  const WindingTree winding(mesh);
  const BitGrid boundary = boundary_voxels(mesh, resolution);
  VotedSolid voted = column_vote(mesh, boundary);
  resolve_ambiguous_voxels(voted, mesh, winding);
  std::vector<Eigen::Vector3i> met, cells;
  visit_cells(voted.solid.non_exterior, [&](const Eigen::Vector3i& voxel) {
    (boundary.test(voxel) ? met : cells).push_back(voxel);
  });
  const double side = voxel_size(resolution);
  const std::vector<char> center = centers_inside(met, side, winding);
  check_volume(cells, static_cast<std::size_t>(std::ranges::count(center, 1)), side, winding);
  BitGrid inside(resolution);
  for (const Eigen::Vector3i& voxel : cells) inside.set(voxel);
  for (std::size_t i = 0; i < met.size(); ++i)
    if (center[i]) {
      inside.set(met[i]);
      cells.push_back(met[i]);
    }
  for (std::size_t i = 0; i < met.size(); ++i)
    if (!center[i] && !has_neighbor(inside, met[i])) cells.push_back(met[i]);
  return cells;
}

}  // namespace

std::uint32_t BodyVolume::find(const Eigen::Vector3i& voxel) const {
  const Eigen::Vector3i at = voxel - low;
  if ((at.array() < 0).any() || (at.array() >= extent.array()).any()) return no_cell;
  return slots[slot_of(voxel)];
}

std::uint32_t BodyVolume::find(const Eigen::Vector3d& point) const {
  return find(Eigen::Vector3i(point.array().floor().cast<int>()));
}

std::uint32_t BodyVolume::nearest(const Eigen::Vector3d& point) const {
  std::uint32_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t c = 0; c < cells.size(); ++c) {
    const double squared = (center(c) - point).squaredNorm();
    if (squared < least) {
      least = squared;
      best = c;
    }
  }
  return best;
}

Eigen::Vector3d BodyVolume::from_bind(const Eigen::Vector3d& position) const {
  const Eigen::Vector3d at =
      (turn * position - cube.center) * (cube.scale / voxel_size(resolution));
  return at.array() + resolution / 2.0;
}

Eigen::Vector3d BodyVolume::to_bind(const Eigen::Vector3d& point) const {
  return turn.transpose() * cube.to_bind(point * voxel_size(resolution));
}

BodyVolume volume_of_cells(std::vector<Eigen::Vector3i> cells, const UnitCube& cube, int resolution,
                           double bridge, std::size_t group) {
  const std::size_t all = cells.size();
  BodyVolume body;
  body.cube = cube;
  body.resolution = resolution;
  body.cells = bridged_parts(std::move(cells), static_cast<int>(bridge), group);
  body.dropped = all > body.cells.size() ? all - body.cells.size() : 0;
  body.low = body.cells[0];
  Eigen::Vector3i high = body.cells[0];
  for (const Eigen::Vector3i& cell : body.cells) {
    body.low = body.low.cwiseMin(cell);
    high = high.cwiseMax(cell);
  }
  body.low.array() -= 1;
  body.extent = high - body.low + Eigen::Vector3i::Constant(2);
  const auto places = static_cast<std::size_t>(body.extent.x()) * body.extent.y() * body.extent.z();
  body.slots.assign(places, no_cell);
  std::vector<bool> solid(places, false);
  for (std::uint32_t c = 0; c < body.cells.size(); ++c) {
    body.slots[body.slot_of(body.cells[c])] = c;
    solid[body.slot_of(body.cells[c])] = true;
  }
  const std::vector<std::int32_t> squared = squared_depths(solid, body.extent);
  for (const Eigen::Vector3i& cell : body.cells)
    body.depths.push_back(std::sqrt(static_cast<float>(squared[body.slot_of(cell)])));
  return body;
}

BodyVolume body_volume(const MeshView& given, const BodyVolumeOptions& options) {
  std::vector<Eigen::Vector3d> positions;
  for (std::size_t v = 0; v < given.positions.size(); ++v)
    positions.push_back(options.turn * given.positions[v]);
  const MeshView mesh{positions, given.triangles};
  const UnitCube cube = unit_cube(mesh, {});
  LatticeMesh lattice = lattice_mesh(cube, mesh);
  orient_faces(lattice, welded_vertices(lattice));
  std::vector<Eigen::Vector3i> cells = body_cells(lattice, options.resolution);
  const BodyCount bodies = count_bodies(cells);
  if (bodies.beside > 1)
    throw Error(ErrorKind::cannot_bind, "the mesh has " + std::to_string(bodies.beside) +
                                            " bodies beside each other, and a skeleton fits one: "
                                            "give each a file of its own");
  const double bridge = bodies.stacked > 0 ? options.bridge_stacked : options.bridge;
  BodyVolume body = volume_of_cells(std::move(cells), cube, options.resolution,
                                    bridge * options.resolution, options.group);
  body.turn = options.turn;
  body.group = options.group;
  return body;
}

}  // namespace gvbind::rig
