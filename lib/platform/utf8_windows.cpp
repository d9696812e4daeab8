// Tested by tests/package/windows_test.py.

#include <array>
#include <cstddef>
#include <cwchar>

// libstdc++ makes a std::filesystem::path from a std::string by mbrtowc(), which in the C library
// of Windows takes each byte for a character. The linker puts this in its place (--wrap): from
// UTF-8, whose characters beyond the 16 bits of a wchar_t come in two calls. A byte that is no
// UTF-8 becomes U+FFFD.

namespace {

constexpr wchar_t replacement = 0xFFFD;

/// Bytes of the character that begins with this one; 0: none does.
std::size_t length_from(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/// The code point of `length` bytes; 0: they are no UTF-8.
char32_t decoded(const char* bytes, std::size_t length) {
  constexpr std::array<char32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  char32_t point = static_cast<unsigned char>(bytes[0]) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if ((byte & 0xC0U) != 0x80) return 0;
    point = point << 6U | (byte & 0x3FU);
  }
  const bool is_surrogate = point >= 0xD800 && point < 0xE000;
  return point < smallest[length] || point > 0x10FFFF || is_surrogate ? 0 : point;
}

}  // namespace

extern "C" std::size_t __wrap_mbrtowc(wchar_t* to, const char* from, std::size_t size,
                                      std::mbstate_t* state) {
  static thread_local std::mbstate_t own_state = 0;
  std::mbstate_t& second_half = state ? *state : own_state;
  wchar_t ignored = 0;
  wchar_t& unit = to ? *to : ignored;
  if (!from) return 0;
  if (second_half != 0) {
    unit = static_cast<wchar_t>(second_half);
    second_half = 0;
    return 1;
  }
  if (size == 0) return static_cast<std::size_t>(-2);
  const auto first = static_cast<unsigned char>(*from);
  if (first < 0x80) {
    unit = first;
    return first == 0 ? 0 : 1;
  }
  const std::size_t length = length_from(first);
  const char32_t point = length == 0 || length > size ? 0 : decoded(from, length);
  if (point == 0) {
    unit = replacement;
    return 1;
  }
  if (length < 4) {
    unit = static_cast<wchar_t>(point);
    return length;
  }
  unit = static_cast<wchar_t>(0xD7C0 + (point >> 10U));
  second_half = static_cast<std::mbstate_t>(0xDC00 + (point & 0x3FFU));
  return length - 1;
}
