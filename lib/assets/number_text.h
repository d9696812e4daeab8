#pragma once

#include <cstdint>
#include <string>

namespace gvbind {

/// With so many significant digits, as printf's %g has it.
std::string significant(double value, int digits);

/// With so many digits after the point.
std::string fixed(double value, int digits);

/// The shortest text that reads back as the same number.
std::string exact(double value);

/// "12 MiB", rounded down.
std::string mebibytes(std::uint64_t bytes);

}  // namespace gvbind
