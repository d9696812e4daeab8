#include "report/junit_xml.h"

#include <catch2/catch.hpp>
#include <pugixml.hpp>
#include <set>

#include "report/sample_report.h"

namespace gvbind {
namespace {

using test::asset_with, test::failed_asset, test::finding, test::report_of;

pugi::xml_document parsed(const std::string& xml) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(xml.c_str());
  INFO(result.description());
  REQUIRE(result);
  return document;
}

pugi::xml_node suite_of(const pugi::xml_document& document, const char* name) {
  return document.child("testsuites").find_child_by_attribute("testsuite", "name", name);
}

int number(pugi::xml_node node, const char* attribute) {
  return node.attribute(attribute).as_int(-1);
}

TEST_CASE("an asset without findings is a suite of one passed case") {
  const auto xml = parsed(junit_xml(report_of({asset_with("a.glb", "done")}), Severity::error));
  const pugi::xml_node suite = suite_of(xml, "a.glb");
  CHECK(number(suite, "tests") == 1);
  CHECK(number(suite, "failures") == 0);
  const pugi::xml_node test = suite.child("testcase");
  CHECK(std::string(test.attribute("name").value()) == "bind");
  CHECK(std::string(test.attribute("classname").value()) == "a.glb");
  CHECK(std::string(test.attribute("file").value()) == "in/a.glb");
  CHECK(std::string(test.attribute("time").value()) == "0.500");
  CHECK_FALSE(test.first_child());
}

TEST_CASE("assets that cannot be bound fail, and what is not their fault is an error") {
  Report broken = failed_asset("broken", 3, "is cut off");
  broken["stderr"] = "said before the end";
  const auto xml =
      parsed(junit_xml(report_of({broken, failed_asset("slow", 8, "no end"),
                                  asset_with("left", "skipped"), asset_with("cut", "interrupted")}),
                       Severity::error));
  const pugi::xml_node failure = suite_of(xml, "broken").child("testcase").child("failure");
  CHECK(std::string(failure.attribute("message").value()) == "is cut off");
  CHECK(std::string(failure.text().get()).find("is cut off") == 0);
  CHECK(std::string(failure.text().get()).find("said before the end") != std::string::npos);
  CHECK(suite_of(xml, "slow").child("testcase").child("error"));
  CHECK(suite_of(xml, "cut").child("testcase").child("error"));
  CHECK(suite_of(xml, "left").child("testcase").child("skipped"));
  const pugi::xml_node all = xml.child("testsuites");
  CHECK(number(all, "tests") == 4);
  CHECK(number(all, "failures") == 1);
  CHECK(number(all, "errors") == 2);
  CHECK(number(all, "skipped") == 1);
}

TEST_CASE("findings fail at or above fail-on and are told below it") {
  const Report report = report_of({asset_with(
      "a", "done",
      {finding(Severity::note), finding(Severity::warning), finding(Severity::error)})});
  const auto failures = [&](FailOn fail_on) {
    const auto xml = parsed(junit_xml(report, fail_on));
    const pugi::xml_node suite = suite_of(xml, "a");
    CHECK(number(suite, "tests") == 4);
    int told = 0;
    for (const pugi::xml_node test : suite.children("testcase"))
      told += test.child("system-out") ? 1 : 0;
    CHECK(told == 3 - number(suite, "failures"));
    return number(suite, "failures");
  };
  CHECK(failures(Severity::error) == 1);
  CHECK(failures(Severity::warning) == 2);
  CHECK(failures(Severity::note) == 3);
  CHECK(failures(std::nullopt) == 0);
}

TEST_CASE("cases of a suite have names of their own") {
  const Report report =
      report_of({asset_with("a", "done",
                            {finding(Severity::note, "x", "joint"),
                             finding(Severity::note, "x", "joint"), finding(Severity::note, "x"),
                             finding(Severity::note, "x"), finding(Severity::note, "bind")})});
  const auto xml = parsed(junit_xml(report, Severity::error));
  std::set<std::string> names;
  for (const pugi::xml_node test : suite_of(xml, "a").children("testcase"))
    names.insert(test.attribute("name").value());
  CHECK(names.size() == 6);
}

TEST_CASE("findings about the run are a suite of their own") {
  Report report = report_of({});
  report["findings"].push_back(finding_json(finding(Severity::error, "shard-missing")));
  const auto xml = parsed(junit_xml(report, Severity::error));
  CHECK(number(suite_of(xml, "gvbind"), "failures") == 1);
}

TEST_CASE("a report without timings gives XML without times") {
  const Report report = strip_timings(report_of({asset_with("a", "done")}));
  CHECK(junit_xml(report, Severity::error).find("time=") == std::string::npos);
}

TEST_CASE("any bytes in names and texts give XML that reads back") {
  std::string hostile =
      "]]> <a b=\"c\"> & &amp; ' \xC3\xA9 \xED\xA0\x80 \xF4\x90\x80\x80 \xEF\xBF\xBE"
      "\xEF\xBF\xBF \xC0\x80 -- ";
  for (int byte = 0; byte < 256; ++byte) hostile += static_cast<char>(byte);
  Report asset = failed_asset(hostile, 70, hostile);
  asset["stderr"] = hostile;
  asset["findings"] = findings_json({{Severity::error, hostile, hostile, hostile}});
  Report report = new_report({});
  report["assets"].push_back(asset);
  const std::string xml = junit_xml(report, Severity::error);
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
