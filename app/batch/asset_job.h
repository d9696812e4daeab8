#pragma once

// Tested by tests/command/batch_config_test.py.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "batch/batch_command.h"
#include "batch/batch_plan.h"
#include "commands/bind/bind_file.h"
#include "report/batch_report.h"

namespace gvbind {

/// One asset, ready for a worker.
struct AssetJob {
  BindRequest request;              ///< overwrites, makes directories
  bool force = false;               ///< overwrites files that no batch wrote, too
  bool named = false;               ///< the user named it, so it must hold something to bind
  bool picture = false;             ///< draw the card for the HTML page too
  std::filesystem::path page = {};  ///< write a page of the output here too; empty: none
  bool certificate = false;         ///< write one beside the output too
  std::string key;                  ///< all settings that shape the output, see Stamp
  AssetEntry entry;                 ///< first_entry(), for one that goes to a worker
};

/// The memory limit of all workers of the run together, in bytes.
std::uint64_t memory_of(const BatchCommand& command);

AssetJob job_of(const BatchAsset& asset, const BatchCommand& command);

/// The page of the asset's output: its path from the output directory, below that of the pages.
/// Empty without --pages.
std::filesystem::path asset_page(const BatchAsset& asset, const BatchCommand& command);

/// The asset's entry in the report, with all that is known before the work.
AssetEntry first_entry(const BatchAsset& asset, const BatchCommand& command);

}  // namespace gvbind
