#include "formats/fbx/fbx.h"

#include "formats/fbx/document.h"
#include "gvbind/base/path_text.h"
#include "io/file_io.h"

namespace gvbind {
namespace {

std::vector<std::uint8_t> write_tree(const FbxDocument& document) {
  return document.encoding == FbxEncoding::ascii ? write_ascii_fbx(document)
                                                 : write_binary_fbx(document);
}

}  // namespace

void require_known_version(std::uint32_t version) {
  if (version < 7100)
    throw Error(ErrorKind::input,
                "FBX version " + std::to_string(version) +
                    " is older than 7100 (7.1), which is not supported; save it again as FBX 2011 "
                    "or newer, or convert it to a .glb with FBX2glTF");
  if (version >= 8000)
    throw Error(ErrorKind::input, "FBX version " + std::to_string(version) + " is not known");
}

std::shared_ptr<FbxDocument> read_fbx(const std::filesystem::path& path,
                                      const ReadOptions& options) {
  return parse_fbx(with_path(path, [&] { return read_file(path); }), path, options);
}

std::shared_ptr<FbxDocument> parse_fbx(std::vector<std::uint8_t> bytes,
                                       const std::filesystem::path& path,
                                       const ReadOptions& options) {
  auto document = std::make_shared<FbxDocument>();
  document->path = path;
  document->max_memory = options.max_memory;
  document->bytes = std::move(bytes);
  with_path(path, [&] {
    if (document->bytes.empty()) throw Error(ErrorKind::input, "is empty");
    if (is_binary_fbx(document->bytes)) {
      parse_binary_fbx(*document);
      document->reproduced = writes_same_binary_fbx(*document);
    } else if (is_ascii_fbx(document->bytes)) {
      document->encoding = FbxEncoding::ascii;
      parse_ascii_fbx(*document);
    } else {
      throw Error(ErrorKind::input, "is not an FBX");
    }
    if (!find_child(document->root, "Objects"))
      throw Error(ErrorKind::input, "the FBX has no Objects");
  });
  return document;
}

std::vector<std::uint8_t> encode_fbx(const FbxDocument& document, Findings& findings) {
  if (!document.changed) return document.bytes;
  if (!document.reproduced)
    findings.push_back({Severity::warning,
                        "fbx-not-reproduced",
                        path_text(document.path) +
                            ": cannot be reproduced byte for byte; besides the skin, bytes "
                            "between nodes may differ",
                        {}});
  return with_path(document.path, [&] { return write_tree(document); });
}

}  // namespace gvbind
