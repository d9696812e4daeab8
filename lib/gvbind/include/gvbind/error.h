#pragma once

// Tested by tests/unit/gvbind/utf8_test.cpp.

#include <stdexcept>
#include <string>

namespace gvbind {

/// What went wrong.
enum class ErrorKind {
  usage,        ///< an option that makes no sense
  input,        ///< a file that is missing, damaged, foreign or unsupported
  cannot_bind,  ///< a sound file that holds nothing that can be bound
  output,       ///< an output that cannot be written, or reads back differently
  resource,     ///< a device or memory that is not there
  time_limit,
  canceled,  ///< by Monitor::stop
  internal,
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
