#pragma once

// Tested by tests/app/sidecar_test.py.

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace gvbind {

/// Which files the glTF documents of directories name; each directory is read once, when it is
/// first asked about.
class NamedFiles {
 public:
  /// The documents in the directory, but for those in `except`, that name the file `name` below it.
  /// All in lower case.
  bool named_by_other(const std::filesystem::path& directory, const std::string& name,
                      const std::set<std::string>& except);

  /// Whether this document, in lower case, does.
  bool named_by(const std::filesystem::path& directory, const std::string& document,
                const std::string& name);

 private:
  using Documents = std::set<std::string>;
  const std::map<std::string, Documents>& of(const std::filesystem::path& directory);

  std::map<std::filesystem::path, std::map<std::string, Documents>> directories_;
};

}  // namespace gvbind
