#include "report/html_text.h"

namespace gvbind {

std::string escape_html(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\0':
        out += "\xEF\xBF\xBD";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string fill_template(std::string_view text, const TemplateValues& values) {
  std::string out;
  for (;;) {
    const std::size_t open = text.find("{{");
    const std::size_t close = open == text.npos ? open : text.find("}}", open);
    out += text.substr(0, open);
    if (close == text.npos) return out;
    const std::string_view name = text.substr(open + 2, close - open - 2);
    for (const auto& [known, value] : values)
      if (known == name) out += value;
    text.remove_prefix(close + 2);
  }
}

}  // namespace gvbind
