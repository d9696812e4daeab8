#pragma once

// Tested by tests/command/cli_test.py.

#include <string>
#include <vector>

#include "bind/bind_request.h"
#include "bind/existing_weights.h"
#include "bind/twist_weights.h"
#include "character/bindable_scene.h"
#include "formats/document.h"
#include "gvbind/error.h"

// A bind is a sequence of functions on one value:
//   BindableFile f = read_bindable(request, findings);   read, in the format of the output
//   add_made_joints(request, f, skeleton, findings);     for `gvbind rig` and --rig alone
//   select_bindable(request, f, findings);               meshes, joints, rules
//   SceneBinding bound = compute_weights(request, f);    see bound_weights.h
//   finish_weights(request, f, bound);
//   patch_skin(f.document, f.scene, bound.weights);      and a checked write
// Asset is the same sequence for programs.

namespace gvbind {

/// The document that becomes the output, and its meshes and joints to bind.
struct BindableFile {
  Document document;
  Format format = Format::other;  ///< of the output
  Scene scene;                    ///< with the weights that the input had
  Selection found;                ///< finds the same joints again in the output
  /// The input's own where the selection finds none of them, so that the scene has none.
  std::vector<SceneJoint> hidden_joints = {};
  std::vector<SceneJoint> bindable_joints;  ///< the scene's, as scaled for computing weights
  bool own_joints = true;                   ///< the input's, not added to it
  bool made_joints = false;            ///< placed in these meshes, so their size is not in question
  std::vector<TwistLimb> twists = {};  ///< of joints that were made; they get weight at the end
  bool built = false;  ///< the document was built from the scene, and so has no weights
  ExistingPlan existing;
  std::vector<bool> locked;  ///< by joint, whether it keeps its old weights; empty: none does
  BindRules rules;           ///< of the request, for this scene
  std::vector<std::string> input_sidecars, skeleton_sidecars;

  BindableScene bindable() const { return {scene, bindable_joints}; }
};

/// The input is sound but holds no mesh or no joints, so that there is nothing to be bound: no
/// failure for a file that a search of directories found.
class NothingToBind : public Error {
 public:
  explicit NothingToBind(const std::string& message) : Error(ErrorKind::cannot_bind, message) {}
};

/// The input in its own format. Throws Error: input, resource.
BindableFile read_input(const BindRequest& request, Findings& findings);

/// Adds the joints of the request's skeleton file. Throws Error: input, also where the input has
/// joints; cannot_bind where that file has none.
void add_skeleton(const BindRequest& request, BindableFile& f, Findings& findings);

/// The file of read_input() in the format of the output, with the joints of the skeleton file if
/// there is one. Throws Error as add_skeleton(), and NothingToBind without a mesh.
void finish_input(const BindRequest& request, BindableFile& f, Findings& findings);

/// read_input() in the format of the output, with the joints of the skeleton file if there is one.
/// Throws Error as both, and NothingToBind without a mesh.
BindableFile read_bindable(const BindRequest& request, Findings& findings);

/// The input's own joints before a skeleton is added, whatever the request selects.
const std::vector<SceneJoint>& joints_before_selection(const BindableFile& f);

/// Throws Error(input) where the input has joints. `source`: where else they would come from, for
/// the message.
void require_no_joints(const BindRequest& request, const BindableFile& f, const char* source);

/// Adds joints that were made for the meshes, in the scene's bind space.
void add_made_joints(const BindRequest& request, BindableFile& f, const Scene& skeleton,
                     Findings& findings);

/// Applies the selection, rules and locks, and decides about weights that the input has. Throws
/// Error: cannot_bind where nothing can be bound or the skeleton does not fit; usage.
void select_bindable(const BindRequest& request, BindableFile& f, Findings& findings);

}  // namespace gvbind
