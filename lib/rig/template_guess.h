#pragma once

// Tested by tests/command/rig_test.py.

#include <optional>
#include <string>

#include "gvbind/mesh_view.h"
#include "rig/rig_character.h"

namespace gvbind::rig {

/// The built-in template that a body looks like.
struct TemplateGuess {
  std::string name;
  double probability = 0.0;  ///< calibrated with the own author left out, docs/measurements/rig.md
};

/// Tries all built-in templates on a coarse body. None where no template is clearly the best. The
/// mesh as for rig_character(), which has to accept it.
std::optional<TemplateGuess> guessed_template(const MeshView& mesh, OrientRule orient);

}  // namespace gvbind::rig
