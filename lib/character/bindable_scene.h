#pragma once

#include <vector>

#include "character/scene.h"

namespace gvbind {

/// The meshes of a scene and the joints that may get weight: those of the scene, or the same at
/// another scale while the scene keeps those of its file. A view: the scene has to live longer.
struct BindableScene {
  const std::vector<SceneMesh>& meshes;
  const std::vector<SceneJoint>& joints;
  const Units& units;

  BindableScene(const Scene& scene) : BindableScene(scene, scene.joints) {}
  BindableScene(const Scene& scene, const std::vector<SceneJoint>& bindable)
      : meshes(scene.meshes), joints(bindable), units(scene.units) {}
};

}  // namespace gvbind
