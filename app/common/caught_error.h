#pragma once

// Tested by tests/app/cli_test.py.

#include <string>

#include "gvbind/error.h"

namespace gvbind {

/// The exception that is being handled, as an Error; to be called in a catch block. An Error comes
/// back as it is. Anything else gets `subject` (a file; empty: none) before it: too little memory,
/// or no further thread, is ErrorKind::resource, a stream that fails ErrorKind::input, and what
/// nobody thought of is ErrorKind::internal.
Error caught_error(const std::string& subject = "");

}  // namespace gvbind
