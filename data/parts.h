#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// A connected piece of surface, counter-clockwise from outside.
struct Part {
  std::vector<Eigen::Vector3d> positions;
  std::vector<Triangle> triangles;
};

/// An ellipse across a swept path.
struct Section {
  Eigen::Vector3d center;
  double wide, deep;  ///< half axes: along SweepOptions::side, and across it
};

struct SweepOptions {
  int around = 16;                                  ///< vertices of a ring
  int steps = 3;                                    ///< rings from one section to the next
  Eigen::Vector3d side = Eigen::Vector3d::UnitX();  ///< not along the path
  double start_bulge = 0.02, end_bulge = 0.02;      ///< how far the round ends reach
  bool start_open = false, end_open = false;        ///< an open end has no cap
};

/// A smooth tube through the sections, closed by round caps. At least two sections.
Part sweep(std::span<const Section> sections, const SweepOptions& options = {});

Part ellipsoid(const Eigen::Vector3d& center, const Eigen::Vector3d& radii, int around, int along);

/// An open grid; `at` takes u and v from 0 to 1. Its outer side is the one from which u goes right
/// and v goes down.
Part sheet(int columns, int rows, const std::function<Eigen::Vector3d(double u, double v)>& at);

/// The same on the other side of x = 0.
Part mirrored(const Part& part);

void append(SceneMesh& mesh, const Part& part);
void append_both_sides(SceneMesh& mesh, const Part& part);

/// Smooth normals by area, for viewers.
void add_normals(SceneMesh& mesh);

}  // namespace gvbind
