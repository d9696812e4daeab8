#include "formats/fbx/skinning.h"

#include <catch2/catch.hpp>

#include "samples.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

/// The arm with this skinning method, written and parsed again.
std::shared_ptr<FbxDocument> skinned(const SceneSkinning& skinning, FbxEncoding encoding) {
  const auto document = build_fbx(arm_scene(), encoding);
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  const SceneWeights weights = sample_weights(scene);
  patch_skin(*document, scene, weights);
  set_skinning(*document, scene, weights, skinning);
  return reread(*document);
}

FbxNode& skin_of(FbxDocument& document) {
  for (FbxNode& node : find_child(document.root, "Objects")->children)
    if (node.name == "Deformer" && text_of(node.properties[2]) == "Skin") return node;
  FAIL("no Skin");
  return document.root;
}

std::string type_of(FbxDocument& document) {
  const FbxNode* type = find_child(skin_of(document), "SkinningType");
  return type ? text_of(type->properties[0]) : "";
}

std::vector<double> ramp(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<double>(i) / static_cast<double>(count);
  return values;
}

}  // namespace

TEST_CASE("a skin says how it moves, in binary and in ASCII") {
  const FbxEncoding encoding = GENERATE(FbxEncoding::binary, FbxEncoding::ascii);
  CHECK(type_of(*skinned({SkinningType::linear}, encoding)) == "Linear");
  CHECK(type_of(*skinned({SkinningType::dual_quaternion}, encoding)) == "DualQuaternion");
  const std::vector<double> dual = ramp(arm_scene().meshes[0].positions.size());
  const auto blended = skinned({SkinningType::blend, {dual}}, encoding);
  CHECK(type_of(*blended) == "Blend");
  const FbxNode& skin = skin_of(*blended);
  CHECK(doubles_of(*find_child(skin, "BlendWeights")) == dual);
  const std::vector<std::int32_t> vertices = integers_of(*find_child(skin, "Indexes"));
  REQUIRE(vertices.size() == dual.size());
  for (std::size_t v = 0; v < vertices.size(); ++v)
    CHECK(vertices[v] == static_cast<std::int32_t>(v));
}

TEST_CASE("another skinning takes the place of the old one, and nothing else changes") {
  const FbxEncoding encoding = GENERATE(FbxEncoding::binary, FbxEncoding::ascii);
  const std::vector<double> dual = ramp(arm_scene().meshes[0].positions.size());
  const auto blended = skinned({SkinningType::blend, {dual}}, encoding);
  Findings findings;
  const Scene scene = scene_of(*blended, {}, findings);
  const SceneWeights weights = sample_weights(scene);
  set_skinning(*blended, scene, weights, {SkinningType::linear});
  const auto again = reread(*blended);
  CHECK(type_of(*again) == "Linear");
  CHECK_FALSE(find_child(skin_of(*again), "Indexes"));
  CHECK_FALSE(find_child(skin_of(*again), "BlendWeights"));
  const auto linear = skinned({SkinningType::linear}, encoding);
  if (encoding == FbxEncoding::binary)
    CHECK(encode_fbx(*again, findings) == encode_fbx(*linear, findings));
}

TEST_CASE("a mesh without new weights keeps its skinning") {
  const auto document = skinned({SkinningType::dual_quaternion}, FbxEncoding::binary);
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  SceneWeights none;
  none.meshes.resize(scene.meshes.size());
  set_skinning(*document, scene, none, {SkinningType::linear});
  CHECK(type_of(*document) == "DualQuaternion");
}

TEST_CASE("blend weights for another number of vertices are refused") {
  REQUIRE_THROWS_WITH(skinned({SkinningType::blend, {{0.5}}}, FbxEncoding::binary),
                      Catch::Matchers::Contains("'Arm'"));
}
