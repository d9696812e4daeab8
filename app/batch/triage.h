#pragma once

#include <functional>
#include <string>
#include <vector>

#include "batch/asset_worker.h"
#include "batch/batch_command.h"
#include "batch/stamp.h"

namespace gvbind {

/// What is to become of an asset, by its stamp and its files.
struct Verdict {
  /// draw: only its picture; leave: not asked for; keep: it would be bound, but something stands in
  /// the output's place that must not be overwritten.
  enum class Act { bind, draw, pass, leave, keep };
  Act act = Act::bind;
  std::string why;             ///< to bind it, or to keep what is there
  std::optional<Stamp> stamp;  ///< the one that was there
};

/// Hashes what has to be hashed, in so many threads, all of which have ended when this returns.
/// Pictures are asked for where the job wants one.
std::vector<Verdict> triage(const std::vector<AssetJob>& jobs, Rerun rerun, int threads,
                            const std::function<bool()>& stop);

}  // namespace gvbind
