#include "bind/overwriting.h"

#include <optional>
#include <set>
#include <string>

#include "formats/gltf/files.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "io/format.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

/// In lower case, since names that differ by case alone are one file on some systems.
std::set<std::string> files_of(const fs::path& document) {
  std::set<std::string> files;
  if (const auto found = read_gltf_files(document))
    for (const GltfFiles::Uri& uri : found->uris) files.insert(fold_case(uri.file));
  return files;
}

std::set<std::string> replaceable_files(const fs::path& output) {
  std::set<std::string> own = files_of(output);
  std::error_code error;
  const fs::path folder = output.parent_path().empty() ? "." : output.parent_path();
  for (fs::directory_iterator it(folder, error); !error && it != fs::directory_iterator();
       it.increment(error)) {
    std::error_code different;
    if (!is_gltf(format_of_name(it->path())) || fs::equivalent(it->path(), output, different))
      continue;
    for (const std::string& file : files_of(it->path())) own.erase(file);
  }
  return own;
}

}  // namespace

WriteOptions overwriting(const fs::path& output, bool overwrite) {
  WriteOptions options{.overwrite = overwrite};
  if (!overwrite || !is_gltf(format_of_name(output))) return options;
  // Read once: later the document at `output` may be the new one.
  options.why_keep = [output, own = std::optional<std::set<std::string>>()](
                         const std::string& file) mutable -> std::string {
    if (file.empty()) return {};
    if (!own) own = replaceable_files(output);
    if (own->contains(fold_case(file))) return {};
    return "its sidecar '" + file +
           "' is there already, and not of the output that is overwritten; write into another "
           "folder, or a .glb";
  };
  return options;
}

}  // namespace gvbind
