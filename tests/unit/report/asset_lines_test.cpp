#include "report/asset_lines.h"

#include <catch2/catch.hpp>

#include "gvbind/finding_codes.h"
#include "report/finding_kinds.h"
#include "report/sample_report.h"

namespace gvbind {
namespace {

using test::asset_with, test::done_asset, test::failed_asset, test::sample_finding, test::report_of;

std::vector<std::string> texts_of(const Findings& findings, Detail detail) {
  std::vector<std::string> texts;
  for (const FindingLine& line : finding_lines(findings, "a.fbx", detail))
    texts.push_back(line.text);
  return texts;
}

TEST_CASE("warnings of one kind are one line with their number and the worst") {
  Findings findings(14, sample_finding(Severity::warning, "joint-outside"));
  findings.front().message = "joint 'tail' is 40 % away";
  findings.push_back(sample_finding(Severity::warning, "vertices-unreached"));
  findings.push_back(sample_finding(Severity::note, "rigid-parts"));
  CHECK(texts_of(findings, Detail::warnings) ==
        std::vector<std::string>{
            "a.fbx: 14 joints are outside the mesh; the worst: joint 'tail' is 40 % away "
            "[joint-outside]",
            "a.fbx: about vertices-unreached [vertices-unreached]"});
  CHECK(texts_of(findings, Detail::errors).empty());
}

TEST_CASE("all findings are listed with -v, but twenty of a kind at most") {
  const Findings findings(25, sample_finding(Severity::note, "surfaces-touch"));
  const std::vector<std::string> texts = texts_of(findings, Detail::all);
  REQUIRE(texts.size() == 21);
  CHECK(texts.front() == "a.fbx: about surfaces-touch [surfaces-touch]");
  CHECK(texts.back() == "a.fbx: and 5 more [surfaces-touch]");
}

TEST_CASE(
    "a finding that makes the exit code 1 is an error at every detail, and names its threshold") {
  FailOn on_worse = Severity::error;
  on_worse.worse = true;
  const Findings findings = {
      sample_finding(Severity::note, std::string(finding::worse_than_before)),
      sample_finding(Severity::note, "rigid-parts")};
  for (const Detail detail : {Detail::errors, Detail::warnings, Detail::all}) {
    const std::vector<FindingLine> lines = finding_lines(findings, "a", detail, on_worse);
    REQUIRE(lines.size() == (detail == Detail::all ? 2u : 1u));
    CHECK(lines[0].severity == Severity::error);
    CHECK(lines[0].text ==
          "a: about worse-than-before [worse-than-before; --fail-on worse-than-before]");
  }
}

TEST_CASE("several assets with such findings, and interrupted ones, are summed up") {
  const Findings errors = {sample_finding(Severity::error)};
  CHECK(ending_lines(report_of({done_asset("a", errors)})).empty());
  CHECK(ending_lines(report_of({done_asset("a", errors), done_asset("b", errors),
                                asset_with("c", AssetStatus::interrupted)})) ==
        std::vector<std::string>{
            "2 assets have findings that make the exit code 1 by --fail-on: a, b",
            "1 asset was interrupted"});
}

TEST_CASE("a dry run that opened no input says so") {
  Report report;
  report.dry_run = true;
  report.assets = {done_asset("a")};
  finish_report(report, 1.0, Severity::error);
  CHECK(summary_line(report) == "1 to bind, 0 failed in 1.0 s; the inputs were not opened");
  report.assets[0].meshes.emplace();
  CHECK(summary_line(report) == "1 to bind, 0 failed in 1.0 s");
}

TEST_CASE("every kind of finding is a sentence with a number before it") {
  for (const FindingKind& kind : finding_kinds()) {
    INFO(kind.code);
    CHECK(finding_count_text(kind.code, 1) == "1 " + std::string(kind.one));
    CHECK(finding_count_text(kind.code, 2) == "2 " + std::string(kind.many));
    CHECK(kind.meaning.ends_with('.'));
    CHECK(kind.remedy.ends_with('.'));
  }
  CHECK(finding_count_text("of-another-version", 3) == "3 findings");
}

TEST_CASE("what became of an asset is one line") {
  AssetEntry asset = done_asset("a");
  asset.meshes = {{"m", 12034, 1, true, {}}, {"n", 5, 1, false, {}}};
  asset.joints = {{"j", 12034}, {"k", 0}};
  asset.device = "cpu";
  CHECK(result_line(asset, false) ==
        "out/a: bound 12,034 vertices to 1 of 2 joints in 0.50 s (cpu)");
  asset.skin.emplace();
  asset.skin->comparison.emplace();
  CHECK(result_line(asset, false).ends_with("(cpu)"));
  asset.skin->comparison->verdict = check::SkinVerdict::worse;
  CHECK(result_line(asset, false).ends_with("(cpu); judged worse"));
  asset.skin.reset();
  CHECK(result_line(asset, true) == "out/a: would bind 12,034 vertices to 2 joints (cpu)");
  CHECK(result_line(failed_asset("a", 3, "m"), false).empty());
}

TEST_CASE("the failed are repeated, fifty at most") {
  Report report;
  for (int i = 0; i < 60; ++i)
    report.assets.push_back(failed_asset(std::to_string(i), 3, "in/" + std::to_string(i)));
  report.assets.push_back(done_asset("fine"));
  finish_report(report, 1.0, Severity::error);
  const std::vector<std::string> lines = failure_lines(report);
  REQUIRE(lines.size() == 51);
  CHECK(lines.front() == "in/0");
  CHECK(lines.back() == "and 10 more; --report lists all");
  CHECK(summary_line(report) == "1 done, 60 failed in 1.0 s");
}

}  // namespace
}  // namespace gvbind
