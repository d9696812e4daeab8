// Tested by tests/unit/formats/fbx/ascii_test.cpp.

#include <algorithm>
#include <cstring>

#include "formats/fbx/document.h"

namespace gvbind {
namespace {

constexpr int max_depth = 64;

bool is_ascii_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool ends_word(char c) {
  return is_ascii_blank(c) || c == ',' || c == '{' || c == '}' || c == ':' || c == '"' || c == ';';
}

/// Some programs write a byte order mark.
std::size_t begin_of(std::string_view text) { return text.starts_with("\xef\xbb\xbf") ? 3 : 0; }

/// A cursor over the text. Recursive descent: node = name ':' values? ('{' node* '}')?
class AsciiReader {
 public:
  AsciiReader(std::string_view text, std::uint64_t max_memory)
      : text_(text), memory_{MemoryBudget(max_memory)}, at_(begin_of(text)) {}

  void read_nodes(FbxNode& parent, int depth) {
    if (depth > max_depth) fail("nodes nested too deeply");
    while (true) {
      skip_blank();
      if (at_ == text_.size()) {
        if (depth > 0) fail("the text ends within a node, truncated");
        return;
      }
      if (text_[at_] == '}') {
        if (depth == 0) fail("a closing brace without an opening one");
        return;
      }
      parent.children.push_back(read_node(depth));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<long>(at_), '\n');
    throw Error(ErrorKind::input, what + " at line " + std::to_string(line));
  }

  bool at_end() const { return at_ >= text_.size(); }

  void skip_blank() {
    while (!at_end()) {
      if (text_[at_] == ';')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (is_ascii_blank(text_[at_]))
        ++at_;
      else
        return;
    }
  }

  std::string_view word() {
    const std::size_t begin = at_;
    while (!at_end() && !ends_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  FbxNode read_node(int depth) {
    FbxNode node;
    node.source.begin = at_;
    node.name = word();
    if (node.name.empty() || at_end() || text_[at_] != ':') fail("a node's name was expected");
    ++at_;
    node.source.end = at_;
    read_values(node);
    skip_blank();
    if (!at_end() && text_[at_] == '{') read_body(node, depth);
    // Trailing blanks and comments belong to the parent's text.
    else
      at_ = node.source.end;
    return node;
  }

  void read_body(FbxNode& node, int depth) {
    node.body.begin = ++at_;
    read_nodes(node, depth + 1);
    node.body.end = at_++;
    node.source.end = at_;
  }

  /// Values are separated by commas. A comma may end a line, or stand before the first value (as in
  /// the text of a video).
  void read_values(FbxNode& node) {
    bool expected = true;
    while (true) {
      skip_blank();
      if (at_end()) return;
      const char c = text_[at_];
      if (c == ',') {
        ++at_;
        node.source.end = at_;
        expected = true;
        continue;
      }
      if (!expected || c == '{' || c == '}' || c == ':' || starts_node()) return;
      node.properties.push_back(read_value());
      node.source.end = at_;
      expected = false;
    }
  }

  /// A word with a colon right after it begins the next node and is not a value of this one.
  bool starts_node() const {
    std::size_t end = at_;
    while (end < text_.size() && !ends_word(text_[end])) ++end;
    return end > at_ && end < text_.size() && text_[end] == ':';
  }

  FbxProperty read_value() {
    FbxProperty property;
    memory_.add();
    property.source.begin = at_;
    if (text_[at_] == '"') {
      const std::size_t close = text_.find('"', at_ + 1);
      if (close == text_.npos) fail("a text without closing quote, truncated");
      property.type = 'S';
      property.data = text_.substr(at_ + 1, close - at_ - 1);
      at_ = close + 1;
    } else if (text_[at_] == '*') {
      property.type = 'a';
      property.data = read_array();
    } else {
      property.data = word();
      if (property.data.empty()) fail("a value was expected");
    }
    property.source.end = at_;
    return property;
  }

  /// The next closing brace outside comments.
  std::size_t find_closing_brace() const {
    std::size_t at = text_.find_first_of("};", at_);
    while (at != text_.npos && text_[at] == ';') {
      at = text_.find('\n', at);
      if (at != text_.npos) at = text_.find_first_of("};", at);
    }
    return at;
  }

  std::string_view read_array() {
    ++at_;
    word();
    skip_blank();
    if (at_end() || text_[at_] != '{') fail("an array without braces");
    const std::size_t close = find_closing_brace();
    if (close == text_.npos) fail("an array without closing brace, truncated");
    ++at_;
    skip_blank();
    std::string_view values;
    if (at_ < close) {
      word();
      if (at_end() || text_[at_] != ':') fail("an array without its 'a:'");
      values = text_.substr(at_ + 1, close - at_ - 1);
    }
    at_ = close + 1;
    return values;
  }

  std::string_view text_;
  PropertyBudget memory_;
  std::size_t at_;
};

/// From FBXHeaderExtension.FBXVersion, else from the comment "; FBX 7.3.0 project file"; 0:
/// unknown.
std::uint32_t version_of(const FbxNode& root, std::string_view text) {
  if (const FbxNode* header = find_child(root, "FBXHeaderExtension"))
    if (const FbxNode* version = find_child(*header, "FBXVersion"))
      if (!version->properties.empty())
        return static_cast<std::uint32_t>(
            std::clamp<std::int64_t>(integer_of(version->properties[0]).value_or(0), 0, 1000000));
  unsigned major = 0, minor = 0;
  text.remove_prefix(begin_of(text));
  const std::string line(text.substr(0, std::min<std::size_t>(text.find('\n'), 80)));
  if (std::sscanf(line.c_str(), "; FBX %1u.%1u", &major, &minor) == 2)
    return major * 1000 + minor * 100;
  return 0;
}

/// We keep ids in 63 bits, and without its id an object would be gone.
void require_readable_ids(const FbxNode& root) {
  const FbxNode* objects = find_child(root, "Objects");
  if (!objects) return;
  for (const FbxNode& object : objects->children) {
    if (object.properties.empty() || object.properties[0].type != 'n') continue;
    const std::string& id = object.properties[0].data;
    if (id.find_first_not_of("0123456789") == id.npos && !integer_of(object.properties[0]))
      throw Error(ErrorKind::input, "the id " + id + " of a " + object.name +
                                        " is larger than 63 bits, which is not supported");
  }
}

}  // namespace

bool is_ascii_fbx(const std::vector<std::uint8_t>& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              std::min<std::size_t>(bytes.size(), 4096));
  if (text.find('\0') != text.npos) return false;
  const std::size_t first = text.find_first_not_of(" \t\r\n", begin_of(text));
  if (first == text.npos) return false;
  return text.find("FBXHeaderExtension") != text.npos ||
         (text[first] == ';' && text.substr(0, text.find('\n')).find("FBX") != text.npos);
}

void parse_ascii_fbx(FbxDocument& document) {
  const std::string_view text(reinterpret_cast<const char*>(document.bytes.data()),
                              document.bytes.size());
  AsciiReader(text, document.max_memory).read_nodes(document.root, 0);
  document.version = version_of(document.root, text);
  if (document.version == 0) throw Error(ErrorKind::input, "the FBX does not name its version");
  require_known_version(document.version);
  require_readable_ids(document.root);
}

}  // namespace gvbind
