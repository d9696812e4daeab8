#pragma once

#include "character/scene.h"

namespace gvbind {

/// Compares a file that was read back with its expected content: meshes, vertex counts
/// and places, the joints of each bound mesh, their bind matrices (within 1e-5 of the mesh's
/// extent) and the weights (within 1e-6; those that were to stay, exactly). `expected` is the scene
/// that was patched, `read` the scene of the new file. Throws Error(output) that names the first
/// mesh, joint or vertex that differs.
void verify_written(const Scene& expected, const SceneWeights& weights, const Scene& read);

}  // namespace gvbind
