#pragma once

// Tested by tests/command/pose_test.py.

#include <toml++/toml.h>

#include <cstddef>
#include <string>
#include <vector>

namespace gvbind {

/// Throws Error that names the file, and the line for a syntax error.
toml::table read_toml(const std::string& path);

/// A line "NAME = value" for all things whose name it matches.
struct TomlLine {
  std::string place;        ///< "FILE:7"
  std::string pattern;      ///< a name or a glob
  const toml::node* value;  ///< in the table
};

/// In the order of the file, which TOML's tables do not keep.
std::vector<TomlLine> toml_lines(const toml::table& table, const std::string& path);

/// Which of the names a line matches; at least one. Throws Error(usage): "FILE:7: no joint of
/// hero.glb matches 'wnig*'; did you mean 'wing'?", where `things` is "joint of hero.glb".
std::vector<std::size_t> matches_of(const TomlLine& line, const std::vector<std::string>& names,
                                    const std::string& things);

}  // namespace gvbind
