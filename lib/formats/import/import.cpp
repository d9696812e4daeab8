#include "formats/import/import.h"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <algorithm>
#include <assimp/Importer.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <system_error>

#include "formats/import/assimp_scene.h"
#include "formats/import/declared_counts.h"
#include "formats/import/import_gltf.h"
#include "formats/import/open_assimp.h"
#include "formats/import/split_faces.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/file_io.h"

namespace gvbind {

namespace {

enum Verdict : std::uint8_t { answered, refused, out_of_memory };
constexpr std::size_t longest_reason = 300;

bool send(int fd, const void* data, std::size_t size) {
  return write_all(fd, {static_cast<const std::byte*>(data), size});
}

[[noreturn]] void answer_with(const std::function<std::vector<std::uint8_t>()>& work, int fd) {
  bool sent = false;
  std::uint8_t verdict = answered;
  try {
    const std::vector<std::uint8_t> bytes = work();
    sent = send(fd, &verdict, 1) && send(fd, bytes.data(), bytes.size());
  } catch (const std::bad_alloc&) {
    verdict = out_of_memory;
    sent = send(fd, &verdict, 1);
  } catch (const std::exception& error) {
    verdict = refused;
    const char* reason = error.what();
    sent = send(fd, &verdict, 1) && send(fd, reason, std::min(std::strlen(reason), longest_reason));
  } catch (...) {
    verdict = refused;
    sent = send(fd, &verdict, 1);
  }
  std::_Exit(sent ? 0 : 1);
}

[[noreturn]] void refuse_late(int seconds) {
  throw Error(ErrorKind::time_limit,
              "reading took longer than " + std::to_string(seconds) + " s and was stopped");
}

void check_status(const platform::ChildEnd& status, const ChildLimits& limits) {
  if (status.signal == 0 && status.exit_code == 0) return;
  if (status.signal == platform::cpu_limit_signal) refuse_late(limits.cpu_seconds);
  const std::string how = status.signal != 0 ? platform::signal_name(status.signal)
                                             : "status " + std::to_string(status.exit_code);
  throw Error(ErrorKind::input, "the reader crashed on it (" + how + ")");
}

std::vector<std::string> list_extensions() {
  aiString joined;
  Assimp::Importer().GetExtensionList(joined);
  std::vector<std::string> extensions;
  std::string_view rest(joined.data, joined.length);
  while (!rest.empty()) {
    const std::string_view entry = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.size(), entry.size() + 1));
    const std::string_view extension = entry.substr(std::min(entry.size(), std::size_t{2}));
    if (!extension.empty() && extension != "gltf" && extension != "glb" && extension != "vrm" &&
        extension != "fbx")
      extensions.emplace_back(extension);
  }
  return extensions;
}

void drop_components(Assimp::Importer& importer, const std::string& extension) {
  // Drop all data that a bind does not need: it would split vertices where it differs. An STL's
  // normals are only those of its facets.
  int dropped = aiComponent_COLORS | aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_ANIMATIONS |
                aiComponent_TEXTURES;
  // The flag of the eighth channel would not fit into 32 bits.
  for (unsigned channel = 1; channel + 1 < AI_MAX_NUMBER_OF_TEXTURECOORDS; ++channel)
    dropped |= static_cast<int>(aiComponent_TEXCOORDSn(channel));
  if (extension == "stl") dropped |= aiComponent_NORMALS;
  importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, dropped);
}

void note_lines(const aiScene& scene, const std::string& name, Findings& findings) {
  std::size_t count = 0;
  for (unsigned m = 0; m < scene.mNumMeshes; ++m)
    for (unsigned f = 0; f < scene.mMeshes[m]->mNumFaces; ++f)
      count += scene.mMeshes[m]->mFaces[f].mNumIndices < 3 ? 1 : 0;
  if (count > 0)
    findings.push_back(
        {Severity::note, "foreign-lines",
         name + ": " + counted(count, "point or line is", "points or lines are") + " left out",
         ""});
}

ImportedScene import_here(const std::filesystem::path& path, const AssetRoot& root) {
  const ImportHints hints = import_hints(path);
  Assimp::Importer importer;
  const NamedFiles files = open_assimp(importer, path, root);
  drop_components(importer, lower_extension(path));
  const aiScene* scene = importer.GetScene();
  Findings findings;
  note_lines(*scene, path_text(path.filename()), findings);
  for (const std::string& name : files.missing_materials)
    findings.push_back(missing_material_file(name));
  split_concave_faces(*scene);
  if (scene->mNumMeshes > 0)
    scene = importer.ApplyPostProcessing(aiProcess_RemoveComponent | aiProcess_Triangulate |
                                         aiProcess_SortByPType | aiProcess_JoinIdenticalVertices);
  if (!scene) refuse_import(importer);
  check_indices(*scene);
  ImportedScene result = scene_of_assimp(*scene, hints);
  result.findings = std::move(findings);
  result.scene.sidecars = files.under_root;
  if (result.scene.meshes.empty() && result.scene.joints.empty())
    throw Error(ErrorKind::input, "holds neither triangles nor a skeleton");
  return result;
}

void check_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    throw Error(ErrorKind::input, error ? one_line(error.message()) : "no such file");
  if (!std::filesystem::is_regular_file(status)) throw Error(ErrorKind::input, "is not a file");
  const auto& extensions = import_extensions();
  if (std::find(extensions.begin(), extensions.end(), lower_extension(path)) == extensions.end())
    throw Error(ErrorKind::input, "unknown format '." + one_line(lower_extension(path)) + "'");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error(ErrorKind::input, "cannot be opened: " + std::generic_category().message(errno));
  const std::string extension = lower_extension(path);
  if (extension != "ply" && extension != "off") return;  // others declare no counts
  constexpr std::size_t longest_header = 1 << 20;
  std::string start(longest_header, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  const std::uint64_t size =
      std::max<std::uint64_t>(std::filesystem::file_size(path, error), start.size());
  const std::string refusal = false_count(extension, start, size);
  if (!refusal.empty()) throw Error(ErrorKind::input, refusal);
}

constexpr const char* gltf_word = "gltf";

/// For answer_import().
std::vector<std::string> words_of(const std::filesystem::path& path, const AssetRoot& root,
                                  ImportAs made) {
  std::vector<std::string> words = {made == ImportAs::gltf ? gltf_word : "scene", path_text(path)};
  for (const std::filesystem::path& directory : root.directories)
    words.push_back(path_text(directory));
  return words;
}

std::vector<std::uint8_t> bytes_of(const std::filesystem::path& path, const AssetRoot& root,
                                   ImportAs made) {
  return made == ImportAs::gltf ? export_here(path, root) : encode_scene(import_here(path, root));
}

}  // namespace

// An endless loop must not block a batch for long, and a large file needs its time.
ChildLimits import_limits(const std::filesystem::path& path, std::uint64_t max_memory) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  constexpr std::uintmax_t bytes_per_second = 4 << 20, max_seconds = 600;
  ChildLimits limits;
  limits.cpu_seconds = 20;
  if (!error)
    limits.cpu_seconds += static_cast<int>(std::min(size / bytes_per_second, max_seconds));
  limits.wall_seconds = 3 * limits.cpu_seconds;
  limits.memory_bytes = std::min<std::uint64_t>(limits.memory_bytes, max_memory);
  limits.answer_bytes = std::min<std::uint64_t>(limits.answer_bytes, max_memory);
  return limits;
}

std::vector<std::uint8_t> run_in_child(const std::function<std::vector<std::uint8_t>()>& work,
                                       const ChildLimits& limits,
                                       const std::vector<std::string>& words) {
  ChildLimits with_verdict = limits;
  ++with_verdict.answer_bytes;
  auto [bytes, end, status] =
      IsolatedChild({[&](int fd) { answer_with(work, fd); }, words}, with_verdict).wait();
  if (end == ChildAnswer::End::too_late) refuse_late(limits.wall_seconds);
  if (end == ChildAnswer::End::too_long)
    throw Error(ErrorKind::resource,
                "holds more than the " + mebibytes(limits.answer_bytes) + " that we take");
  check_status(status, limits);

  if (bytes.empty()) throw Error(ErrorKind::input, "the reader gave no answer");
  const std::uint8_t verdict = bytes.front();
  bytes.erase(bytes.begin());
  if (verdict == answered) return bytes;
  if (verdict == out_of_memory)
    throw Error(ErrorKind::resource, "reading needs more than the " +
                                         mebibytes(limits.memory_bytes) +
                                         " of memory that it may take");
  bytes.resize(std::min(bytes.size(), longest_reason));
  const std::string reason = one_line(std::string(bytes.begin(), bytes.end()));
  throw Error(ErrorKind::input, reason.empty() ? "cannot be read" : reason);
}

std::span<const std::string> import_extensions() {
  static const std::vector<std::string> extensions = list_extensions();
  return extensions;
}

std::vector<std::uint8_t> import_in_child(const std::filesystem::path& path,
                                          const ChildLimits& limits, const AssetRoot& root,
                                          ImportAs made) {
  try {
    check_file(path);
    return run_in_child([&] { return bytes_of(path, root, made); }, limits,
                        words_of(path, root, made));
  } catch (const Error& error) {
    throw Error(error.kind(), path_text(path) + ": " + error.what());
  }
}

void answer_import(const std::vector<std::string>& words, int answer) {
  AssetRoot root;
  for (std::size_t i = 2; i < words.size(); ++i) root.directories.emplace_back(words[i]);
  const ImportAs made = words.at(0) == gltf_word ? ImportAs::gltf : ImportAs::scene;
  answer_with([&] { return bytes_of(words.at(1), root, made); }, answer);
}

Scene import_scene_within(const ChildLimits& limits, const std::filesystem::path& path,
                          const AssetRoot& root, Findings& findings) {
  const auto bytes = import_in_child(path, limits, root, ImportAs::scene);
  ImportedScene imported;
  try {
    imported = decode_scene(bytes);
  } catch (const Error& error) {
    throw Error(error.kind(), path_text(path) + ": " + error.what());
  }
  findings.insert(findings.end(), imported.findings.begin(), imported.findings.end());
  return std::move(imported.scene);
}

Scene import_scene(const std::filesystem::path& path, Findings& findings,
                   const ReadOptions& options) {
  const ReadOptions rooted = with_root(options, path);
  return import_scene_within(import_limits(path, rooted.max_memory), path, rooted.root, findings);
}

}  // namespace gvbind
