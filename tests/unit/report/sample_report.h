#pragma once

#include <initializer_list>
#include <string>

#include "report/batch_report.h"

namespace gvbind::test {

inline AssetEntry failed_asset(const std::string& name, int exit_code, const std::string& message) {
  AssetEntry asset = new_asset(name, "in/" + name, "out/" + name, AssetStatus::failed);
  asset.error = {exit_code, message};
  return asset;
}

inline AssetEntry asset_with(const std::string& name, AssetStatus status,
                             const Findings& findings = {}) {
  AssetEntry asset = new_asset(name, "in/" + name, "out/" + name, status);
  asset.seconds = 0.5;
  asset.command = "gvbind bind in/" + shell_word(name);
  asset.findings = findings;
  return asset;
}

inline AssetEntry done_asset(const std::string& name, const Findings& findings = {}) {
  return asset_with(name, AssetStatus::done, findings);
}

inline Report report_of(std::initializer_list<AssetEntry> assets, FailOn fail_on = Severity::error,
                        std::optional<Shard> shard = {}) {
  Report report;
  report.out = "out";
  report.shard = shard;
  report.assets = assets;
  finish_report(report, 2.0, fail_on);
  return report;
}

inline Finding sample_finding(Severity severity, const std::string& code = "joint-outside",
                              const std::string& pointer = "") {
  return {severity, code, "about " + code, pointer};
}

}  // namespace gvbind::test
