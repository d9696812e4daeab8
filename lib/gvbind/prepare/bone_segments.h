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

/// The segments through which a joint owns weight. A joint without any owns none.
struct JointBones {
  std::vector<Segment> segments;
};

class InsideQuery;

struct BoneOptions {
  LeafRule leaf = LeafRule::extend;
  /// Of a joint's several segments, those that turn back against the direction from its parent are
  /// halved.
  bool shorten_turns = false;
};

/// Of every joint, the segments from it to each of its children. `inside`: for LeafRule::surface
/// alone. `continued_by`: as in JointRoles, or empty; a joint that is continued has one segment, to
/// where that joint begins, whatever the leaf rule.
std::vector<JointBones> bone_segments(std::span<const Joint> joints,
                                      const BoneOptions& options = {},
                                      const InsideQuery* inside = nullptr,
                                      std::span<const int> continued_by = {});

}  // namespace gvbind
