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

/// Runs `work` in a forked copy of this process and returns its bytes, which must be treated as
/// untrusted input. Output that `work` prints is discarded. Its std::exception becomes Error(input)
/// with the same text, cut to one line. Other errors: Error(input) for a signal or an assert;
/// Error(time_limit) or Error(resource) for an exceeded limit or a failed fork. Messages do not
/// contain file names.
std::vector<std::uint8_t> run_in_child(const std::function<std::vector<std::uint8_t>()>& work,
                                       const ChildLimits& limits = {});

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

/// run_in_child() for a file that import_scene reads: messages begin with the path. Throws
/// Error(input) if the file is missing or has an unknown format.
std::vector<std::uint8_t> import_in_child(const std::filesystem::path& path,
                                          const ChildLimits& limits,
                                          const std::function<std::vector<std::uint8_t>()>& work);

/// import_scene with the caller's limits.
Scene import_scene_within(const ChildLimits& limits, const std::filesystem::path& path,
                          const AssetRoot& root, Findings& findings);

}  // namespace gvbind
