#include "report/batch_report.h"

#include <catch2/catch.hpp>
#include <cstdio>

#include "report/sample_report.h"

namespace gvbind {
namespace {

using test::asset_with, test::failed_asset, test::finding, test::report_of;

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
    return report_of({asset_with("a", "done", {finding(Severity::note, what)})}, fail_on)
        .at("exit_code")
        .get<int>();
  };
  CHECK(code("worse-than-before", worse) == 1);
  CHECK(code("worse-than-before", Severity::error) == 0);
  CHECK(code("joint-outside", worse) == 0);
  CHECK(code("worse-than-before", FailOn()) == 0);
}

TEST_CASE("assets are sorted by name and counted by status") {
  const Report report =
      report_of({asset_with("b", "done"), failed_asset("a/z", 3, "broken"), asset_with("A", "done"),
                 asset_with("c", "up-to-date"), asset_with("d", "skipped")});
  std::string names;
  for (const Report& asset : report["assets"]) names += text_of(asset, "name") + " ";
  CHECK(names == "A a/z b c d ");
  CHECK(report["done"] == 2);
  CHECK(report["up_to_date"] == 1);
  CHECK(report["skipped"] == 1);
  CHECK(report["failed"] == 1);
  CHECK(report["interrupted"] == 0);
  CHECK(report["seconds"] == 2.0);
}

TEST_CASE("the exit code tells failures before findings") {
  const Report clean = asset_with("a", "done");
  const Report warned = asset_with("w", "up-to-date", {finding(Severity::warning)});
  const Report erring = asset_with("e", "done", {finding(Severity::error)});
  const Report broken = failed_asset("f", 3, "x"), other = failed_asset("g", 4, "x");
  CHECK(report_of({})["exit_code"] == 0);
  CHECK(report_of({clean, warned})["exit_code"] == 0);
  CHECK(report_of({clean, warned}, Severity::warning)["exit_code"] == 1);
  CHECK(report_of({clean, erring})["exit_code"] == 1);
  CHECK(report_of({clean, erring}, std::nullopt)["exit_code"] == 0);
  CHECK(report_of({clean, broken})["exit_code"] == 6);
  CHECK(report_of({erring, broken}, std::nullopt)["exit_code"] == 6);
  CHECK(report_of({broken})["exit_code"] == 3);
  CHECK(report_of({broken, other})["exit_code"] == 6);
  CHECK(report_of({broken, asset_with("i", "interrupted")})["exit_code"] == 130);
}

TEST_CASE("an error about the run itself counts as a failure") {
  Report report = report_of({asset_with("a", "done")});
  report["findings"].push_back(finding_json(finding(Severity::error, "shard-missing")));
  CHECK(batch_exit_code(report, std::nullopt) == 6);
}

TEST_CASE("members are put in the schema's order, whatever the order of calls") {
  Report asset = new_asset("a", "i", "o", "done");
  put_member(asset, "peak_bytes", 1);
  put_member(asset, "device", "cpu");
  put_member(asset, "stages", Report::array());
  put_member(asset, "key", "abc");
  std::string members;
  for (const auto& [member, value] : asset.items()) members += member + " ";
  CHECK(members ==
        "name input output status seconds skeleton options command picture key device stages "
        "peak_bytes findings error stderr ");
  CHECK(asset["key"] == "abc");
}

TEST_CASE("runs that differ in time alone are equal without their timings") {
  const auto run = [](double seconds) {
    Report asset = asset_with("a", "done", {finding(Severity::note)});
    asset["seconds"] = seconds;
    asset["stderr"] = "took " + std::to_string(seconds);
    put_member(asset, "stages",
               {{{"name", "solid"}, {"seconds", seconds}, {"peak_bytes", 1e6 * seconds}}});
    put_member(asset, "peak_bytes", 1e6 * seconds);
    Report report = report_of({asset});
    finish_report(report, seconds, Severity::error);
    return report;
  };
  CHECK(run(1.0) != run(2.0));
  CHECK(strip_timings(run(1.0)) == strip_timings(run(2.0)));
  const Report stripped = strip_timings(run(1.0));
  CHECK(strip_timings(stripped) == stripped);
  CHECK(stripped["assets"][0]["stages"][0]["name"] == "solid");
  CHECK(stripped["assets"][0]["findings"].size() == 1);
}

TEST_CASE("names that are not UTF-8 end as UTF-8") {
  const Report report = report_of({asset_with("caf\xE9.glb", "done")});
  CHECK(report["assets"][0]["name"] == "caf\xEF\xBF\xBD.glb");
  CHECK(Report::parse(report_text(report)) == report);
}

TEST_CASE("severities have names, and names severities") {
  for (const Severity severity : {Severity::note, Severity::warning, Severity::error})
    CHECK(severity_of(severity_name(severity)) == severity);
  CHECK_FALSE(severity_of("fatal"));
  CHECK_FALSE(worst_finding(asset_with("a", "done")));
  CHECK(worst_finding(asset_with("a", "done",
                                 {finding(Severity::warning), finding(Severity::error),
                                  finding(Severity::note)})) == Severity::error);
}

TEST_CASE("the gravest assets are those that failed") {
  const std::vector<Report> rising = {
      asset_with("a", "done"),
      asset_with("b", "done", {finding(Severity::note)}),
      asset_with("c", "up-to-date", {finding(Severity::warning)}),
      asset_with("d", "done", {finding(Severity::error), finding(Severity::note)}),
      asset_with("e", "interrupted"),
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
  const Report schema = Report::parse(report_schema());
  CHECK(schema["properties"]["schema"]["const"] == new_report({})["schema"]);
}

}  // namespace
}  // namespace gvbind
