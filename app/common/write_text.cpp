#include "common/write_text.h"

#include <filesystem>
#include <system_error>

#include "common/console.h"
#include "common/content_hash.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/atomic_write.h"
#include "platform/files.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

constexpr int stdout_fd = 1;
constexpr int max_links = 40;  // as Linux follows

/// Whether the link is a name of this program's stdout, such as /dev/stdout.
bool leads_to_stdout(const fs::path& link) {
  const auto out = platform::status_of(stdout_fd), there = platform::status_of(link);
  return out && there && out->is_same_file(*there);
}

/// The file that a link leads to, which need not exist.
fs::path end_of_link(const fs::path& link) {
  const auto refuse = [&](const char* what) {
    throw Error(ErrorKind::output, path_text(link) + what);
  };
  std::error_code error;
  if (fs::exists(link, error) && !fs::is_regular_file(link, error))
    refuse(": is a link, and not to a file");
  fs::path at = link;
  for (int links = 0; fs::is_symlink(at, error); ++links) {
    if (links == max_links) refuse(": is a link that leads to itself");
    at = at.parent_path() / fs::read_symlink(at, error);
  }
  return at;
}

}  // namespace

void write_text_file(const std::string& text, const std::string& path, bool create_directories) {
  WriteOptions options{.overwrite = true, .create_directories = create_directories};
  options.staging_name = hash_of(path_text(fs::path(path).filename())).substr(0, 16);
  write_files({{"", {text.begin(), text.end()}}}, path, options);
}

void write_text(const std::string& text, const std::string& target, bool create_directories) {
  std::error_code ignored;
  const bool is_link = target != "-" && fs::is_symlink(target, ignored);
  if (target == "-" || (is_link && leads_to_stdout(target)))
    return print_verbatim(stdout, text);  // main checks that all of it was written
  write_text_file(text, is_link ? path_text(end_of_link(target)) : target, create_directories);
}

void write_json(const Json& json, const std::string& target) {
  const std::string text = json_text(json);
  write_text(target == "-" ? printable_json(text) : text, target);
}

}  // namespace gvbind
