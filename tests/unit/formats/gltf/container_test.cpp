#include <catch2/catch.hpp>

#include "formats/gltf/document.h"
#include "formats/gltf/sample.h"
#include "formats/gltf/uri.h"
#include "support/scratch_folder.h"

using namespace gvbind;
using namespace gvbind::test;
namespace fs = std::filesystem;

namespace {

// Parsing any bytes and reading their scene must give a scene, or an Error of one line that begins
// with the path: input, or resource if a false size exceeds the memory.
bool ends_well(const Bytes& bytes) {
  try {
    Findings findings;
    const auto document = parse_gltf(bytes, "case.glb");
    scene_of(*document, {}, findings);
    return true;
  } catch (const Error& error) {
    const std::string message = error.what();
    return (error.kind() == ErrorKind::input || error.kind() == ErrorKind::resource) &&
           message.starts_with("case.glb: ") && message.find('\n') == std::string::npos;
  }
}

std::string message_for(const Sample& s) {
  return error_of(ErrorKind::input, [&] { scene_of_sample(s); });
}

Bytes text_document(const Json& json) { return bytes_of(json.dump()); }

}  // namespace

TEST_CASE("a glb cut at any byte ends in an error or a scene") {
  const Bytes whole = skinned_square().glb();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO(length);
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    CHECK(ends_well(cut));
    if (length > 0) CHECK_THROWS_AS(parse_gltf(cut, "cut.glb"), Error);
  }
}

TEST_CASE("a glb with any byte changed ends in an error or a scene") {
  const Bytes whole = skinned_square().glb();
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const int change : {1, 0x80, 0xff}) {
      Bytes changed = whole;
      changed[at] = static_cast<std::uint8_t>(changed[at] ^ change);
      INFO(at << " ^ " << change);
      CHECK(ends_well(changed));
    }
}

TEST_CASE("any JSON value of a document may be replaced by nonsense") {
  const Sample whole = skinned_square();
  const Json sound = whole.finished();
  const Json flat = sound.flatten();
  for (const auto& [pointer, value] : flat.items())
    for (const Json& protocol_error :
         {Json(-1), Json(1e300), Json("x"), Json(nullptr), Json::array(), Json::object(),
          Json(4294967295u), Json(true), Json(18446744073709551615u), Json(2.5)}) {
      Sample broken = whole;
      Json changed = sound;
      changed[Json::json_pointer(pointer)] = protocol_error;
      INFO(pointer << " = " << protocol_error.dump());
      Bytes body, out = bytes_of("glTF");
      put_chunk(body, json_chunk, bytes_of(changed.dump()), ' ');
      put_chunk(body, bin_chunk, whole.bin, 0);
      put_u32(out, 2);
      put_u32(out, body.size() + 12);
      out.insert(out.end(), body.begin(), body.end());
      CHECK(ends_well(out));
    }
}

TEST_CASE("a file that is not glTF is reported as such") {
  const auto message = [](const Bytes& bytes) {
    return error_of(ErrorKind::input, [&] { parse_gltf(bytes, "dir/a.gltf"); });
  };
  CHECK(message({}) == "dir/a.gltf: is empty");
  CHECK(message(bytes_of("hello")).starts_with("dir/a.gltf: not valid JSON at byte"));
  CHECK(message(bytes_of("[]")) == "dir/a.gltf: the JSON is not an object");
  CHECK(message(bytes_of("{}")) == "dir/a.gltf: not glTF: asset.version is missing");
  CHECK(message(text_document({{"asset", {{"version", "1.0"}}}})) ==
        "dir/a.gltf: glTF version \"1.0\", not 2.0");
  CHECK(message(bytes_of(std::string(100000, '['))).find("nested deeper") != std::string::npos);
  CHECK(message(bytes_of("{\"asset\":{\"version\":\"2.0\"},\"x\":1e999}")) ==
        "dir/a.gltf: JSON with a number out of range");
  CHECK(error_of(ErrorKind::input, [] { read_gltf("/nonexistent/a.glb"); }) ==
        "/nonexistent/a.glb: cannot be opened: No such file or directory");
  CHECK(error_of(ErrorKind::input, [] { read_gltf("/tmp"); }) == "/tmp: is a folder");
}

TEST_CASE("an unknown required extension is refused by name, known ones are not") {
  Sample s = skinned_square();
  s.json["extensionsRequired"] = {"KHR_texture_transform", "ACME_wobble"};
  CHECK(message_for(s) ==
        "sample.glb: requires the extension \"ACME_wobble\", which gvbind cannot read");
  s.json["extensionsRequired"] = {"KHR_materials_unlit", "KHR_mesh_quantization"};
  CHECK(message_for(s).empty());
}

TEST_CASE("damage is named with its place") {
  SECTION("a position that is not finite") {
    Sample s;
    std::vector<float> p = square();
    p[4] = std::nanf("");
    const std::size_t a = s.positions(p);
    s.json["accessors"][a].erase("min");
    s.json["accessors"][a].erase("max");
    s.mesh({{"attributes", {{"POSITION", a}}}});
    s.node({{"mesh", 0}});
    CHECK(message_for(s) == "sample.glb: meshes[0]: position 1 of accessors[0] is not finite");
  }
  SECTION("an accessor that reaches past its view") {
    Sample s = skinned_square();
    s.json["accessors"][0]["count"] = 5;
    CHECK(message_for(s) ==
          "sample.glb: accessors[0]: 5 elements reach past bufferViews[0] of 48 bytes");
  }
  SECTION("an index past the vertices") {
    Sample s;
    Json primitive = square_primitive(s);
    primitive["indices"] = s.accessor(std::vector<std::uint16_t>{0, 1, 4}, "SCALAR", 5123, 1);
    s.mesh(primitive);
    s.node({{"mesh", 0}});
    CHECK(message_for(s) ==
          "sample.glb: meshes[0]: index 2 of a primitive is out of range (4 vertices)");
  }
  SECTION("a cycle of nodes") {
    Sample s = skinned_square();
    s.json["nodes"][2]["children"] = {1};
    CHECK(message_for(s) == "sample.glb: nodes[1]: is its own ancestor, or below one that is");
  }
  SECTION("two parents") {
    Sample s = skinned_square();
    s.json["nodes"][0]["children"] = {2};
    CHECK(message_for(s) == "sample.glb: nodes[1]: child 2 has two parents");
  }
  SECTION("too few inverse bind matrices") {
    Sample s = skinned_square();
    s.json["accessors"].back()["count"] = 1;
    CHECK(message_for(s) == "sample.glb: skins[0]: 1 inverseBindMatrices for 2 joints");
  }
  SECTION("a joint twice") {
    Sample s = skinned_square();
    s.json["skins"][0]["joints"] = {1, 1};
    CHECK(message_for(s) == "sample.glb: skins[0]: has joint 1 twice");
  }
  SECTION("a huge accessor without data") {
    Sample s = skinned_square();
    s.json["accessors"][0].erase("bufferView");
    s.json["accessors"][0]["count"] = 4000000000u;
    CHECK(message_for(s) == "sample.glb: meshes[0]: has too many vertices");
    s.json["accessors"][0]["count"] = 100000;
    CHECK(message_for(s) ==
          "sample.glb: accessors[0]: 100000 elements without data are too many for a file of this "
          "size");
  }
}

TEST_CASE("buffers come from data URIs, percent-encoded files and their absence is named") {
  const ScratchFolder folder;
  const Sample s = skinned_square();
  Json json = s.finished();
  folder.write("my buffer.bin", s.bin);
  json["buffers"][0]["uri"] = "my%20buffer.bin";
  folder.write("a.gltf", bytes_of(json.dump()));
  Findings findings;
  const Scene from_file = scene_of(*read_gltf(folder.path() / "a.gltf"), {}, findings);
  CHECK(from_file.meshes.at(0).positions == scene_of_sample(s).meshes.at(0).positions);

  json["buffers"][0]["uri"] = "gone.bin";
  folder.write("b.gltf", bytes_of(json.dump()));
  const std::string message =
      error_of(ErrorKind::input, [&] { read_gltf(folder.path() / "b.gltf"); });
  CHECK(message ==
        (folder.path() / "b.gltf").string() +
            ": buffers[0]: uri \"gone.bin\" cannot be opened: No such file or directory");

  json["buffers"][0]["uri"] = "my%20buffer.bin";
  json["buffers"][0]["byteLength"] = s.bin.size() + 1;
  folder.write("c.gltf", bytes_of(json.dump()));
  CHECK(error_of(ErrorKind::input, [&] {
          read_gltf(folder.path() / "c.gltf");
        }).find("buffers[0]: truncated") != std::string::npos);

  json["buffers"][0]["uri"] = "data:application/octet-stream;base64,AA*A";
  CHECK(error_of(ErrorKind::input, [&] { parse_gltf(bytes_of(json.dump()), "d.gltf"); }) ==
        "d.gltf: buffers[0]: damaged data URI");
}

TEST_CASE("chunks that we do not know and the order of the JSON survive") {
  Bytes glb = skinned_square().glb();
  put_chunk(glb, 0x12345678, bytes_of("ours?"), 0);
  Bytes size;
  put_u32(size, glb.size());
  std::copy(size.begin(), size.end(), glb.begin() + 8);
  CHECK(encoded(*parse_gltf(glb, "a.glb")) == glb);
}

TEST_CASE("a URI names a file in one way only, and leads nowhere by being decoded twice") {
  CHECK(gltf::file_of_uri("a%20b/c.bin") == "a b/c.bin");
  CHECK(gltf::file_of_uri("%2e%2e/x") == "../x");
  CHECK(gltf::file_of_uri("%252e%252e/x") == "%2e%2e/x");
  CHECK(gltf::file_of_uri("..\\..\\x") == "..\\..\\x");
  CHECK(gltf::file_of_uri("file:///etc/x") == "/etc/x");
  CHECK(gltf::file_of_uri("FILE:/etc/x") == "/etc/x");
  CHECK(gltf::file_of_uri("file://localhost/etc/x") == "/etc/x");
  for (const char* none : {"file://host/etc/x", "file:x", "//host/x", "C:/x", "http://a/b", "",
                           "x%00", "file:///x%00"}) {
    CAPTURE(none);
    CHECK_FALSE(gltf::file_of_uri(none));
  }
}

TEST_CASE("JSON that is not UTF-8 is read as Latin-1") {
  const auto document = parse_gltf(
      bytes_of("{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [{\"name\": \"H\xe4nd\"}]}"),
      "a.gltf");
  CHECK(document->json["nodes"][0]["name"] == "H\xc3\xa4nd");
  CHECK(error_of(ErrorKind::input, [] {
          parse_gltf(bytes_of("{\"asset\": {]}"), "a.gltf");
        }).find("not valid JSON at byte 12") != std::string::npos);
}

TEST_CASE("a URI is looked for as Windows tools mean it") {
  const ScratchFolder folder;
  folder.write("a b/c.png");
  folder.write("odd\\name.png");
  folder.write("50%25.png");
  const auto named = [&](const char* uri) {
    const auto file = gltf::named_file(folder.path(), uri);
    return file ? file->lexically_normal().generic_string() : "none";
  };
  CHECK(named("a%20b/c.png") == "a b/c.png");
  CHECK(named("a b\\c.png") == "a b/c.png");
  CHECK(named(".\\a%20b%5Cc.png") == "a b/c.png");
  CHECK(named("A B\\c.png") == "A B/c.png");  // missing, since the case differs
  CHECK(named("odd\\name.png") == "odd\\name.png");
  CHECK(named("50%25.png") == "50%25.png");
  CHECK(named("..\\..\\x") == "../../x");
  for (const char* elsewhere : {"C:\\art\\x.png", "d:/art/x.png", "file:///C:/art/x.png",
                                "\\\\server\\art\\x.png", "\\art\\x.png", "C:\\..\\x.png"}) {
    CAPTURE(elsewhere);
    CHECK(named(elsewhere) == "x.png");
  }
  CHECK(named("/art/x.png") == "/art/x.png");
  for (const char* none : {"C:\\", "data:,x", "http://a/b", "", "x%00", "C:\\x%00"}) {
    CAPTURE(none);
    CHECK(named(none) == "none");
  }
}

TEST_CASE(
    "a buffer outside the document's folder is refused by its URI, whatever way leads there") {
  const ScratchFolder folder;
  const Sample s = skinned_square();
  const fs::path secret = folder.write("secret.bin", s.bin);
  folder.write("art/.keep");
  fs::create_symlink(secret, folder.path() / "art/link.bin");
  fs::create_directory_symlink("..", folder.path() / "art/up");
  Json json = s.finished();
  const auto refusal = [&](const std::string& uri) {
    json["buffers"][0]["uri"] = uri;
    const fs::path path = folder.write("art/a.gltf", bytes_of(json.dump()));
    return error_of(ErrorKind::input, [&] { read_gltf(path); });
  };
  const std::string absolute = secret.string();
  for (const std::string& uri :
       {absolute, "file://" + absolute, "file:" + absolute, std::string("../secret.bin"),
        std::string("%2e%2e/secret.bin"), std::string("%2E./secret.bin"),
        std::string("up/secret.bin"), std::string("link.bin"), std::string("./../secret.bin"),
        std::string("/dev/zero"), std::string("/proc/self/environ"),
        std::string("file:///dev/zero")}) {
    CAPTURE(uri);
    const std::string message = refusal(uri);
    CHECK(message.find("a.gltf: buffers[0]: uri \"" + uri + "\" lies outside") !=
          std::string::npos);
    CHECK(message.find("--asset-root") != std::string::npos);
  }
  for (const char* uri :
       {"..\\secret.bin", "%252e%252e/secret.bin", "secret.bin%00", "up", "up/../up/secret.bin"}) {
    CAPTURE(uri);
    CHECK_FALSE(refusal(uri).empty());
  }
  ReadOptions wider;
  wider.root = asset_root_of(folder.path() / "art/a.gltf", folder.path());
  json["buffers"][0]["uri"] = "../secret.bin";
  folder.write("art/a.gltf", bytes_of(json.dump()));
  Findings findings;
  const auto document = read_gltf(folder.path() / "art/a.gltf", wider);
  CHECK(scene_of(*document, {}, findings).meshes.at(0).positions ==
        scene_of_sample(s).meshes.at(0).positions);
  CHECK(sidecars_of(*document) == std::vector<std::string>{"../secret.bin"});
}

TEST_CASE("an image outside the root is neither a sidecar nor passed over in silence") {
  const ScratchFolder folder;
  folder.write("secret.png", "s");
  folder.write("art/inside.png", "i");
  Json json = skinned_square().finished();
  json["buffers"][0]["uri"] =
      gltf::encode_data_uri(std::vector<std::uint8_t>(skinned_square().bin));
  const auto document_with = [&](const std::string& uri) {
    json["images"] = Json::array({{{"uri", uri}}});
    return parse_gltf(bytes_of(json.dump()), folder.path() / "art/a.gltf");
  };
  CHECK_NOTHROW(check_sidecars(*document_with("inside.png")));
  CHECK(sidecars_of(*document_with("inside.png")) == std::vector<std::string>{"inside.png"});
  CHECK_NOTHROW(check_sidecars(*document_with("C:/artist/gone.png")));
  CHECK_NOTHROW(check_sidecars(*document_with("/home/artist/gone.png")));
  CHECK(sidecars_of(*document_with("../secret.png")).empty());
  CHECK(error_of(ErrorKind::input, [&] {
          check_sidecars(*document_with("../secret.png"));
        }).find("a.gltf: uri \"../secret.png\" lies outside") != std::string::npos);
}

TEST_CASE("nodes that show one mesh many times are counted before they are read") {
  Sample s = skinned_square();
  Json& nodes = s.json["nodes"];
  for (int i = 0; i < 1000; ++i) nodes.push_back({{"mesh", 0}});
  const auto glb = s.glb();
  Findings findings;
  const auto read = [&](std::uint64_t max_memory) {
    return scene_of(*parse_gltf(glb, "a.glb", {{}, max_memory}), {}, findings);
  };
  CHECK(read(1 << 20).meshes.size() == 1001);
  const std::string message = error_of(ErrorKind::resource, [&] { read(1 << 19); });
  CHECK(message.starts_with("a.glb: its meshes have "));
  CHECK(message.find("--max-memory") != std::string::npos);
}
