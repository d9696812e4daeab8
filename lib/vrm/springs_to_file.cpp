// Tested by tests/consumer/refused.cpp.

#include "bind/asset_limits.h"
#include "bind/write_document.h"
#include "formats/convert/convert.h"
#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "gvbind/springs.h"
#include "vrm/spring_bones.h"

namespace gvbind::vrm {

Findings add_springs_to_file(const std::filesystem::path& input,
                             const std::filesystem::path& output,
                             const SpringsFileOptions& options) {
  const std::string from = path_text(input), to = path_text(output);
  const ReadLimits limits = limits_of(options.reading);
  const bool overwrite = options.overwrite == Asset::Overwrite::yes;
  check_new_output(to, overwrite, ".glb, .gltf or .vrm");
  const ReadOptions reading = with_root(read_options(limits, from), from);
  Findings findings;
  const Document document = read_document(from, findings, reading);
  const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&document);
  if (!gltf || !same_format(document, to))
    throw Error(ErrorKind::usage, from +
                                      ": springs are for glTF and VRM, and written as .glb, .gltf "
                                      "or .vrm; convert other formats to .glb first");
  if (options.given)
    add_springs(**gltf, *options.given, findings);
  else
    naming(from, [&] { add_springs(**gltf, findings); });
  write_document({document, read_node_scene(document, reading)}, from, to, limits, overwrite);
  return findings;
}

}  // namespace gvbind::vrm
