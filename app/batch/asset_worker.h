#pragma once

#include <optional>
#include <string>

#include "batch/asset_job.h"
#include "batch/worker_pool.h"
#include "gvbind/error.h"
#include "report/batch_report.h"

namespace gvbind {

/// Binds the asset with that many threads, draws its picture and writes its stamp, while no other
/// process does that for the same output. Sends lines,
/// each a JSON object: {"stage", "done"} as it goes, at last {"entry"}: the whole entry of the
/// report, "done", "skipped" or "failed". Returns the exit code of the asset.
int run_asset_job(const AssetJob& job, const SendLine& send, int threads);

/// Draws the card of an output that is up to date, and writes its page and certificate. Sends a
/// line
/// {"entry"} whose findings say what failed. Returns 0, or throws Error.
int run_picture_job(const AssetJob& job, const SendLine& send);

/// The entry of an asset that has failed: `message` is one line. An earlier output stays, and a
/// finding says so.
AssetEntry failed_entry(const AssetJob& job, ErrorKind kind, const std::string& message);

/// The entry of an asset that is not bound because a file is under its output's name that no
/// batch wrote.
AssetEntry kept_entry(const AssetJob& job, const std::string& why);

/// Notes a failure in the asset's stamp, unless another process is binding the asset: then its
/// outcome counts.
void stamp_failure(const AssetJob& job, const AssetEntry& entry);

/// A line from a worker to its parent, see run_asset_job().
struct WorkerLine {
  std::string stage;  ///< empty: the line is the asset's entry
  double done = 0.0;  ///< of the stages, 0 to 1
  AssetEntry entry;   ///< by the report's schema; "done", "skipped" or "failed", with its seconds
};

/// None for any other line, or for a line about an asset of another name: the memory of a worker
/// that writes such lines is corrupt.
std::optional<WorkerLine> read_worker_line(const std::string& line, const std::string& name);

}  // namespace gvbind
