#pragma once

// Tested by tests/command/cli_test.py.

#include <span>

#include "bind/bind_request.h"
#include "bind/bind_scene.h"
#include "bind/bindable_file.h"

namespace gvbind {

/// Weights of the selected meshes, from distances of another file if the request has them; none
/// if all meshes keep their weights. `options`: the options of the request, with the rules of the
/// file and the chosen resolution. Throws Error as bind_scene() does, with the input's name.
SceneBinding compute_weights(const BindRequest& request, const BindableFile& f,
                             const BindOptions& options, const Monitor& monitor = {},
                             std::span<Character> characters = {}, const FieldUse& field = {});

/// Mirrors the weights, shares them with twist joints, restores locked joints and kept rows, and
/// rounds to the precision of the target.
void finish_weights(const BindRequest& request, const BindableFile& f, const BindOptions& options,
                    SceneBinding& bound);

}  // namespace gvbind
