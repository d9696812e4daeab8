#include "report/merge_reports.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "gvbind/error.h"
#include "report/sample_report.h"

namespace gvbind {
namespace {

using Catch::Contains;
using test::asset_with, test::done_asset, test::failed_asset, test::sample_finding, test::report_of;

const AssetEntry a = done_asset("a"), b = asset_with("b", AssetStatus::up_to_date),
                 c = failed_asset("c", 3, "broken"),
                 d = done_asset("d", {sample_finding(Severity::warning)});

Report shard(std::initializer_list<AssetEntry> assets, int index, int count) {
  return report_of(assets, Severity::error, Shard{index, count});
}

NamedReport part(const std::string& file, const Report& report) { return {file, json_of(report)}; }

std::string refusal(const std::vector<NamedReport>& parts) {
  try {
    merge_reports(parts, Severity::error);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return error.what();
  }
  FAIL("merged");
  return "";
}

TEST_CASE("shards merge into the report of a single run, in any order") {
  const Report single = report_of({a, b, c, d});
  std::vector<NamedReport> parts = {part("1", shard({c, a}, 1, 3)), part("2", shard({}, 2, 3)),
                                    part("3", shard({d, b}, 3, 3))};
  const Report merged = merge_reports(parts, Severity::error);
  CHECK(report_text(strip_timings(merged)) == report_text(strip_timings(single)));
  CHECK(merged.seconds == 6.0);
  CHECK(merged.exit_code == 6);
  std::reverse(parts.begin(), parts.end());
  CHECK(report_text(merge_reports(parts, Severity::error)) == report_text(merged));
}

TEST_CASE("one report merges into itself") {
  const Report single = report_of({a, b, d}, Severity::warning);
  CHECK(report_text(merge_reports({part("r", single)}, Severity::warning)) == report_text(single));
}

TEST_CASE("reports without timings merge into one without") {
  const Report merged = merge_reports(
      {part("1", strip_timings(shard({a}, 1, 2))), part("2", strip_timings(shard({b}, 2, 2)))},
      Severity::error);
  CHECK_FALSE(merged.seconds);
}

TEST_CASE("an asset reported twice alike is listed once") {
  AssetEntry later = a;
  later.seconds = 9.0;
  const Report merged = merge_reports(
      {part("1", shard({a}, 1, 2)), part("2", shard({later, b}, 2, 2))}, Severity::error);
  CHECK(merged.assets.size() == 2);
  CHECK(merged.done == 1);
}

TEST_CASE("an asset reported differently is an error that names it and both files") {
  const std::string message = refusal({part("one.json", shard({a}, 1, 2)),
                                       part("two.json", shard({failed_asset("a", 3, "x")}, 2, 2))});
  for (const char* word : {"one.json", "two.json", "'a'"}) CHECK_THAT(message, Contains(word));
}

TEST_CASE("a shard without a report is an error among the findings, and a failure") {
  const Report merged =
      merge_reports({part("1", shard({a}, 1, 4)), part("3", shard({b}, 3, 4))}, FailOn());
  REQUIRE(merged.findings.size() == 1);
  CHECK(merged.findings[0].code == "shard-missing");
  CHECK_THAT(merged.findings[0].message, Contains("shard 2, 4 of 4"));
  CHECK(merged.exit_code == 6);
  CHECK(merge_reports({part("1", shard({a}, 1, 1))}).findings.empty());
}

TEST_CASE("without a threshold, findings count as they did in the parts' own runs") {
  // d's warning counted in its run, whatever the threshold.
  const Report strict = report_of({d}, Severity::warning, Shard{2, 2});
  REQUIRE(strict.exit_code == 1);
  const std::vector<NamedReport> parts = {part("1", shard({a}, 1, 2)), part("2", strict)};
  CHECK(merge_reports(parts).exit_code == 1);
  CHECK(merge_reports(parts, Severity::error).exit_code == 0);
  CHECK(merge_reports(parts, FailOn()).exit_code == 0);
  CHECK(merge_reports({part("1", shard({a, c}, 1, 2)), part("2", strict)}).exit_code == 6);
  CHECK(merge_reports({part("1", shard({a}, 1, 2)), part("2", shard({d}, 2, 2))}).exit_code == 0);
}

TEST_CASE("options that decide outputs have to be shared, those of a run need not") {
  Report one = shard({a}, 1, 2), two = shard({b}, 2, 2);
  one.options = {{"alpha", 0.1}, {"report", "1.json"}, {"jobs", 2}, {"shard", "1/2"}};
  two.options = {{"alpha", 0.1}, {"report", "2.json"}, {"jobs", 2}, {"shard", "2/2"}};
  const Report merged = merge_reports({part("1", one), part("2", two)}, Severity::error);
  CHECK(merged.options == Json({{"alpha", 0.1}, {"jobs", 2}}));
  two.options["alpha"] = 0.2;
  CHECK_THAT(refusal({part("1", one), part("2", two)}), Contains("'alpha'"));
}

TEST_CASE("reports that do not belong together are refused") {
  Report other = shard({b}, 2, 2);
  other.tool.version = "9.9.9";
  CHECK_THAT(refusal({part("1", shard({a}, 1, 2)), part("2", other)}), Contains("9.9.9"));
  CHECK_THAT(refusal({part("1", shard({a}, 1, 2)), part("2", shard({b}, 2, 3))}),
             Contains("shards"));
  other = shard({b}, 2, 2);
  other.dry_run = true;
  CHECK_THAT(refusal({part("1", shard({a}, 1, 2)), part("2", other)}), Contains("dry_run"));
  CHECK_THROWS_AS(merge_reports({}, Severity::error), Error);
}

TEST_CASE("a file that is not a report is refused by name") {
  const Json whole = json_of(shard({a, c}, 1, 2));
  const std::function<void(Json&)> damages[] = {
      [](Json& r) { r = 7; },
      [](Json& r) { r = Json::array(); },
      [](Json& r) { r["schema"] = "gvbind/report/2"; },
      [](Json& r) { r.erase("assets"); },
      [](Json& r) { r["assets"] = "none"; },
      [](Json& r) { r["assets"].push_back(1); },
      [](Json& r) { r["assets"][0].erase("name"); },
      [](Json& r) { r["assets"][0]["findings"] = nullptr; },
      [](Json& r) {
        r["assets"][0]["findings"] = {{{"severity", "fatal"}}};
      },
      [](Json& r) { r["assets"][1]["error"] = "broken"; },
      [](Json& r) {
        r["shard"] = {{"index", 3}, {"count", 2}};
      },
      [](Json& r) {
        r["shard"] = {{"index", 1}, {"count", 4000000000}};
      },
      [](Json& r) { r["options"] = nullptr; },
  };
  for (const auto& damage : damages) {
    Json report = whole;
    damage(report);
    CHECK_THAT(refusal({NamedReport{"bad.json", report}}), Contains("bad.json"));
  }
}

}  // namespace
}  // namespace gvbind
