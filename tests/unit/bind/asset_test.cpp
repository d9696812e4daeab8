#include "gvbind/asset.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <sstream>

#include "formats/import/samples.h"
#include "support/scratch_folder.h"

namespace gvbind {
namespace {

const std::filesystem::path data = GVBIND_DATA;

std::string bytes_of(const std::filesystem::path& file) {
  std::ostringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  return bytes.str();
}

BindOptions coarse() {
  BindOptions options;
  options.resolution = 64;
  options.device = Device::cpu;
  return options;
}

}  // namespace

TEST_CASE("an asset is read, bound, written and read again") {
  const test::ScratchFolder folder;
  for (const char* name : {"biped.glb", "biped.fbx"}) {
    INFO(name);
    Asset asset = Asset::read(data / name);
    REQUIRE(asset.meshes().size() >= 1);
    const std::size_t vertices = asset.meshes()[0].positions.size();
    const AssetBinding binding = asset.bind(coarse());
    REQUIRE(binding.weights.size() == asset.meshes().size());
    CHECK(binding.weights[0].vertex_count() == vertices);
    const std::filesystem::path output = folder.path() / name;
    asset.write(output);
    const Asset again = Asset::read(output);
    CHECK(again.joints().size() == asset.joints().size());
    CHECK(again.meshes()[0].positions.size() == vertices);
    CHECK_THROWS_AS(asset.write(output), Error);
    const std::string before = bytes_of(output);
    asset.write(output, Asset::Overwrite::yes);
    CHECK(bytes_of(output) == before);
  }
}

TEST_CASE("weights of one's own are put into an asset, if they fit it") {
  const test::ScratchFolder folder;
  Asset asset = Asset::read(data / "biped.glb");
  std::vector<SkinWeights> weights = asset.bind(coarse()).weights;
  for (SkinWeights& rows : weights) {
    SkinWeights single;
    for (std::size_t v = 0; v < rows.vertex_count(); ++v) {
      single.joint.push_back(rows.joint[0]);
      single.weight.push_back(1.0f);
      single.first.push_back(static_cast<std::uint32_t>(v + 1));
    }
    rows = single;
  }
  asset.set_weights(weights);
  asset.write(folder.path() / "stiff.glb");
  CHECK(bytes_of(folder.path() / "stiff.glb") != bytes_of(data / "biped.glb"));
  CHECK_THROWS_AS(asset.set_weights({}), Error);
  std::vector<SkinWeights> short_one = weights;
  short_one[0].first.pop_back();
  CHECK_THROWS_AS(asset.set_weights(short_one), Error);
  const auto refuses = [&](const auto& spoil) {
    std::vector<SkinWeights> spoiled = weights;
    spoil(spoiled[0]);
    CHECK_THROWS_AS(asset.set_weights(spoiled), Error);
  };
  refuses([](SkinWeights& rows) { rows.first[1] = 1'000'000; });
  refuses([](SkinWeights& rows) { rows.weight.pop_back(); });
  refuses([](SkinWeights& rows) { rows.joint[0] = 999; });
  refuses([](SkinWeights& rows) { rows.weight[0] = NAN; });
  refuses([](SkinWeights& rows) { rows.weight[0] = -1.0f; });
  refuses([](SkinWeights& rows) { rows.weight[0] = 0.5f; });
}

TEST_CASE("an asset that cannot be read, bound or written says so with its name") {
  const test::ScratchFolder folder;
  const auto message_of = [](const auto& step) -> std::string {
    try {
      step();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message_of([&] { Asset::read(folder.path() / "none.glb"); }).find("none.glb") !=
        std::string::npos);
  CHECK(message_of([&] {
          Asset::read(data / "mannequin.glb").bind(coarse());
        }).find("mannequin.glb") != std::string::npos);
  CHECK(message_of([&] { Asset::read(data / "biped.glb").write(folder.path() / "biped.fbx"); }) !=
        "");
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("an asset refuses the skeleton that the command refuses") {
  const test::ScratchFolder folder;
  const std::string away =
      test::replaced(bytes_of(data / "biped.glb"), R"("translation":[0.0,0.98,-0.002])",
                     R"("translation":[9.0,0.98,-0.002])");
  std::ofstream(folder.path() / "away.glb", std::ios::binary) << away;
  const std::string message = test::error_of(
      ErrorKind::cannot_bind, [&] { Asset::read(folder.path() / "away.glb").bind(coarse()); });
  CHECK(message.find("away.glb: all of its ") != std::string::npos);
  CHECK(message.find(" joints lie outside the meshes") != std::string::npos);
}

}  // namespace gvbind
