// bin/gvbind of the tarball: a static program that starts lib/gvbind/gvbind. Where the system's C
// library is older than the one that gvbind was built with, or is none at all, the libraries that
// the tarball brings serve, the C library and its loader among them. Where it is as new, it comes
// first: drivers of a GPU that the process loads may need it.
//
// Tested by tests/package/package_test.py.

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// The newest version of the C library's interface that the command asks for.
constexpr char needed_version[] = GVBIND_LIBC_VERSION;

constexpr const char* system_libraries[] = {"/lib/" GVBIND_MULTIARCH "/libc.so.6",
                                            "/lib64/libc.so.6", "/usr/lib64/libc.so.6",
                                            "/usr/lib/libc.so.6"};

/// A C library holds the name of each version that it has, with a zero byte behind.
bool has_needed_version(const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (file < 0 || fstat(file, &status) != 0 || status.st_size <= 0) return false;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  return bytes != MAP_FAILED &&
         memmem(bytes, size, needed_version, sizeof needed_version) != nullptr;
}

bool system_serves() {
  for (const char* path : system_libraries)
    if (access(path, R_OK) == 0) return has_needed_version(path);
  return false;
}

/// The folder that holds bin and lib; links to the command are followed.
std::string own_folder() {
  const char* const started = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  for (const char* path : {"/proc/self/exe", started}) {
    char real[PATH_MAX];
    if (!path || !realpath(path, real)) continue;
    const std::string file(real);
    const std::string folder = file.substr(0, file.rfind('/'));
    return folder.substr(0, folder.rfind('/'));
  }
  return {};
}

}  // namespace

int main(int, char** argv) {
  const std::string libraries = own_folder() + "/lib/gvbind";
  const std::string command = libraries + "/gvbind";
  if (system_serves()) execv(command.c_str(), argv);
  const std::string loader = libraries + "/libc/" GVBIND_LOADER;
  const std::string path = libraries + "/libc:" + libraries + ":" + libraries + "/fallback";
  // An empty list is of the command itself, whose own path has the system's libraries first.
  std::vector<std::string> words = {loader,
                                    "--inhibit-rpath",
                                    "",
                                    "--library-path",
                                    path,
                                    "--argv0",
                                    argv[0] ? argv[0] : "gvbind",
                                    command};
  if (argv[0])
    for (char** word = argv + 1; *word; ++word) words.emplace_back(*word);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(loader.c_str(), pointers.data());
  constexpr std::string_view message =
      "error: lib/gvbind, beside the folder of this command, is not whole; unpack the tarball "
      "again\n";
  (void)!write(STDERR_FILENO, message.data(), message.size());
  return 7;
}
