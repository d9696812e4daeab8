// Tested by tests/package/windows_test.py.

#include "platform/session.h"

#include <windows.h>
// After windows.h.
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>

#include <cerrno>
#include <csignal>

#include "platform/windows_error.h"

namespace gvbind::platform {

namespace {

HANDLE handle_of(std::FILE* stream) {
  return reinterpret_cast<HANDLE>(_get_osfhandle(_fileno(stream)));
}

}  // namespace

struct StopHandlers::State {
  SignalHandler interrupt = SIG_DFL, terminate = SIG_DFL;
};

void prepare_streams() {
  _fmode = _O_BINARY;
  for (std::FILE* stream : {stdin, stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);
  SetConsoleOutputCP(CP_UTF8);
  // A crash ends the process, without a window that waits for a click.
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
}

std::vector<std::string> arguments(int, char**) {
  int count = 0;
  wchar_t** const words = CommandLineToArgvW(GetCommandLineW(), &count);
  std::vector<std::string> arguments;
  for (int i = 0; i < count; ++i) arguments.push_back(std::filesystem::path(words[i]).string());
  LocalFree(words);
  return arguments;
}

int settle_stream(std::FILE* stream) {
  errno = 0;
  if (std::fflush(stream) == 0) return 0;
  return errno == 0 ? EIO : errno;
}

bool is_terminal(std::FILE* stream) {
  DWORD mode = 0;
  return GetConsoleMode(handle_of(stream), &mode) != 0;
}

bool takes_escapes(std::FILE* stream) {
  DWORD mode = 0;
  const HANDLE console = handle_of(stream);
  return GetConsoleMode(console, &mode) != 0 &&
         SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

std::size_t terminal_columns(std::FILE* stream) {
  CONSOLE_SCREEN_BUFFER_INFO console{};
  if (!GetConsoleScreenBufferInfo(handle_of(stream), &console)) return 0;
  return static_cast<std::size_t>(console.srWindow.Right - console.srWindow.Left + 1);
}

void handle_ending_signals(SignalHandler handler) {
  std::signal(SIGINT, handler);
  std::signal(SIGTERM, handler);
}

StopHandlers::StopHandlers(SignalHandler handler) : before_(std::make_unique<State>()) {
  before_->interrupt = std::signal(SIGINT, handler);
  before_->terminate = std::signal(SIGTERM, handler);
}

StopHandlers::~StopHandlers() {
  std::signal(SIGINT, before_->interrupt);
  std::signal(SIGTERM, before_->terminate);
}

void block_ending_signals() {}

void tell_staged(const void*, const std::vector<std::string>&, const std::vector<std::string>&) {}

void tell_unstaged(const void*) {}

void tell_committing(bool) {}

SystemMemory system_memory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  GlobalMemoryStatusEx(&status);
  return {status.ullTotalPhys, status.ullAvailPhys};
}

void limit_allocations(std::uint64_t) {}

timespec now_of_files() {
  timespec moment{};
  clock_gettime(CLOCK_REALTIME, &moment);
  return moment;
}

int open_on_desktop(const std::filesystem::path& file, std::string& program) {
  program = "ShellExecute";
  const std::filesystem::path path = std::filesystem::absolute(file);
  const auto code = reinterpret_cast<std::intptr_t>(
      ShellExecuteW(nullptr, L"open", path.c_str(), nullptr, nullptr, SW_SHOWNORMAL));
  return code > 32 ? 0 : errno_of(static_cast<unsigned long>(code));
}

}  // namespace gvbind::platform
