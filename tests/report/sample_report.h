#pragma once

#include <initializer_list>
#include <string>

#include "report/batch_report.h"

namespace gvbind::test {

inline Report failed_asset(const std::string& name, int exit_code, const std::string& message) {
  Report asset = new_asset(name, "in/" + name, "out/" + name, "failed");
  asset["error"] = {{"exit_code", exit_code}, {"message", message}};
  return asset;
}

inline Report asset_with(const std::string& name, const std::string& status,
                         const Findings& findings = {}) {
  Report asset = new_asset(name, "in/" + name, "out/" + name, status);
  asset["seconds"] = 0.5;
  asset["command"] = "gvbind bind in/" + shell_word(name);
  asset["findings"] = findings_json(findings);
  return asset;
}

inline Report report_of(std::initializer_list<Report> assets, FailOn fail_on = Severity::error,
                        std::optional<Shard> shard = {}) {
  RunFacts run;
  run.out = "out";
  run.shard = shard;
  Report report = new_report(run);
  for (const Report& asset : assets) report["assets"].push_back(asset);
  finish_report(report, 2.0, fail_on);
  return report;
}

inline Finding finding(Severity severity, const std::string& code = "joint-outside",
                       const std::string& pointer = "") {
  return {severity, code, "about " + code, pointer};
}

}  // namespace gvbind::test
