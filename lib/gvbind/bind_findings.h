#pragma once

#include <span>
#include <string>

#include "gvbind/air_bridges.h"
#include "gvbind/bind.h"
#include "gvbind/rigid_parts.h"
#include "gvbind/starts.h"
#include "gvbind/touching_surfaces.h"

namespace gvbind {

/// What bind() has to say, as findings (bind.h lists them), and the counts that go with it.

/// A joint in a message: its name, or its index where it has none.
std::string joint_label(std::span<const JointPoint> joints, std::size_t i);

/// Throws Error(cannot_bind) that names those outside.
[[noreturn]] void refuse_outside(std::span<const OutsideInfluence> outside,
                                 std::span<const JointPoint> joints);

void report_touching(const TouchingSurfaces& touching, std::span<const JointPoint> joints,
                     Findings& findings);
void report_bridges(const AirBridges& bridges, Findings& findings);
void report_rigid(const RigidCount& count, Findings& findings);
void report_unreached(std::size_t unreached, BindResult& result);
/// Counts the joints' vertices first.
void report_joints(const UnitScene& scene, std::span<const OutsideInfluence> outside,
                   std::span<const JointPoint> joints, OutsideRule rule, BindResult& result);

}  // namespace gvbind
