#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>

#include "formats/fbx/document.h"
#include "samples.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

std::vector<std::uint8_t> sample_bytes(std::uint32_t version) {
  const auto document = build_fbx(arm_scene(2));
  document->version = version;
  document->footer = make_fbx_footer(version);
  return write_binary_fbx(*document);
}

std::string input_error(std::vector<std::uint8_t> bytes) {
  return message_of([&] { parse_fbx(std::move(bytes), "some/file.fbx"); }, ErrorKind::input);
}

}  // namespace

TEST_CASE("binary documents of 7.0 to 7.7 come back byte by byte") {
  const auto built = build_fbx(arm_scene(2));
  for (const std::uint32_t version : {7000u, 7100u, 7200u, 7300u, 7400u, 7500u, 7600u, 7700u}) {
    CAPTURE(version);
    const std::vector<std::uint8_t> bytes = sample_bytes(version);
    const auto document = parse_fbx(bytes, "some/file.fbx");
    CHECK(document->version == version);
    CHECK(document->reproduced);
    CHECK(same_tree(document->root, built->root));
    CHECK(write_binary_fbx(*document) == bytes);
    Findings findings;
    CHECK(encode_fbx(*document, findings) == bytes);
    CHECK(findings.empty());
    Scene scene = scene_of(*document, {}, findings);
    patch_skin(*document, scene, sample_weights(scene));
    const auto again = parse_fbx(encode_fbx(*document, findings), "some/file.fbx");
    CHECK(again->reproduced);
    CHECK(scene_of(*again, {}, findings).has_skin());
  }
}

TEST_CASE("both paddings of the footer are kept when the tree grows") {
  for (const auto padding : {FbxFooter::Padding::sdk, FbxFooter::Padding::blender}) {
    for (int extra = 0; extra < 16; ++extra) {
      auto document = build_fbx(arm_scene(2));
      document->footer.padding = padding;
      document->root.children.push_back(
          make_node("Extra", {make_text(std::string(static_cast<std::size_t>(extra), 'x'))}));
      const auto bytes = write_binary_fbx(*document);
      const auto again = parse_fbx(bytes, "some/file.fbx");
      CHECK(again->footer.padding == padding);
      const std::size_t tail = 4 + 120 + 16;
      if (padding == FbxFooter::Padding::blender) CHECK((bytes.size() - tail) % 16 == 0);
      if (padding == FbxFooter::Padding::sdk) CHECK((bytes.size() - tail) % 16 == 4);
    }
  }
}

TEST_CASE("an unknown footer, or none, is carried along") {
  auto bytes = sample_bytes(7400);
  bytes.insert(bytes.end(), {1, 2, 3});
  CHECK(parse_fbx(bytes, "some/file.fbx")->reproduced);
  const auto document = parse_fbx(bytes, "some/file.fbx");
  bytes.resize(bytes.size() - document->footer.bytes.size());
  CHECK(parse_fbx(bytes, "some/file.fbx")->reproduced);
}

TEST_CASE("bytes that no node accounts for are skipped, and reported when the tree is patched") {
  auto document = build_fbx(arm_scene(2));
  document->root.children.insert(document->root.children.begin(),
                                 make_node("Extra", {make_bytes("12345678")}));
  auto bytes = write_binary_fbx(*document);
  // The first word of a node is its end offset, the second its number of properties.
  bytes[27 + 4] = 0;
  const auto again = parse_fbx(bytes, "some/file.fbx");
  CHECK_FALSE(again->reproduced);
  CHECK(again->root.children.size() == document->root.children.size());
  Findings findings;
  CHECK(encode_fbx(*again, findings) == bytes);
  CHECK(findings.empty());
  const Scene scene = scene_of(*again, {}, findings);
  patch_skin(*again, scene, sample_weights(scene));
  encode_fbx(*again, findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "fbx-not-reproduced");
  CHECK(findings[0].severity == Severity::warning);
}

TEST_CASE("lists without the null record that should close them are read and kept") {
  auto document = build_fbx(arm_scene(2));
  find_child(document->root, "Objects")->children[0].null_record = false;
  const auto bytes = write_binary_fbx(*document);
  const auto again = parse_fbx(bytes, "some/file.fbx");
  CHECK(again->reproduced);
  CHECK(same_tree(again->root, document->root));
}

TEST_CASE("foreign and unsupported files are refused in one line that begins with the path") {
  const auto refused = [](const std::vector<std::uint8_t>& bytes, const std::string& why) {
    const std::string message = input_error(bytes);
    CAPTURE(message, why);
    CHECK(message.starts_with("some/file.fbx: "));
    CHECK(message.find(why) != message.npos);
    CHECK(message.find('\n') == message.npos);
  };
  refused({}, "empty");
  refused({'g', 'l', 'T', 'F', 2, 0, 0, 0}, "not an FBX");
  refused(std::vector<std::uint8_t>(1000, 0), "not an FBX");
  refused(sample_bytes(5800), "older than 6000");
  refused(sample_bytes(8000), "not known");
  auto damaged = sample_bytes(7400);
  damaged[21] = 0;
  refused(damaged, "damaged header");
  CHECK(message_of([] { read_fbx("no/such/file.fbx"); }, ErrorKind::input)
            .starts_with("no/such/file.fbx: cannot be opened"));
}

TEST_CASE("a file cut at any byte is refused or read, and never more") {
  for (const std::uint32_t version : {7400u, 7500u}) {
    const auto bytes = sample_bytes(version);
    const auto footer = parse_fbx(bytes, "some/file.fbx")->footer.bytes.size();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const std::string message =
          input_error({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)});
      if (message.empty() != (size >= bytes.size() - footer)) FAIL("cut at " << size);
      if (!message.empty() && !message.starts_with("some/file.fbx: ")) FAIL(message);
    }
  }
}

TEST_CASE("a file with any one byte changed is refused or read, and its scene too") {
  const auto bytes = sample_bytes(7400);
  int refused = 0;
  for (std::size_t at = 23; at < bytes.size(); at += 3) {
    auto damaged = bytes;
    damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ (1u << (at % 8)) ^ 0x80u);
    try {
      Findings findings;
      const auto document = parse_fbx(damaged, "some/file.fbx");
      const Scene scene = scene_of(*document, {}, findings);
      patch_skin(*document, scene, sample_weights(scene));
      encode_fbx(*document, findings);
    } catch (const Error& error) {
      ++refused;
      const std::string message = error.what();
      if (!message.starts_with("some/file.fbx: ") || message.find('\n') != message.npos)
        FAIL(message);
    }
  }
  CHECK(refused > 0);
}

TEST_CASE("nodes nested without end are refused") {
  std::vector<std::uint8_t> bytes = sample_bytes(7400);
  bytes.resize(27);
  const std::size_t levels = 100000, size = 14;
  const auto end = static_cast<std::uint32_t>(27 + levels * size);
  for (std::size_t i = 0; i < levels; ++i) {
    std::uint8_t node[size] = {};
    std::memcpy(node, &end, 4);
    node[12] = 1;
    node[13] = 'n';
    bytes.insert(bytes.end(), node, node + size);
  }
  CHECK(input_error(bytes).find("nested too deeply") != std::string::npos);
}

namespace {

/// Writes the tree in big-endian order with uncompressed arrays.
struct BigEndianWriter {
  std::vector<std::uint8_t> out;

  void put(std::string bytes, bool reversed) {
    if (reversed) std::ranges::reverse(bytes);
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
  void put_word(std::size_t value) {
    for (int shift = 24; shift >= 0; shift -= 8)
      out.push_back(static_cast<std::uint8_t>(value >> shift));
  }
  void put(const FbxProperty& property) {
    out.push_back(static_cast<std::uint8_t>(property.type));
    if (property.type == 'S' || property.type == 'R') {
      put_word(property.data.size());
      put(property.data, false);
    } else if (is_array(property)) {
      const std::string values = array_bytes(property);
      const std::size_t count = array_count(property);
      put_word(count);
      put_word(0);
      put_word(values.size());
      const std::size_t stride = count == 0 ? 1 : values.size() / count;
      for (std::size_t at = 0; at < values.size(); at += stride)
        put(values.substr(at, stride), true);
    } else {
      put(property.data, true);
    }
  }
  void put(const FbxNode& node) {
    const std::size_t start = out.size();
    put_word(0);
    put_word(node.properties.size());
    put_word(0);
    out.push_back(static_cast<std::uint8_t>(node.name.size()));
    put(node.name, false);
    const std::size_t properties = out.size();
    for (const FbxProperty& property : node.properties) put(property);
    set_word(start + 8, out.size() - properties);
    for (const FbxNode& child : node.children) put(child);
    if (node.null_record) out.insert(out.end(), 13, 0);
    set_word(start, out.size());
  }
  void set_word(std::size_t at, std::size_t value) {
    for (std::size_t k = 0; k < 4; ++k)
      out[at + k] = static_cast<std::uint8_t>(value >> (24 - 8 * k));
  }
};

}  // namespace

TEST_CASE("big-endian documents are read, and written little-endian once they change") {
  const auto built = build_fbx(arm_scene(2));
  const std::vector<std::uint8_t> little = sample_bytes(7400);
  BigEndianWriter writer;
  writer.out.assign(little.begin(), little.begin() + 22);
  writer.out.push_back(1);
  writer.put_word(7400);
  for (const FbxNode& node : built->root.children) writer.put(node);
  writer.out.insert(writer.out.end(), 13, 0);
  const auto document = parse_fbx(writer.out, "some/file.fbx");
  CHECK(document->version == 7400);
  Findings findings;
  CHECK(encode_fbx(*document, findings) == writer.out);
  Scene scene = scene_of(*document, {}, findings);
  const Scene expected = scene_of(*built, {}, findings);
  REQUIRE(scene.meshes.size() == expected.meshes.size());
  CHECK(scene.meshes[0].positions == expected.meshes[0].positions);
  patch_skin(*document, scene, sample_weights(scene));
  const auto again = parse_fbx(encode_fbx(*document, findings), "some/file.fbx");
  CHECK(again->reproduced);
  CHECK(scene_of(*again, {}, findings).has_skin());
}

TEST_CASE("nodes without children may leave their end at zero") {
  auto document = build_fbx(arm_scene(2));
  document->root.children.push_back(make_node("Leaf", {make_integer(5)}));
  document->root.children.push_back(make_node("Last", {make_integer(6)}));
  auto bytes = write_binary_fbx(*document);
  const std::string text(bytes.begin(), bytes.end());
  const std::size_t node = text.rfind("Leaf") - 13;
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(node), 4, std::uint8_t{0});
  const auto again = parse_fbx(bytes, "some/file.fbx");
  CHECK(same_tree(again->root, document->root));
}
