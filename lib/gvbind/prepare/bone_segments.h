#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "gvbind/bind_options.h"
#include "gvbind/joint.h"

namespace gvbind {

struct Segment {
  Eigen::Vector3d a, b;  ///< a == b is a point
};

/// The segments of a joint's bones. A joint without any gets no weight.
struct JointBones {
  std::vector<Segment> segments;
};

class InsideQuery;

struct BoneOptions {
  LeafRule leaf = LeafRule::extend;
  /// If a joint has several segments, halve those that point back toward its parent.
  bool shorten_turns = false;
};

/// By joint, the segments to each of its children. `inside`: needed for LeafRule::surface only.
/// `continued_by`: as in JointRoles, or empty; a continued joint has one segment, to the joint that
/// continues it, whatever the leaf rule.
std::vector<JointBones> bone_segments(std::span<const Joint> joints,
                                      const BoneOptions& options = {},
                                      const InsideQuery* inside = nullptr,
                                      std::span<const int> continued_by = {});

}  // namespace gvbind
