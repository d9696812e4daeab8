#pragma once

// Tested by tests/unit/batch/manifest_test.cpp.

#include <filesystem>
#include <string>
#include <vector>

#include "cli/bind_options.h"
#include "cli/config_tree.h"

namespace gvbind {

/// "FILE:LINE", for messages and origins.
std::string config_location(const std::filesystem::path& path, int line);

/// Reads TOML, or JSON by its extension. Throws Error: input (a file that cannot be read), usage
/// for its content, one line that begins with "FILE:LINE: ".
ConfigNode read_config(const std::filesystem::path& path);

/// Takes values out of a file's nodes; all that it throws is Error(usage) that begins with
/// "FILE:LINE: ".
class ConfigFile {
 public:
  explicit ConfigFile(const std::filesystem::path& path);

  [[noreturn]] void refuse(const ConfigNode& node, const std::string& message) const;
  /// Of a value of another kind.
  [[noreturn]] void refuse_kind(const ConfigNode& node, const std::string& wanted) const;
  /// For a key that has no place in `where` ("[defaults]"); `known` are those that have.
  [[noreturn]] void refuse_key(const ConfigNode& node, const std::string& where,
                               const std::vector<std::string>& known) const;
  /// The system would end a path at a zero byte.
  void refuse_zeros(const ConfigNode& node) const;

  std::string text_of(const ConfigNode& node) const;  ///< not empty
  std::vector<std::string> texts_of(const ConfigNode& node) const;
  /// A path, from the directory of the file.
  std::string joined(const std::string& path) const;

  /// The option that a member of the table names; null where it names none. Throws where another
  /// member is another name of that option.
  const BindOption* option_of(const ConfigNode& member, const ConfigNode& table) const;

  /// The values that the node has for the option; they are in the option's range.
  std::vector<std::string> option_values(const ConfigNode& node, const BindOption& option) const;

  std::string location(const ConfigNode& node) const;

 private:
  std::vector<std::string> written_values(const ConfigNode& node, const BindOption& option) const;

  std::string name_;
  std::filesystem::path directory_;
};

}  // namespace gvbind
