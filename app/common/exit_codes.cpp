#include "common/exit_codes.h"

#include <exception>
#include <ios>
#include <new>
#include <system_error>

namespace gvbind {

Error caught_error(const std::string& subject) {
  const auto error = [&](ErrorKind kind, const std::string& message) {
    return Error(kind, subject.empty() ? message : subject + ": " + message);
  };
  try {
    throw;
  } catch (const Error& known) {
    return known;
  } catch (const std::bad_alloc&) {
    return error(ErrorKind::resource, "out of memory");
  } catch (const std::ios_base::failure& failure) {
    return error(ErrorKind::input, std::string("cannot be read: ") + failure.what());
  } catch (const std::system_error& failure) {
    // Thrown when a thread cannot be started.
    if (failure.code() == std::errc::resource_unavailable_try_again)
      return error(ErrorKind::resource, std::string("cannot start a thread: ") + failure.what());
    return error(ErrorKind::internal, std::string("internal error: ") + failure.what());
  } catch (const std::exception& failure) {
    return error(ErrorKind::internal, std::string("internal error: ") + failure.what());
  }
}

}  // namespace gvbind
