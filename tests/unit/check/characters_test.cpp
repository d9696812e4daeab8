#include <catch2/catch.hpp>
#include <filesystem>

#include "characters/characters.h"
#include "check/check.h"
#include "formats/document.h"
#include "support/skip.h"

namespace gvbind {

TEST_CASE("skins made by hand pass without an error") {
  int skins = 0;
  for (const std::filesystem::path& path : test::character_files()) {
    INFO(path.filename().string());
    Findings heard;
    const Document document = read_document(path, heard);
    const Scene scene = scene_of(document, {}, heard);
    if (!scene.has_skin()) continue;
    ++skins;
    check::CheckOptions options;
    if (std::holds_alternative<std::shared_ptr<FbxDocument>>(document))
      options.off_sum = Severity::note;
    const check::CheckResult result = check::check_scene(scene, options);
    for (const Finding& finding : result.findings) {
      INFO(finding.message);
      CHECK(finding.severity < Severity::error);
    }
  }
  if (skins == 0) test::skip("no skin in " GVBIND_CHARACTERS);
}

TEST_CASE("a leg of a real character given to the other leg is found") {
  const std::filesystem::path path = std::filesystem::path(GVBIND_CHARACTERS) / "cesium_man.glb";
  if (!std::filesystem::exists(path)) {
    test::skip("no " + path.string());
    return;
  }
  Findings heard;
  Scene scene = scene_of(read_document(path, heard), {}, heard);
  const auto index = [&](const char* name) {
    for (std::size_t j = 0; j < scene.joints.size(); ++j)
      if (scene.joints[j].name == name) return static_cast<std::uint32_t>(j);
    FAIL("no joint " << name);
    return check::no_joint;
  };
  const double before = check::check_scene(scene).bleed.share;
  const std::uint32_t left = index("leg_joint_L_1"), right = index("leg_joint_R_1");
  for (std::uint32_t& joint : scene.meshes[0].weights.joint)
    if (joint == left) joint = right;
  const check::CheckResult result = check::check_scene(scene);
  CHECK(result.bleed.share > 10.0 * before);
  REQUIRE(!result.bleed.pairs.empty());
  CHECK(result.bleed.pairs[0].other == right);
}

}  // namespace gvbind
