#pragma once

// Tested by tests/gvbind/utf8_test.cpp.

#include <stdexcept>
#include <string>

namespace gvbind {

/// What went wrong, in the terms of the command's exit codes.
enum class ErrorKind {
  usage = 2,        ///< an option that makes no sense
  input = 3,        ///< a file that is missing, damaged, foreign or unsupported
  cannot_bind = 4,  ///< a sound file that holds nothing that can be bound
  output = 5,       ///< an output that cannot be written, or reads back differently
  resource = 7,     ///< a device or memory that is not there
  time_limit = 8,
  internal = 70,
};

/// The one exception of the project. `what()` is a single line of clean UTF-8, whatever names the
/// message quotes; it names the thing and the place, and the document layer puts the file before
/// it.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message);
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace gvbind
