#pragma once

// Tested by tests/command/streams_test.py.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/staging_cleanup.h"

namespace gvbind {

/// What the command line has for stdin and stdout.
inline constexpr const char* stream_name = "-";

/// A folder that nobody else sees, for documents on their way in from stdin or out to stdout: both
/// are read more than once, and an output is written whole before any of it leaves. Removed at the
/// end of its life, and by signals that end the process.
class StreamFolder {
 public:
  /// In the folder for temporary files (TMPDIR). Throws Error(output).
  StreamFolder();
  StreamFolder(const StreamFolder&) = delete;
  StreamFolder& operator=(const StreamFolder&) = delete;
  ~StreamFolder();

  /// Reads stdin to its end into "stdin.glb", ".gltf" or ".fbx", by its content. Throws Error:
  /// input for a terminal, for nothing, and for any other format; resource beyond `max_bytes`.
  std::filesystem::path receive(std::uint64_t max_bytes) const;

  /// Where to write what send() sends: "stdout" and this extension, or that of `received` where it
  /// is empty. Throws Error(usage) for a format that does not fit in one file, and where stdout is
  /// a terminal.
  std::filesystem::path outgoing(const std::string& extension,
                                 const std::filesystem::path& received) const;

  /// Copies a file to stdout; main looks whether all of it arrived.
  static void send(const std::filesystem::path& file);

  /// A message with "stdin.glb" instead of that file's whole path.
  std::string told(std::string message) const;

 private:
  std::filesystem::path folder_;
  StagedPaths paths_;
  StagingEntry entry_;
};

/// Reads stdin where one of the inputs is "-", and puts the file that it went to in its place; null
/// where none is. Throws Error: usage for a second one, and as StreamFolder::receive().
std::unique_ptr<StreamFolder> receive_stdin(std::vector<std::string>& inputs,
                                            std::uint64_t max_bytes);

/// Throws Error(usage) where stdout is a terminal, and `what` is not for one.
void refuse_terminal(const std::string& what);

}  // namespace gvbind
