#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <vector>

#include "check/skin_surface.h"

namespace gvbind::check {

struct StretchOptions {
  int poses = 16;          ///< random poses, 1 to 1000
  double degrees = 40.0;   ///< maximum rotation of a joint, 0 to 180
  std::uint64_t seed = 1;  ///< random seed
  double shortest = 1e-3;  ///< shorter edges are ignored; relative to the surface's size, 1e-6 to 1
  double limit = 4.0;      ///< ratio above which an edge is torn, 1 to 1000
  /// Number of edges that are measured, in runs of neighbors all over the surface; 0: all edges.
  std::size_t sample = 0;
};

/// Torn edges between the regions of two joints.
struct StretchPair {
  std::uint32_t a = 0, b = 0;                ///< dominant joints of the edges' ends, a <= b
  std::size_t edges = 0;                     ///< number of torn edges
  double worst = 0.0;                        ///< maximum ratio
  std::uint32_t vertex_a = 0, vertex_b = 0;  ///< of the surface: ends of the worst edge
  int pose = 0;                              ///< pose of the worst edge, from 0
};

/// Length changes of edges in random poses. In each pose, every joint except roots is rotated about
/// its position by an angle from 0 to StretchOptions::degrees about any axis. The rotation depends
/// on the seed, the pose's number and the joint's name, not on other joints or the frames of the
/// file. Vertices are moved by linear blend skinning. An edge counts with its largest and smallest
/// ratio of posed to bind length over all poses.
struct Stretch {
  std::size_t edges = 0;                                     ///< number of edges measured
  bool sampled = false;                                      ///< others were left out
  double median = 1.0, p95 = 1.0, p99 = 1.0, largest = 1.0;  ///< of the largest ratios
  double p1 = 1.0, smallest = 1.0;                           ///< of the smallest ratios
  double torn = 0.0;  ///< fraction of the edges above StretchOptions::limit
  /// By falling number of torn edges, at most 10; if no edge is torn, only the pair with the
  /// largest ratio, with edges = 0.
  std::vector<StretchPair> pairs;
  StretchPair worst;  ///< the pair with the largest ratio
};

Stretch measure_stretch(const SkinSurface& surface, const std::vector<SceneJoint>& joints,
                        const StretchOptions& options = {});

/// Rotation of space about the joint's position in one pose.
Eigen::Affine3d random_turn(const SceneJoint& joint, int pose, const StretchOptions& options);

/// By joint, from bind pose to the pose; bind space.
std::vector<Eigen::Affine3d> stretch_pose(const std::vector<SceneJoint>& joints, int pose,
                                          const StretchOptions& options);

/// The surface's vertices in a pose of its joints, by linear blend skinning; those without weight
/// stay.
std::vector<Eigen::Vector3d> posed_positions(const SkinSurface& surface,
                                             const std::vector<Eigen::Affine3d>& pose);

}  // namespace gvbind::check
