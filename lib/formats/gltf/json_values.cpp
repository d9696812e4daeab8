#include "formats/gltf/json_values.h"

#include <cmath>

#include "gvbind/error.h"

namespace gvbind::gltf {

std::vector<double> number_list(const Json& object, const char* key, std::vector<double> missing) {
  const Json* found = find(object, key);
  if (!found || !found->is_array() || found->size() != missing.size()) return missing;
  std::vector<double> out;
  for (const Json& value : *found) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) return missing;
    out.push_back(value.get<double>());
  }
  return out;
}

double number_in(const Json& object, const char* key, double missing) {
  const Json* found = find(object, key);
  if (!found || !found->is_number()) return missing;
  const double value = found->get<double>();
  return std::isfinite(value) ? value : missing;
}

std::string text_in(const Json& object, const char* key, const std::string& missing) {
  const Json* found = find(object, key);
  return found && found->is_string() ? found->get<std::string>() : missing;
}

bool flag_in(const Json& object, const char* key) {
  const Json* found = find(object, key);
  return found && found->is_boolean() && found->get<bool>();
}

std::optional<std::size_t> index_in(const Json& object, const char* key, std::size_t limit) {
  try {
    return index_of(object, key, limit, {key, 0});
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    return std::nullopt;
  }
}

}  // namespace gvbind::gltf
