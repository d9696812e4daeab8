#include "commands/pose/write_pose.h"

#include <charconv>
#include <memory>

#include "formats/clip.h"
#include "formats/gltf/bake_pose.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/atomic_write.h"
#include "io/encoded_file.h"
#include "io/file_io.h"
#include "preview/preview.h"

namespace gvbind {
namespace {

void add_number(std::string& text, double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, static_cast<float>(value)).ptr;
  text.append(digits, end);
}

std::string obj_text(const PosedFile& file, const FrozenPose& pose,
                     const Eigen::Affine3d& to_world) {
  std::string text = "# gvbind pose\n";
  for (std::size_t m = 0; m < file.scene.meshes.size(); ++m) {
    const SceneMesh& mesh = file.scene.meshes[m];
    const std::size_t base = pose.surface.first[m];
    text += "o " + one_line(mesh.name) + "\n";
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const Eigen::Vector3d p = to_world * pose.positions[base + v];
      text += "v";
      for (const double value : p) add_number(text += ' ', value);
      text += '\n';
    }
    for (const Triangle& t : mesh.triangles) {
      text += "f";
      for (const std::uint32_t v : t) text += ' ' + std::to_string(base + v + 1);
      text += '\n';
    }
  }
  return text;
}

std::vector<gltf::FrozenMesh> frozen_meshes(const PosedFile& file, const FrozenPose& pose,
                                            const Eigen::Affine3d& to_world) {
  std::vector<gltf::FrozenMesh> meshes;
  for (std::size_t m = 0; m < file.scene.meshes.size(); ++m) {
    gltf::FrozenMesh& frozen = meshes.emplace_back();
    for (std::size_t v = pose.surface.first[m]; v < pose.surface.first[m + 1]; ++v) {
      frozen.positions.push_back(to_world * pose.positions[v]);
      frozen.turns.push_back(to_world.linear() *
                             blended_transform(pose.surface, v, pose.joints).linear() *
                             file.scene.meshes[m].to_bind.linear());
    }
  }
  return meshes;
}

std::vector<EncodedFile> picture(const PosedFile& file, const FrozenPose& pose) {
  PreviewOptions options;
  for (std::size_t m = 0; m < file.scene.meshes.size(); ++m) {
    const auto begin = pose.positions.begin() + static_cast<std::ptrdiff_t>(pose.surface.first[m]);
    options.posed.emplace_back(
        begin, begin + static_cast<std::ptrdiff_t>(file.scene.meshes[m].positions.size()));
  }
  const std::string bytes = png_bytes(render_sheet(file.scene, options));
  return {{"", {bytes.begin(), bytes.end()}}};
}

}  // namespace

void write_pose(const PosedFile& file, const FrozenPose& pose, const std::string& output,
                bool overwrite) {
  const WriteOptions writing{.overwrite = overwrite};
  const std::string kind = lower_extension(output);
  if (kind == "png") return write_files(picture(file, pose), output, writing);
  const Eigen::Affine3d to_world = world_to_bind(file.document, file.scene).inverse();
  if (kind == "obj") {
    const std::string text = obj_text(file, pose, to_world);
    return write_files({{"", {text.begin(), text.end()}}}, output, writing);
  }
  const auto& gltf = std::get<std::shared_ptr<GltfDocument>>(file.document);
  gltf::freeze_meshes(*gltf, file.scene, frozen_meshes(file, pose, to_world));
  Findings unused;
  write_files(encode(file.document, output, unused), output, writing);
}

}  // namespace gvbind
