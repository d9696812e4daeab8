#include "batch/worker_line.h"

#include "report/entry_shape.h"

namespace gvbind {

namespace {

bool is_answer(const Report& entry, const std::string& name) {
  Report expected = name;
  mend_utf8(expected);  // as the worker's line was
  if (!has_entry_shape(entry) || entry["name"] != expected || !entry.contains("seconds"))
    return false;
  const Report& status = entry.at("status");
  return status == "done" || status == "skipped" || status == "failed";
}

}  // namespace

std::optional<WorkerLine> read_worker_line(const std::string& line, const std::string& name) {
  const Report json = Report::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  if (json.size() == 1 && json.contains("entry") && is_answer(json["entry"], name))
    return WorkerLine{"", 0.0, json["entry"]};
  const std::string stage = text_of(json, "stage");
  if (json.size() == 2 && !stage.empty() && json.contains("done") && json["done"].is_number())
    return WorkerLine{stage, json["done"].get<double>(), {}};
  return std::nullopt;
}

}  // namespace gvbind
