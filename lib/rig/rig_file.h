#pragma once

// Tested by tests/command/rig_test.py.

#include <filesystem>

#include "bind/bindable_file.h"
#include "gvbind/rig.h"
#include "rig/rig_skeleton.h"

// A rig is a sequence of functions on one value, and a bind after it (bindable_file.h):
//   check_rig(options);
//   NamedTemplate from = open_template(options.skeleton, limits);
//   name_as_template(from, options.names, options.hints);
//   MadeSkeleton made = read_rigged(request, from, options, f, findings);
// rig_file() is the same for programs.

namespace gvbind::rig {

/// Throws Error(usage) for options that contradict each other, and for an unknown template.
void check_rig(const RigFileOptions& options);

/// The request of the bind.
BindRequest rig_request(const std::filesystem::path& input, const std::filesystem::path& output,
                        const RigFileOptions& options);

/// Reads the input, adds the joints of the template and selects all for a bind. Throws Error:
/// input, cannot_bind, resource.
MadeSkeleton read_rigged(const BindRequest& request, const NamedTemplate& from,
                         const RigFileOptions& options, BindableFile& f, Findings& findings);

}  // namespace gvbind::rig
