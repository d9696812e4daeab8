#pragma once

// Tested by tests/command/rig_test.py.

#include "bind/bindable_file.h"
#include "gvbind/rig.h"
#include "rig/rig_skeleton.h"

namespace gvbind::rig {

/// Turns and scales the scene of a file whose format names no units (Scene::units.known is false),
/// before it is converted, to meters with +y up: as the options say, else by the turn in which the
/// template fits best and the unit in which the mesh has a usual size. Hints follow. Returns where
/// up and front are in the converted scene. Changes nothing of other files. Findings:
/// "body-turned", "mesh-stood-up", "mesh-scaled", "units-unsure", "units-not-used". Throws as
/// rig_character().
Standing settle_axes(const RigFileOptions& options, const NamedTemplate& from, BindableFile& f,
                     std::vector<JointHint>& hints, Findings& findings);

}  // namespace gvbind::rig
