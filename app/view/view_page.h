#pragma once

// Tested by tests/command/view_test.py.

#include <cstdint>
#include <span>
#include <string>

namespace gvbind {

/// Whether the data have what binds the file anew.
enum class Binds { no, yes };

/// A page that shows `data` (of view_data()) by itself: it loads nothing and declares that to the
/// browser (Content-Security-Policy). Equal data give equal pages.
std::string view_page(const std::string& title, std::span<const std::uint8_t> data, Binds binds);

}  // namespace gvbind
