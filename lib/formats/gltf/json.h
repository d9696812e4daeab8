#pragma once

// Tested by tests/unit/formats/gltf/container_test.cpp.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

/// Internals of the glTF document. Unless a function documents otherwise, errors in a file are
/// thrown as Error(input) without the path; the functions of gltf.h add it.
namespace gvbind::gltf {

using Json = nlohmann::ordered_json;

/// Names an element in messages: "accessors[12]".
struct JsonElement {
  const char* list;
  std::size_t index;
  std::string text() const { return std::string(list) + "[" + std::to_string(index) + "]"; }
};

[[noreturn]] void fail(const std::string& message);
[[noreturn]] void fail(const JsonElement& element, const std::string& message);

/// Text of a file made safe for a message: one line, no control characters, limited length.
std::string in_quotes(const std::string& text);

/// Null if `object` has no such member.
const Json* find(const Json& object, const char* key);

/// An array of the root; empty if it is missing.
const Json& list(const Json& root, const char* key);

/// An array of the root, created if it is missing.
Json& list_to_grow(Json& root, const char* key);

/// A non-negative whole number; 3.0 is accepted. `fallback` if missing.
std::size_t count_of(const Json& object, const char* key, const JsonElement& element,
                     std::optional<std::size_t> fallback = {});

/// An index below `limit`; nothing if missing.
std::optional<std::size_t> index_of(const Json& object, const char* key, std::size_t limit,
                                    const JsonElement& element);

/// As index_of(), for a bare value; `what` names it in messages.
std::size_t index_value(const Json& value, std::size_t limit, const JsonElement& element,
                        const char* what);

/// The element's name, or its kind and index ("node 3") if it has none.
std::string name_of(const Json& object, const char* kind, std::size_t index);

/// The member of "extensions" with this name, or null.
const Json* extension(const Json& object, const char* name);

}  // namespace gvbind::gltf
