#pragma once

// Tested by tests/unit/batch/manifest_test.cpp.

#include <string>
#include <string_view>
#include <vector>

namespace gvbind {

/// A value of a manifest, from TOML or JSON, with its line.
struct ConfigNode {
  enum class Kind { text, number, boolean, list, table, other };

  Kind kind = Kind::other;
  std::string key;   ///< of a member of a table
  int line = 0;      ///< of the key, else of the value; from 1
  std::string text;  ///< of a text, a number in its shortest form, "true" or "false"
  std::vector<ConfigNode> children;  ///< of a list or table
};

/// "a text", "a list": for messages.
const char* kind_name(ConfigNode::Kind kind);

// `name` is the file's, for messages. Throw Error(usage) that begins with "NAME:LINE: ".
ConfigNode parse_toml(std::string_view content, const std::string& name);
ConfigNode parse_json(std::string_view content, const std::string& name);

}  // namespace gvbind
