#pragma once

// Tested by tests/unit/retarget/own_motions_test.cpp.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "retarget/body_roles.h"

namespace gvbind::retarget {

/// Up in all worlds here.
inline const Eigen::Vector3d world_up = Eigen::Vector3d::UnitY();

/// Bodies that have motions of our own, each as the template of `gvbind rig` of that name.
enum class BodyKind { biped, quadruped, bird, fish, spider, hand };

std::string_view kind_name(BodyKind kind);

/// A character's skeleton at rest, meters, +y up. It has the nodes of its scene, sorted so that
/// each comes after the node that carries it, which is its parent here. Scales are left out.
struct OwnBody {
  BodyKind kind = BodyKind::biped;
  bool is_known = true;  ///< false: the names of the joints fit no kind
  RestSkeleton rest;
  BodyRoles roles;  ///< by node of `rest`
  Eigen::Vector3d left = Eigen::Vector3d::UnitX(), front = Eigen::Vector3d::UnitZ();
  /// By node: of the vertices that follow it most, the one farthest from it; the node's own place
  /// where none do.
  std::vector<Eigen::Vector3d> tips;
  int mover = 0;            ///< node that moves the whole body
  double size = 1.0;        ///< largest extent of the joints along an axis
  bool level_tail = false;  ///< of a fish, that is a whale or a dolphin by its skin

  const Eigen::Vector3d& at(int node) const { return rest.world.positions[node]; }
};

/// The kind of this name; none for other names.
std::optional<BodyKind> kind_named(std::string_view name);

/// Of this kind or, without one, by the names and the places of the joints; a biped where these
/// tell nothing.
OwnBody own_body(const NodeScene& hero, const HumanBones& bones,
                 const std::optional<BodyKind>& kind = {});

/// Nodes whose names begin with this and go on with anything but a letter, in their order.
std::vector<int> nodes_called(const OwnBody& body, std::string_view word);

/// Joints of the tail, from the trunk outwards.
std::vector<int> tail_joints(const OwnBody& body);

/// A pose of the body.
struct OwnPose {
  /// By node: its turn since rest against its parent, in the axes of the world at rest.
  std::vector<Eigen::Quaterniond> turns;
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();  ///< of the mover, meters

  explicit OwnPose(const OwnBody& body) : turns(body.rest.size(), Eigen::Quaterniond::Identity()) {}
};

/// Where nodes are, and how much they have turned in the world since rest.
struct PlacedPose {
  std::vector<Eigen::Quaterniond> turns;
  std::vector<Eigen::Vector3d> positions;
};
PlacedPose place_pose(const OwnBody& body, const OwnPose& pose);

/// A turn by degrees.
Eigen::Quaterniond turn_about(const Eigen::Vector3d& axis, double angle);

/// Two bones of a limb.
struct OwnLimb {
  int upper = -1, lower = -1;
  Eigen::Vector3d end;  ///< at rest
  Eigen::Vector3d
      bend;  ///< axis about which a straight limb bends, the lower bone against the upper
};

/// Turns both bones so that the end comes to `target`, or as near as the limb is long.
void bring_end(const OwnBody& body, const OwnLimb& limb, const Eigen::Vector3d& target,
               OwnPose& pose);

/// Turns a node so that it has turned so much in the world since rest.
void set_world_turn(const OwnBody& body, int node, const Eigen::Quaterniond& turn, OwnPose& pose);

/// The body as a scene of joints without a clip.
NodeScene scene_of_body(const OwnBody& body);

}  // namespace gvbind::retarget
