#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

namespace gvbind {

struct Segment {
  Eigen::Vector3d a, b;  ///< a == b is a point
};

/// What can own weight. One without segments owns none.
struct Influence {
  std::vector<Segment> segments;
};

/// How a joint without children becomes a segment.
enum class LeafRule {
  extend,  ///< half its parent's segment, further along the same direction
  point,   ///< the joint alone
  ignore,  ///< no influence
};

struct InfluenceOptions {
  LeafRule leaf = LeafRule::extend;
};

/// A joint as the stages see it.
struct JointPoint {
  Eigen::Vector3d position;  ///< bind space
  int parent = -1;           ///< index of an earlier joint, -1 at a root
  bool deforms = true;       ///< false: gives its parent a segment and owns nothing itself
  std::string name = {};     ///< for findings and errors; may be empty
};

/// Influence i belongs to joint i and holds the segments from it to each of its children.
std::vector<Influence> influences_of_joints(std::span<const JointPoint> joints,
                                            const InfluenceOptions& options = {});

}  // namespace gvbind
