// Tested by tests/package/windows_test.py.

#include <windows.h>

#include <algorithm>
#include <filesystem>

#include "gvbind/base/utf8.h"

namespace gvbind {

std::string fold_case(const std::string& text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::ranges::all_of(text, is_ascii)) return lower_case(text);
  std::wstring wide = std::filesystem::path(text).wstring();
  CharLowerBuffW(wide.data(), static_cast<DWORD>(wide.size()));
  return std::filesystem::path(wide).string();
}

}  // namespace gvbind
