#include "bind/write_document.h"

#include "bind/checked_write.h"
#include "bind/false_vrm.h"
#include "bind/overwriting.h"
#include "gvbind/error.h"

namespace gvbind {

void check_new_output(const std::string& output, bool overwrite, const std::string& formats) {
  if (!is_written(output))
    throw Error(ErrorKind::usage,
                "--output: '" + output + "' is of no format that gvbind writes; use " + formats);
  check_path_length(output);
  refuse_existing(output, overwrite);
}

void write_document(const Conversion& made, const std::string& input, const std::string& output,
                    const ReadLimits& limits, bool overwrite) {
  Findings findings;
  refuse_false_vrm(made.document, input, output);
  StagedFiles staged(encode(made.document, output, findings), output,
                     overwriting(output, overwrite));
  const ReadOptions reading = read_options(limits, input);
  read_back(staged, {input, output, reading},
            [&](const Document& written) { compare_written(made.scene, written, reading); });
  staged.commit();
}

}  // namespace gvbind
