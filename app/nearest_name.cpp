#include "nearest_name.h"

#include "assets/selection.h"
#include "gvbind/error.h"

namespace gvbind {

std::string nearest_name_hint(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? std::string() : "; did you mean '" + nearest + "'?";
}

void refuse_choice(const std::string& flag, const std::string& text,
                   const std::vector<std::string>& known) {
  std::string names;
  for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
  throw Error(ErrorKind::usage,
              flag + ": '" + text + "' is not one of " + names + nearest_name_hint(text, known));
}

}  // namespace gvbind
