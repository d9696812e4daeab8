#pragma once

// Tested by tests/unit/gvbind/joint_groups_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/fitted/pair_network.h"
#include "gvbind/joint.h"
#include "gvbind/prepare/character.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/weights/component_joints.h"

namespace gvbind {

/// Joints at one bone, whose weights are summed and shared anew, because the fit cannot tell which
/// of them an artist would give the weight.
struct JointGroup {
  Eigen::Vector3d from, way;          ///< the bone from its first end to its last, lattice
  std::vector<std::uint32_t> owners;  ///< spread evenly from the first end to the last
};

struct JointGroups {
  std::vector<JointGroup> groups;
  std::vector<int> of;           ///< by joint: its group, or -1
  std::vector<bool> components;  ///< grouped_components(); empty: none

  bool share_component(std::uint32_t component) const {
    return component < components.size() && components[component];
  }
};

/// Two kinds of groups are known by their names.
///
/// A limb and its twist joints: these have "twist" in their names and no word for a control, have
/// no other joints below them, and lie on a bone that begins at their parent or beside them: at the
/// joint with the most similar name. Where a twist joint lies at the first end of the bone, as on
/// upper arms and thighs, the limb's joint owns the last end, otherwise the first one, as on
/// forearms.
///
/// A head, and a joint at the same place below it that gathers the joints of the face ("FacialBone"
/// of Character Creator): the head alone owns.
///
/// `position`: of the joints, lattice; `bones`: empty for joints that own nothing, which are in no
/// group.
JointGroups joint_groups(std::span<const Joint> joints, std::span<const Eigen::Vector3d> position,
                         const LatticeBones& bones);

/// Shares of a group's owners at a point of the lattice: linear between neighbors.
struct GroupShares {
  std::size_t first = 0;     ///< of two neighbors among the owners
  double later_share = 0.0;  ///< of the second one; the first has the rest
};
GroupShares group_shares(const JointGroup& group, const Eigen::Vector3d& point);

/// By component, whether it is rigid to a joint of a group, and yet shared: it reaches along half
/// of the bone or more, as a limb of a jointed doll, or its joint is no owner.
std::vector<bool> grouped_components(const JointGroups& groups, const Character& character,
                                     const ComponentJoints& components);

/// Takes the pairs of a point of the lattice, and replaces those of each group by pairs of its
/// owners. The sum of exp(score) over a group stays and is divided by group_shares(). New pairs
/// come last. Returns the number of pairs.
std::size_t share_in_groups(const JointGroups& groups, const Eigen::Vector3d& at,
                            std::span<std::uint32_t, max_pairs> joint,
                            std::span<float, max_pairs> score, std::size_t count);

}  // namespace gvbind
