#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "formats/fbx/document.h"
#include "samples.h"
#include "support/skip.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

std::vector<std::filesystem::path> characters() {
  std::vector<std::filesystem::path> out;
  if (std::filesystem::is_directory(GVBIND_CHARACTERS))
    for (const auto& entry : std::filesystem::recursive_directory_iterator(GVBIND_CHARACTERS))
      if (entry.path().extension() == ".fbx") out.push_back(entry.path());
  if (out.empty()) skip("no FBX in " GVBIND_CHARACTERS);
  std::sort(out.begin(), out.end());
  return out;
}

bool is_cluster(const FbxNode& node) {
  return node.name == "Deformer" && node.properties.size() > 2 &&
         text_of(node.properties[2]) == "Cluster";
}

/// Removes the weights from clusters.
FbxNode without_weights(FbxNode node) {
  std::erase_if(node.children, [](const FbxNode& child) {
    return child.name == "Indexes" || child.name == "Weights";
  });
  return node;
}

}  // namespace

TEST_CASE("characters come back byte by byte") {
  for (const auto& path : characters()) {
    CAPTURE(path);
    const auto document = read_fbx(path);
    CHECK(document->reproduced);
    CHECK(document->footer.padding != FbxFooter::Padding::as_read);
    CHECK(write_binary_fbx(*document) == document->bytes);
    Findings findings;
    CHECK(encode_fbx(*document, findings) == document->bytes);
  }
}

TEST_CASE("patching a character changes its weights and no other node") {
  for (const auto& path : characters()) {
    CAPTURE(path);
    const auto document = read_fbx(path);
    const auto original = read_fbx(path);
    Findings findings;
    const Scene scene = scene_of(*document, {}, findings);
    CHECK(scene.has_skin());
    const SceneWeights weights = sample_weights(scene);
    patch_skin(*document, scene, weights);
    const auto again = parse_fbx(encode_fbx(*document, findings), path);
    REQUIRE(again->root.children.size() == original->root.children.size());
    for (std::size_t i = 0; i < original->root.children.size(); ++i) {
      const FbxNode &old = original->root.children[i], &now = again->root.children[i];
      if (old.name != "Objects") {
        CHECK(same_tree(old, now));
        continue;
      }
      REQUIRE(now.children.size() == old.children.size());
      for (std::size_t k = 0; k < old.children.size(); ++k)
        if (is_cluster(old.children[k]))
          CHECK(same_tree(without_weights(old.children[k]), without_weights(now.children[k])));
        else
          CHECK(same_tree(old.children[k], now.children[k]));
    }
    const Scene bound = scene_of(*again, {}, findings);
    CHECK(findings.empty());
    REQUIRE(bound.joints.size() == scene.joints.size());
    for (std::size_t j = 0; j < scene.joints.size(); ++j) {
      CHECK(bound.joints[j].name == scene.joints[j].name);
      CHECK(bound.joints[j].deforms == scene.joints[j].deforms);
      CHECK(bound.joints[j].bind.matrix() == scene.joints[j].bind.matrix());
    }
    for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
      CHECK(bound.meshes[m].skin_joints == scene.meshes[m].skin_joints);
      if (weights.meshes[m].empty()) continue;
      CHECK(bound.meshes[m].weights.first == weights.meshes[m].first);
      CHECK(bound.meshes[m].weights.joint == weights.meshes[m].joint);
      CHECK(bound.meshes[m].weights.weight == weights.meshes[m].weight);
    }
  }
}
