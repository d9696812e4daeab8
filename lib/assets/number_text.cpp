#include "assets/number_text.h"

#include <array>
#include <charconv>

namespace gvbind {

namespace {

std::string formatted(double value, std::chars_format format, int digits) {
  std::array<char, 400> text{};  // the largest double has 309 digits before the point
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format, digits).ptr;
  return {text.data(), end};
}

}  // namespace

std::string significant(double value, int digits) {
  return formatted(value, std::chars_format::general, digits);
}

std::string fixed(double value, int digits) {
  return formatted(value, std::chars_format::fixed, digits);
}

std::string exact(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace gvbind
