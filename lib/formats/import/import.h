#pragma once

// Tested by tests/unit/io/child_process_test.cpp.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "character/scene.h"
#include "gvbind/finding.h"
#include "io/child_process.h"
#include "io/read_options.h"

namespace gvbind {

/// Runs `work` in a child process and returns its bytes, which must be treated as untrusted input.
/// `words`: for answer_import(), where there is no fork. Output that `work` prints is discarded.
/// Its std::exception becomes Error(input) with the same text, cut to one line. Other errors:
/// Error(input) for a signal or an assert; Error(time_limit) or Error(resource) for an exceeded
/// limit or a failed fork. Messages do not contain file names.
std::vector<std::uint8_t> run_in_child(const std::function<std::vector<std::uint8_t>()>& work,
                                       const ChildLimits& limits = {},
                                       const std::vector<std::string>& words = {});

/// Meshes and joints of any other format that Assimp reads (OBJ, DAE, PLY, STL, BVH, ...). Assimp
/// runs in a child process with limits on time and memory, because its asserts abort, and opens
/// only files under options.root. Throws Error, whose message begins with the path: input; resource
/// if reading would exceed options.max_memory.
Scene import_scene(const std::filesystem::path& path, Findings& findings,
                   const ReadOptions& options = {});

/// Extensions that import_scene reads, in lower case without dot.
std::span<const std::string> import_extensions();

/// Limits for reading a file, from its size; memory is at most `max_memory` bytes.
ChildLimits import_limits(const std::filesystem::path& path, std::uint64_t max_memory);

/// The form in which a child returns a file: for decode_scene(), or for import_gltf().
enum class ImportAs { scene, gltf };

/// run_in_child() for a file that import_scene reads: messages begin with the path. Throws
/// Error(input) if the file is missing or has an unknown format.
std::vector<std::uint8_t> import_in_child(const std::filesystem::path& path,
                                          const ChildLimits& limits, const AssetRoot& root,
                                          ImportAs made);

/// The child's part, in a process of its own where there is no fork: reads the file that the words
/// of import_in_child() name, writes its answer to the descriptor and ends the process.
[[noreturn]] void answer_import(const std::vector<std::string>& words, int answer);

/// import_scene with the caller's limits.
Scene import_scene_within(const ChildLimits& limits, const std::filesystem::path& path,
                          const AssetRoot& root, Findings& findings);

}  // namespace gvbind
