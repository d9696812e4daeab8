#include "assets/file_name.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>

namespace gvbind {

namespace {

/// At most `size` bytes of it, and no part of a UTF-8 character at its end.
std::string cut(std::string name, std::size_t size) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  while (size > 0 && continues(name[size])) --size;
  name.resize(size);
  return name;
}

}  // namespace

std::string fitting_name(const std::string& stem, const std::string& ending) {
  if (stem.size() + ending.size() <= NAME_MAX) return stem + ending;
  std::array<char, 20> mark{};
  std::snprintf(mark.data(), mark.size(), "~%016llx",
                static_cast<unsigned long long>(XXH3_64bits(stem.data(), stem.size())));
  const std::string end = mark.data() + ending;
  return cut(stem, NAME_MAX - std::min<std::size_t>(end.size(), NAME_MAX)) + end;
}

}  // namespace gvbind
