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

/// Runs `work` in a forked copy of this process and returns its bytes, which are to be read as if a
/// stranger had sent them. What `work` prints goes nowhere, and its std::exception comes back as
/// Error(input) with the same text, cut to one line. Also Error(input): a signal, an assert.
/// Error(time_limit), Error(resource): a limit that was hit, or no process to be had. Messages name
/// no file.
std::vector<std::uint8_t> run_in_child(const std::function<std::vector<std::uint8_t>()>& work,
                                       const ChildLimits& limits = {});

/// Meshes and joints of any other format that Assimp reads (OBJ, DAE, PLY, STL, BVH, ...). Assimp
/// runs in a child process with limits on time and memory, because its asserts abort, and opens
/// files under options.root alone. Throws Error, whose message begins with the path: input;
/// resource where it would take more than options.max_memory.
Scene import_scene(const std::filesystem::path& path, Findings& findings,
                   const ReadOptions& options = {});

/// Extensions without dot, lower case, that import_scene takes.
std::span<const std::string> import_extensions();

/// What reading a file by its size may take, and no more than `max_memory` bytes.
ChildLimits import_limits(const std::filesystem::path& path, std::uint64_t max_memory);

/// run_in_child() for a file that import_scene takes: messages begin with the path. Throws
/// Error(input) where it is not there or of an unknown format.
std::vector<std::uint8_t> import_in_child(const std::filesystem::path& path,
                                          const ChildLimits& limits,
                                          const std::function<std::vector<std::uint8_t>()>& work);

/// import_scene with limits of the caller's.
Scene import_scene_within(const ChildLimits& limits, const std::filesystem::path& path,
                          const AssetRoot& root, Findings& findings);

}  // namespace gvbind
