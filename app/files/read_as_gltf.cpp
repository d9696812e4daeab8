#include "files/read_as_gltf.h"
#include "io/encoded_file.h"

#include <utility>

namespace gvbind {

namespace {

/// Nothing of it is written: the name says the format alone.
constexpr const char* as_gltf = "converted.glb";

}  // namespace

Document read_as_gltf(const std::string& path, const ReadOptions& options, DroppedFeatures& losses,
                      Findings& findings) {
  const ReadOptions reading = with_root(options, path);
  Document document = read_document(path, findings, reading);
  if (!converts_whole(document, as_gltf)) return document;
  const Document made =
      convert_document(document, as_gltf, {.reading = reading}, losses, findings).document;
  // Read back: JSON that was read has other types of numbers than JSON that was made.
  std::vector<EncodedFile> files = encode(made, as_gltf, findings);
  return parse_gltf(std::move(files.front().bytes), path, reading);
}

}  // namespace gvbind
