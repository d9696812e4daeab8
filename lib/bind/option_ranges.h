#pragma once

#include <string>

#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {

/// Throws Error(usage) where an option of a program is out of its range, or not a number.
inline void require_range(const char* option, double value, double low, double high) {
  if (!(value >= low && value <= high))
    throw Error(ErrorKind::usage, std::string(option) + " " + exact(value) + ": from " +
                                      exact(low) + " to " + exact(high));
}

}  // namespace gvbind
