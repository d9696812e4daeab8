#include "formats/import/import_gltf.h"

#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <algorithm>
#include <assimp/Exporter.hpp>
#include <assimp/Importer.hpp>
#include <cstring>
#include <string>
#include <string_view>

#include "formats/import/assimp_scene.h"
#include "formats/import/import.h"
#include "formats/import/open_assimp.h"
#include "formats/import/sound_scene.h"
#include "formats/import/split_faces.h"
#include "gvbind/base/mend_utf8.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

using gltf::Json;
using Bytes = std::vector<std::uint8_t>;

/// Features that Assimp's exporter leaves out or cannot handle, as counted in the child process.
struct LeftOut {
  std::uint32_t cameras = 0, lights = 0, lines = 0, morphs = 0, rows = 0;
  std::uint32_t names = 0;  ///< bytes of the names of missing material files, which follow
  UnsoundParts unsound = {};
};

LeftOut count_left_out(const aiScene& scene) {
  LeftOut out;
  out.cameras = scene.mNumCameras;
  out.lights = scene.mNumLights;
  for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
    const aiMesh& mesh = *scene.mMeshes[m];
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) out.lines += mesh.mFaces[f].mNumIndices < 3;
    out.morphs += mesh.mNumAnimMeshes;
    std::vector<unsigned> influences(mesh.mNumVertices, 0);
    for (unsigned b = 0; b < mesh.mNumBones; ++b)
      for (unsigned w = 0; w < mesh.mBones[b]->mNumWeights; ++w)
        if (mesh.mBones[b]->mWeights[w].mVertexId < mesh.mNumVertices)
          ++influences[mesh.mBones[b]->mWeights[w].mVertexId];
    out.rows += static_cast<std::uint32_t>(
        std::ranges::count_if(influences, [](unsigned count) { return count > 4; }));
  }
  return out;
}

/// Importers differ in the space in which a bone's matrix starts. Here it starts in the mesh's, as
/// in glTF, so that the skin is where import_scene() has it. A mesh shown twice is placed like the
/// first.
void place_bones(const aiScene& scene, const ImportHints& hints) {
  const AssimpNodes nodes = list_nodes(scene, hints);
  std::vector<MeshUse> uses = list_uses(scene, nodes);
  const std::vector<Eigen::Affine3d> binds = place_in_bind_space(nodes, uses);
  std::ranges::reverse(uses);
  for (const MeshUse& use : uses)
    for (std::size_t b = 0; b < use.bones.size(); ++b) {
      const Eigen::Matrix4d m = (binds[use.bones[b]].inverse() * use.to_bind).matrix();
      aiMatrix4x4& to = use.mesh->mBones[b]->mOffsetMatrix;
      if (!m.allFinite()) {
        to = aiMatrix4x4();
        continue;
      }
      for (unsigned row = 0; row < 4; ++row)
        for (unsigned column = 0; column < 4; ++column)
          to[row][column] = static_cast<ai_real>(m(row, column));
    }
}

/// Joints of a COLLADA file get the artist's names, as in import_scene().
void rename_nodes(const ImportHints& hints, Json& json) {
  if (!json.contains("nodes")) return;
  for (Json& node : json["nodes"]) {
    if (!node.contains("name") || !node["name"].is_string()) continue;
    const auto known = hints.collada.find(node["name"].get<std::string>());
    if (known != hints.collada.end() && !known->second.name.empty())
      node["name"] = known->second.name;
  }
}

/// Cleans names as import_scene() does.
void clean_names(Json& json) {
  if (json.is_object())
    if (const auto name = json.find("name"); name != json.end() && name->is_string())
      *name = clean_name(name->get_ref<const std::string&>());
  if (json.is_structured())
    for (Json& element : json) clean_names(element);
}

/// Removes data that Assimp adds in other forms: shininess as a withdrawn extension, and the
/// grouping of triangles into polygons.
void drop_exporter_extensions(Json& json) {
  if (json.is_object()) {
    if (const auto own = json.find("extensions"); own != json.end() && own->is_object()) {
      own->erase("KHR_materials_pbrSpecularGlossiness");
      own->erase("FB_ngon_encoding");
      if (own->empty()) json.erase("extensions");
    }
    json.erase("extensionsUsed");
  }
  if (json.is_structured())
    for (Json& element : json) drop_exporter_extensions(element);
}

/// Assimp adds its own material to every OBJ, whether a mesh has it or not.
void drop_unused_default(Json& json) {
  if (!json.contains("materials") || !json["materials"].is_array()) return;
  Json& materials = json["materials"];
  const auto is_default = [](const Json& material) {
    return material.is_object() && material.value("name", "") == AI_DEFAULT_MATERIAL_NAME;
  };
  const auto found = std::ranges::find_if(materials, is_default);
  if (found == materials.end()) return;
  const auto at = static_cast<std::size_t>(found - materials.begin());
  std::vector<Json*> uses;
  for (Json& mesh : json["meshes"])
    for (Json& primitive : mesh["primitives"])
      if (primitive.contains("material")) uses.push_back(&primitive["material"]);
  if (std::ranges::any_of(uses, [&](const Json* use) { return *use == at; })) return;
  for (Json* use : uses)
    if (*use > at) *use = use->get<std::size_t>() - 1;
  materials.erase(at);
  if (materials.empty()) json.erase("materials");
}

void append_u32(std::string& to, std::size_t value) {
  for (int byte = 0; byte < 4; ++byte) to.push_back(static_cast<char>(value >> (8 * byte) & 0xff));
}

void append_chunk(std::string& to, std::uint32_t type, std::string_view bytes, char fill) {
  const std::size_t padding = (4 - bytes.size() % 4) % 4;
  append_u32(to, bytes.size() + padding);
  append_u32(to, type);
  to.append(bytes).append(padding, fill);
}

std::string glb_of(const Json& json, std::string_view buffer) {
  std::string chunks;
  append_chunk(chunks, gltf::chunk_json, json.dump(-1, ' ', false, Json::error_handler_t::replace),
               ' ');
  append_chunk(chunks, gltf::chunk_bin, buffer, '\0');
  std::string out = "glTF";
  append_u32(out, 2);
  append_u32(out, 12 + chunks.size());
  return out + chunks;
}

/// `names`: each with an end of line.
void tell_missing(std::string_view names, DroppedFeatures& losses, Findings& findings) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find('\n'), names.size());
    Finding finding = missing_material_file(std::string(names.substr(0, end)));
    if (std::ranges::find(findings, finding.message, &Finding::message) == findings.end())
      findings.push_back(std::move(finding));
    losses.add("material file that is missing", "material files that are missing");
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

void tell_unsound(const UnsoundParts& unsound, DroppedFeatures& losses, Findings& findings) {
  losses.add("clip's damaged key", "clips' damaged keys", unsound.keys);
  losses.add("vertex attribute that is not finite", "vertex attributes that are not finite",
             unsound.attributes);
  losses.add("weight that is not finite", "weights that are not finite", unsound.weights);
  losses.add("material's value that is not finite", "materials' values that are not finite",
             unsound.values);
  losses.add("node's transform that is not finite", "nodes' transforms that are not finite",
             unsound.transforms);
  if (unsound.rates > 0)
    findings.push_back({Severity::note, "clip-rate",
                        counted(unsound.rates, "clip does", "clips do") +
                            " not say how long a tick is; 25 are taken for a second",
                        ""});
}

}  // namespace

/// Returns the counts, the names of missing files, each with an end of line, and a .glb.
Bytes export_here(const std::filesystem::path& path, const AssetRoot& root) {
  const ImportHints hints = import_hints(path);
  Assimp::Importer importer;
  std::string names;
  for (const std::string& name : open_assimp(importer, path, root).missing_materials)
    names += one_line(name) + '\n';
  const UnsoundParts unsound = make_sound(*importer.GetScene());
  LeftOut left = count_left_out(*importer.GetScene());
  left.unsound = unsound;
  left.names = static_cast<std::uint32_t>(names.size());
  split_concave_faces(*importer.GetScene());
  // Not aiProcess_JoinIdenticalVertices: the exporter joins vertices itself, and splits them again
  // if the scene was joined before.
  const aiScene* scene = importer.ApplyPostProcessing(
      aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_LimitBoneWeights);
  if (!scene) refuse_import(importer);
  check_indices(*scene);
  place_bones(*scene, hints);
  Assimp::Exporter exporter;
  const aiExportDataBlob* text = exporter.ExportToBlob(scene, "gltf2");
  if (!text) throw Error(ErrorKind::input, exporter.GetErrorString());
  Json json =
      Json::parse(mend_utf8({static_cast<const char*>(text->data), text->size}), nullptr, false);
  if (!json.is_object()) throw Error(ErrorKind::input, "holds a number that glTF cannot hold");
  rename_nodes(hints, json);
  clean_names(json);
  drop_exporter_extensions(json);
  drop_unused_default(json);
  // The buffer becomes the BIN chunk, which must not have a URI.
  const aiExportDataBlob* buffer = text->next;
  if (buffer && json.contains("buffers")) json["buffers"][0].erase("uri");
  const std::string glb =
      glb_of(json, buffer ? std::string_view(static_cast<const char*>(buffer->data), buffer->size)
                          : std::string_view());
  Bytes out(sizeof left + names.size() + glb.size());
  std::memcpy(out.data(), &left, sizeof left);
  std::ranges::copy(names + glb, out.begin() + sizeof left);
  return out;
}

std::shared_ptr<GltfDocument> import_gltf(const std::filesystem::path& path,
                                          const ReadOptions& options, DroppedFeatures& losses,
                                          Findings& findings) {
  const ReadOptions rooted = with_root(options, path);
  const Bytes bytes =
      import_in_child(path, import_limits(path, rooted.max_memory), rooted.root, ImportAs::gltf);
  LeftOut left;
  const auto need = [&](std::size_t size) {
    if (bytes.size() < size)
      throw Error(ErrorKind::input, path_text(path) + ": the reader gave half an answer");
  };
  need(sizeof left);
  std::memcpy(&left, bytes.data(), sizeof left);
  const std::size_t begin = sizeof left + left.names;
  need(begin);
  tell_missing({reinterpret_cast<const char*>(bytes.data()) + sizeof left, left.names}, losses,
               findings);
  losses.add("camera", "cameras", left.cameras);
  losses.add("light", "lights", left.lights);
  losses.add("point or line", "points and lines", left.lines);
  losses.add("morph target", "morph targets", left.morphs);
  losses.add("vertex's influences beyond the four largest",
             "vertices' influences beyond the four largest", left.rows);
  tell_unsound(left.unsound, losses, findings);
  return parse_gltf(Bytes(bytes.begin() + static_cast<std::ptrdiff_t>(begin), bytes.end()), path,
                    rooted);
}

}  // namespace gvbind
