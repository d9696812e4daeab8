#include "bind/distance_cache.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "bind/bind_scene.h"
#include "bind/cache_stream.h"
#include "characters.h"

using namespace gvbind;

namespace {

BindOptions quick() {
  BindOptions options;
  options.resolution = 64;
  options.device = Device::cpu;
  return options;
}

/// A dog and the distance cache of its bind, read back from a file.
struct Kept {
  Scene scene = quadruped();
  DistanceCache field;

  explicit Kept(const BindOptions& options) {
    DistanceCache made{
        "dog.glb", {{"alpha", {"0.4"}}, {"joints", {"a", "b*"}}}, options.resolution, {}};
    bind_scene(scene, options, Volume::automatic, {}, {}, {&made.solids, nullptr});
    field = decode_field(encode_field(made));
  }

  SceneBinding tuned(const BindOptions& options) const {
    return bind_scene(scene, options, Volume::automatic, {}, {}, {nullptr, &field});
  }
};

bool same_weights(const SceneBinding& a, const SceneBinding& b) {
  for (std::size_t m = 0; m < a.weights.meshes.size(); ++m) {
    const SkinWeights &x = a.weights.meshes[m], &y = b.weights.meshes[m];
    if (x.first != y.first || x.joint != y.joint || x.weight != y.weight) return false;
  }
  return true;
}

void check_equal(const Kept& kept, const BindOptions& options) {
  const SceneBinding tuned = kept.tuned(options), bound = bind_scene(kept.scene, options);
  CHECK(same_weights(tuned, bound));
  CHECK(tuned.statistics.joint_vertices == bound.statistics.joint_vertices);
  CHECK(tuned.findings.size() == bound.findings.size());
}

std::string refusal(std::span<const std::uint8_t> bytes) {
  try {
    decode_field(bytes);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return error.what();
  }
  return "";
}

JointRegion region_of(std::vector<std::uint32_t> joints, const Scene& scene) {
  Primitive ball;
  ball.a = scene.joints[joints.front()].bind.translation();
  ball.radius = 0.2;
  return {std::move(joints), ball, "test"};
}

}  // namespace

TEST_CASE("cached distances give the weights of a bind", "[slow]") {
  for (const int kept_influences : {4, 8, 0}) {
    BindOptions options = quick();
    options.max_influences = kept_influences;
    const Kept kept(options);
    for (const WeightRule weights : {WeightRule::falloff, WeightRule::fitted})
      for (const int influences : {1, 3, kept_influences})
        for (const double alpha : {0.0, 0.7}) {
          options.weights = weights;
          options.max_influences = influences;
          options.alpha = alpha;
          INFO(kept_influences << " " << influences << " " << alpha);
          check_equal(kept, options);
        }
  }
}

TEST_CASE("rules that leave distances alone are tuned too") {
  for (const DistanceRule distance : {DistanceRule::straight, DistanceRule::path}) {
    BindOptions options = quick();
    options.distance = distance;
    const Kept kept(options);
    for (const WeightRule weights : {WeightRule::falloff, WeightRule::fitted}) {
      options.weights = weights;
      options.rules = {};
      options.rules.forbidden.push_back({{3, 4, 5}, {6, 7, 8, 9}});
      check_equal(kept, options);
      options.rules.regions = {region_of({2}, kept.scene), region_of({3, 5}, kept.scene)};
      check_equal(kept, options);
      options.names = NameRule::ignore;
      check_equal(kept, options);
    }
  }
}

TEST_CASE("volumes where joints begin are kept") {
  BindOptions options = quick();
  options.rules.volumes.push_back({4, region_of({2}, quadruped()).where, "test"});
  const Kept kept(options);
  for (const WeightRule weights : {WeightRule::falloff, WeightRule::fitted}) {
    options.weights = weights;
    check_equal(kept, options);
  }
}

TEST_CASE("a field of other meshes, joints or edits is refused by name") {
  const Kept kept(quick());
  const auto refused = [&](const Scene& scene, const BindOptions& options) {
    try {
      bind_scene(scene, options, Volume::automatic, {}, {}, {nullptr, &kept.field});
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::cannot_bind);
      return std::string(error.what());
    }
    return std::string();
  };
  Scene moved = kept.scene;
  moved.meshes[0].positions[7].x() += 1e-9;
  CHECK(refused(moved, quick()).starts_with("meshes"));
  Scene renamed = kept.scene;
  renamed.joints[1].name += "x";
  CHECK(refused(renamed, quick()).starts_with("joints"));
  BindOptions edited = quick();
  edited.rules.edits.push_back({EditKind::cut, region_of({2}, kept.scene).where, "test"});
  CHECK(refused(kept.scene, edited).starts_with("edits"));
  BindOptions more = quick();
  more.max_influences = 5;
  more.limit = LimitRule::smooth;
  CHECK_THROWS_WITH(kept.tuned(more),
                    Catch::Contains("takes 6 distances per voxel, and 5 were kept"));
}

TEST_CASE("a file of distances holds how the bind was called") {
  const Kept kept(quick());
  CHECK(kept.field.input == "dog.glb");
  REQUIRE(kept.field.options.size() == 2);
  CHECK(kept.field.options[1] ==
        std::pair<std::string, std::vector<std::string>>{"joints", {"a", "b*"}});
  CHECK(encode_field(decode_field(encode_field(kept.field))) == encode_field(kept.field));
}

TEST_CASE("a damaged file of distances is refused with one line") {
  const std::vector<std::uint8_t> whole = encode_field(Kept(quick()).field);
  REQUIRE(refusal(whole).empty());
  for (std::size_t i = 0; i < whole.size(); i += 1 + whole.size() / 97) {
    std::vector<std::uint8_t> bytes = whole;
    bytes[i] ^= 0x10;
    const std::string line = refusal(bytes);
    CHECK(line.find("file of distances") != line.npos);
    CHECK(line.find('\n') == line.npos);
    CHECK_FALSE(refusal(std::span(whole).first(i)).empty());
  }
  std::vector<std::uint8_t> longer = whole;
  longer.push_back(0);
  CHECK_FALSE(refusal(longer).empty());
}

TEST_CASE("arrays survive their planes, and blocks their compression") {
  FieldWriter out;
  std::vector<std::uint64_t> words;
  for (std::uint64_t i = 0; i < 300000; ++i) words.push_back(i * i * 0x9e3779b97f4a7c15u);
  out.put_array(words);
  out.put(std::string("text"));
  out.put_array(std::vector<float>{});
  const std::vector<std::uint8_t> packed = pack_blocks(out.bytes());
  const std::vector<std::uint8_t> bytes = unpack_blocks(packed);
  CHECK(bytes == out.bytes());
  FieldReader in(bytes);
  CHECK(in.take_array<std::uint64_t>() == words);
  CHECK(in.take_text() == "text");
  CHECK(in.take_array<float>().empty());
  CHECK(in.at_end());
  CHECK_THROWS_AS(in.take<std::uint8_t>(), Error);
}
