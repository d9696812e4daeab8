#pragma once

// Tested by tests/command/streams_test.py.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/staging_cleanup.h"

namespace gvbind {

/// The command line argument that stands for stdin or stdout.
inline constexpr const char* stream_name = "-";

/// A private temporary folder for documents from stdin or for stdout: both are read more than once,
/// and an output is complete before any of it is sent. Removed by the destructor, and by signals
/// that end the process.
class StreamFolder {
 public:
  /// Created in the folder for temporary files (TMPDIR). Throws Error(output).
  StreamFolder();
  StreamFolder(const StreamFolder&) = delete;
  StreamFolder& operator=(const StreamFolder&) = delete;
  ~StreamFolder();

  /// Reads all of stdin into "stdin.glb", ".gltf" or ".fbx", depending on its content. Throws
  /// Error: input for a terminal, empty input, or any other format; resource beyond `max_bytes`.
  std::filesystem::path receive(std::uint64_t max_bytes) const;

  /// The path of the file for send(): "stdout" with this extension, or if empty that of `received`.
  /// Throws Error(usage) for a format that needs several files, and if stdout is a terminal.
  std::filesystem::path outgoing(const std::string& extension,
                                 const std::filesystem::path& received) const;

  /// Copies a file to stdout; main checks that all of it was written.
  static void send(const std::filesystem::path& file);

  /// Replaces the paths of temporary files in a message by their names, such as "stdin.glb".
  std::string told(std::string message) const;

 private:
  std::filesystem::path folder_;
  StagedPaths paths_;
  StagingEntry entry_;
};

/// If one of the inputs is "-", reads stdin and replaces the input by the temporary file; otherwise
/// returns null. Throws Error: usage for a second "-", and as StreamFolder::receive().
std::unique_ptr<StreamFolder> receive_stdin(std::vector<std::string>& inputs,
                                            std::uint64_t max_bytes);

/// Throws Error(usage) if stdout is a terminal; `what` names the output in the message.
void refuse_terminal(const std::string& what);

}  // namespace gvbind
