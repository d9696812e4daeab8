#include "report/batch_report.h"

#include <catch2/catch.hpp>
#include <cstdio>

#include "report/sample_report.h"

namespace gvbind {
namespace {

using test::asset_with, test::done_asset, test::failed_asset, test::sample_finding, test::report_of;

std::string shell_says(const std::string& word) {
  std::FILE* pipe = popen(("printf %s " + shell_word(word)).c_str(), "r");
  REQUIRE(pipe);
  std::string said;
  for (int c; (c = std::fgetc(pipe)) != EOF;) said += static_cast<char>(c);
  REQUIRE(pclose(pipe) == 0);
  return said;
}

TEST_CASE("worse than before fails a run that asks for it, whatever its severity") {
  FailOn worse = Severity::error;
  worse.worse = true;
  const auto code = [](const char* what, const FailOn& fail_on) {
    return report_of({done_asset("a", {sample_finding(Severity::note, what)})}, fail_on).exit_code;
  };
  CHECK(code("worse-than-before", worse) == 1);
  CHECK(code("worse-than-before", Severity::error) == 0);
  CHECK(code("joint-outside", worse) == 0);
  CHECK(code("worse-than-before", FailOn()) == 0);
}

TEST_CASE("assets are sorted by name and counted by status") {
  const Report report =
      report_of({done_asset("b"), failed_asset("a/z", 3, "broken"), done_asset("A"),
                 asset_with("c", AssetStatus::up_to_date), asset_with("d", AssetStatus::skipped)});
  std::string names;
  for (const AssetEntry& asset : report.assets) names += asset.name + " ";
  CHECK(names == "A a/z b c d ");
  CHECK(report.done == 2);
  CHECK(report.up_to_date == 1);
  CHECK(report.skipped == 1);
  CHECK(report.failed == 1);
  CHECK(report.interrupted == 0);
  CHECK(report.seconds == 2.0);
}

TEST_CASE("the exit code tells failures before findings") {
  const AssetEntry clean = done_asset("a");
  const AssetEntry warned =
      asset_with("w", AssetStatus::up_to_date, {sample_finding(Severity::warning)});
  const AssetEntry erring = done_asset("e", {sample_finding(Severity::error)});
  const AssetEntry broken = failed_asset("f", 3, "x"), other = failed_asset("g", 4, "x");
  CHECK(report_of({}).exit_code == 0);
  CHECK(report_of({clean, warned}).exit_code == 0);
  CHECK(report_of({clean, warned}, Severity::warning).exit_code == 1);
  CHECK(report_of({clean, erring}).exit_code == 1);
  CHECK(report_of({clean, erring}, std::nullopt).exit_code == 0);
  CHECK(report_of({clean, broken}).exit_code == 6);
  CHECK(report_of({erring, broken}, std::nullopt).exit_code == 6);
  CHECK(report_of({broken}).exit_code == 3);
  CHECK(report_of({broken, other}).exit_code == 6);
  CHECK(report_of({broken, asset_with("i", AssetStatus::interrupted)}).exit_code == 130);
}

TEST_CASE("an error about the run itself counts as a failure") {
  Report report = report_of({done_asset("a")});
  report.findings.push_back(sample_finding(Severity::error, "shard-missing"));
  CHECK(batch_exit_code(report) == 6);
}

TEST_CASE("members are written in the schema's order, and those without a value left out") {
  AssetEntry asset = new_asset("a", "i", "o", AssetStatus::done);
  asset.device = "cpu";
  asset.stages.emplace();
  asset.peak_bytes = 1;
  const Json json = json_of(asset);
  std::string members;
  for (const auto& [member, value] : json.items()) members += member + " ";
  CHECK(members ==
        "name input output status seconds skeleton options command picture key device stages "
        "peak_bytes findings error stderr ");
}

TEST_CASE("runs that differ in time alone are equal without their timings") {
  const auto run = [](double seconds) {
    AssetEntry asset = done_asset("a", {sample_finding(Severity::note)});
    const auto bytes = static_cast<std::size_t>(1e6 * seconds);
    asset.seconds = seconds;
    asset.stderr_text = "took " + std::to_string(seconds);
    asset.stages = {{"solid", seconds, bytes}};
    asset.peak_bytes = bytes;
    Report report = report_of({asset});
    finish_report(report, seconds, Severity::error);
    return report;
  };
  CHECK(report_text(run(1.0)) != report_text(run(2.0)));
  CHECK(report_text(strip_timings(run(1.0))) == report_text(strip_timings(run(2.0))));
  const Report stripped = strip_timings(run(1.0));
  CHECK(report_text(strip_timings(stripped)) == report_text(stripped));
  CHECK(stripped.assets[0].stages->front().name == "solid");
  CHECK(stripped.assets[0].findings.size() == 1);
}

TEST_CASE("names that are not UTF-8 end as UTF-8") {
  const Report report = report_of({done_asset("caf\xE9.glb")});
  CHECK(report.assets[0].name == "caf\xEF\xBF\xBD.glb");
  CHECK(Json::parse(report_text(report)) == json_of(report));
}

TEST_CASE("severities have names, and names severities") {
  for (const Severity severity : {Severity::note, Severity::warning, Severity::error})
    CHECK(severity_of(severity_name(severity)) == severity);
  CHECK_FALSE(severity_of("fatal"));
  CHECK_FALSE(worst_finding(done_asset("a")));
  CHECK(worst_finding(
            done_asset("a", {sample_finding(Severity::warning), sample_finding(Severity::error),
                             sample_finding(Severity::note)})) == Severity::error);
}

TEST_CASE("the gravest assets are those that failed") {
  const std::vector<AssetEntry> rising = {
      done_asset("a"),
      done_asset("b", {sample_finding(Severity::note)}),
      asset_with("c", AssetStatus::up_to_date, {sample_finding(Severity::warning)}),
      done_asset("d", {sample_finding(Severity::error), sample_finding(Severity::note)}),
      asset_with("e", AssetStatus::interrupted),
      failed_asset("f", 3, "x")};
  for (std::size_t i = 0; i < rising.size(); ++i)
    CHECK(gravity_of(rising[i]) == static_cast<int>(i));
}

TEST_CASE("a shell reads words back as they were") {
  for (const std::string word : {"plain.glb", "", "two words", "it's", "$(reboot)", "`x`", "a\nb",
                                 "*", "~", "-n", "ümlaut", "'", "\\", "a;b|c&d", "!x", "#c"})
    CHECK(shell_says(word == "-n" ? "--" + word : word) == (word == "-n" ? "--" + word : word));
  CHECK(shell_word("in/a-b_c.glb") == "in/a-b_c.glb");
}

TEST_CASE("the schema is whole JSON of the reports' name") {
  const Json schema = Json::parse(report_schema());
  CHECK(schema["properties"]["schema"]["const"] == json_of(Report())["schema"]);
}

}  // namespace
}  // namespace gvbind
