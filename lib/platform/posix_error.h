#pragma once

#include <cerrno>

namespace gvbind::platform {

/// The result of a platform function after a call of POSIX.
inline int errno_unless(bool done) { return done ? 0 : errno; }

}  // namespace gvbind::platform
