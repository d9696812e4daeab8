#include "formats/document.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "formats/fbx/document.h"
#include "formats/fbx/transform.h"
#include "formats/gltf/document.h"
#include "formats/gltf/nodes.h"
#include "formats/import/import.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/encoded_file.h"
#include "io/file_io.h"

namespace gvbind {

namespace {

bool is_imported(const std::filesystem::path& path) {
  const auto imported = import_extensions();
  return std::find(imported.begin(), imported.end(), lower_extension(path)) != imported.end();
}

/// Checks only signatures that no other format begins with.
Format format_of_content(std::string_view start) {
  if (start.starts_with("glTF")) return Format::glb;
  if (start.starts_with("Kaydara FBX Binary")) return Format::fbx;
  if (start.starts_with("\xEF\xBB\xBF")) start.remove_prefix(3);
  start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  if (start.starts_with("; FBX ") || start.starts_with("FBXHeaderExtension:")) return Format::fbx;
  return Format::other;
}

/// By content if that is conclusive, else by extension. Throws Error(input).
Format format_of_file(const std::filesystem::path& path) {
  const Format by_extension = format_of_name(path);
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    throw Error(ErrorKind::input, path_text(path) + ": no such file");
  if (!std::filesystem::is_regular_file(status))
    throw Error(ErrorKind::input, path_text(path) + ": is not a file");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error(ErrorKind::input,
                path_text(path) + ": cannot be opened: " + std::generic_category().message(errno));
  std::array<char, 512> start{};
  file.read(start.data(), start.size());
  const std::string_view text(start.data(), static_cast<std::size_t>(file.gcount()));
  const Format by_content = format_of_content(text);
  if (by_content != Format::other) return by_content;
  // JSON alone proves little: other formats are JSON too.
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool unknown = by_extension == Format::other && !is_imported(path);
  if (unknown && first != std::string_view::npos && text[first] == '{') return Format::gltf;
  if (unknown)
    throw Error(ErrorKind::input,
                path_text(path) + ": unknown format, by its content and by its extension");
  return by_extension;
}

void append_joints(Scene& scene, const Scene& skeleton) {
  std::set<std::string_view> names;
  for (const SceneJoint& joint : scene.joints) names.insert(joint.name);
  std::string twice;
  for (const SceneJoint& joint : skeleton.joints)
    if (names.contains(joint.name)) twice += (twice.empty() ? "'" : ", '") + joint.name + "'";
  if (!twice.empty())
    throw Error(ErrorKind::input, "already has joints with the skeleton's names: " + twice);
  const int base = static_cast<int>(scene.joints.size());
  for (SceneJoint joint : skeleton.joints) {
    if (joint.parent >= 0) joint.parent += base;
    joint.node = -1;
    scene.joints.push_back(std::move(joint));
  }
}

void set_skin(Scene& held, const Scene& scene, const SceneWeights& weights) {
  for (std::size_t m = 0; m < held.meshes.size() && m < weights.meshes.size(); ++m) {
    if (weights.meshes[m].empty()) continue;
    SceneMesh& mesh = held.meshes[m];
    if (weights.fills_mesh(m)) throw Error(ErrorKind::internal, "a scene holds no rows to keep");
    mesh.weights = weights.meshes[m];
    mesh.skin_joints.clear();
    for (std::size_t j = 0; j < scene.joints.size(); ++j)
      if (scene.joints[j].deforms) mesh.skin_joints.push_back(static_cast<int>(j));
  }
}

template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

using Gltf = std::shared_ptr<GltfDocument>;
using Fbx = std::shared_ptr<FbxDocument>;

}  // namespace

Document read_document(const std::filesystem::path& path, Findings& findings,
                       const ReadOptions& options) {
  const Format format = format_of_file(path);
  if (is_gltf(format)) return read_gltf(path, options);
  if (format == Format::fbx) return read_fbx(path, options);
  return import_scene(path, findings, options);
}

Scene scene_of(const Document& document, const Selection& selection, Findings& findings,
               const SceneParts& parts) {
  return std::visit(
      Overloaded{[&](const Gltf& gltf) { return scene_of(*gltf, selection, findings, parts); },
                 [&](const Fbx& fbx) { return scene_of(*fbx, selection, findings, parts); },
                 [&](const Scene& scene) { return scene; }},
      document);
}

void add_joints(Document& document, const Scene& skeleton) {
  std::visit(Overloaded{[&](Gltf& gltf) { add_joints(*gltf, skeleton); },
                        [&](Fbx& fbx) { add_joints(*fbx, skeleton); },
                        [&](Scene& scene) { append_joints(scene, skeleton); }},
             document);
}

void patch_skin(Document& document, const Scene& scene, const SceneWeights& weights) {
  std::visit(Overloaded{[&](Gltf& gltf) { patch_skin(*gltf, scene, weights); },
                        [&](Fbx& fbx) { patch_skin(*fbx, scene, weights); },
                        [&](Scene& held) { set_skin(held, scene, weights); }},
             document);
}

std::vector<std::string> sidecars_of(const Document& document) {
  return std::visit(Overloaded{[](const Gltf& gltf) { return sidecars_of(*gltf); },
                               [](const Fbx&) { return std::vector<std::string>(); },
                               [](const Scene& scene) { return scene.sidecars; }},
                    document);
}

void check_sidecars(const Document& document) {
  // Other formats have read all the files that they name by now.
  if (const Gltf* gltf = std::get_if<Gltf>(&document)) check_sidecars(**gltf);
}

bool same_format(const Document& document, Format format) {
  if (std::holds_alternative<Gltf>(document)) return is_gltf(format);
  return std::holds_alternative<Fbx>(document) && format == Format::fbx;
}

Document build_document(const Scene& scene, const std::filesystem::path& path) {
  const Format format = format_of_name(path);
  if (format == Format::gltf || format == Format::glb) return build_gltf(scene);
  if (format == Format::fbx) return build_fbx(scene);
  if (format == Format::vrm)
    throw Error(ErrorKind::usage,
                path_text(path) + ": only a VRM or glTF input can become a VRM; write .glb");
  throw Error(ErrorKind::usage, path_text(path) +
                                    ": is of no format that gvbind writes; use .fbx, "
                                    ".glb or .gltf");
}

std::vector<EncodedFile> encode(const Document& document, const std::filesystem::path& path,
                                Findings& findings, const FileNames& names) {
  if (!same_format(document, path))
    throw Error(ErrorKind::usage,
                path_text(path) + ": its extension does not match the document's format");
  if (const Gltf* gltf = std::get_if<Gltf>(&document)) return encode_gltf(**gltf, path, names);
  std::vector<EncodedFile> files(1);
  files.front().bytes = encode_fbx(*std::get<Fbx>(document), findings);
  return files;
}

std::vector<Eigen::Affine3d> node_transforms(const Document& document, const Scene& scene) {
  std::vector<Eigen::Affine3d> transforms;
  if (const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&document)) {
    const gltf::NodeTree tree = gltf::node_tree((*gltf)->json);
    for (const SceneJoint& joint : scene.joints) transforms.push_back(tree.world[joint.node]);
  } else if (const auto* fbx = std::get_if<std::shared_ptr<FbxDocument>>(&document)) {
    const auto world = world_transforms(objects_of(**fbx));
    for (const SceneJoint& joint : scene.joints) transforms.push_back(world.at(joint.node));
  }
  return transforms;
}

}  // namespace gvbind
