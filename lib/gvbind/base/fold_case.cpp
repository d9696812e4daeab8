// Tested by tests/unit/gvbind/utf8_test.cpp.

#include <locale.h>

#include <algorithm>
#include <cstdlib>
#include <cwchar>
#include <cwctype>

#include "gvbind/base/utf8.h"

namespace gvbind {

std::string fold_case(const std::string& text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::ranges::all_of(text, is_ascii)) return lower_case(text);
  std::string folded = text;
  static const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  if (!utf8) return folded;
  const locale_t before = uselocale(utf8);
  std::wstring wide(text.size(), L'\0');
  const std::size_t length = std::mbstowcs(wide.data(), text.c_str(), wide.size());
  if (length != static_cast<std::size_t>(-1)) {
    wide.resize(length);
    for (wchar_t& c : wide) c = static_cast<wchar_t>(std::towlower(static_cast<std::wint_t>(c)));
    folded.resize(length * 4);
    folded.resize(std::wcstombs(folded.data(), wide.c_str(), folded.size()));
  }
  uselocale(before);
  return folded;
}

}  // namespace gvbind
