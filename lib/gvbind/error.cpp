// Tested by tests/unit/gvbind/utf8_test.cpp.

#include "gvbind/error.h"

#include "gvbind/base/utf8.h"

namespace gvbind {

Error::Error(ErrorKind kind, const std::string& message)
    : std::runtime_error(printable(message)), kind_(kind) {}

}  // namespace gvbind
