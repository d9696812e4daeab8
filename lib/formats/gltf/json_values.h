#pragma once

// Tested by tests/command/convert_back_test.py.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "formats/gltf/json.h"

/// Readers for members that may be missing or damaged: they return `missing`, or nothing.
namespace gvbind::gltf {

/// A list of finite numbers, of the same length as `missing`.
std::vector<double> number_list(const Json& object, const char* key, std::vector<double> missing);
/// A finite number.
double number_in(const Json& object, const char* key, double missing);
std::string text_in(const Json& object, const char* key, const std::string& missing);
bool flag_in(const Json& object, const char* key);
/// An index below `limit`.
std::optional<std::size_t> index_in(const Json& object, const char* key, std::size_t limit);

}  // namespace gvbind::gltf
