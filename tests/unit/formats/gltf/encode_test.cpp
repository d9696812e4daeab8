#include <catch2/catch.hpp>

#include "formats/gltf/sample.h"
#include "io/encoded_file.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

void write_all(const ScratchFolder& folder, const std::filesystem::path& main,
               const std::vector<EncodedFile>& files) {
  for (const EncodedFile& file : files)
    folder.write(file.relative_path.empty() ? main : main.parent_path() / file.relative_path,
                 file.bytes);
}

void check_same_scene(const Scene& a, const Scene& b) {
  REQUIRE(a.meshes.size() == b.meshes.size());
  for (std::size_t i = 0; i < a.meshes.size(); ++i) {
    CHECK(a.meshes[i].positions == b.meshes[i].positions);
    CHECK(a.meshes[i].triangles == b.meshes[i].triangles);
    CHECK(a.meshes[i].weights.weight == b.meshes[i].weights.weight);
  }
  CHECK(a.joints.size() == b.joints.size());
}

SceneWeights some_weights() {
  SceneWeights weights;
  weights.meshes = {mixed_weights(4, 2, 2)};
  return weights;
}

// A .gltf with its buffer in a subfolder, an image beside it and one in the folder above.
Json with_sidecars(const ScratchFolder& folder) {
  const Sample s = skinned_square();
  Json json = s.finished();
  json["buffers"][0]["uri"] = "data/body%201.bin";
  json["images"] = {{{"uri", "skin.png"}}, {{"uri", "../shared.png"}}, {{"uri", "gone.png"}}};
  folder.write("in/data/body 1.bin", s.bin);
  folder.write("in/skin.png", bytes_of("png"));
  folder.write("shared.png", bytes_of("png too"));
  folder.write("in/a.gltf", bytes_of(json.dump()));
  return json;
}

ReadOptions below(const ScratchFolder& folder) {
  ReadOptions options;
  widen(options.root, folder.path());
  return options;
}

}  // namespace

TEST_CASE("an unpatched glb comes back as it was") {
  const Bytes glb = skinned_square().glb();
  CHECK(encoded(*parse_gltf(glb, "a.glb")) == glb);
}

TEST_CASE("glb to gltf and back") {
  const ScratchFolder folder;
  Findings findings;
  const auto document = parsed(skinned_square());
  const Scene before = scene_of(*document, {}, findings);
  patch_skin(*document, before, some_weights());
  const auto files = encode_gltf(*document, folder.path() / "a b.gltf");
  REQUIRE(files.size() == 2);
  CHECK(files[0].relative_path.empty());
  CHECK(files[1].relative_path == "a b.bin");
  CHECK(Json::parse(files[0].bytes)["buffers"][0]["uri"] == "a%20b.bin");
  write_all(folder, "a b.gltf", files);
  const auto text = read_gltf(folder.path() / "a b.gltf");
  const Scene as_text = scene_of(*text, {}, findings);
  CHECK(as_text.meshes.at(0).positions == before.meshes.at(0).positions);

  // The two buffers of a patched .gltf become one BIN chunk.
  patch_skin(*text, as_text, some_weights());
  const auto binary = encode_gltf(*text, folder.path() / "c.GLB");
  REQUIRE(binary.size() == 1);
  const Chunks chunks = chunks_of(binary[0].bytes);
  CHECK(chunks.json["buffers"].size() == 1);
  CHECK_FALSE(chunks.json["buffers"][0].contains("uri"));
  check_same_scene(as_text, scene_of(*parse_gltf(binary[0].bytes, "c.glb"), {}, findings));
}

TEST_CASE("sidecar files come along to another folder, and stay out of the way in the same one") {
  const ScratchFolder folder;
  const Json json = with_sidecars(folder);
  const auto document = read_gltf(folder.path() / "in/a.gltf", below(folder));
  CHECK(encode_gltf(*document, folder.path() / "in/b.gltf").size() == 1);

  const std::vector<std::string> named = {"../shared.png", "data/body 1.bin", "gone.png",
                                          "skin.png"};
  CHECK(sidecars_of(*document) == named);

  const auto files = encode_gltf(*document, folder.path() / "out/deep/a.gltf");
  REQUIRE(files.size() == 4);
  CHECK(files[1].relative_path == "data/body 1.bin");
  CHECK(files[2].relative_path == "skin.png");
  const Json out = Json::parse(files[0].bytes);
  CHECK(out["buffers"] == json["buffers"]);
  // A picture outside of the folder is copied into the output's folder.
  CHECK(files[3].relative_path == "shared.png");
  CHECK(files[3].bytes == bytes_of("png too"));
  CHECK(out["images"][1]["uri"] == "shared.png");
  CHECK(out["images"][2] == json["images"][2]);
  write_all(folder, "out/deep/a.gltf", files);
  Findings findings;
  check_same_scene(scene_of(*document, {}, findings),
                   scene_of(*read_gltf(folder.path() / "out/deep/a.gltf"), {}, findings));
}

TEST_CASE("a reference to a picture that holds from the output's folder stays as it is") {
  const ScratchFolder folder;
  const Json json = with_sidecars(folder);
  std::filesystem::create_directories(folder.path() / "out");
  const auto document = read_gltf(folder.path() / "in/a.gltf", below(folder));
  const auto files = encode_gltf(*document, folder.path() / "out/a.gltf");
  CHECK(files.size() == 3);
  CHECK(Json::parse(files[0].bytes)["images"] == json["images"]);
  // But not a buffer, without which the output could not be read.
  folder.write("in/c.gltf", bytes_of(R"({"buffers": [{"uri": "../body.bin", "byteLength": 3}]})"));
  folder.write("body.bin", bytes_of("abc"));
  const auto in = folder.path() / "in/c.gltf";
  const auto brought = output_files(read_gltf_files(in), in, folder.path() / "out/c.gltf");
  REQUIRE(brought.size() == 2);
  CHECK(brought[1].name == "body.bin");
}

TEST_CASE("sidecar files take the names that they are given") {
  const ScratchFolder folder;
  with_sidecars(folder);
  const auto document = read_gltf(folder.path() / "in/a.gltf", below(folder));
  Findings findings;
  patch_skin(*document, scene_of(*document, {}, findings), some_weights());
  const FileNames names = {{"data/body 1.bin", "data/a.body 1.bin"},
                           {"../shared.png", "textures/a shared.png"},
                           {"gone.png", "a.gone.png"},
                           {"b.gvbind.bin", "other.bin"}};
  const auto files = encode_gltf(*document, folder.path() / "out/deep/b.gltf", names);
  std::vector<std::string> paths;
  for (const EncodedFile& file : files) paths.push_back(file.relative_path);
  CHECK(paths == std::vector<std::string>{"", "data/a.body 1.bin", "skin.png",
                                          "textures/a shared.png", "other.bin"});
  const Json out = Json::parse(files[0].bytes);
  CHECK(out["buffers"][0]["uri"] == "data/a.body%201.bin");
  CHECK(out["buffers"][1]["uri"] == "other.bin");
  CHECK(out["images"][0]["uri"] == "skin.png");
  CHECK(out["images"][1]["uri"] == "textures/a%20shared.png");
  CHECK(out["images"][2]["uri"] == "a.gone.png");
  write_all(folder, "out/deep/b.gltf", files);
  check_same_scene(scene_of(*document, {}, findings),
                   scene_of(*read_gltf(folder.path() / "out/deep/b.gltf"), {}, findings));
}

TEST_CASE("the files of an output are known without its buffers") {
  using Kind = OutputFile::Kind;
  const ScratchFolder folder;
  with_sidecars(folder);
  const auto kinds = [&](const char* input, const char* output) {
    std::map<std::string, Kind> found;
    const auto in = folder.path() / input;
    for (const OutputFile& file : output_files(read_gltf_files(in), in, folder.path() / output))
      found[file.name] = file.kind;
    return found;
  };
  using Kinds = std::map<std::string, Kind>;
  CHECK(kinds("in/a.gltf", "x/y/b.gltf") == Kinds{{"b.gvbind.bin", Kind::made},
                                                  {"data/body 1.bin", Kind::buffer},
                                                  {"shared.png", Kind::picture},
                                                  {"skin.png", Kind::picture},
                                                  {"gone.png", Kind::missing}});
  // A .glb includes the buffers; its pictures stay separate files.
  CHECK(kinds("in/a.gltf", "x/y/b.glb") == Kinds{{"shared.png", Kind::picture},
                                                 {"skin.png", Kind::picture},
                                                 {"gone.png", Kind::missing}});
  CHECK(kinds("in/a.gltf", "in/b.gltf") == Kinds{{"b.gvbind.bin", Kind::made}});
  folder.write("in/c.glb", skinned_square().glb());
  CHECK(kinds("in/c.glb", "x/c.glb").empty());
  CHECK(kinds("in/c.glb", "x/c.gltf") == Kinds{{"c.bin", Kind::made}});
  folder.write("in/d.obj", bytes_of("o cube"));
  CHECK(kinds("in/d.obj", "x/d.gltf") == Kinds{{"d.bin", Kind::made}});
  for (const char* damaged : {"", "{", "{]", "glTF", "{\"buffers\": 3}", "[[[["}) {
    folder.write("in/e.gltf", bytes_of(damaged));
    CHECK(kinds("in/e.gltf", "x/e.glb").empty());
  }
}

TEST_CASE("names of an output's files stay below its folder and out of gvbind's own") {
  CHECK(output_name_of("textures/x.png") == "textures/x.png");
  CHECK(output_name_of("../../textures/x.png") == "textures/x.png");
  CHECK(output_name_of("/etc/x.png") == "x.png");
  CHECK(output_name_of(".gvbind/a.glb.stamp") == "a.glb.stamp");
  CHECK(output_name_of("textures/.gvbind-12/a.glb") == "a.glb");
  CHECK(output_name_of("../.gvbind") == "gvbind");
}

TEST_CASE("a new buffer never gets the name of an existing one") {
  const ScratchFolder folder;
  Findings findings;
  with_sidecars(folder);
  std::filesystem::path path = folder.path() / "in/a.gltf";
  for (const char* expected : {"a.gvbind.bin", "a.gvbind2.bin", "a.gvbind3.bin"}) {
    const auto document = read_gltf(path);
    patch_skin(*document, scene_of(*document, {}, findings), some_weights());
    const auto files = encode_gltf(*document, path);
    REQUIRE(files.size() == 2);
    CHECK(files[1].relative_path == expected);
    write_all(folder, "in/a.gltf", files);
  }
  CHECK(scene_of(*read_gltf(path), {}, findings).meshes.at(0).weights.vertex_count() == 4);
}

TEST_CASE("the merged buffer of a .glb is the first one, and no fallback") {
  const ScratchFolder folder;
  Findings findings;
  const Sample s = skinned_square();
  const Json fallback = {{"EXT_meshopt_compression", {{"fallback", true}}}};
  for (const bool fallback_first : {true, false}) {
    Json json = s.finished();
    const std::size_t size = s.bin.size();
    Json plain = {{"uri", "a.bin"}, {"byteLength", size}};
    if (fallback_first) plain["extensions"] = fallback;
    Json second = {{"uri", "b.bin"}, {"byteLength", 4}, {"name", "second"}};
    if (!fallback_first) second["extensions"] = fallback;
    json["buffers"] = {plain, second};
    json["extensionsUsed"] = {"EXT_meshopt_compression"};
    folder.write("a.bin", s.bin);
    folder.write("b.bin", Bytes(4));
    folder.write("a.gltf", bytes_of(json.dump()));
    const auto document = read_gltf(folder.path() / "a.gltf");
    const Bytes glb = encoded(*document, folder.path() / "b.glb");
    const Json buffers = chunks_of(glb).json["buffers"];
    REQUIRE(buffers.size() == 1);
    CHECK(buffers[0] == Json{{"byteLength", (size + 3) / 4 * 4 + 4}});
    check_same_scene(scene_of(*document, {}, findings),
                     scene_of(*parse_gltf(glb, "b.glb"), {}, findings));
  }
}

TEST_CASE("what embeds its buffers goes on embedding them") {
  const Sample s = skinned_square();
  Findings findings;
  Json json = s.finished();
  const auto text = parsed(s);
  // A hand-made data URI with every byte percent-encoded.
  std::string uri = "data:application/octet-stream,";
  for (const std::uint8_t byte : s.bin) {
    const char* hex = "0123456789abcdef";
    uri += {'%', hex[byte >> 4], hex[byte & 15]};
  }
  json["buffers"][0]["uri"] = uri;
  const auto document = parse_gltf(bytes_of(json.dump()), "a.gltf");
  const Scene scene = scene_of(*document, {}, findings);
  check_same_scene(scene, scene_of(*text, {}, findings));
  patch_skin(*document, scene, some_weights());
  const auto files = encode_gltf(*document, "b.gltf");
  REQUIRE(files.size() == 1);
  const auto again = parse_gltf(files[0].bytes, "b.gltf");
  CHECK(scene_of(*again, {}, findings).meshes.at(0).weights.joint ==
        some_weights().meshes[0].joint);
}

TEST_CASE("another suffix is a usage error") {
  const auto document = parsed(skinned_square());
  CHECK(error_of(ErrorKind::usage, [&] { encode_gltf(*document, "a.fbx"); }) ==
        "a.fbx: is neither .glb nor .gltf");
}
