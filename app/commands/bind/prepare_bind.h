#pragma once

// Tested by tests/command/cli_test.py.

#include <filesystem>
#include <string>
#include <vector>

#include "bind/existing_weights.h"
#include "character/scene.h"
#include "commands/bind/bind_file.h"
#include "formats/document.h"
#include "gvbind/error.h"

namespace gvbind {

/// The document that becomes the output, and what is bound of it.
struct PreparedBind {
  Document document;
  Scene scene;                              ///< with the weights that the input had
  Selection found;                          ///< what finds the same joints again in the output
  std::vector<SceneJoint> bindable_joints;  ///< the scene's, as scaled for the weighing
  bool built = false;  ///< the document was built from the scene, and so has no weights
  ExistingPlan existing;
  std::vector<bool> locked;  ///< by joint, whether it keeps its old weights; empty: none does
  BindRules rules;           ///< of the request, for this scene
  std::vector<std::string> input_sidecars, skeleton_sidecars;
};

/// Reads the input and the skeleton, brings them into the format of the output and finds what is to
/// be bound. Throws Error: what cannot be read, selected or bound.
PreparedBind prepare_bind(const BindRequest& request, Findings& findings);

}  // namespace gvbind
