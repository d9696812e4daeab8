#include "gvbind/base/zeroed_array.h"

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

#include <cstdint>
#include <cstdlib>

namespace gvbind {

namespace {

constexpr std::size_t large_page = std::size_t{2} << 20;
// Smaller blocks come from the heap, which reuses freed memory faster than the system maps new
// pages.
constexpr std::size_t own_mapping_from = std::size_t{4} << 20;

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + large_page - 1) / large_page * large_page;
}

#ifdef MADV_HUGEPAGE
void* map(std::size_t bytes, Pages pages) {
  const std::size_t more = bytes + large_page;
  void* const mapped =
      mmap(nullptr, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<std::byte*>(mapped);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(begin) % large_page;
  std::byte* const aligned = begin + before;
  if (before > 0) munmap(begin, before);
  if (before < large_page) munmap(aligned + bytes, large_page - before);
  // Fails on systems without large pages; small ones work as well.
  madvise(aligned, bytes, pages == Pages::large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  return aligned;
}

void unmap(void* memory, std::size_t bytes) { munmap(memory, bytes); }
#else
// POSIX has neither anonymous mappings nor large pages.
void* map(std::size_t bytes, Pages) {
  void* const memory = std::calloc(bytes, 1);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void unmap(void* memory, std::size_t) { std::free(memory); }
#endif

}  // namespace

void* allocate_zeroed(std::size_t bytes, Pages pages) {
  if (bytes >= own_mapping_from) return map(whole_pages(bytes), pages);
  void* const memory = std::calloc(bytes, 1);
  if (!memory && bytes > 0) throw std::bad_alloc();
  return memory;
}

void release_zeroed(void* memory, std::size_t bytes) noexcept {
  if (bytes >= own_mapping_from)
    unmap(memory, whole_pages(bytes));
  else
    std::free(memory);
}

}  // namespace gvbind
