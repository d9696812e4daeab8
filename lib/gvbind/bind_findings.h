#pragma once

// Tested by tests/unit/gvbind/bind_skin_test.cpp.

#include <span>
#include <string>

#include "gvbind/bind_skin.h"
#include "gvbind/distance/bridge_components.h"
#include "gvbind/distance/seeds.h"
#include "gvbind/solid/contact_separation.h"
#include "gvbind/weights/rigid_components.h"

namespace gvbind {

/// Findings of bind_skin() (listed in bind_skin.h) and the counts they report.

/// A joint as messages name it: by name, or by index if it has none.
std::string joint_label(std::span<const Joint> joints, std::size_t i);

/// Throws Error(cannot_bind) naming the joints outside.
[[noreturn]] void refuse_outside(std::span<const OutsideJoint> outside,
                                 std::span<const Joint> joints);

void report_contacts(const ContactSeparation& touching, std::span<const Joint> joints,
                     Findings& findings);
void report_bridges(const ComponentBridges& bridges, Findings& findings);
void report_rigid(const RigidCount& count, Findings& findings);
void report_unreached(std::size_t unreached, BindResult& result);
/// Counts the joints' vertices first. Drops findings that a joint gets no weight if a fit gave it
/// some.
void report_joints(const LatticeBones& bones, std::span<const OutsideJoint> outside,
                   std::span<const Joint> joints, OutsideRule rule, BindResult& result);

}  // namespace gvbind
