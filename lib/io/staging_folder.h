#pragma once

// Tested by tests/unit/io/atomic_write_test.cpp.

#include <filesystem>
#include <string>

#include "io/file_io.h"

namespace gvbind {

/// A folder of an output under way, beside the place that the output goes to. Its name is random,
/// so that runs with one output never share it, and it is locked while its process lives.
struct StagingFolder {
  std::filesystem::path shared;  ///< `.gvbind-NAME`, which holds those of one output; empty: none
  std::filesystem::path path;    ///< `.gvbind-RANDOM`, or RANDOM in `shared`
  OpenFile lock;                 ///< none until it is made
};

/// The folder `.gvbind-NAME` beside an output.
std::filesystem::path staging_directory(const std::filesystem::path& output,
                                        const std::string& name);

/// The names for an output, `name` as in WriteOptions::staging_name. Nothing is made.
StagingFolder new_staging_folder(const std::filesystem::path& output, const std::string& name);

/// Makes and locks it. 0 or errno.
int make_staging_folder(StagingFolder& folder);

/// Removes what killed processes have left in `.gvbind-NAME` beside the output. The folders of
/// processes that live stay, and on a disk without locks all do.
void remove_dead_staging(const std::filesystem::path& output, const std::string& name);

}  // namespace gvbind
