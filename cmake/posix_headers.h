#pragma once

// Before all other headers of gvbind_strict. libstdc++ was configured with GNU's extensions and
// calls them in its own headers; Eigen calls alloca.

#include <alloca.h>

#include <cstddef>

#undef _GLIBCXX_HAVE_LINUX_FUTEX
#undef _GLIBCXX_USE_PTHREAD_COND_CLOCKWAIT
#undef _GLIBCXX_USE_PTHREAD_MUTEX_CLOCKLOCK
#undef _GLIBCXX_USE_PTHREAD_RWLOCK_CLOCKLOCK
