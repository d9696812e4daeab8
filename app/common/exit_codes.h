#pragma once

#include "gvbind/error.h"

namespace gvbind {

/// The exit code of an error; the README lists them all.
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

}  // namespace gvbind
