#include "retarget/finger_names.h"

#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace gvbind::retarget {
namespace {

/// "Finger12" of 3ds Max and "finger2-3" of MakeHuman: the first number says which.
const char* numbered_finger(const std::string& name) {
  constexpr std::array names = {"thumb", "index", "middle", "ring", "little"};
  const std::size_t at = name.find("finger");
  if (at == std::string::npos) return nullptr;
  const std::string rest = name.substr(at + 6);
  if (rest.empty() || std::isdigit(static_cast<unsigned char>(rest[0])) == 0) return nullptr;
  const int first = rest[0] - '0';
  const bool from_one = rest.find('-') != std::string::npos;
  const int index = from_one ? first - 1 : first;
  return index >= 0 && index < 5 ? names[static_cast<std::size_t>(index)] : nullptr;
}

}  // namespace

const char* finger_of(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name.find("metacarpal") != std::string::npos || name.find("palm") != std::string::npos)
    return nullptr;
  constexpr std::array<std::pair<std::string_view, const char*>, 8> words = {{{"thumb", "thumb"},
                                                                              {"index", "index"},
                                                                              {"middle", "middle"},
                                                                              {"ring", "ring"},
                                                                              {"little", "little"},
                                                                              {"pinky", "little"},
                                                                              {"pinkie", "little"},
                                                                              {"fmid", "middle"}}};
  for (const auto& [word, finger] : words)
    if (name.find(word) != std::string::npos) return finger;
  return numbered_finger(name);
}

}  // namespace gvbind::retarget
