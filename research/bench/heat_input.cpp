// Writes the data that a bind has of a file, for weights_of_blender.py: joints with their places,
// and skinned meshes. Bones that an import puts elsewhere (joints without an inverse bind matrix)
// so stand where they are in a bind.

#include <iostream>

#include "character/scene.h"
#include "gvbind/asset.h"
#include "gvbind/error.h"

namespace {

void write_place(const Eigen::Vector3d& p) {
  std::cout << '[' << p.x() << ',' << p.y() << ',' << p.z() << ']';
}

void write_mesh(const gvbind::SceneMesh& mesh) {
  std::cout << "{\"vertices\":[";
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    std::cout << (v > 0 ? "," : "");
    write_place(mesh.positions[v]);
  }
  std::cout << "],\"triangles\":[";
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    std::cout << (t > 0 ? "," : "") << '[' << mesh.triangles[t][0] << ',' << mesh.triangles[t][1]
              << ',' << mesh.triangles[t][2] << ']';
  std::cout << "]}";
}

void write_asset(const gvbind::Asset& asset) {
  std::cout.precision(17);
  std::cout << "{\"joints\":[";
  bool first = true;
  for (const gvbind::SceneJoint& joint : asset.scene().joints) {
    std::cout << (first ? "" : ",") << "{\"node\":" << joint.node << ",\"parent\":" << joint.parent
              << ",\"deforms\":" << (joint.deforms ? "true" : "false") << ",\"place\":";
    write_place(joint.bind.translation());
    std::cout << '}';
    first = false;
  }
  std::cout << "],\"meshes\":[";
  first = true;
  for (const gvbind::SceneMesh& mesh : asset.scene().meshes) {
    if (mesh.skin_joints.empty()) continue;
    std::cout << (first ? "" : ",");
    write_mesh(mesh);
    first = false;
  }
  std::cout << "]}\n";
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: heat_input FILE\n";
    return 2;
  }
  try {
    write_asset(gvbind::Asset::read(arguments[1]));
  } catch (const gvbind::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
