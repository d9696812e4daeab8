// What GCC's C++ library expects of its own support library, by means of LLVM's, which emscripten
// throws with.

#include <bits/cxxabi_forced.h>

#include <cstddef>
#include <ctime>
#include <exception>
#include <new>

extern "C" {
void* __cxa_current_primary_exception() noexcept;
void __cxa_rethrow_primary_exception(void* thrown);
void __cxa_increment_exception_refcount(void* thrown) noexcept;
void __cxa_decrement_exception_refcount(void* thrown) noexcept;
unsigned int __cxa_uncaught_exceptions() noexcept;

// Missing in emscripten's C library; only the facet of wide characters asks for it.
std::size_t wcsftime(wchar_t*, std::size_t, const wchar_t*, const struct tm*) { return 0; }
}

namespace std {

const nothrow_t nothrow{};

namespace __exception_ptr {

exception_ptr::exception_ptr(void* thrown) noexcept : _M_exception_object(thrown) { _M_addref(); }

void exception_ptr::_M_addref() noexcept {
  if (_M_exception_object) __cxa_increment_exception_refcount(_M_exception_object);
}

void exception_ptr::_M_release() noexcept {
  if (_M_exception_object) __cxa_decrement_exception_refcount(_M_exception_object);
}

}  // namespace __exception_ptr

exception_ptr current_exception() noexcept {
  exception_ptr pointer(__cxa_current_primary_exception());
  pointer._M_release();
  return pointer;
}

bool uncaught_exception() noexcept { return __cxa_uncaught_exceptions() > 0; }

int uncaught_exceptions() noexcept { return static_cast<int>(__cxa_uncaught_exceptions()); }

void rethrow_exception(exception_ptr pointer) {
  __cxa_rethrow_primary_exception(pointer._M_exception_object);
  terminate();
}

}  // namespace std

// Nobody throws it, but the library catches it.
namespace __cxxabiv1 {

__forced_unwind::~__forced_unwind() noexcept = default;

}  // namespace __cxxabiv1
