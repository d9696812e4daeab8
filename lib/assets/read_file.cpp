#include "assets/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#include "gvbind/error.h"

namespace gvbind {
namespace {

constexpr std::size_t least_room = std::size_t{64} << 10;

[[noreturn]] void fail(const std::string& what, int error) {
  throw Error(ErrorKind::input, what + ": " + std::generic_category().message(error));
}

struct Descriptor {
  int number;
  explicit Descriptor(int opened) : number(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

}  // namespace

std::vector<std::uint8_t> read_file(const std::filesystem::path& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number < 0) fail("cannot be opened", errno);
  struct stat status {};
  if (fstat(file.number, &status) != 0) fail("cannot be read", errno);
  if (S_ISDIR(status.st_mode)) throw Error(ErrorKind::input, "is a folder");
  // One byte more than the file says it has, so that its end is met without growing; what has no
  // size (a pipe) grows.
  const auto promised =
      S_ISREG(status.st_mode) ? static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)) : 0;
  std::vector<std::uint8_t> bytes(promised + 1);
  std::size_t size = 0;
  while (true) {
    if (size == bytes.size()) bytes.resize(std::max(size * 2, least_room));
    const ssize_t got = ::read(file.number, bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot be read", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace gvbind
