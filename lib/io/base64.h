#pragma once

// Tested by tests/command/view_test.py.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gvbind {

/// Base64 with padding, without line breaks.
std::string base64(std::span<const std::uint8_t> bytes);
std::string base64(std::string_view bytes);

/// The bytes of base64, also of the URL-safe alphabet and without padding. Nothing if it is
/// damaged.
std::optional<std::vector<std::uint8_t>> from_base64(std::string_view text);

}  // namespace gvbind
