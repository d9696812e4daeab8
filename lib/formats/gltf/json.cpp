#include "formats/gltf/json.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "gvbind/error.h"

namespace gvbind::gltf {

void fail(const std::string& message) { throw Error(ErrorKind::input, message); }

void fail(const JsonElement& element, const std::string& message) {
  fail(element.text() + ": " + message);
}

std::string in_quotes(const std::string& text) {
  constexpr std::size_t longest = 80;
  std::string out = "\"";
  for (const char c : text.substr(0, longest))
    out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return out + (text.size() > longest ? "...\"" : "\"");
}

const Json* find(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}

const Json& list(const Json& root, const char* key) {
  static const Json empty = Json::array();
  const Json* found = find(root, key);
  return found ? *found : empty;
}

Json& list_to_grow(Json& root, const char* key) {
  Json& found = root[key];
  if (found.is_null()) found = Json::array();
  return found;
}

static std::optional<std::size_t> whole(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::size_t>();
  if (value.is_number_integer()) {
    // Signed: negative in a file, any number in a document that was built.
    const auto number = value.get<std::int64_t>();
    if (number < 0) return std::nullopt;
    return static_cast<std::size_t>(number);
  }
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  constexpr double largest = 9007199254740992.0;  // 2^53
  if (!(number >= 0 && number <= largest) || number != std::floor(number)) return std::nullopt;
  return static_cast<std::size_t>(number);
}

std::size_t count_of(const Json& object, const char* key, const JsonElement& element,
                     std::optional<std::size_t> fallback) {
  const Json* value = find(object, key);
  if (!value) {
    if (fallback) return *fallback;
    fail(element, std::string(key) + " is missing");
  }
  const std::optional<std::size_t> number = whole(*value);
  // Sums of two such numbers must not wrap.
  if (!number || *number > std::numeric_limits<std::size_t>::max() / 4)
    fail(element, std::string(key) + " is not a whole number of sensible size");
  return *number;
}

std::size_t index_value(const Json& value, std::size_t limit, const JsonElement& element,
                        const char* what) {
  const std::optional<std::size_t> number = whole(value);
  if (!number) fail(element, std::string(what) + " is not an index");
  if (*number >= limit)
    fail(element, std::string(what) + " " + std::to_string(*number) + " is out of range (" +
                      std::to_string(limit) + " there)");
  return *number;
}

std::optional<std::size_t> index_of(const Json& object, const char* key, std::size_t limit,
                                    const JsonElement& element) {
  const Json* value = find(object, key);
  if (!value) return std::nullopt;
  return index_value(*value, limit, element, key);
}

std::string name_of(const Json& object, const char* kind, std::size_t index) {
  const Json* name = find(object, "name");
  if (name && name->is_string() && !name->get_ref<const std::string&>().empty())
    return name->get<std::string>();
  return std::string(kind) + " " + std::to_string(index);
}

const Json* extension(const Json& object, const char* name) {
  const Json* all = find(object, "extensions");
  return all ? find(*all, name) : nullptr;
}

}  // namespace gvbind::gltf
