#pragma once

// Tested by tests/unit/gvbind/column_voxelizer_test.cpp.

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace gvbind {

/// Large pages are faster for memory that is written densely; small pages use less memory if few of
/// them are touched.
enum class Pages { small, large };

/// Zeroed memory. Blocks of several megabytes are mapped, so pages are zeroed on first touch and
/// untouched pages use neither memory nor time. Throws std::bad_alloc.
void* allocate_zeroed(std::size_t bytes, Pages pages);
/// `bytes`: as allocated.
void release_zeroed(void* memory, std::size_t bytes) noexcept;

/// Default-constructed elements are zero bytes.
template <class T>
struct ZeroedAllocator {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));
  using value_type = T;
  using is_always_equal = std::true_type;

  explicit ZeroedAllocator(Pages of = Pages::large) : pages(of) {}
  template <class U>
  ZeroedAllocator(const ZeroedAllocator<U>& other) : pages(other.pages) {}

  T* allocate(std::size_t n) {
    if (n > std::size_t(-1) / 2 / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(allocate_zeroed(n * sizeof(T), pages));
  }
  void deallocate(T* memory, std::size_t n) noexcept { release_zeroed(memory, n * sizeof(T)); }
  template <class U, class... Value>
  void construct(U* at, Value&&... value) {
    if constexpr (sizeof...(Value) > 0)
      ::new (static_cast<void*>(at)) U(std::forward<Value>(value)...);
  }

  bool operator==(const ZeroedAllocator&) const { return true; }

  Pages pages;
};

/// Construct with the final size and never grow: memory reused within the vector is not zeroed
/// again.
template <class T>
using ZeroedArray = std::vector<T, ZeroedAllocator<T>>;

}  // namespace gvbind
