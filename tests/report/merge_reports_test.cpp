#include "report/merge_reports.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "gvbind/error.h"
#include "report/sample_report.h"

namespace gvbind {
namespace {

using Catch::Matchers::Contains;
using test::asset_with, test::failed_asset, test::finding, test::report_of;

const Report a = asset_with("a", "done"), b = asset_with("b", "up-to-date"),
             c = failed_asset("c", 3, "broken"),
             d = asset_with("d", "done", {finding(Severity::warning)});

Report shard(std::initializer_list<Report> assets, int index, int count) {
  return report_of(assets, Severity::error, Shard{index, count});
}

std::string refusal(std::vector<NamedReport> parts) {
  try {
    merge_reports(std::move(parts), Severity::error);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return error.what();
  }
  FAIL("merged");
  return "";
}

TEST_CASE("shards join into what a single run writes, in any order") {
  const Report single = report_of({a, b, c, d});
  std::vector<NamedReport> parts = {
      {"1", shard({c, a}, 1, 3)}, {"2", shard({}, 2, 3)}, {"3", shard({d, b}, 3, 3)}};
  const Report merged = merge_reports(parts, Severity::error);
  CHECK(strip_timings(merged) == strip_timings(single));
  CHECK(merged["seconds"] == 6.0);
  CHECK(merged["exit_code"] == 6);
  std::reverse(parts.begin(), parts.end());
  CHECK(report_text(merge_reports(parts, Severity::error)) == report_text(merged));
}

TEST_CASE("one report merges into itself") {
  const Report single = report_of({a, b, d}, Severity::warning);
  CHECK(report_text(merge_reports({{"r", single}}, Severity::warning)) == report_text(single));
}

TEST_CASE("reports without timings merge into one without") {
  const Report merged = merge_reports(
      {{"1", strip_timings(shard({a}, 1, 2))}, {"2", strip_timings(shard({b}, 2, 2))}},
      Severity::error);
  CHECK_FALSE(merged.contains("seconds"));
}

TEST_CASE("an asset told twice alike is told once") {
  Report later = a;
  later["seconds"] = 9.0;
  const Report merged =
      merge_reports({{"1", shard({a}, 1, 2)}, {"2", shard({later, b}, 2, 2)}}, Severity::error);
  CHECK(merged["assets"].size() == 2);
  CHECK(merged["done"] == 1);
}

TEST_CASE("an asset told differently is an error that names it and both files") {
  const std::string message = refusal(
      {{"one.json", shard({a}, 1, 2)}, {"two.json", shard({failed_asset("a", 3, "x")}, 2, 2)}});
  for (const char* word : {"one.json", "two.json", "'a'"}) CHECK_THAT(message, Contains(word));
}

TEST_CASE("a shard without a report is an error among the findings, and a failure") {
  const Report merged = merge_reports({{"1", shard({a}, 1, 4)}, {"3", shard({b}, 3, 4)}}, FailOn());
  REQUIRE(merged["findings"].size() == 1);
  CHECK(merged["findings"][0]["code"] == "shard-missing");
  CHECK_THAT(text_of(merged["findings"][0], "message"), Contains("shard 2, 4 of 4"));
  CHECK(merged["exit_code"] == 6);
  CHECK(merge_reports({{"1", shard({a}, 1, 1)}})["findings"].empty());
}

TEST_CASE("without a threshold, findings count as they did in the parts' own runs") {
  // d's warning counted in its run, whatever made it count.
  const Report strict = report_of({d}, Severity::warning, Shard{2, 2});
  REQUIRE(strict["exit_code"] == 1);
  const std::vector<NamedReport> parts = {{"1", shard({a}, 1, 2)}, {"2", strict}};
  CHECK(merge_reports(parts)["exit_code"] == 1);
  CHECK(merge_reports(parts, Severity::error)["exit_code"] == 0);
  CHECK(merge_reports(parts, FailOn())["exit_code"] == 0);
  CHECK(merge_reports({{"1", shard({a, c}, 1, 2)}, {"2", strict}})["exit_code"] == 6);
  CHECK(merge_reports({{"1", shard({a}, 1, 2)}, {"2", shard({d}, 2, 2)}})["exit_code"] == 0);
}

TEST_CASE("options that decide outputs have to be shared, those of a run need not") {
  Report one = shard({a}, 1, 2), two = shard({b}, 2, 2);
  one["options"] = {{"alpha", 0.1}, {"report", "1.json"}, {"jobs", 2}, {"shard", "1/2"}};
  two["options"] = {{"alpha", 0.1}, {"report", "2.json"}, {"jobs", 2}, {"shard", "2/2"}};
  const Report merged = merge_reports({{"1", one}, {"2", two}}, Severity::error);
  CHECK(merged["options"] == Report({{"alpha", 0.1}, {"jobs", 2}}));
  two["options"]["alpha"] = 0.2;
  CHECK_THAT(refusal({{"1", one}, {"2", two}}), Contains("'alpha'"));
}

TEST_CASE("what does not belong together is refused") {
  Report other = shard({b}, 2, 2);
  other["tool"]["version"] = "9.9.9";
  CHECK_THAT(refusal({{"1", shard({a}, 1, 2)}, {"2", other}}), Contains("9.9.9"));
  CHECK_THAT(refusal({{"1", shard({a}, 1, 2)}, {"2", shard({b}, 2, 3)}}), Contains("shards"));
  other = shard({b}, 2, 2);
  other["dry_run"] = true;
  CHECK_THAT(refusal({{"1", shard({a}, 1, 2)}, {"2", other}}), Contains("dry_run"));
  CHECK_THROWS_AS(merge_reports({}, Severity::error), Error);
}

TEST_CASE("what is no report is refused by name") {
  const Report whole = shard({a, c}, 1, 2);
  const std::function<void(Report&)> damages[] = {
      [](Report& r) { r = 7; },
      [](Report& r) { r = Report::array(); },
      [](Report& r) { r["schema"] = "gvbind/report/2"; },
      [](Report& r) { r.erase("assets"); },
      [](Report& r) { r["assets"] = "none"; },
      [](Report& r) { r["assets"].push_back(1); },
      [](Report& r) { r["assets"][0].erase("name"); },
      [](Report& r) { r["assets"][0]["findings"] = nullptr; },
      [](Report& r) {
        r["assets"][0]["findings"] = {{{"severity", "fatal"}}};
      },
      [](Report& r) { r["assets"][1]["error"] = "broken"; },
      [](Report& r) {
        r["shard"] = {{"index", 3}, {"count", 2}};
      },
      [](Report& r) {
        r["shard"] = {{"index", 1}, {"count", 4000000000}};
      },
      [](Report& r) { r["options"] = nullptr; },
  };
  for (const auto& damage : damages) {
    Report report = whole;
    damage(report);
    CHECK_THAT(refusal({{"bad.json", report}}), Contains("bad.json"));
  }
}

}  // namespace
}  // namespace gvbind
