#include "common/report_files.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <system_error>

#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

/// The start of the file, which identifies each kind of report.
std::string head_of(const fs::path& path) {
  std::array<char, 4096> bytes{};
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), bytes.size());
  return {bytes.data(), static_cast<std::size_t>(file.gcount())};
}

bool is_own_report(std::string_view head) {
  const auto holds = [&](std::string_view mark) { return head.find(mark) != head.npos; };
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == head.npos) return false;
  if (head[first] == '{') {
    // As written by gvbind, and by programs that keep the order of keys.
    std::string packed(head.substr(first));
    std::erase_if(packed, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
    return packed.starts_with(R"({"schema":"gvbind/report/)") ||
           packed.starts_with(R"({"schema":"gvbind/check/)") ||
           packed.starts_with(R"({"schema":"gvbind/stale/)") ||
           packed.starts_with(R"({"schema":"gvbind/verify/)");
  }
  return holds(R"(<meta name="generator" content="gvbind">)") ||
         (head.substr(first).starts_with("<?xml") && holds(R"(<testsuites name="gvbind")"));
}

fs::path folded(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path).lexically_normal();
  const fs::path real = fs::weakly_canonical(whole, error);
  return fold_case(path_text(error ? whole : real));
}

bool is_file(const std::string& path) { return !path.empty() && path != "-"; }

}  // namespace

bool same_place(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  if (fs::exists(a, ignored) && fs::equivalent(a, b, ignored)) return true;
  // Comparing names first is much faster than resolving paths, and a batch has many.
  return fold_case(path_text(a.filename())) == fold_case(path_text(b.filename())) &&
         folded(a) == folded(b);
}

void refuse_shared(const NamedFile& written, const std::vector<NamedFile>& others) {
  if (!is_file(written.path)) return;
  for (const NamedFile& other : others)
    if (is_file(other.path) && same_place(written.path, other.path))
      throw Error(ErrorKind::usage, written.by + ": '" + written.path + "' is also " + other.by +
                                        "; give another name");
}

void refuse_foreign(const std::string& report) {
  std::error_code error;
  if (!is_file(report)) return;
  if (!fs::is_regular_file(report, error) || fs::file_size(report, error) == 0 || error) return;
  if (is_own_report(head_of(report))) return;
  throw Error(ErrorKind::output, report +
                                     ": is there already and no report of gvbind; --force "
                                     "overwrites it");
}

}  // namespace gvbind
