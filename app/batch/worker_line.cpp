// Tested by tests/command/batch_worker_test.py.

#include <optional>
#include <string>
#include <utility>

#include "batch/asset_worker.h"
#include "gvbind/base/utf8.h"
#include "report/report_json.h"

namespace gvbind {

namespace {

bool is_answer(const AssetEntry& entry, const std::string& name) {
  return entry.name == mended_utf8(name) && entry.seconds &&
         entry.status != AssetStatus::up_to_date && entry.status != AssetStatus::interrupted;
}

}  // namespace

std::optional<WorkerLine> read_worker_line(const std::string& line, const std::string& name) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  if (json.size() == 1 && json.contains("entry")) {
    std::optional<AssetEntry> entry = read_entry(json["entry"]);
    if (entry && is_answer(*entry, name)) return WorkerLine{"", 0.0, std::move(*entry)};
  }
  if (json.size() != 2 || !json.contains("stage") || !json.contains("done")) return std::nullopt;
  const Json &stage = json["stage"], &done = json["done"];
  if (!stage.is_string() || stage == "" || !done.is_number()) return std::nullopt;
  return WorkerLine{stage.get<std::string>(), done.get<double>(), {}};
}

}  // namespace gvbind
