#include "batch/batch_worker.h"

#include <algorithm>

#include "batch/asset_worker.h"
#include "batch/worker_process.h"
#include "gvbind/error.h"
#include "report/report_json.h"

namespace gvbind {

std::function<int(const SendLine& send, int threads)> run_of(const AssetJob& job, bool draw) {
  return [&job, draw](const SendLine& send, int threads) {
    return draw ? run_picture_job(job, send) : run_asset_job(job, send, threads);
  };
}

std::string order_of(const BatchAsset& asset, const AssetJob& job, bool draw) {
  Json names = Json::array();
  for (const auto& [file, name] : job.request.file_names) names.push_back({file, name});
  return Json({{"asset", asset.name}, {"draw", draw}, {"names", names}})
      .dump(-1, ' ', true, Json::error_handler_t::replace);
}

int work_for_batch(const BatchCommand& command, const std::vector<BatchAsset>& assets,
                   const platform::WorkerEnds& ends) {
  return serve_orders(ends, [&](const std::string& order) {
    const Json json = Json::parse(order);
    const auto asset =
        std::ranges::find(assets, json.at("asset").get<std::string>(), &BatchAsset::name);
    if (asset == assets.end()) throw Error(ErrorKind::internal, order + ": the asset is missing");
    AssetJob job = job_of(*asset, command);
    job.entry = first_entry(*asset, command);
    for (const Json& pair : json.at("names"))
      job.request.file_names.emplace(pair.at(0), pair.at(1));
    const bool draw = json.at("draw");
    WorkerTask task;
    task.run = [job, draw](const SendLine& send, int threads) {
      return run_of(job, draw)(send, threads);
    };
    return task;
  });
}

}  // namespace gvbind
