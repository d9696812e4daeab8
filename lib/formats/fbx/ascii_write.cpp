// Tested by tests/unit/formats/fbx/ascii_test.cpp.

#include <algorithm>
#include <charconv>
#include <cstring>

#include "formats/fbx/document.h"

namespace gvbind {
namespace {

// Some parsers have fixed line buffers; the SDK breaks the lines of arrays too.
constexpr std::size_t longest_array_line = 1000;

template <typename T>
std::string number_text(T value) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

template <typename T>
std::string array_text(const std::vector<T>& values, int depth, const std::string& line_end) {
  const std::string tabs(static_cast<std::size_t>(depth), '\t');
  std::string out = "*";
  out += number_text(values.size());
  out += " {" + line_end + tabs + "\ta: ";
  std::size_t line = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string number = number_text(values[i]);
    if (line + number.size() > longest_array_line) {
      out += line_end;
      line = 0;
    }
    out += number;
    line += number.size() + 1;
    if (i + 1 < values.size()) out += ',';
  }
  return out + line_end + tabs + "}";
}

std::vector<std::int64_t> longs_of(const FbxProperty& property) {
  const std::string bytes = array_bytes(property);
  std::vector<std::int64_t> values(bytes.size() / sizeof(std::int64_t));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(std::int64_t));
  return values;
}

/// Text that replaces [at, at + erase).
struct TextEdit {
  std::size_t at = 0;
  std::size_t erase = 0;
  std::string text;
};

struct EditCollector {
  const std::string& line_end;
  std::vector<TextEdit> edits;

  void collect(const FbxNode& node, int depth) {
    for (const FbxProperty& property : node.properties)
      if (property.changed && property.source.known())
        edits.push_back({property.source.begin, property.source.end - property.source.begin,
                         print_ascii_property(property, depth, line_end)});
    if (depth >= 0 && !node.body.known()) {
      open_body(node, depth);
      return;
    }
    std::size_t after = depth < 0 ? TextSpan::none : node.body.begin;
    for (const FbxNode& child : node.children) {
      if (child.source.known()) {
        collect(child, depth + 1);
        after = child.source.end;
      } else {
        edits.push_back({after, 0, line_end + print_ascii_node(child, depth + 1, line_end)});
      }
    }
  }

  void open_body(const FbxNode& node, int depth) {
    if (node.children.empty()) return;
    std::string text = " {" + line_end;
    for (const FbxNode& child : node.children)
      text += print_ascii_node(child, depth + 1, line_end) + line_end;
    text += std::string(static_cast<std::size_t>(depth), '\t') + "}";
    edits.push_back({node.source.end, 0, text});
  }
};

/// Removes the whole line if a node has it to itself.
TextEdit removal(std::string_view text, TextSpan span) {
  std::size_t begin = span.begin, end = span.end;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  std::size_t line = end;
  while (line < text.size() && (text[line] == ' ' || text[line] == '\t' || text[line] == '\r'))
    ++line;
  const bool whole =
      (begin == 0 || text[begin - 1] == '\n') && (line == text.size() || text[line] == '\n');
  if (!whole) return {span.begin, span.end - span.begin, ""};
  // Remove the line end before it, not the one after: another node may be inserted right after it.
  end = line;
  if (begin > 0) --begin;
  if (begin > 0 && text[begin - 1] == '\r') --begin;
  while (end > span.end && text[end - 1] == '\r') --end;
  return {begin, end - begin, ""};
}

}  // namespace

std::string quote_ascii(const std::string& text) {
  std::string named = text;
  if (const std::size_t split = text.find(std::string_view("\0\1", 2)); split != text.npos)
    named = text.substr(split + 2) + "::" + text.substr(0, split);
  std::string out = "\"";
  for (const char c : named) {
    if (c == '"')
      out += "&quot;";
    else if (c == '\n')
      out += "&lf;";
    else if (c == '\r')
      out += "&cr;";
    else if (c != '\0')  // NULs are skipped: readers treat a file that contains one as not text
      out += c;
  }
  return out + "\"";
}

std::string print_ascii_property(const FbxProperty& property, int depth,
                                 const std::string& line_end) {
  FbxNode holder;
  switch (property.type) {
    case 'S':
    case 'R':
      return property.source.known() && !property.changed ? "\"" + property.data + "\""
                                                          : quote_ascii(property.data);
    case 'n':
      return property.data;
    case 'F':
    case 'D':
      return number_text(number_of(property).value_or(0.0));
    case 'd':
    case 'f':
      holder.properties = {property};
      return array_text(doubles_of(holder), depth, line_end);
    case 'i':
      holder.properties = {property};
      return array_text(integers_of(holder), depth, line_end);
    case 'l':
      return array_text(longs_of(property), depth, line_end);
    default:
      return number_text(integer_of(property).value_or(0));
  }
}

std::string print_ascii_node(const FbxNode& node, int depth, const std::string& line_end) {
  const std::string tabs(static_cast<std::size_t>(depth), '\t');
  std::string out = tabs + node.name + ": ";
  for (std::size_t i = 0; i < node.properties.size(); ++i) {
    if (i > 0) out += ", ";
    out += print_ascii_property(node.properties[i], depth, line_end);
  }
  if (node.children.empty() && !node.null_record) return out;
  out += " {" + line_end;
  for (const FbxNode& child : node.children)
    out += print_ascii_node(child, depth + 1, line_end) + line_end;
  return out + tabs + "}";
}

std::vector<std::uint8_t> write_ascii_fbx(const FbxDocument& document) {
  const std::string_view text(reinterpret_cast<const char*>(document.bytes.data()),
                              document.bytes.size());
  const std::size_t first_line = text.find('\n');
  const std::string line_end =
      first_line != text.npos && first_line > 0 && text[first_line - 1] == '\r' ? "\r\n" : "\n";
  EditCollector collector{line_end, {}};
  collector.collect(document.root, -1);
  for (const TextSpan& span : document.removed) collector.edits.push_back(removal(text, span));
  std::vector<TextEdit>& edits = collector.edits;
  std::stable_sort(edits.begin(), edits.end(),
                   [](const TextEdit& a, const TextEdit& b) { return a.at < b.at; });
  std::vector<std::uint8_t> out;
  std::size_t copied = 0;
  for (const TextEdit& edit : edits) {
    const std::size_t at = std::max(copied, std::min(edit.at, text.size()));
    out.insert(out.end(), text.begin() + static_cast<std::ptrdiff_t>(copied),
               text.begin() + static_cast<std::ptrdiff_t>(at));
    out.insert(out.end(), edit.text.begin(), edit.text.end());
    copied = std::max(at, std::min(edit.at + edit.erase, text.size()));
  }
  out.insert(out.end(), text.begin() + static_cast<std::ptrdiff_t>(copied), text.end());
  return out;
}

}  // namespace gvbind
