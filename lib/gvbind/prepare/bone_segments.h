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
  surface,  ///< along its parent's segment's direction until shortly before the mesh ends, at most
            ///< as long as that segment
  extend,   ///< half its parent's segment, further along the same direction
  point,    ///< the joint alone
  ignore,   ///< no influence
};

/// How an influence takes part none of whose segments meets a voxel of the mesh.
enum class OutsideRule {
  extend,  ///< from the nearest voxels on, the way there added to its distances
  snap,    ///< as if it were moved to the nearest voxel
  skip,    ///< owns nothing
  error,   ///< the bind is refused
};

/// A joint as the stages see it.
struct Joint {
  Eigen::Vector3d position;  ///< bind space
  int parent = -1;           ///< index of an earlier joint, -1 at a root
  bool deforms = true;       ///< false: gives its parent a segment and owns nothing itself
  std::string name = {};     ///< for findings and errors; may be empty
};

class InsideQuery;

struct BoneOptions {
  LeafRule leaf = LeafRule::extend;
  /// Of a joint's several segments, one that turns back from where the joint's parent came reaches
  /// only half of the way to its child.
  bool shorten_turns = false;
};

/// Influence i belongs to joint i and holds the segments from it to each of its children.
/// `body`: for LeafRule::surface alone. `continued_by`: as in JointRoles, or empty; a joint that is
/// continued has its one segment to there, whatever the leaf rule.
std::vector<Influence> bone_segments(std::span<const Joint> joints, const BoneOptions& options = {},
                                     const InsideQuery* body = nullptr,
                                     std::span<const int> continued_by = {});

}  // namespace gvbind
