#include "formats/convert/missing_pictures.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "formats/fbx/document.h"
#include "formats/fbx/objects.h"
#include "formats/fbx/picture_files.h"
#include "formats/gltf/document.h"
#include "formats/gltf/uri.h"
#include "gvbind/base/mend_utf8.h"
#include "gvbind/base/path_text.h"

namespace gvbind {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& place) {
  std::error_code ignored;
  return fs::is_regular_file(place, ignored);
}

/// Records a picture that is in none of the places.
void look_for(const std::string& named, std::span<const fs::path> places, const AssetRoot& root,
              Findings& findings) {
  std::string why;
  for (const fs::path& place : places) {
    if (!is_file(place)) continue;
    if (lies_under(root, place)) return;
    why = outside_text(root);
  }
  if (why.empty() && places.empty()) why = "names no file";
  if (why.empty()) why = "is missing; looked for " + path_text(places.front().lexically_normal());
  const std::string message = "picture '" + named + "' " + why;
  if (std::ranges::find(findings, message, &Finding::message) == findings.end())
    findings.push_back({Severity::warning, "missing-picture", message, named});
}

void look_in_gltf(const GltfDocument& document, const AssetRoot& root, Findings& findings) {
  for (const gltf::Json& image : gltf::list(document.json, "images")) {
    const gltf::Json* uri = gltf::find(image, "uri");
    if (!uri || !uri->is_string()) continue;
    const auto& text = uri->get_ref<const std::string&>();
    if (const auto place = gltf::sidecar_location(document, text))
      look_for(text, std::span(&*place, 1), root, findings);
  }
}

struct NamedPicture {
  std::string name;
  std::vector<fs::path> places;
};

/// Of an FBX, those that it does not hold itself.
std::vector<NamedPicture> pictures_beside(const FbxDocument& document) {
  std::vector<NamedPicture> pictures;
  const FbxNode* all = find_child(document.root, "Objects");
  if (!all || !find_child(*all, "Texture")) return pictures;
  const FbxObjects objects = objects_of(document);
  for (const FbxObject& texture : objects.all) {
    if (!objects.is(texture, "Texture")) continue;
    std::vector<const FbxObject*> holders = objects.children_of(texture.id, "Video");
    if (std::ranges::any_of(
            holders, [&](auto* video) { return !embedded_picture(objects.node(*video)).empty(); }))
      continue;
    holders.push_back(&texture);
    NamedPicture picture;
    for (const FbxObject* holder : holders)
      for (const std::string& name : picture_names(objects.node(*holder))) {
        if (picture.name.empty()) picture.name = name;
        for (fs::path& place : picture_places(document.path, name))
          picture.places.push_back(std::move(place));
      }
    if (!picture.name.empty()) pictures.push_back(std::move(picture));
  }
  return pictures;
}

void look_in_fbx(const FbxDocument& document, const AssetRoot& root, Findings& findings) {
  for (const NamedPicture& picture : pictures_beside(document))
    look_for(picture.name, picture.places, root, findings);
}

/// The place as a stamp can hold it; empty where it cannot, or where the place is not read.
std::string sidecar_of(const fs::path& place, const fs::path& folder, const AssetRoot& root) {
  const std::string path =
      path_text(place.lexically_normal().lexically_relative(folder.lexically_normal()));
  return find_bad_utf8(path) == path.npos && lies_under(root, place) ? path : "";
}

}  // namespace

Findings missing_pictures(const Document& document, const ReadOptions& options) {
  Findings findings;
  if (const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&document))
    look_in_gltf(**gltf, (*gltf)->options.root, findings);
  if (const auto* fbx = std::get_if<std::shared_ptr<FbxDocument>>(&document))
    look_in_fbx(**fbx, with_root(options, (*fbx)->path).root, findings);
  return findings;
}

std::vector<std::string> picture_sidecars(const Document& document, const ReadOptions& options,
                                          PictureUse use) {
  std::vector<std::string> files;
  const auto* fbx = std::get_if<std::shared_ptr<FbxDocument>>(&document);
  if (!fbx) return files;
  const fs::path& path = (*fbx)->path;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const AssetRoot root = with_root(options, path).root;
  for (const NamedPicture& picture : pictures_beside(**fbx)) {
    std::vector<std::string> looked_for;
    bool found = false;
    for (auto at = picture.places.begin(); !found && at != picture.places.end(); ++at) {
      const std::string file = sidecar_of(*at, folder, root);
      if (file.empty()) continue;
      looked_for.push_back(file);
      found = is_file(*at);
    }
    if (!found || use == PictureUse::content)
      files.insert(files.end(), looked_for.begin(), looked_for.end());
  }
  std::ranges::sort(files);
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace gvbind
