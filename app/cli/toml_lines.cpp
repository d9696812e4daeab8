#include "cli/toml_lines.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "character/selection.h"
#include "cli/option_values.h"
#include "formats/document.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/file_io.h"
#include "io/glob.h"

namespace gvbind {

namespace {

std::string place_of(const std::string& path, const toml::source_region& source) {
  return path + ":" + std::to_string(source.begin.line);
}

}  // namespace

toml::table read_toml(const std::string& path) {
  const std::vector<std::uint8_t> bytes = naming(path, [&] { return read_file(path); });
  try {
    return toml::parse(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  } catch (const toml::parse_error& error) {
    throw Error(ErrorKind::usage,
                place_of(path, error.source()) + ": " + one_line(error.description()));
  }
}

std::vector<TomlLine> toml_lines(const toml::table& table, const std::string& path) {
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (const auto& [key, value] : table) entries.emplace_back(&key, &value);
  std::ranges::stable_sort(entries, {}, [](const auto& entry) {
    const toml::source_position& begin = entry.first->source().begin;
    return std::pair(begin.line, begin.column);
  });
  std::vector<TomlLine> lines;
  for (const auto& [key, value] : entries)
    lines.push_back({place_of(path, key->source()), std::string(key->str()), value});
  return lines;
}

std::vector<std::size_t> matches_of(const TomlLine& line, const std::vector<std::string>& names,
                                    const std::string& things) {
  std::vector<std::size_t> matches;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == line.pattern || matches_glob(line.pattern, names[i])) matches.push_back(i);
  if (matches.empty())
    throw Error(ErrorKind::usage, line.place + ": no " + things + " matches '" + line.pattern +
                                      "'" + nearest_name_hint(line.pattern, names));
  return matches;
}

}  // namespace gvbind
