#include "nearest_name.h"

#include "assets/selection.h"

namespace gvbind {

std::string nearest_name_hint(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? std::string() : "; did you mean '" + nearest + "'?";
}

}  // namespace gvbind
