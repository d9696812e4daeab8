#include "report/junit_xml.h"

#include <catch2/catch.hpp>
#include <iterator>
#include <pugixml.hpp>

#include "gvbind/finding_codes.h"
#include "report/sample_report.h"

namespace gvbind {
namespace {

using test::asset_with, test::done_asset, test::failed_asset, test::sample_finding, test::report_of;

pugi::xml_document parsed(const std::string& xml) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(xml.c_str());
  INFO(result.description());
  REQUIRE(result);
  return document;
}

pugi::xml_node case_of(const pugi::xml_document& document, const char* name) {
  return document.child("testsuites")
      .child("testsuite")
      .find_child_by_attribute("testcase", "name", name);
}

int number(pugi::xml_node node, const char* attribute) {
  return node.attribute(attribute).as_int(-1);
}

TEST_CASE("every asset is one case of the one suite") {
  Findings many(20, sample_finding(Severity::warning));
  const auto xml = parsed(junit_xml(
      report_of({done_asset("a.glb", many), asset_with("b.glb", AssetStatus::up_to_date)})));
  const pugi::xml_node suite = xml.child("testsuites").child("testsuite");
  CHECK_FALSE(suite.next_sibling());
  CHECK(number(suite, "tests") == 2);
  CHECK(number(suite, "failures") == 0);
  CHECK(std::distance(suite.begin(), suite.end()) == 2);
  CHECK(std::string(suite.attribute("time").value()) == "1.000");
  const pugi::xml_node test = case_of(xml, "a.glb");
  CHECK(std::string(test.attribute("classname").value()) == "gvbind");
  CHECK(std::string(test.attribute("file").value()) == "in/a.glb");
  CHECK(std::string(test.attribute("time").value()) == "0.500");
  CHECK(std::string(test.child("system-out").text().get()).find("warning: about joint-outside") ==
        0);
  CHECK_FALSE(case_of(xml, "b.glb").first_child());
}

TEST_CASE("assets that cannot be bound fail, and faults of the environment are errors") {
  AssetEntry broken = failed_asset("broken", 3, "is cut off");
  broken.stderr_text = "said before the end";
  const auto xml = parsed(junit_xml(report_of({broken, failed_asset("slow", 8, "no end"),
                                               asset_with("left", AssetStatus::skipped),
                                               asset_with("cut", AssetStatus::interrupted)})));
  const pugi::xml_node failure = case_of(xml, "broken").child("failure");
  CHECK(std::string(failure.attribute("message").value()) == "is cut off");
  CHECK(std::string(failure.text().get()).find("is cut off") == 0);
  CHECK(std::string(failure.text().get()).find("said before the end") != std::string::npos);
  CHECK(case_of(xml, "slow").child("error"));
  CHECK(case_of(xml, "cut").child("error"));
  CHECK(case_of(xml, "left").child("skipped"));
  const pugi::xml_node all = xml.child("testsuites");
  CHECK(number(all, "tests") == 4);
  CHECK(number(all, "failures") == 1);
  CHECK(number(all, "errors") == 2);
  CHECK(number(all, "skipped") == 1);
}

TEST_CASE("findings at or above fail-on are one failure, and all stand in the output") {
  const auto failure = [&](FailOn fail_on) {
    const auto xml =
        parsed(junit_xml(report_of({done_asset("a", {sample_finding(Severity::note, "n"),
                                                     sample_finding(Severity::warning, "w"),
                                                     sample_finding(Severity::error, "e")})},
                                   fail_on)));
    const pugi::xml_node test = case_of(xml, "a");
    const auto failures = test.children("failure");
    const auto count = std::distance(failures.begin(), failures.end());
    CHECK(number(xml.child("testsuites"), "failures") == count);
    CHECK(std::string(test.child("system-out").text().get()) ==
          "error: about e [e]\nwarning: about w [w]\nnote: about n [n]\n");
    return count == 1 ? std::string(test.child("failure").text().get()) : "";
  };
  CHECK(failure(Severity::error) == "error: about e [e]\n");
  CHECK(failure(Severity::warning) == "error: about e [e]\nwarning: about w [w]\n");
  CHECK(failure(std::nullopt).empty());
}

TEST_CASE("each asset's findings fail by its own threshold, be it new or up to date") {
  const Finding worse = sample_finding(Severity::note, std::string(finding::worse_than_before));
  FailOn on_worse = Severity::error;
  on_worse.worse = true;
  AssetEntry strict = asset_with("strict", AssetStatus::up_to_date, {worse});
  strict.fail_on = on_worse;
  const auto xml = parsed(junit_xml(report_of({strict, done_asset("lenient", {worse})})));
  CHECK(std::string(case_of(xml, "strict").child("failure").attribute("type").value()) ==
        "worse-than-before");
  CHECK(!case_of(xml, "lenient").child("failure"));
}

TEST_CASE("findings about the run are a case of their own") {
  Report report = report_of({});
  report.findings.push_back(sample_finding(Severity::error, "shard-missing"));
  const auto xml = parsed(junit_xml(report));
  CHECK(case_of(xml, "the run").child("failure"));
}

TEST_CASE("a report without timings gives XML without times") {
  const Report report = strip_timings(report_of({done_asset("a")}));
  CHECK(junit_xml(report).find("time=") == std::string::npos);
}

TEST_CASE("any bytes in names and texts give XML that reads back") {
  std::string hostile =
      "]]> <a b=\"c\"> & &amp; ' \xC3\xA9 \xED\xA0\x80 \xF4\x90\x80\x80 \xEF\xBF\xBE"
      "\xEF\xBF\xBF \xC0\x80 -- ";
  for (int byte = 0; byte < 256; ++byte) hostile += static_cast<char>(byte);
  AssetEntry asset = failed_asset(hostile, 70, hostile);
  asset.stderr_text = hostile;
  asset.findings = {{Severity::error, hostile, hostile, hostile}};
  Report report;
  report.assets.push_back(asset);
  const std::string xml = junit_xml(report);
  for (const char c : xml) {
    const auto byte = static_cast<unsigned char>(c);
    CHECK((byte >= 0x20 || c == '\n' || c == '\t' || c == '\r'));
  }
  for (const char* no :
       {"&#0;", "&#1;", "&#27;", "&#31;", "\xEF\xBF\xBE", "\xEF\xBF\xBF", "\xED\xA0"})
    CHECK(xml.find(no) == std::string::npos);
  const auto document = parsed(xml);
  const pugi::xml_node test = document.child("testsuites").child("testsuite").child("testcase");
  const std::string body = test.child("error").text().get();
  CHECK(body.find("]]> <a b=\"c\"> & &amp; ' \xC3\xA9") == 0);
}

}  // namespace
}  // namespace gvbind
