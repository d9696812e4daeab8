#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "character/scene.h"

namespace gvbind::fuzz {

/// One mesh: a box of 2 by 4 by 2 with a chain of three joints, and a small box beside it.
inline Scene rule_scene() {
  Scene scene;
  SceneMesh& mesh = scene.meshes.emplace_back();
  mesh.name = "body";
  mesh.materials = {"skin"};
  const auto add_box = [&](const Eigen::Vector3d& low, const Eigen::Vector3d& high) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int corner = 0; corner < 8; ++corner)
      mesh.positions.emplace_back((corner & 1 ? high : low).x(), (corner & 2 ? high : low).y(),
                                  (corner & 4 ? high : low).z());
    for (const Triangle& t : {Triangle{0, 2, 1},
                              {1, 2, 3},
                              {4, 5, 6},
                              {5, 7, 6},
                              {0, 1, 4},
                              {1, 5, 4},
                              {2, 6, 3},
                              {3, 6, 7},
                              {0, 4, 2},
                              {2, 4, 6},
                              {1, 3, 5},
                              {3, 7, 5}})
      mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  };
  add_box({-1, 0, -1}, {1, 4, 1});
  add_box({1.2, 1, -0.2}, {2.2, 1.4, 0.2});
  for (int j = 0; j < 3; ++j) {
    SceneJoint joint;
    joint.name = "j" + std::to_string(j);
    joint.parent = j - 1;
    joint.bind.translation() = Eigen::Vector3d(0, 0.5 + 1.4 * j, 0);
    joint.bind.rotate(Eigen::AngleAxisd(0.3 * j, Eigen::Vector3d::UnitX()));
    scene.joints.push_back(joint);
  }
  return scene;
}

/// A file with the fuzzer's bytes, deleted with the process.
struct ScratchFile {
  std::filesystem::path path;

  explicit ScratchFile(const std::string& name)
      : path(std::filesystem::temp_directory_path() /
             ("gvbind_" + name + "_" + std::to_string(getpid()) + ".toml")) {}
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  void put(const std::uint8_t* data, std::size_t size) const {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
};

/// An error in a rule file is one line that begins with the file name and the line number.
inline bool names_line(const std::string& message, const std::string& name) {
  if (!message.starts_with(name + ":") || message.find('\n') != message.npos) return false;
  std::size_t at = name.size() + 1;
  while (at < message.size() && message[at] >= '0' && message[at] <= '9') ++at;
  return at > name.size() + 1 && message.substr(at).starts_with(": ");
}

}  // namespace gvbind::fuzz
