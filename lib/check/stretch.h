#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <vector>

#include "check/skin_surface.h"

namespace gvbind {

struct StretchOptions {
  int poses = 16;          ///< random poses, 1 to 1000
  double degrees = 40.0;   ///< a joint turns by up to this, 0 to 180
  std::uint64_t seed = 1;  ///< other poses for another seed
  double shortest = 1e-3;  ///< edges shorter than this part of the surface's size do not count,
                           ///< 1e-6 to 1
  double limit = 4.0;      ///< ratio beyond which an edge counts as torn, 1 to 1000
};

/// Torn edges between two joints' parts of the surface.
struct StretchPair {
  std::uint32_t a = 0, b = 0;                ///< dominant joints of the edges' ends, a <= b
  std::size_t edges = 0;                     ///< torn ones
  double worst = 0.0;                        ///< their largest ratio
  std::uint32_t vertex_a = 0, vertex_b = 0;  ///< of the surface: ends of that edge
  int pose = 0;                              ///< in which pose, from 0
};

/// How edges of the surface change length in random poses. In each pose every joint but the roots
/// turns about its own position, by an angle from 0 to StretchOptions::degrees about any axis,
/// drawn from the seed, the number of the pose and the joint's name: the poses of a joint do not
/// depend on the others, nor on the frames of the file. Vertices follow by linear blend skinning.
/// An edge counts with the largest ratio of posed to bind length over all poses, and the smallest.
struct Stretch {
  std::size_t edges = 0;                                     ///< that count
  double median = 1.0, p95 = 1.0, p99 = 1.0, largest = 1.0;  ///< of the largest ratios
  double p1 = 1.0, smallest = 1.0;                           ///< of the smallest ratios
  double torn = 0.0;               ///< part of the edges beyond StretchOptions::limit
  std::vector<StretchPair> pairs;  ///< by falling number of torn edges, at most 10; where none is
                                   ///< torn, the edge of the largest ratio alone, with edges = 0
  StretchPair worst;               ///< the one that holds the edge of the largest ratio
};

Stretch measure_stretch(const SkinSurface& surface, const std::vector<SceneJoint>& joints,
                        const StretchOptions& options = {});

/// The turn of space about the joint's position, in one pose.
Eigen::Affine3d random_turn(const SceneJoint& joint, int pose, const StretchOptions& options);

}  // namespace gvbind
