#pragma once

#include "character/scene.h"

namespace gvbind {

/// Whether a rule gives the vertex to a joint, so that nothing has to be weighed.
inline bool is_given(const SceneMesh& mesh, std::size_t vertex) {
  return !mesh.assigned_joint.empty() && mesh.assigned_joint[vertex] >= 0;
}

}  // namespace gvbind
