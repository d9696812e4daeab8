#include "io/staging_cleanup.h"

#include <array>
#include <atomic>
#include <cstdlib>

#include "platform/files.h"
#include "platform/session.h"

namespace gvbind {
namespace {

std::array<std::atomic<const StagedPaths*>, 256> slots{};
static_assert(std::atomic<const StagedPaths*>::is_always_lock_free);

std::atomic<int> commits{0};
std::atomic<int> waiting_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);

}  // namespace

StagingEntry::StagingEntry(const StagedPaths* paths) : paths_(paths) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const StagedPaths* empty = nullptr;
    if (!slots[i].compare_exchange_strong(empty, paths)) continue;
    slot_ = static_cast<int>(i);
    platform::tell_staged(paths, paths->files, paths->directories);
    return;
  }
}

StagingEntry::~StagingEntry() { release(); }

bool StagingEntry::release() {
  if (slot_ < 0) return true;
  const StagedPaths* expected = paths_;
  const auto slot = static_cast<std::size_t>(slot_);
  slot_ = -1;
  platform::tell_unstaged(paths_);
  return slots[slot].compare_exchange_strong(expected, nullptr);
}

void remove_staged_files() noexcept {
  // Only operations that POSIX allows in a handler: atomics, and the removal of constant paths.
  // Last in, first out, because nested staging directories must be removed first.
  for (auto slot = slots.rbegin(); slot != slots.rend(); ++slot) {
    const StagedPaths* paths = slot->exchange(nullptr);
    if (!paths) continue;
    for (const std::string& file : paths->files) platform::remove_file(file.c_str());
    for (const std::string& directory : paths->directories)
      platform::remove_folder(directory.c_str());
  }
}

CommitScope::CommitScope() {
  if (++commits == 1) platform::tell_committing(true);
}

CommitScope::~CommitScope() {
  if (--commits > 0) return;
  platform::tell_committing(false);
  if (const int signal = waiting_signal.exchange(0)) end_on_signal(signal);
}

void end_on_signal(int signal) noexcept {
  if (commits > 0) {
    waiting_signal = signal;
    // Between the two lines above, the last commit may have ended without seeing the signal.
    if (commits > 0 || waiting_signal.exchange(0) == 0) return;
  }
  remove_staged_files();
  std::_Exit(128 + signal);
}

}  // namespace gvbind
