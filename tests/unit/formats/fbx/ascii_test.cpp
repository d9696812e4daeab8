#include <catch2/catch.hpp>

#include "formats/fbx/document.h"
#include "samples.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

std::string encoded(const FbxDocument& document) {
  Findings findings;
  const auto bytes = encode_fbx(document, findings);
  return {bytes.begin(), bytes.end()};
}

std::string with_crlf(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') out += '\r';
    out += c;
  }
  return out;
}

/// Whether `longer` equals `shorter` with lines inserted.
bool has_all_lines(const std::string& longer, const std::string& shorter) {
  std::size_t at = 0;
  std::size_t begin = 0;
  while (begin < shorter.size()) {
    const std::size_t end = std::min(shorter.find('\n', begin), shorter.size() - 1);
    const std::string line = shorter.substr(begin, end - begin + 1);
    const std::size_t found = longer.find(line, at);
    if (found == std::string::npos) return false;
    at = found + line.size();
    begin = end + 1;
  }
  return true;
}

const std::string unskinned = ascii_text(
    "\t; a comment { with a brace\n" + tetrahedron_text(10) + model_text(11, "Body", "Mesh") +
        model_text(12, "Hip", "LimbNode"),
    "\t;Model::Body, Model::RootNode\n" + link_text(10, 11) + link_text(11, 0) + link_text(12, 0));

}  // namespace

TEST_CASE("the syntax of ASCII documents is read") {
  const auto document = parse_text(
      ascii_text("\tVideo: 1, \"Video::a&quot;b\", \"Clip\" {\n\t\tContent: ,\n\t\t\t\"QUJD\",\n"
                 "\t\t\t\"REVG\"\n\t\tUseMipMap: 0\n\t}\n\tModel: 2, \"Model::ns::Hip\", \"Null\" "
                 "{\n\t\tShading: T\n\t\tEmpty: \n\t\tCulling: \"CullingOff\"\n\t\tKey: *4 { a: "
                 "1,2,\n3,4 }\n\t\tNothing: *0 {\n\t\t}\n\t}\n",
                 ""));
  const FbxNode& objects = *find_child(document->root, "Objects");
  REQUIRE(objects.children.size() == 2);
  const FbxNode& video = objects.children[0];
  CHECK(text_of(video.properties[1]) == "Video::a\"b");
  CHECK(find_child(video, "Content")->properties.size() == 2);
  CHECK(find_child(video, "UseMipMap"));
  const FbxNode& model = objects.children[1];
  CHECK(find_child(model, "Shading")->properties[0].data == "T");
  CHECK(find_child(model, "Empty")->properties.empty());
  CHECK(text_of(find_child(model, "Culling")->properties[0]) == "CullingOff");
  CHECK(integers_of(*find_child(model, "Key")) == std::vector<std::int32_t>{1, 2, 3, 4});
  CHECK(doubles_of(*find_child(model, "Nothing")).empty());
}

TEST_CASE("built ASCII and binary documents hold the same scene") {
  Findings findings;
  const Scene a = scene_of(*build_fbx(arm_scene(), FbxEncoding::ascii), {}, findings);
  const Scene b = scene_of(*build_fbx(arm_scene(), FbxEncoding::binary), {}, findings);
  REQUIRE(a.meshes.size() == 1);
  CHECK(a.meshes[0].positions == b.meshes[0].positions);
  CHECK(a.meshes[0].triangles == b.meshes[0].triangles);
  CHECK(a.meshes[0].name == b.meshes[0].name);
  REQUIRE(a.joints.size() == b.joints.size());
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    CHECK(a.joints[j].name == b.joints[j].name);
    CHECK(a.joints[j].bind.isApprox(b.joints[j].bind, 1e-12));
  }
  CHECK(a.units.meters == b.units.meters);
}

TEST_CASE("an unpatched ASCII document comes back byte by byte") {
  for (const std::string& text : {unskinned, with_crlf(unskinned)}) {
    const auto document = parse_text(text);
    CHECK(encoded(*document) == text);
    document->changed = true;
    CHECK(encoded(*document) == text);
  }
}

TEST_CASE("patching an ASCII document puts text in and leaves the rest") {
  for (const bool crlf : {false, true}) {
    const std::string text = crlf ? with_crlf(unskinned) : unskinned;
    const auto document = parse_text(text);
    Findings findings;
    const Scene scene = scene_of(*document, {}, findings);
    const SceneWeights weights = sample_weights(scene);
    patch_skin(*document, scene, weights);
    const std::string patched = encoded(*document);
    const auto bare = [](const std::string& s) { return s.find("\n") != s.npos; };
    CHECK(bare(patched));
    if (crlf)
      for (std::size_t i = 0; i < patched.size(); ++i)
        if (patched[i] == '\n') REQUIRE(patched[i - 1] == '\r');
    // Only the counts in Definitions change.
    CHECK(patched.find("Count: 4") != patched.npos);
    CHECK(patched.find("ObjectType: \"Deformer\"") != patched.npos);
    const std::size_t objects = text.find("Objects:");
    CHECK(has_all_lines(patched, text.substr(objects)));
    const Scene again = scene_of(*parse_text(patched), {}, findings);
    CHECK(again.meshes[0].weights.weight == weights.meshes[0].weight);
    CHECK(again.meshes[0].weights.joint == weights.meshes[0].joint);
    CHECK(again.joints[0].bind.isApprox(scene.joints[0].bind));
    CHECK(findings.empty());
  }
}

TEST_CASE("texts are quoted so that they can be read") {
  CHECK(quote_ascii(std::string("Hip\0\1Model", 10)) == "\"Model::Hip\"");
  CHECK(quote_ascii("a\"b\r\n") == "\"a&quot;b&cr;&lf;\"");
  CHECK(quote_ascii(std::string("Trunk\0", 6)) == "\"Trunk\"");
}

TEST_CASE("patching an ASCII document twice keeps the first's objects and order") {
  const auto document = parse_text(unskinned);
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  patch_skin(*document, scene, sample_weights(scene));
  const std::string once = encoded(*document);
  const auto second = parse_text(once);
  const Scene skinned = scene_of(*second, {}, findings);
  patch_skin(*second, skinned, sample_weights(skinned));
  CHECK(encoded(*second) == once);
}

TEST_CASE("old weights leave the text of a cluster that gets none") {
  const std::string text = ascii_text(
      tetrahedron_text(10) + model_text(11, "Body", "Mesh") + model_text(12, "Hip", "LimbNode") +
          model_text(13, "Knee", "LimbNode") + skin_text(20) +
          cluster_text(21, "0,1,2,3", "1,1,1,0.5", moved(0, 0, 0), moved(0, 0, 0)) +
          cluster_text(22, "3", "0.5", moved(0, 0, 0), moved(0, 0, 0)),
      link_text(10, 11) + link_text(11, 0) + link_text(12, 0) + link_text(13, 12) +
          link_text(20, 10) + link_text(21, 20) + link_text(22, 20) + link_text(12, 21) +
          link_text(13, 22));
  const auto document = parse_text(text);
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  SceneWeights weights;
  weights.meshes.push_back({{0, 1, 2, 3, 4}, {0, 0, 0, 0}, {1, 1, 1, 1}});
  patch_skin(*document, scene, weights);
  const auto again = parse_text(encoded(*document));
  const FbxNode& objects = *find_child(again->root, "Objects");
  CHECK(find_child(objects.children[5], "Indexes"));
  CHECK(integers_of(*find_child(objects.children[5], "Indexes")) ==
        std::vector<std::int32_t>{0, 1, 2, 3});
  CHECK_FALSE(find_child(objects.children[6], "Indexes"));
  CHECK_FALSE(find_child(objects.children[6], "Weights"));
  CHECK(find_child(objects.children[6], "TransformLink"));
  CHECK(find_child(objects.children[6], "UserData"));
}

TEST_CASE("ASCII text cut at any byte is refused or read, and never more") {
  for (std::size_t size = 0; size < unskinned.size(); ++size) try {
      Findings findings;
      scene_of(*parse_text(unskinned.substr(0, size)), {}, findings);
    } catch (const Error& error) {
      const std::string message = error.what();
      if (!message.starts_with("sample.fbx: ") || message.find('\n') != message.npos) FAIL(message);
    }
}

TEST_CASE("damaged ASCII text is refused with its line") {
  const auto refused = [](const std::string& text) {
    return message_of([&] { parse_text(text); }, ErrorKind::input);
  };
  CHECK(refused("; FBX 7.4.0 project file\nObjects: {\n\t}\n}\n").find("line 4") !=
        std::string::npos);
  CHECK(refused("; FBX 7.4.0 project file\nObjects: {\n").find("truncated") != std::string::npos);
  CHECK(refused("; FBX 7.4.0 project file\nObjects: \"a\n").find("truncated") != std::string::npos);
  CHECK(refused("; FBX 5.8.0 project file\nObjects: {\n}\n").find("older than 6000") !=
        std::string::npos);
  CHECK(refused("; FBX 7.4.0 project file\nObjects: {\n}\n").empty());
  CHECK(refused("; FBX 7.4.0 project file\n").find("no Objects") != std::string::npos);
  std::string deep = "; FBX 7.4.0 project file\n";
  for (int i = 0; i < 100000; ++i) deep += "a: {";
  CHECK(refused(deep).find("nested too deeply") != std::string::npos);
}

TEST_CASE("arrays of 64-bit integers, as the times of keys are, keep all their digits") {
  const std::vector<std::int64_t> ticks = {0, 50000000000, (std::int64_t{1} << 53) + 1, -7};
  CHECK(print_ascii_node(make_node("KeyTime", {make_array(ticks)}), 0, "\n") ==
        "KeyTime: *4 {\n\ta: 0,50000000000,9007199254740993,-7\n}");
  const std::vector<std::int64_t> many(1000, 1924423250);  // compressed in memory
  const std::string text = print_ascii_node(make_node("KeyTime", {make_array(many)}), 1, "\n");
  const auto document = parse_text(
      ascii_text("\tAnimationCurve: 2, \"AnimCurve::\", \"\" {\n" + text + "\n\t}\n", ""));
  const FbxNode& curve = find_child(document->root, "Objects")->children.at(0);
  CHECK(doubles_of(*find_child(curve, "KeyTime")) == std::vector<double>(1000, 1924423250.0));
}

TEST_CASE("comments within arrays are no values") {
  const auto document = parse_text(
      ascii_text("\tModel: 2, \"Model::Hip\", \"Null\" {\n\t\tKey: *4 {\n\t\t\ta: 1,2; a "
                 "} brace, 7\n,3;,9\n;8\n\t\t\t,4\n\t\t}\n\t}\n",
                 ""));
  const FbxNode& objects = *find_child(document->root, "Objects");
  REQUIRE(objects.children.size() == 1);
  CHECK(doubles_of(*find_child(objects.children[0], "Key")) == std::vector<double>{1, 2, 3, 4});
}
