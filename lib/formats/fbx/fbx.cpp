#include "formats/fbx/fbx.h"

#include "formats/fbx/build.h"
#include "formats/fbx/document.h"
#include "formats/fbx/upgrade.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "io/file_io.h"

namespace gvbind {
namespace {

std::vector<std::uint8_t> write_tree(const FbxDocument& document) {
  return document.encoding == FbxEncoding::ascii ? write_ascii_fbx(document)
                                                 : write_binary_fbx(document);
}

Finding upgrade_finding(const FbxDocument& document) {
  const std::size_t keys = document.upgrade->keys_left_out;
  return {
      Severity::warning,
      "fbx-upgraded",
      "the file is FBX " + fbx_version_text(document.upgrade->version) + " and is written as FBX " +
          fbx_version_text(document.version) +
          (keys == 0 ? ""
                     : "; " + counted(keys, "key of a clip is", "keys of clips are") + " left out"),
      {}};
}

}  // namespace

void require_known_version(std::uint32_t version) {
  if (version < oldest_fbx)
    throw Error(ErrorKind::input,
                "FBX version " + std::to_string(version) +
                    " is older than 6000 (6.0), which is not supported; save it again as FBX 2006 "
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
    if (document->version < first_fbx_with_ids) document = finished_fbx(upgraded_fbx(*document));
  });
  return document;
}

std::vector<std::uint8_t> encode_fbx(const FbxDocument& document, Findings& findings) {
  if (document.upgrade) findings.push_back(upgrade_finding(document));
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
