#pragma once

// Tested by tests/unit/gvbind/utf8_test.cpp.

#include <stdexcept>
#include <string>

namespace gvbind {

/// Kinds of failure.
enum class ErrorKind {
  usage,        ///< invalid option or argument
  input,        ///< missing, damaged or unsupported file
  cannot_bind,  ///< valid file without anything that can be bound
  output,       ///< output cannot be written, or reads back differently
  resource,     ///< device or memory not available
  time_limit,   ///< a reader of an imported format, or a task of a batch, took longer than allowed
  canceled,     ///< by Monitor::stop
  internal,
};

/// The only exception type of the project. `what()` is a single line of valid UTF-8, whatever names
/// the message quotes. It names the thing and the place; callers that know the file put its path in
/// front.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message);
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace gvbind
