#include "gvbind/error.h"

#include "gvbind/text.h"

namespace gvbind {

Error::Error(ErrorKind kind, const std::string& message)
    : std::runtime_error(printable(message)), kind_(kind) {}

}  // namespace gvbind
