#include "report/github.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "gvbind/finding_codes.h"
#include "report/sample_report.h"
#include "support/scratch_folder.h"

namespace gvbind {
namespace {

using test::asset_with, test::done_asset, test::failed_asset, test::sample_finding, test::report_of,
    test::ScratchFolder;

TEST_CASE("errors are annotated first, then warnings, and notes not at all") {
  const Report report = report_of({done_asset("a", {sample_finding(Severity::warning, "w", "j"),
                                                    sample_finding(Severity::note, "n")}),
                                   failed_asset("b", 3, "is cut off")});
  CHECK(github_annotations(report, "") ==
        "::error file=in/b,title=b%3A failed::is cut off\n"
        "::warning file=in/a,title=a%3A w::about w\n");
}

FailOn on_worse() {
  FailOn fail_on = Severity::error;
  fail_on.worse = true;
  return fail_on;
}

TEST_CASE("a finding that makes the exit code 1 is an error, and its asset has no tick") {
  const Report report = report_of(
      {done_asset("a", {sample_finding(Severity::warning, "w"),
                        sample_finding(Severity::note, std::string(finding::worse_than_before))}),
       done_asset("b")},
      on_worse());
  CHECK(report.exit_code == 1);
  CHECK(github_annotations(report, "") ==
        "::error file=in/a,title=a%3A worse-than-before::about worse-than-before\n"
        "::warning file=in/a,title=a%3A w::about w\n");
  const std::string summary = github_summary(report);
  CHECK(summary.find("2 done; 1 with findings that fail") != std::string::npos);
  CHECK(summary.find("| a | ❌ done | 0.50 | error: about worse-than-before (and 1 more) |") !=
        std::string::npos);
  CHECK(summary.find("| b | ✅ done |") != std::string::npos);
}

TEST_CASE("characters that would end a command are escaped") {
  AssetEntry asset = failed_asset("x", 3, "50 %\r\n::error::more");
  asset.input = "a,b:c%d\ne";
  CHECK(github_annotations(report_of({asset}), "") ==
        "::error file=a%2Cb%3Ac%25d\\ne,title=x%3A failed::50 %25\\r\\n::error::more\n");
  asset.error->message = "%0A::error::\x1b\x07" + std::string(1, '\0') + "\xc2\x9b";
  CHECK(
      github_annotations(report_of({asset}), "").find("::%250A::error::\\x1b\\x07\\x00\\u009b\n") !=
      std::string::npos);
}

TEST_CASE("findings of one kind are one annotation, and ten of a severity are the most") {
  const Findings many(30, sample_finding(Severity::warning, "joint-outside"));
  Report report = report_of({done_asset("a", many)});
  CHECK(github_annotations(report, "") ==
        "::warning file=in/a,title=a%3A joint-outside::30 joints are outside the mesh; the worst: "
        "about joint-outside\n");
  for (int i = 0; i < 12; ++i)
    report.assets.push_back(failed_asset("f" + std::to_string(i), 3, "m"));
  const std::string lines = github_annotations(report, "");
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 11);
  CHECK(lines.find("::error file=in/f0,") == 0);
  CHECK(lines.find("::error title=gvbind::and 3 more errors") != std::string::npos);
}

TEST_CASE("paths below the workspace are relative to it") {
  AssetEntry asset = failed_asset("x", 3, "m");
  for (const auto& [input, told] : {std::pair{"/w/repo/art/x.glb", "art/x.glb"},
                                    {"/w/other/x.glb", "/w/other/x.glb"},
                                    {"/w/repository/x.glb", "/w/repository/x.glb"},
                                    {"art/x.glb", "art/x.glb"}}) {
    asset.input = input;
    CHECK(
        github_annotations(report_of({asset}), "/w/repo").find(std::string("file=") + told + ",") !=
        std::string::npos);
  }
}

TEST_CASE("the summary's table has the worst first and holds together") {
  const std::string summary =
      github_summary(report_of({asset_with("fine", AssetStatus::up_to_date),
                                done_asset("a|b", {sample_finding(Severity::warning)}),
                                failed_asset("zz", 3, "<b>bad</b>\n| news |")}));
  CHECK(summary.find("1 done, 1 up to date, 1 failed") != std::string::npos);
  const std::size_t failed = summary.find("| zz |"), warned = summary.find("a\\|b"),
                    fine = summary.find("| fine |");
  REQUIRE(fine != std::string::npos);
  CHECK(failed < warned);
  CHECK(warned < fine);
  CHECK(summary.find("&lt;b>") == std::string::npos);
  CHECK(summary.find("&lt;b\\>bad&lt;/b\\>\\\\n\\| news \\|") != std::string::npos);
}

TEST_CASE("the summary of a great many assets stays below GitHub's limit") {
  Report report;
  for (int i = 0; i < 20000; ++i)
    report.assets.push_back(failed_asset("asset" + std::to_string(i), 3, std::string(200, 'x')));
  finish_report(report, 1.0, Severity::error);
  const std::string summary = github_summary(report);
  CHECK(summary.size() < 1024 * 1024);
  CHECK(summary.find("more assets are in the report") != std::string::npos);
}

TEST_CASE("the summary is appended where GitHub wants it") {
  const ScratchFolder folder;
  const auto path = folder.write("summary", std::string_view("before\n"));
  setenv("GITHUB_STEP_SUMMARY", path.c_str(), 1);
  CHECK(append_github_summary(report_of({done_asset("a")})).empty());
  unsetenv("GITHUB_STEP_SUMMARY");
  std::ifstream stream(path);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  CHECK(text.find("before\n### gvbind: 1 done") == 0);
}

}  // namespace
}  // namespace gvbind
