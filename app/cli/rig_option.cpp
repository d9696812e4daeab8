#include "cli/rig_option.h"

#include <filesystem>
#include <system_error>

#include "cli/option_values.h"
#include "common/content_hash.h"
#include "formats/document.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/file_io.h"
#include "rig/builtin_templates.h"

namespace gvbind {

namespace {

void take_rig(BindSettings& s, const std::string& text) {
  std::error_code ignored;
  std::string hash = text;
  if (!text.empty() && !builtin_template(text)) {
    if (!std::filesystem::exists(text, ignored))
      throw Error(ErrorKind::usage, "--rig: '" + text +
                                        "' is neither a template's name nor a file" +
                                        nearest_name_hint(text, builtin_template_names()));
    hash = naming(text, [&] { return content_of(read_file(text)).hash; });
  }
  s.rig = text;
  s.rig_hash = hash;
}

}  // namespace

BindOption rig_option() {
  return {.name = "rig",
          .group = OptionGroup::skeleton,
          .help =
              "A file without joints gets this skeleton first, as 'gvbind rig' makes it: one of "
              "our templates or that of a file; a file with joints keeps its own",
          .type_name = "biped|quadruped|bird|hand|fish|spider|FILE",
          .is_path = true,
          .words = builtin_template_names(),
          .apply = [](BindSettings& s, const std::vector<std::string>& v) { take_rig(s, v.at(0)); },
          .values =
              [](const BindSettings& s) {
                return s.rig.empty() ? std::vector<std::string>{} : std::vector<std::string>{s.rig};
              },
          .content = [](const BindSettings& s) { return s.rig_hash; }};
}

}  // namespace gvbind
