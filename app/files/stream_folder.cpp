#include "files/stream_folder.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "common/console.h"
#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/file_io.h"
#include "platform/files.h"
#include "platform/session.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

constexpr int stdin_fd = 0;
constexpr std::array<const char*, 8> stream_files = {"stdin",      "stdin.glb",   "stdin.gltf",
                                                     "stdin.fbx",  "stdout.gltf", "stdout.glb",
                                                     "stdout.fbx", "stdout.vrm"};

fs::path make_stream_folder() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  fs::path made;
  if (const int why = platform::make_temporary_folder(error ? fs::path("/tmp") : parent, made))
    throw Error(ErrorKind::output, path_text(parent) +
                                       ": cannot create a folder there for the files "
                                       "from stdin: " +
                                       std::generic_category().message(why) +
                                       "; TMPDIR names another place");
  return made;
}

StagedPaths paths_in(const fs::path& folder) {
  StagedPaths paths;
  for (const char* file : stream_files) paths.files.push_back(path_text(folder / file));
  paths.directories.push_back(path_text(folder));
  return paths;
}

/// The extension that fits the content, by its first bytes; empty if unknown.
std::string extension_of_content(std::string_view start) {
  if (start.starts_with("glTF")) return ".glb";
  if (start.starts_with("Kaydara FBX Binary")) return ".fbx";
  if (start.starts_with("\xEF\xBB\xBF")) start.remove_prefix(3);
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  if (first == start.npos) return {};
  start.remove_prefix(first);
  if (start.starts_with("; FBX ") || start.starts_with("FBXHeaderExtension:")) return ".fbx";
  return start.starts_with('{') ? ".gltf" : "";
}

[[noreturn]] void refuse_stdin(const std::string& why) {
  throw Error(ErrorKind::input, "stdin: " + why);
}

/// Returns the first bytes of the stream.
std::string copy_stdin(int file, std::uint64_t max_bytes) {
  std::string start;
  std::uint64_t total = 0;
  std::string block(std::size_t{1} << 20, '\0');
  for (;;) {
    const std::ptrdiff_t count = platform::read_some(stdin_fd, block.data(), block.size());
    if (count < 0) refuse_stdin("cannot be read: " + std::generic_category().message(errno));
    if (count == 0) return start;
    total += static_cast<std::uint64_t>(count);
    if (total > max_bytes)
      throw Error(ErrorKind::resource,
                  "stdin: is larger than the " + mebibytes(max_bytes) + " that may be taken");
    const std::span bytes(block.data(), static_cast<std::size_t>(count));
    if (start.size() < 512) start.append(bytes.data(), bytes.size());
    if (!write_all(file, std::as_bytes(bytes)))
      throw Error(ErrorKind::output, "stdin: cannot be kept in the folder for temporary files: " +
                                         std::generic_category().message(errno));
  }
}

}  // namespace

StreamFolder::StreamFolder()
    : folder_(make_stream_folder()), paths_(paths_in(folder_)), entry_(&paths_) {}

StreamFolder::~StreamFolder() {
  if (!entry_.release()) return;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

fs::path StreamFolder::receive(std::uint64_t max_bytes) const {
  if (platform::is_terminal(stdin)) refuse_stdin("is a terminal; send it a file: '< hero.glb'");
  const fs::path spool = folder_ / "stdin";
  std::string start;
  {
    constexpr unsigned owner_only = 0600;
    OpenFile file(platform::open_file(spool, platform::OpenFor::creating, owner_only));
    if (file.get() < 0)
      throw Error(ErrorKind::output,
                  path_text(spool) + ": " + std::generic_category().message(errno));
    start = copy_stdin(file.get(), max_bytes);
  }
  if (start.empty()) refuse_stdin("holds nothing");
  const std::string extension = extension_of_content(start);
  if (extension.empty()) refuse_stdin("is neither glTF nor FBX by its content");
  const fs::path named = folder_ / ("stdin" + extension);
  fs::rename(spool, named);
  return named;
}

fs::path StreamFolder::outgoing(const std::string& extension, const fs::path& received) const {
  std::string taken = extension.empty() ? lower_extension(received) : extension;
  if (taken == "gltf" && extension.empty()) taken = "glb";
  // Formats that cannot be written come out as glTF, as in a batch.
  if (extension.empty() && !is_written(received)) taken = "glb";
  if (taken != "glb" && taken != "fbx" && taken != "vrm")
    throw Error(ErrorKind::usage, "--format: '" + taken +
                                      "' cannot go to stdout; use glb, fbx or vrm, which are one "
                                      "file each");
  refuse_terminal("a document");
  return folder_ / ("stdout." + taken);
}

void StreamFolder::send(const fs::path& file) {
  const std::vector<std::uint8_t> bytes = read_file(file);
  print_verbatim(stdout, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string StreamFolder::told(std::string message) const {
  const std::string prefix = path_text(folder_ / "");
  for (std::size_t at = message.find(prefix); at != message.npos; at = message.find(prefix, at))
    message.erase(at, prefix.size());
  return message;
}

std::unique_ptr<StreamFolder> receive_stdin(std::vector<std::string>& inputs,
                                            std::uint64_t max_bytes) {
  std::unique_ptr<StreamFolder> streams;
  for (std::string& input : inputs) {
    if (input != stream_name) continue;
    if (streams) throw Error(ErrorKind::usage, "- stands for stdin, which can be read once");
    streams = std::make_unique<StreamFolder>();
    input = path_text(streams->receive(max_bytes));
  }
  return streams;
}

void refuse_terminal(const std::string& what) {
  if (platform::is_terminal(stdout))
    throw Error(ErrorKind::usage, "--output: stdout is a terminal, and " + what +
                                      " is not for reading; send it to a file: '> out'");
}

}  // namespace gvbind
