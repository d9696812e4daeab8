#include <catch2/catch.hpp>

#include "formats/gltf/sample.h"
#include "formats/gltf/unchanged.h"
#include "io/encoded_file.h"
#include "support/skip.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

std::vector<std::filesystem::path> characters() {
  std::vector<std::filesystem::path> found;
  const std::filesystem::path folder = GVBIND_CHARACTERS;
  if (!std::filesystem::exists(folder)) return found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".glb" || entry.path().extension() == ".gltf")
      found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

Chunks read_chunks(const std::filesystem::path& main) {
  std::ifstream stream(main, std::ios::binary);
  const Bytes bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (main.extension() == ".glb") return chunks_of(bytes);
  return {Json::parse(bytes), {}};
}

}  // namespace

TEST_CASE("real characters: a patch changes the skin alone and reads back as written") {
  if (characters().empty()) skip("no glTF in " GVBIND_CHARACTERS);
  for (const auto& path : characters()) {
    INFO(path);
    const ScratchFolder folder;
    Findings findings;
    const auto document = read_gltf(path);
    const Scene scene = scene_of(*document, {}, findings);
    SceneWeights weights;
    for (const SceneMesh& mesh : scene.meshes)
      weights.meshes.push_back(scene.joints.empty()
                                   ? SkinWeights{}
                                   : mixed_weights(mesh.positions.size(), scene.joints.size(), 6));
    patch_skin(*document, scene, weights);
    const auto out = folder.path() / path.filename();
    for (const EncodedFile& file : encode_gltf(*document, out))
      folder.write(file.relative_path.empty() ? out.filename().string() : file.relative_path,
                   file.bytes);
    check_unchanged(read_chunks(path), read_chunks(out));
    const Scene again = scene_of(*read_gltf(out), {}, findings);
    REQUIRE(again.meshes.size() == scene.meshes.size());
    REQUIRE(again.joints.size() == scene.joints.size());
    for (std::size_t j = 0; j < scene.joints.size(); ++j)
      CHECK(again.joints[j].bind.matrix() == scene.joints[j].bind.matrix());
    for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
      REQUIRE(again.meshes[i].positions.size() == scene.meshes[i].positions.size());
      double worst = 0, extent = 0;
      for (std::size_t v = 0; v < scene.meshes[i].positions.size(); ++v) {
        worst =
            std::max(worst, (again.meshes[i].positions[v] - scene.meshes[i].positions[v]).norm());
        extent = std::max(extent, scene.meshes[i].positions[v].norm());
      }
      CHECK(worst <= 1e-6 * extent);
      CHECK((again.meshes[i].triangles == scene.meshes[i].triangles));
      CHECK((again.meshes[i].weights.first == weights.meshes[i].first));
      CHECK((again.meshes[i].weights.joint == weights.meshes[i].joint));
    }
  }
}

TEST_CASE("a character in a frame of its animation stands upright in bind space") {
  const auto path = std::filesystem::path(GVBIND_CHARACTERS) / "gdquest_mannequiny.glb";
  if (!std::filesystem::exists(path)) {
    skip("no " + path.string());
    return;
  }
  Findings findings;
  const Scene scene = scene_of(*read_gltf(path), {}, findings);
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : scene.meshes.at(0).positions) box.extend(p);
  CHECK(box.min().y() == Approx(0).margin(0.01));
  CHECK(box.max().y() == Approx(1.79).margin(0.01));
}
