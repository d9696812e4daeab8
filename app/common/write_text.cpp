#include "common/write_text.h"

#include <filesystem>

#include "common/console.h"
#include "common/content_hash.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "io/atomic_write.h"

namespace gvbind {

void write_text_file(const std::string& text, const std::string& path, bool create_directories) {
  WriteOptions options{.overwrite = true, .create_directories = create_directories};
  options.staging_name = hash_of(path_text(std::filesystem::path(path).filename())).substr(0, 16);
  write_files({{"", {text.begin(), text.end()}}}, path, options);
}

void write_text(const std::string& text, const std::string& target, bool create_directories) {
  if (target != "-") return write_text_file(text, target, create_directories);
  print_verbatim(stdout, text);  // main checks that all of it was written
}

void write_json(const Json& json, const std::string& target) {
  const std::string text = json_text(json);
  write_text(target == "-" ? printable_json(text) : text, target);
}

}  // namespace gvbind
