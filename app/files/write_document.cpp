#include "files/write_document.h"

#include <filesystem>
#include <system_error>

#include "bind/checked_write.h"
#include "gvbind/error.h"

namespace gvbind {

namespace fs = std::filesystem;

void check_new_output(const std::string& output, bool overwrite) {
  if (!is_written(output))
    throw Error(
        ErrorKind::usage,
        "--output: '" + output + "' is of no format that gvbind writes; use .glb, .gltf or .fbx");
  check_path_length(output);
  std::error_code ignored;
  if (!overwrite && fs::exists(output, ignored))
    throw Error(ErrorKind::output, output + ": exists already; --force overwrites it");
}

void write_document(const Conversion& made, const std::string& input, const std::string& output,
                    const ReadLimits& limits, bool overwrite) {
  Findings findings;
  StagedFiles staged(encode(made.document, output, findings), output,
                     WriteOptions{.overwrite = overwrite});
  const ReadOptions reading = read_options(limits, input);
  read_back(staged, {input, output, reading},
            [&](const Document& written) { compare_written(made.scene, written, reading); });
  staged.commit();
}

}  // namespace gvbind
