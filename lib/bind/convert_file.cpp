// Tested by tests/command/convert_test.py.

#include <utility>
#include <variant>

#include "bind/asset_limits.h"
#include "bind/write_document.h"
#include "formats/convert/convert.h"
#include "formats/convert/missing_pictures.h"
#include "gvbind/base/path_text.h"
#include "gvbind/convert.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

/// The file converted to the other format.
Conversion converted_document(const fs::path& input, const fs::path& output,
                              const ReadOptions& reading, const Document& document,
                              DroppedFeatures& dropped, Findings& findings) {
  if (same_format(document, output))
    throw Error(ErrorKind::usage, path_text(input) + ": is of the format of '" + path_text(output) +
                                      "' already; a conversion is to another one");
  ConvertOptions options;
  options.reading = reading;
  const Format format = format_of_name(output);
  if (std::holds_alternative<Scene>(document) && format != Format::vrm)
    return convert_imported(input, output, options, dropped, findings);
  if (converts_whole(document, format))
    return convert_document(document, output, options, dropped, findings);
  throw Error(ErrorKind::usage, path_text(input) + ": cannot be converted to '" +
                                    path_text(output) +
                                    "'; FBX becomes .glb or .gltf, glTF .fbx, others each of them");
}

}  // namespace

ConvertedFile convert_file(const fs::path& input, const fs::path& output,
                           const ConvertFileOptions& options) {
  const bool overwrite = options.overwrite == Asset::Overwrite::yes;
  check_new_output(path_text(output), overwrite, ".glb, .gltf or .fbx");
  ConvertedFile result;
  DroppedFeatures dropped;
  const ReadLimits limits = limits_of(options.reading);
  const ReadOptions reading = read_options(limits, input);
  const Document document = read_document(input, result.findings, reading);
  for (Finding& finding : missing_pictures(document, reading))
    result.findings.push_back(std::move(finding));
  const Conversion converted =
      converted_document(input, output, reading, document, dropped, result.findings);
  if (options.strict && !dropped.empty())
    throw Error(ErrorKind::output, path_text(output) + ": not written, since it would lose " +
                                       dropped.text() + "; without --strict it is written");
  write_document(converted, path_text(input), path_text(output), limits, overwrite);
  for (const DroppedFeatures::Kind& kind : dropped.kinds)
    result.dropped.push_back({kind.one, kind.count});
  result.dropped_text = dropped.text();
  return result;
}

}  // namespace gvbind
