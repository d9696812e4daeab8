#pragma once

#include <algorithm>
#include <filesystem>
#include <string>

namespace gvbind {

/// The path in UTF-8, as files, reports and messages hold it on every system: with '/', where
/// Windows joins paths with '\'.
inline std::string path_text(const std::filesystem::path& path) {
  std::string text = path.string();
  if constexpr (std::filesystem::path::preferred_separator != '/')
    std::replace(text.begin(), text.end(), '\\', '/');
  return text;
}

}  // namespace gvbind
