#include "assets/staging_registry.h"

#include <unistd.h>

#include <array>
#include <atomic>

#include "assets/write.h"

namespace gvbind {
namespace {

std::array<std::atomic<const StagedPaths*>, 256> slots{};
static_assert(std::atomic<const StagedPaths*>::is_always_lock_free);

}  // namespace

StagingEntry::StagingEntry(const StagedPaths* paths) : paths_(paths) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const StagedPaths* empty = nullptr;
    if (!slots[i].compare_exchange_strong(empty, paths)) continue;
    slot_ = static_cast<int>(i);
    return;
  }
}

StagingEntry::~StagingEntry() { release(); }

bool StagingEntry::release() {
  if (slot_ < 0) return true;
  const StagedPaths* expected = paths_;
  const auto slot = static_cast<std::size_t>(slot_);
  slot_ = -1;
  return slots[slot].compare_exchange_strong(expected, nullptr);
}

void remove_staged_files() noexcept {
  // Only what POSIX allows in a handler: atomics, unlink and rmdir on strings that never change.
  for (auto& slot : slots) {
    const StagedPaths* paths = slot.exchange(nullptr);
    if (!paths) continue;
    for (const std::string& file : paths->files) unlink(file.c_str());
    for (const std::string& folder : paths->folders) rmdir(folder.c_str());
  }
}

}  // namespace gvbind
