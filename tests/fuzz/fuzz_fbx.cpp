#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>

#include "formats/fbx/document.h"
#include "formats/gltf/gltf.h"
#include "mutate.h"
#include "round_trip.h"

namespace {

using namespace gvbind;

Document parse(fuzz::Bytes bytes) { return parse_fbx(std::move(bytes), "fuzz.fbx"); }

Document parse_built(fuzz::Bytes bytes) { return parse_gltf(std::move(bytes), "built.glb"); }

bool same_tree(const FbxNode& a, const FbxNode& b) {
  const auto same_property = [](const FbxProperty& x, const FbxProperty& y) {
    return x.type == y.type && x.data == y.data;
  };
  return a.name == b.name && a.null_record == b.null_record &&
         std::ranges::equal(a.properties, b.properties, same_property) &&
         std::ranges::equal(a.children, b.children, same_tree);
}

/// Reads the values of every node; arrays as both floats and integers.
void read_values(const FbxNode& node) {
  if (std::ranges::any_of(node.properties, is_array)) {
    fuzz::accepts([&] { doubles_of(node); });
    fuzz::accepts([&] { integers_of(node); });
  }
  for (const FbxProperty& property : node.properties) {
    number_of(property);
    integer_of(property);
    text_of(property);
  }
  for (const FbxNode& child : node.children) read_values(child);
}

bool has_plain_names(const FbxNode& node) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !node.name.empty() && std::ranges::all_of(node.name, is_plain) &&
         std::ranges::all_of(node.children, has_plain_names);
}

/// Prints a tree of binary properties as ASCII, as add_joints and patch_skin do. Their node names
/// are fixed, but values may come from the file.
void check_printed(const FbxDocument& document) {
  std::string text =
      "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7400\n}\nObjects: {\n}\n";
  for (const FbxNode& node : document.root.children)
    if (node.name == "Objects" && has_plain_names(node))
      text += print_ascii_node(node, 0, "\n") + "\n";
  fuzz::require(fuzz::accepts([&] {
                  parse({text.begin(), text.end()});
                }),
                "a tree printed as text can be read");
}

void check_tree(const fuzz::Bytes& input) {
  const auto document = parse_fbx(input, "fuzz.fbx");
  const fuzz::Bytes& bytes = document->bytes;
  fuzz::require(document->upgrade || bytes == input, "a file of 7.0 or later is kept as it is");
  read_values(document->root);
  if (document->encoding == FbxEncoding::ascii) {
    fuzz::require(write_ascii_fbx(*document) == bytes, "an unchanged text is written as it was");
    return;
  }
  const fuzz::Bytes written = write_binary_fbx(*document);
  fuzz::require(document->reproduced == (written == bytes), "`reproduced` is right");
  std::shared_ptr<FbxDocument> again;
  fuzz::require(fuzz::accepts([&] { again = parse_fbx(written, "again.fbx"); }),
                "a written tree can be read");
  fuzz::require(same_tree(document->root, again->root), "a written tree reads back equal");
  check_printed(*document);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::TimeLimit limit;
  const fuzz::Bytes bytes(data, data + size);
  fuzz::accepts([&] {
    check_tree(bytes);
    fuzz::check_round_trip(parse(bytes), "fuzz.fbx", parse, "built.glb", parse_built);
  });
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t room, unsigned seed) {
  return fuzz::mutate_character(data, size, room, seed);
}
