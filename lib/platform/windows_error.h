#pragma once

namespace gvbind::platform {

/// The errno for a code from GetLastError(); EIO for one without.
int errno_of(unsigned long code);

/// The result of a platform function after a call of Windows.
int errno_unless(bool done);

}  // namespace gvbind::platform
