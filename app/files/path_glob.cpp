#include "files/path_glob.h"

#include <optional>
#include <vector>

#include "assets/selection.h"

namespace gvbind {

namespace {

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), part.size() + 1));
    if (!part.empty() && part != ".") parts.push_back(part);
  }
  return parts;
}

}  // namespace

bool has_wildcards(std::string_view text) {
  return text.find_first_of("*?[") != std::string_view::npos;
}

bool matches_path(std::string_view pattern, std::string_view path) {
  if (pattern.starts_with('/') != path.starts_with('/')) return false;
  const std::vector<std::string_view> wanted = parts_of(pattern), given = parts_of(path);
  std::size_t w = 0, g = 0;
  // Going back to the last ** alone is enough: what stands before it has matched as early as can
  // be.
  std::optional<std::size_t> star;
  std::size_t star_end = 0;
  while (g < given.size()) {
    if (w < wanted.size() && wanted[w] == "**") {
      star = w++;
      star_end = g;
    } else if (w < wanted.size() && matches_glob(wanted[w], given[g])) {
      ++w;
      ++g;
    } else if (star) {
      w = *star + 1;
      g = ++star_end;
    } else {
      return false;
    }
  }
  while (w < wanted.size() && wanted[w] == "**") ++w;
  return w == wanted.size();
}

bool matches_rule(std::string_view pattern, std::string_view path) {
  if (pattern.find('/') != std::string_view::npos || pattern == "**")
    return matches_path(pattern, path);
  return matches_glob(pattern, path.substr(path.rfind('/') + 1));
}

SplitGlob split_glob(std::string_view glob) {
  const std::string_view fixed = glob.substr(0, glob.find_first_of("*?[\\"));
  const std::size_t slash = fixed.rfind('/');
  if (slash == std::string_view::npos) return {"", std::string(glob)};
  return {std::string(glob.substr(0, slash == 0 ? 1 : slash)), std::string(glob.substr(slash + 1))};
}

}  // namespace gvbind
