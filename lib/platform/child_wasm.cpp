// Tested by tests/package/npm_test.py.

#include <signal.h>

#include <cerrno>

#include "platform/child.h"
#include "platform/files.h"

// WebAssembly starts no processes.

namespace gvbind::platform {

const bool has_fork = false;
const bool starts_children = false;
const int cpu_limit_signal = SIGXCPU;

std::string signal_name(int signal) { return "signal " + std::to_string(signal); }

std::string signal_text(int signal) { return signal_name(signal); }

int start_isolated(const ChildWork&, const ChildBounds&, ChildId&, int&) { return ENOSYS; }

int start_worker(const WorkerWork&, ChildId&, WorkerEnds&) { return ENOSYS; }

ChildArguments child_arguments(int, char**) { return {}; }

std::optional<WorkerEnds> own_worker_ends() { return std::nullopt; }

void ask_to_end(ChildId, Whole) {}

void kill_child(ChildId, Whole) {}

bool take_end(ChildId, Whole, ChildEnd&) { return true; }

ChildEnd kill_and_wait(ChildId, Whole) { return {}; }

std::uint64_t resident_bytes(ChildId) { return 0; }

std::ptrdiff_t read_within(int fd, void* data, std::size_t size, int) {
  return read_some(fd, data, size);
}

std::ptrdiff_t read_now(int fd, void* data, std::size_t size) { return read_some(fd, data, size); }

void wait_for_any(std::span<const int>, int) {}

}  // namespace gvbind::platform
