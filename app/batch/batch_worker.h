#pragma once

// Tested by tests/package/windows_test.py.

#include <functional>
#include <string>
#include <vector>

#include "batch/asset_job.h"
#include "batch/batch_command.h"
#include "batch/worker_pool.h"
#include "platform/child.h"

namespace gvbind {

/// For WorkerTask::run: binds the asset, or only draws it and writes its page. `job` must outlive
/// it.
std::function<int(const SendLine& send, int threads)> run_of(const AssetJob& job, bool draw);

// Workers that are no copies of their parent, since the system has no fork, plan the batch from the
// same arguments and receive the name of their asset.

/// One line for work_for_batch().
std::string order_of(const BatchAsset& asset, const AssetJob& job, bool draw);

/// The whole of such a worker; returns its exit code. Throws Error(internal) on an order for a
/// missing asset.
int work_for_batch(const BatchCommand& command, const std::vector<BatchAsset>& assets,
                   const platform::WorkerEnds& ends);

}  // namespace gvbind
