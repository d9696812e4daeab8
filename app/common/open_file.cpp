#include "common/open_file.h"

#include <spawn.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <system_error>

#include "gvbind/error.h"

extern char** environ;

namespace gvbind {

void open_file(const std::string& path) {
  // A path that begins with '-' would be read as an option.
  std::string program = "xdg-open", file = std::filesystem::absolute(path).string();
  std::array<char*, 3> words = {program.data(), file.data(), nullptr};
  pid_t id = 0;
  const int error = posix_spawnp(&id, program.c_str(), nullptr, nullptr, words.data(), environ);
  if (error != 0)
    throw Error(ErrorKind::resource, path + ": is written, but xdg-open cannot be run: " +
                                         std::generic_category().message(error));
}

}  // namespace gvbind
