// Tested by tests/unit/formats/fbx/ascii_test.cpp.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "formats/fbx/tree.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

template <typename T>
std::optional<T> scalar_as(const FbxProperty& property) {
  T value{};
  if (property.data.size() != sizeof value) return std::nullopt;
  std::memcpy(&value, property.data.data(), sizeof value);
  return value;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Older C libraries write infinities and NaN as 1.#IND, 1.#QNAN or 1.#INF.
std::optional<double> number_of_text(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status == std::errc::result_out_of_range)
    return text.find("e-") != text.npos || text.find("E-") != text.npos
               ? 0.0
               : std::numeric_limits<double>::infinity();
  if (status != std::errc()) return std::nullopt;
  if (end == text.data() + text.size()) return value;
  return *end == '#' || *end == '(' ? std::optional(std::numeric_limits<double>::quiet_NaN())
                                    : std::nullopt;
}

std::optional<std::int64_t> integer_of_number(double value) {
  if (!(std::abs(value) < 9.0e18) || value != std::floor(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::optional<std::int64_t> integer_of_text(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status == std::errc() && end == text.data() + text.size()) return value;
  const std::optional<double> number = number_of_text(text);
  return number ? integer_of_number(*number) : std::nullopt;
}

template <typename From, typename To, typename Convert>
void append_as(std::vector<To>& out, const std::string& bytes, const Convert& convert) {
  out.reserve(out.size() + bytes.size() / sizeof(From));
  for (std::size_t at = 0; at + sizeof(From) <= bytes.size(); at += sizeof(From)) {
    From value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    out.push_back(convert(value));
  }
}

template <typename To, typename Convert>
void append_array(std::vector<To>& out, const FbxProperty& property, const Convert& convert) {
  const std::string bytes = array_bytes(property);
  switch (property.type) {
    case 'd':
      return append_as<double>(out, bytes, convert);
    case 'f':
      return append_as<float>(out, bytes, convert);
    case 'i':
      return append_as<std::int32_t>(out, bytes, convert);
    case 'l':
      return append_as<std::int64_t>(out, bytes, convert);
    default:
      return append_as<std::uint8_t>(out, bytes, convert);
  }
}

template <typename To, typename FromText>
void append_text_array(std::vector<To>& out, std::string_view text, const FromText& from_text) {
  const auto parts_values = [](char c) { return is_blank(c) || c == ',' || c == ';'; };
  std::size_t at = 0;
  while (true) {
    while (at < text.size() && parts_values(text[at]))
      at = text[at] == ';' ? std::min(text.find('\n', at), text.size()) : at + 1;
    if (at == text.size()) return;
    const std::size_t begin = at;
    while (at < text.size() && !parts_values(text[at])) ++at;
    out.push_back(from_text(text.substr(begin, at - begin)));
  }
}

[[noreturn]] void fail(const FbxNode& node, const std::string& what) {
  throw Error(ErrorKind::input, node.name + ": " + what);
}

template <typename To, typename Convert, typename FromText, typename Scalar>
std::vector<To> values_of(const FbxNode& node, const Convert& convert, const FromText& from_text,
                          const Scalar& scalar) {
  std::vector<To> out;
  for (const FbxProperty& property : node.properties) {
    if (property.type == 'a') {
      append_text_array(out, property.data, from_text);
    } else if (is_array(property)) {
      try {
        append_array(out, property, convert);
      } catch (const Error& error) {
        fail(node, error.what());
      }
    } else {
      out.push_back(scalar(property));
    }
  }
  return out;
}

std::string unescaped(std::string_view text) {
  static constexpr std::pair<std::string_view, char> escapes[] = {
      {"&quot;", '"'}, {"&cr;", '\r'}, {"&lf;", '\n'}};
  std::string out;
  while (!text.empty()) {
    std::size_t length = 1;
    char c = text.front();
    for (const auto& [escape, meaning] : escapes)
      if (text.starts_with(escape)) {
        c = meaning;
        length = escape.size();
      }
    out += c;
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace

bool is_array(const FbxProperty& property) {
  return std::string_view("fdlibca").find(property.type) != std::string_view::npos;
}

std::optional<double> number_of(const FbxProperty& property) {
  switch (property.type) {
    case 'F':
      return scalar_as<float>(property);
    case 'D':
      return scalar_as<double>(property);
    case 'n':
      return number_of_text(property.data);
    default:
      if (const std::optional<std::int64_t> value = integer_of(property))
        return static_cast<double>(*value);
      return std::nullopt;
  }
}

std::optional<std::int64_t> integer_of(const FbxProperty& property) {
  const auto widened = [](auto value) -> std::optional<std::int64_t> {
    return value ? std::optional<std::int64_t>(*value) : std::nullopt;
  };
  switch (property.type) {
    case 'C':
    case 'B':
    case 'Z':
      return widened(scalar_as<std::uint8_t>(property));
    case 'Y':
      return widened(scalar_as<std::int16_t>(property));
    case 'I':
      return widened(scalar_as<std::int32_t>(property));
    case 'L':
      return scalar_as<std::int64_t>(property);
    case 'F':
    case 'D':
      return integer_of_number(number_of(property).value_or(0.5));
    case 'n':
      return integer_of_text(property.data);
    default:
      return std::nullopt;
  }
}

std::string text_of(const FbxProperty& property) {
  if (property.type != 'S' && property.type != 'R') return {};
  return property.source.known() ? unescaped(property.data) : property.data;
}

std::vector<double> doubles_of(const FbxNode& node) {
  return values_of<double>(
      node, [](auto value) { return static_cast<double>(value); },
      [&node](std::string_view text) {
        const std::optional<double> value = number_of_text(text);
        if (!value) fail(node, std::string(text.substr(0, 20)) + " is no number");
        return *value;
      },
      [&node](const FbxProperty& property) {
        const std::optional<double> value = number_of(property);
        if (!value) fail(node, "a value that is no number");
        return *value;
      });
}

std::vector<std::int32_t> integers_of(const FbxNode& node) {
  const auto narrowed = [&node](std::optional<std::int64_t> value) {
    if (!value || *value < std::numeric_limits<std::int32_t>::min() ||
        *value > std::numeric_limits<std::int32_t>::max())
      fail(node, "a value that is no whole number of 32 bits");
    return static_cast<std::int32_t>(*value);
  };
  return values_of<std::int32_t>(
      node,
      [&narrowed](auto value) {
        if constexpr (std::is_floating_point_v<decltype(value)>)
          return narrowed(integer_of_number(static_cast<double>(value)));
        else
          return narrowed(static_cast<std::int64_t>(value));
      },
      [&narrowed](std::string_view text) { return narrowed(integer_of_text(text)); },
      [&narrowed](const FbxProperty& property) { return narrowed(integer_of(property)); });
}

}  // namespace gvbind
