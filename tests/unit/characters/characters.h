#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "character/scene.h"
#include "character/selection.h"
#include "formats/document.h"

namespace gvbind::test {

/// Our own samples and, if available, third-party characters: files with joints.
inline std::vector<std::filesystem::path> character_files() {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {GVBIND_DATA, GVBIND_CHARACTERS}) {
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const std::string suffix = entry.path().extension().string();
      if (suffix == ".glb" || suffix == ".gltf" || suffix == ".fbx") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// A scene ready to be bound; no meshes if the file lacks meshes or joints.
inline Scene load_character(const std::filesystem::path& path) {
  Findings findings;
  Scene scene = scene_of(read_document(path, findings), {}, findings);
  if (scene.meshes.empty() || scene.joints.empty()) return {};
  apply_selection(scene, {});
  return scene;
}

/// All selected meshes joined into one.
struct JoinedMesh {
  std::vector<Eigen::Vector3d> positions;
  std::vector<Triangle> triangles;
  std::vector<Joint> joints;
};

inline JoinedMesh join(const Scene& scene) {
  JoinedMesh joined;
  for (const SceneMesh& mesh : scene.meshes) {
    if (!mesh.selected) continue;
    const auto base = static_cast<std::uint32_t>(joined.positions.size());
    joined.positions.insert(joined.positions.end(), mesh.positions.begin(), mesh.positions.end());
    for (const Triangle& t : mesh.triangles)
      joined.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
  }
  for (const SceneJoint& joint : scene.joints)
    joined.joints.push_back({joint.bind.translation(), joint.parent, joint.deforms});
  return joined;
}

}  // namespace gvbind::test
