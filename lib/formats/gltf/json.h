#pragma once

// Tested by tests/unit/formats/gltf/container_test.cpp.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

/// Internals of the glTF document. Unless a function says otherwise, what a file gets wrong is
/// thrown as Error(input) without the path; the functions of gltf.h put it before the message.
namespace gvbind::gltf {

using Json = nlohmann::ordered_json;

/// Names a thing in messages: "accessors[12]".
struct JsonElement {
  const char* list;
  std::size_t index;
  std::string text() const { return std::string(list) + "[" + std::to_string(index) + "]"; }
};

[[noreturn]] void fail(const std::string& message);
[[noreturn]] void fail(const JsonElement& element, const std::string& message);

/// Text of a file made fit for a message: one line, no control characters, not endless.
std::string in_quotes(const std::string& text);

/// Null where `object` has no such member.
const Json* find(const Json& object, const char* key);

/// An array of the root, or an empty one.
const Json& list(const Json& root, const char* key);

/// The array of the root, made where it is absent.
Json& list_to_grow(Json& root, const char* key);

/// Whole and not negative; 3.0 counts. `fallback` where absent.
std::size_t count_of(const Json& object, const char* key, const JsonElement& element,
                     std::optional<std::size_t> fallback = {});

/// An index below `limit`; nothing where absent.
std::optional<std::size_t> index_of(const Json& object, const char* key, std::size_t limit,
                                    const JsonElement& element);

/// The same of a bare value; `what` names it.
std::size_t index_value(const Json& value, std::size_t limit, const JsonElement& element,
                        const char* what);

/// The node's, mesh's... name, else "node 3".
std::string name_of(const Json& object, const char* kind, std::size_t index);

/// The member of "extensions" of that name, or null.
const Json* extension(const Json& object, const char* name);

}  // namespace gvbind::gltf
