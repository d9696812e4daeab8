#pragma once

// Tested by tests/command/view_test.py.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gvbind {

/// Base64 with padding, without line breaks.
std::string base64(std::span<const std::uint8_t> bytes);
std::string base64(std::string_view bytes);

}  // namespace gvbind
