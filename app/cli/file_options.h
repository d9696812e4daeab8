#pragma once

// Tested by tests/command/rules_test.py.

#include "cli/bind_options.h"

namespace gvbind {

// Options whose value is a file, or a word in place of one. Applying an option reads its file and
// throws Error: usage where there is neither such a word nor such a file; input, beginning with the
// path and, for a file of rules, the line, where its content is wrong.

BindOption skeleton_option();
BindOption rules_option();  ///< options that are given themselves override its values
BindOption rig_option();
BindOption weights_option();
BindOption like_option();
BindOption twist_option();
BindOption clip_option();
BindOption springs_option();
BindOption skinning_option();
BindOption edits_option();
BindOption influences_option();
BindOption asset_root_option();

}  // namespace gvbind
