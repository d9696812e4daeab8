#pragma once

// Tested by tests/command/batch_stress_test.py.

#include <functional>
#include <string>
#include <vector>

#include "batch/asset_worker.h"
#include "batch/batch_command.h"
#include "batch/stamp.h"
#include "common/resources.h"

namespace gvbind {

/// The work that an asset needs, by its stamp and its files.
struct Verdict {
  /// draw: only its picture; leave: not asked for; keep: it would be bound, but something stands in
  /// the output's place that must not be overwritten.
  enum class Act { bind, draw, pass, leave, keep };
  Act act = Act::bind;
  std::string why;             ///< to bind it, or to keep the existing file
  std::optional<Stamp> stamp;  ///< the existing one
  FileNames file_names;        ///< of the output, see BindRequest
};

/// Hashes the files that need it, in `threads` threads, which have all ended when this returns.
/// Pictures are asked for where the job wants one. `others` are assets of the batch that other
/// shards bind: their outputs take part in the plan of names. Throws Error(usage) where there is
/// none.
std::vector<Verdict> triage(const std::vector<AssetJob>& jobs,
                            const std::vector<BatchAsset>& others, Rerun rerun, int threads,
                            const std::function<bool()>& stop);

}  // namespace gvbind
