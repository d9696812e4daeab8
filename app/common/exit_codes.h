#pragma once

// Tested by tests/unit/batch/exit_codes_test.cpp.

#include <string>

#include "gvbind/error.h"

namespace gvbind {

/// The exit code of an error; docs/bind.md lists them all.
constexpr int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return 2;
    case ErrorKind::input:
      return 3;
    case ErrorKind::cannot_bind:
      return 4;
    case ErrorKind::output:
      return 5;
    case ErrorKind::resource:
      return 7;
    case ErrorKind::time_limit:
      return 8;
    case ErrorKind::canceled:
      return 130;
    case ErrorKind::internal:
      break;
  }
  return 70;
}

/// The exception that is being handled, as an Error; to be called in a catch block. An Error is
/// returned unchanged. For other exceptions the message starts with `subject` (a file; empty:
/// none): too little memory or no further thread is ErrorKind::resource, a failed stream is
/// ErrorKind::input, and anything else is ErrorKind::internal.
Error caught_error(const std::string& subject = "");

/// Runs a command on a file and adds the file's name to errors.
template <typename Run>
int run_on(const std::string& file, Run&& run) {
  try {
    return run();
  } catch (...) {
    throw caught_error(file);
  }
}

}  // namespace gvbind
