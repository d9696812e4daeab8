// Tested by tests/package/windows_test.py.

#include "platform/child.h"

#include <windows.h>
// After windows.h.
#include <fcntl.h>
#include <io.h>
#include <psapi.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "platform/files.h"
#include "platform/session.h"
#include "platform/windows_error.h"

namespace gvbind::platform {

namespace {

// Of no command. Followed by the handle of the pipe for the answer.
const std::string child_word = "--child-of-this-program";
// Followed by the handles of the pipes for lines and for orders, and by the arguments of its
// parent.
const std::string worker_word = "--worker-of-this-program";
constexpr UINT killed = 128 + 9, asked = 128 + SIGTERM;

HANDLE process_of(ChildId id) { return reinterpret_cast<HANDLE>(id); }

/// Ends its processes when this one ends, however it does.
HANDLE job_of_children() {
  static const HANDLE job = [] {
    const HANDLE made = CreateJobObjectW(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    SetInformationJobObject(made, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return made;
  }();
  return job;
}

/// Puts the child into its own job, so that the limits apply to this child alone.
void bound(HANDLE process, const ChildBounds& bounds) {
  const HANDLE job = CreateJobObjectW(nullptr, nullptr);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  if (bounds.memory_bytes > 0) {
    limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
    limits.ProcessMemoryLimit = bounds.memory_bytes;
  }
  if (bounds.cpu_seconds > 0) {
    limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_TIME;
    limits.BasicLimitInformation.PerProcessUserTimeLimit.QuadPart =
        LONGLONG{10'000'000} * bounds.cpu_seconds;
  }
  if (SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits))
    AssignProcessToJobObject(job, process);
  CloseHandle(job);  // the process keeps it
}

/// As CommandLineToArgvW takes words apart.
std::wstring quoted(const std::wstring& word) {
  std::wstring text = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t c : word) {
    if (c == L'"') text.append(backslashes + 1, L'\\');
    backslashes = c == L'\\' ? backslashes + 1 : 0;
    text += c;
  }
  return text.append(backslashes, L'\\') + L'"';
}

std::string number_of(HANDLE handle) {
  return std::to_string(reinterpret_cast<std::uintptr_t>(handle));
}

std::wstring command_line(std::vector<std::string> first, std::span<const std::string> rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  std::wstring line = L"gvbind";
  for (const std::string& word : first)
    line += L" " + quoted(std::filesystem::path(word).wstring());
  return line;
}

std::wstring own_program() {
  std::wstring path(32768, L'\0');
  path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return path;
}

struct Handle {
  HANDLE handle = INVALID_HANDLE_VALUE;
  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close(); }
  void close() {
    if (handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
    handle = INVALID_HANDLE_VALUE;
  }
};

bool inherits(const Handle& end) {
  return SetHandleInformation(end.handle, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT) != 0;
}

bool open_pipe(Handle& from, Handle& to) {
  constexpr DWORD buffer_bytes = 1 << 16;
  return CreatePipe(&from.handle, &to.handle, nullptr, buffer_bytes) != 0;
}

bool open_nowhere(Handle& nowhere) {
  SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
  nowhere.handle =
      CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                  &inherited, OPEN_EXISTING, 0, nullptr);
  return nowhere.handle != INVALID_HANDLE_VALUE;
}

/// Suspended, with no other handles than those listed.
bool create_process(const std::wstring& words, std::vector<HANDLE> inherited, HANDLE nowhere,
                    HANDLE errors, PROCESS_INFORMATION& made) {
  std::wstring line = words;
  STARTUPINFOEXW start{};
  start.StartupInfo.cb = sizeof start;
  start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  start.StartupInfo.hStdInput = start.StartupInfo.hStdOutput = nowhere;
  start.StartupInfo.hStdError = errors;
  SIZE_T size = 0;
  InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
  std::vector<unsigned char> attributes(size);
  start.lpAttributeList = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(attributes.data());
  if (!InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &size)) return false;
  const bool listed = UpdateProcThreadAttribute(
      start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, inherited.data(),
      inherited.size() * sizeof(HANDLE), nullptr, nullptr);
  const DWORD flags = CREATE_SUSPENDED | EXTENDED_STARTUPINFO_PRESENT | CREATE_NEW_PROCESS_GROUP;
  const bool done =
      listed && CreateProcessW(own_program().c_str(), line.data(), nullptr, nullptr, TRUE, flags,
                               nullptr, nullptr, &start.StartupInfo, &made);
  DeleteProcThreadAttributeList(start.lpAttributeList);
  return done;
}

int descriptor_of(Handle& handle, int flags) {
  const int fd =
      _open_osfhandle(reinterpret_cast<intptr_t>(handle.handle), flags | _O_BINARY | _O_NOINHERIT);
  if (fd >= 0) handle.handle = INVALID_HANDLE_VALUE;
  return fd;
}

/// Lets a suspended process run; it ends with this one.
ChildId begin(const PROCESS_INFORMATION& made, const ChildBounds& bounds) {
  AssignProcessToJobObject(job_of_children(), made.hProcess);
  if (bounds.memory_bytes > 0 || bounds.cpu_seconds > 0) bound(made.hProcess, bounds);
  ResumeThread(made.hThread);
  CloseHandle(made.hThread);
  return reinterpret_cast<ChildId>(made.hProcess);
}

/// Of a handle that this process inherited, as a word tells its number.
int inherited_descriptor(const std::string& word, int flags) {
  return _open_osfhandle(static_cast<intptr_t>(std::strtoull(word.c_str(), nullptr, 10)),
                         flags | _O_BINARY | _O_NOINHERIT);
}

std::optional<WorkerEnds> worker_ends;

/// From the exit code of a process that ended by itself or by kill_child().
ChildEnd end_of(DWORD code) {
  constexpr DWORD access_violation = 0xC0000005, stack_overflow = 0xC00000FD;
  if (code == killed) return {0, 9};
  if (code == access_violation || code == stack_overflow) return {0, SIGSEGV};
  if (code == ERROR_NOT_ENOUGH_QUOTA) return {0, cpu_limit_signal};
  return {static_cast<int>(code), 0};
}

/// Bytes that a pipe holds now; 0 with false at its end.
bool peek(int fd, DWORD& bytes) {
  bytes = 0;
  return PeekNamedPipe(reinterpret_cast<HANDLE>(_get_osfhandle(fd)), nullptr, 0, nullptr, &bytes,
                       nullptr) != 0;
}

using Clock = std::chrono::steady_clock;
constexpr auto look_pause = std::chrono::milliseconds(2);

}  // namespace

const bool has_fork = false;
const bool starts_children = true;
const int cpu_limit_signal = 24;

std::string signal_name(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV";
    case SIGABRT:
      return "SIGABRT";
    default:
      return "signal " + std::to_string(signal);
  }
}

std::string signal_text(int signal) {
  return signal == SIGSEGV ? "access violation" : signal_name(signal);
}

int start_isolated(const ChildWork& work, const ChildBounds& bounds, ChildId& id, int& answer) {
  Handle from, to, nowhere;
  PROCESS_INFORMATION made{};
  if (!open_pipe(from, to) || !inherits(to) || !open_nowhere(nowhere) ||
      !create_process(command_line({child_word, number_of(to.handle)}, work.words),
                      {to.handle, nowhere.handle}, nowhere.handle, nowhere.handle, made))
    return errno_of(GetLastError());
  id = begin(made, bounds);
  answer = descriptor_of(from, _O_RDONLY);
  return answer < 0 ? errno : 0;
}

int start_worker(const WorkerWork&, ChildId& id, WorkerEnds& ours) {
  Handle lines, lines_to, errors, errors_to, orders, orders_to, nowhere;
  if (!open_pipe(lines, lines_to) || !open_pipe(errors, errors_to) ||
      !open_pipe(orders, orders_to) || !inherits(lines_to) || !inherits(errors_to) ||
      !inherits(orders) || !open_nowhere(nowhere))
    return errno_of(GetLastError());
  const std::vector<std::string> own = arguments(0, nullptr);
  const std::wstring words =
      command_line({worker_word, number_of(lines_to.handle), number_of(orders.handle)},
                   std::span(own).subspan(1));
  PROCESS_INFORMATION made{};
  if (!create_process(words, {lines_to.handle, errors_to.handle, orders.handle, nowhere.handle},
                      nowhere.handle, errors_to.handle, made))
    return errno_of(GetLastError());
  id = begin(made, {});
  ours.lines = descriptor_of(lines, _O_RDONLY);
  ours.errors = descriptor_of(errors, _O_RDONLY);
  ours.orders = descriptor_of(orders_to, _O_WRONLY);
  return 0;
}

ChildArguments child_arguments(int argc, char** argv) {
  std::vector<std::string> words = arguments(argc, argv);
  ChildArguments child;
  if (words.size() >= 3 && words[1] == child_word) {
    child.words.assign(words.begin() + 3, words.end());
    child.answer = inherited_descriptor(words[2], _O_WRONLY);
  } else if (words.size() >= 4 && words[1] == worker_word) {
    worker_ends = {inherited_descriptor(words[2], _O_WRONLY), _fileno(stderr),
                   inherited_descriptor(words[3], _O_RDONLY)};
    words.erase(words.begin() + 1, words.begin() + 4);
    child.words = std::move(words);
  }
  return child;
}

std::optional<WorkerEnds> own_worker_ends() { return worker_ends; }

void ask_to_end(ChildId id, Whole) { TerminateProcess(process_of(id), asked); }

void kill_child(ChildId id, Whole) { TerminateProcess(process_of(id), killed); }

bool take_end(ChildId id, Whole, ChildEnd& end) {
  if (WaitForSingleObject(process_of(id), 0) != WAIT_OBJECT_0) return false;
  DWORD code = 0;
  GetExitCodeProcess(process_of(id), &code);
  CloseHandle(process_of(id));
  end = end_of(code);
  return true;
}

ChildEnd kill_and_wait(ChildId id, Whole whole) {
  // One that has closed its pipe is about to end by itself.
  constexpr DWORD grace_milliseconds = 1000;
  if (WaitForSingleObject(process_of(id), grace_milliseconds) != WAIT_OBJECT_0)
    kill_child(id, whole);
  WaitForSingleObject(process_of(id), INFINITE);
  ChildEnd end;
  take_end(id, whole, end);
  return end;
}

std::uint64_t resident_bytes(ChildId id) {
  PROCESS_MEMORY_COUNTERS counters{};
  if (!GetProcessMemoryInfo(process_of(id), &counters, sizeof counters)) return 0;
  return counters.WorkingSetSize;
}

std::ptrdiff_t read_within(int fd, void* data, std::size_t size, int milliseconds) {
  wait_for_any(std::span(&fd, 1), milliseconds);
  const std::ptrdiff_t got = read_now(fd, data, size);
  if (got < 0 && errno == EAGAIN) errno = ETIMEDOUT;
  return got;
}

std::ptrdiff_t read_now(int fd, void* data, std::size_t size) {
  DWORD bytes = 0;
  if (!peek(fd, bytes)) return 0;
  if (bytes > 0) return read_some(fd, data, std::min<std::size_t>(size, bytes));
  errno = EAGAIN;
  return -1;
}

void wait_for_any(std::span<const int> fds, int milliseconds) {
  const auto end = Clock::now() + std::chrono::milliseconds(milliseconds);
  const auto is_ready = [](int fd) {
    DWORD bytes = 0;
    return !peek(fd, bytes) || bytes > 0;
  };
  while (std::ranges::none_of(fds, is_ready) && Clock::now() < end)
    std::this_thread::sleep_for(look_pause);
}

}  // namespace gvbind::platform
