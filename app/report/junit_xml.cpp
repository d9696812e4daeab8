#include "report/junit_xml.h"

#include <pugixml.hpp>
#include <sstream>

#include "gvbind/base/utf8.h"
#include "report/asset_lines.h"
#include "report/finding_kinds.h"

namespace gvbind {

namespace {

/// Keeps the characters that XML 1.0 allows: UTF-8 without control characters, U+FFFE and U+FFFF.
std::string xml_text(const std::string& text) {
  const std::string utf8 = mended_utf8(text);
  constexpr const char* replacement = "\xEF\xBF\xBD";
  std::string kept;
  kept.reserve(utf8.size());
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    const bool control = byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
    const bool noncharacter =
        utf8.compare(i, 3, "\xEF\xBF\xBE") == 0 || utf8.compare(i, 3, "\xEF\xBF\xBF") == 0;
    if (control || noncharacter)
      kept += replacement;
    else
      kept += utf8[i];
    if (noncharacter) i += 2;
  }
  return kept;
}

struct Totals {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0.0;
};

void set(pugi::xml_node node, const char* attribute, const std::string& value) {
  node.append_attribute(attribute).set_value(xml_text(value).c_str());
}

void set_seconds(pugi::xml_node node, double seconds) {
  node.append_attribute("time").set_value(fixed(seconds, 3).c_str());
}

void set_totals(pugi::xml_node node, const Totals& totals, bool timed) {
  node.append_attribute("tests").set_value(totals.tests);
  node.append_attribute("failures").set_value(totals.failures);
  node.append_attribute("errors").set_value(totals.errors);
  node.append_attribute("skipped").set_value(totals.skipped);
  if (timed) set_seconds(node, totals.seconds);
}

void put_body(pugi::xml_node node, const std::string& text) {
  node.text().set(xml_text(text).c_str());
}

/// The suite of a run while it is built; its totals become attributes at the end.
struct Suite {
  pugi::xml_node node;
  Totals totals;

  pugi::xml_node add_case(const std::string& name, const std::string& file) {
    pugi::xml_node test = node.append_child("testcase");
    set(test, "name", name);
    set(test, "classname", "gvbind");
    if (!file.empty()) set(test, "file", file);
    ++totals.tests;
    return test;
  }
};

void put_problem(Suite& suite, pugi::xml_node test, bool error, const std::string& type,
                 const std::string& message, const std::string& body) {
  ++(error ? suite.totals.errors : suite.totals.failures);
  pugi::xml_node problem = test.append_child(error ? "error" : "failure");
  set(problem, "type", type);
  set(problem, "message", message);
  put_body(problem, body);
}

/// One line per finding, worst kinds first, at most 20 of a kind.
std::string lines_of(const Findings& findings) {
  std::string text;
  for (const FindingLine& line : finding_lines(findings, "", Detail::all))
    text.append(severity_name(line.severity)).append(": ").append(line.text).append("\n");
  return text;
}

/// All findings that fail form one failure. `more` goes before the lines of findings.
void put_findings(Suite& suite, pugi::xml_node test, const Findings& findings,
                  const Findings& failing, const std::string& more = "") {
  if (!failing.empty()) {
    const FindingGroup worst = group_findings(failing).front();
    put_problem(suite, test, false, worst.code, group_text(worst), lines_of(failing));
  }
  const std::string text = more + lines_of(findings);
  if (!text.empty()) put_body(test.append_child("system-out"), text);
}

/// Whether the exit code of a bind indicates a fault of the environment, not of the asset.
bool is_fault_of_surroundings(int exit_code) { return exit_code != 3 && exit_code != 4; }

void put_failed_bind(Suite& suite, pugi::xml_node test, const AssetEntry& asset) {
  const EntryError error = asset.error.value_or(EntryError{70, ""});
  std::string body = error.message;
  if (!asset.command.empty()) body += "\n\nto repeat: " + asset.command;
  if (const std::string said = asset.stderr_text.value_or(""); !said.empty()) body += "\n\n" + said;
  put_problem(suite, test, is_fault_of_surroundings(error.exit_code),
              "exit code " + std::to_string(error.exit_code), error.message, body);
  if (!asset.findings.empty()) put_body(test.append_child("system-out"), lines_of(asset.findings));
}

void put_skipped(Suite& suite, pugi::xml_node test, const AssetEntry& asset) {
  ++suite.totals.skipped;
  set(test.append_child("skipped"), "message",
      asset.findings.empty() ? "skipped" : asset.findings.front().message);
}

std::string skin_line(const AssetEntry& asset) {
  const std::string skin = skin_text(asset);
  return skin.empty() ? "" : "skin: " + skin + "\n";
}

void add_asset(Suite& suite, const AssetEntry& asset) {
  pugi::xml_node test = suite.add_case(asset.name, asset.input);
  if (asset.seconds) {
    set_seconds(test, *asset.seconds);
    suite.totals.seconds += *asset.seconds;
  }
  if (asset.status == AssetStatus::failed)
    put_failed_bind(suite, test, asset);
  else if (asset.status == AssetStatus::interrupted)
    put_problem(suite, test, true, "interrupted", "the run was interrupted", "interrupted");
  else if (asset.status == AssetStatus::skipped)
    put_skipped(suite, test, asset);
  else
    put_findings(suite, test, asset.findings, failing_findings(asset), skin_line(asset));
}

}  // namespace

std::string junit_xml(const Report& report) {
  const bool timed = report.seconds.has_value();
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version").set_value("1.0");
  declaration.append_attribute("encoding").set_value("UTF-8");
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", "gvbind");
  Suite suite{root.append_child("testsuite"), {}};
  set(suite.node, "name", "gvbind");
  if (!report.findings.empty())
    put_findings(suite, suite.add_case("the run", ""), report.findings, failing_findings(report));
  for (const AssetEntry& asset : report.assets) add_asset(suite, asset);
  set_totals(suite.node, suite.totals, timed);
  set_totals(root, suite.totals, timed);
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace gvbind
