#pragma once

// Tested by tests/unit/io/atomic_write_test.cpp.

#include <filesystem>
#include <string>

#include "io/file_io.h"

namespace gvbind {

/// A staging folder beside its output. Its random name keeps runs with the same output apart. It is
/// locked while its process is alive.
struct StagingFolder {
  /// `.gvbind-NAME`, parent of an output's staging folders; empty: none
  std::filesystem::path shared;
  std::filesystem::path path;  ///< `.gvbind-RANDOM`, or RANDOM in `shared`
  OpenFile lock;               ///< empty until it is created
};

/// The folder `.gvbind-NAME` beside an output.
std::filesystem::path staging_directory(const std::filesystem::path& output,
                                        const std::string& name);

/// Paths for an output; `name`: as WriteOptions::staging_name. Creates nothing.
StagingFolder new_staging_folder(const std::filesystem::path& output, const std::string& name);

/// Creates and locks it. Returns 0 or errno.
int make_staging_folder(StagingFolder& folder);

/// Removes folders of killed processes in `.gvbind-NAME` beside the output. Keeps folders of live
/// processes, and on a disk without locks all.
void remove_dead_staging(const std::filesystem::path& output, const std::string& name);

}  // namespace gvbind
