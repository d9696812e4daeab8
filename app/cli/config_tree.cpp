#include "cli/config_tree.h"

#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>

#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

constexpr std::size_t deepest = 16;  // a manifest needs four levels

/// Counts the lines that the parser, which reports no locations, has read.
class LineCounter {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  LineCounter(const char* at, int* line) : at_(at), line_(line) {}
  const char& operator*() const { return *at_; }
  LineCounter& operator++() {
    if (*at_++ == '\n') ++*line_;
    return *this;
  }
  LineCounter operator++(int) {
    LineCounter before = *this;
    ++*this;
    return before;
  }
  bool operator==(const LineCounter& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  int* line_;
};

class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(std::string name, const int& line) : name_(std::move(name)), line_(line) {}

  ConfigNode take() { return std::move(root_); }

  bool null() override { return add(ConfigNode::Kind::other, "null"); }
  bool boolean(bool value) override {
    return add(ConfigNode::Kind::boolean, value ? "true" : "false");
  }
  bool number_integer(number_integer_t value) override {
    return add(ConfigNode::Kind::number, std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add(ConfigNode::Kind::number, std::to_string(value));
  }
  bool number_float(number_float_t value, const string_t&) override {
    std::array<char, 40> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return add(ConfigNode::Kind::number, std::string(text.data(), end));
  }
  bool string(string_t& value) override { return add(ConfigNode::Kind::text, value); }
  bool binary(binary_t&) override { return add(ConfigNode::Kind::other, ""); }

  bool start_object(std::size_t) override { return open(ConfigNode::Kind::table); }
  bool start_array(std::size_t) override { return open(ConfigNode::Kind::list); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& value) override {
    for (const ConfigNode& member : open_.back().children)
      if (member.key == value)
        refuse(line_,
               "key '" + value + "' is given twice, first in line " + std::to_string(member.line));
    key_ = value;
    key_line_ = line_;
    return true;
  }

  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::json::exception& error) override {
    std::string what = error.what();
    // The library's own count of lines and its name for the error say nothing that we do not.
    const std::size_t detail = what.find("syntax error");
    if (detail != std::string::npos) what.erase(0, detail);
    std::ranges::replace(what, '\n', ' ');
    refuse(line_, what);
  }

 private:
  [[noreturn]] void refuse(int line, const std::string& message) const {
    throw Error(ErrorKind::usage, name_ + ":" + std::to_string(line) + ": " + message);
  }

  ConfigNode make(ConfigNode::Kind kind, std::string text) {
    ConfigNode node;
    node.kind = kind;
    node.text = std::move(text);
    node.line = line_;
    if (!open_.empty() && open_.back().kind == ConfigNode::Kind::table) {
      node.key = std::move(key_);
      node.line = key_line_;
    }
    return node;
  }

  void put(ConfigNode node) {
    if (open_.empty())
      root_ = std::move(node);
    else
      open_.back().children.push_back(std::move(node));
  }

  bool add(ConfigNode::Kind kind, std::string text) {
    put(make(kind, std::move(text)));
    return true;
  }

  bool open(ConfigNode::Kind kind) {
    if (open_.size() >= deepest) refuse(line_, "is nested too deep");
    open_.push_back(make(kind, ""));
    return true;
  }

  bool close() {
    ConfigNode node = std::move(open_.back());
    open_.pop_back();
    put(std::move(node));
    return true;
  }

  std::string name_;
  const int& line_;
  std::vector<ConfigNode> open_;
  ConfigNode root_;
  std::string key_;
  int key_line_ = 0;
};

int line_of(const toml::source_region& source) { return static_cast<int>(source.begin.line); }

ConfigNode node_of(const toml::node& value) {
  ConfigNode node;
  node.line = line_of(value.source());
  if (const toml::table* table = value.as_table()) {
    node.kind = ConfigNode::Kind::table;
    for (const auto& [key, member] : *table) {
      ConfigNode child = node_of(member);
      child.key = std::string(key.str());
      child.line = line_of(key.source());
      node.children.push_back(std::move(child));
    }
    // The library keeps keys by name; whoever reads a message goes by the line.
    std::ranges::stable_sort(node.children, {}, &ConfigNode::line);
  } else if (const toml::array* list = value.as_array()) {
    node.kind = ConfigNode::Kind::list;
    for (const toml::node& item : *list) node.children.push_back(node_of(item));
  } else if (const auto text = value.as_string()) {
    node.kind = ConfigNode::Kind::text;
    node.text = text->get();
  } else if (const auto integer = value.as_integer()) {
    node.kind = ConfigNode::Kind::number;
    node.text = std::to_string(integer->get());
  } else if (const auto real = value.as_floating_point()) {
    node.kind = ConfigNode::Kind::number;
    node.text = exact(real->get());
  } else if (const auto boolean = value.as_boolean()) {
    node.kind = ConfigNode::Kind::boolean;
    node.text = boolean->get() ? "true" : "false";
  }
  return node;
}

}  // namespace

ConfigNode parse_json(std::string_view content, const std::string& name) {
  int line = 1;
  TreeBuilder builder(name, line);
  const LineCounter begin(content.data(), &line), end(content.data() + content.size(), &line);
  nlohmann::json::sax_parse(begin, end, &builder);
  return builder.take();
}

ConfigNode parse_toml(std::string_view content, const std::string& name) {
  try {
    return node_of(toml::parse(content));
  } catch (const toml::parse_error& error) {
    std::string what(error.description());
    std::ranges::replace(what, '\n', ' ');
    throw Error(ErrorKind::usage,
                name + ":" + std::to_string(line_of(error.source())) + ": " + what);
  }
}

}  // namespace gvbind
