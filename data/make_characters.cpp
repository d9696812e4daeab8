#include <filesystem>
#include <fstream>
#include <iostream>

#include "characters.h"
#include "formats/fbx/fbx.h"
#include "formats/gltf/gltf.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

void write_file(const std::filesystem::path& path, const void* bytes, std::size_t count) {
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
  file.close();
  if (!file) throw Error(ErrorKind::output, path.string() + ": cannot be written");
  std::cout << path.string() << ": " << count << " bytes\n";
}

void write_glb(const Scene& scene, const std::filesystem::path& path) {
  for (const EncodedFile& file : encode_gltf(*build_gltf(scene), path))
    write_file(file.relative_path.empty() ? path : path.parent_path() / file.relative_path,
               file.bytes.data(), file.bytes.size());
}

void write_fbx(const Scene& scene, const std::filesystem::path& path) {
  Findings findings;
  const std::vector<std::uint8_t> bytes = encode_fbx(*build_fbx(scene), findings);
  for (const Finding& finding : findings) std::cerr << finding.message << '\n';
  write_file(path, bytes.data(), bytes.size());
}

void make_characters(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const Units centimeters{0.01, Eigen::Vector3d::UnitY(), Eigen::Vector3d::UnitZ(), true};
  const Units z_up{0.01, Eigen::Vector3d::UnitZ(), -Eigen::Vector3d::UnitY(), true};
  const auto write_both = [&](const Scene& scene, const std::string& name) {
    write_glb(scene, folder / (name + ".glb"));
    write_fbx(in_units(scene, centimeters), folder / (name + ".fbx"));
  };
  write_both(biped(), "biped");
  write_both(quadruped(), "quadruped");
  write_both(mannequin(), "mannequin");
  const Scene skeleton = mannequin_skeleton();
  write_glb(skeleton, folder / "mannequin_skeleton.glb");
  write_fbx(in_units(skeleton, z_up), folder / "mannequin_skeleton.fbx");
  const std::string motion = bvh_text(in_units(skeleton, centimeters));
  write_file(folder / "mannequin_skeleton.bvh", motion.data(), motion.size());
}

}  // namespace
}  // namespace gvbind

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: make_characters OUT_DIR\n";
    return static_cast<int>(gvbind::ErrorKind::usage);
  }
  try {
    gvbind::make_characters(arguments[1]);
  } catch (const gvbind::Error& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(error.kind());
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(gvbind::ErrorKind::internal);
  }
  return 0;
}
