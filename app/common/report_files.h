#pragma once

// Tested by tests/command/report_files_test.py.

#include <filesystem>
#include <string>
#include <vector>

namespace gvbind {

/// A file that a command reads or writes.
struct NamedFile {
  std::string by;  ///< in messages: "an input", "the file of --edits"; if written: "--report"
  std::string path;
};

/// Whether both paths lead to one file, even if it does not exist yet. Names that differ only in
/// case count as equal, because many file systems ignore case.
bool same_place(const std::filesystem::path& a, const std::filesystem::path& b);

/// Throws Error(usage) if `written` is one of the others. "-" and an empty path are not files.
void refuse_shared(const NamedFile& written, const std::vector<NamedFile>& others);

/// Throws Error(output) if the file exists and is neither empty nor a report of gvbind (JSON of one
/// of its schemas, HTML, JUnit XML). "-" and an empty path are not files.
void refuse_foreign(const std::string& report);

}  // namespace gvbind
