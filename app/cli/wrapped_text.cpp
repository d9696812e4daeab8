#include "cli/wrapped_text.h"

#include <algorithm>

namespace gvbind {

namespace {

constexpr std::size_t min_width = 20;

}  // namespace

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  const std::size_t room = std::max(width, indent + min_width) - indent;
  const std::string next_line = "\n" + std::string(indent, ' ');
  std::string lines;
  std::size_t used = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (used > 0 && used + 1 + word.size() > room) {
      lines += next_line;
      used = 0;
    } else if (used > 0) {
      lines += ' ';
      ++used;
    }
    lines += word;
    used += word.size();
    if (end < text.size() && text[end] == '\n') {
      lines += next_line;
      used = 0;
    }
    at = end + 1;
  }
  return lines;
}

std::string two_columns(const std::string& left, const std::string& right, std::size_t column,
                        std::size_t width) {
  std::string text = left;
  if (left.size() + 2 > column)
    text += "\n" + std::string(column, ' ');
  else
    text.resize(column, ' ');
  return text + wrapped(right, width, column) + "\n";
}

}  // namespace gvbind
