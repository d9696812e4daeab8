#include "report/junit_xml.h"

#include <cstdio>
#include <map>
#include <pugixml.hpp>
#include <sstream>

namespace gvbind {

namespace {

/// What XML 1.0 can carry: UTF-8 without controls and without U+FFFE and U+FFFF.
std::string xml_text(const std::string& text) {
  Report mended = text;
  mend_utf8(mended);
  const std::string& utf8 = mended.get_ref<const std::string&>();
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

  void add(const Totals& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
    seconds += other.seconds;
  }
};

void set(pugi::xml_node node, const char* attribute, const std::string& value) {
  node.append_attribute(attribute).set_value(xml_text(value).c_str());
}

void set_seconds(pugi::xml_node node, double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", seconds);
  node.append_attribute("time").set_value(text);
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

/// A suite on its way; its totals become attributes at the end.
struct Suite {
  pugi::xml_node node;
  std::string class_name, file;
  Totals totals;
  std::map<std::string, int> names{};

  pugi::xml_node add_case(const std::string& name) {
    const int seen = ++names[name];
    pugi::xml_node test = node.append_child("testcase");
    set(test, "name", seen == 1 ? name : name + " (" + std::to_string(seen) + ")");
    set(test, "classname", class_name);
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

void add_findings(Suite& suite, const Report& findings, FailOn fail_on) {
  for (const Report& finding : findings) {
    const std::string pointer = text_of(finding, "pointer"), code = text_of(finding, "code");
    const std::string severity = text_of(finding, "severity"),
                      message = text_of(finding, "message");
    pugi::xml_node test = suite.add_case(pointer.empty() ? code : code + ": " + pointer);
    if (fail_on && severity_of(severity) >= *fail_on)
      put_problem(suite, test, false, severity, message, severity + ": " + message);
    else
      put_body(test.append_child("system-out"), severity + ": " + message);
  }
}

/// Whether a bind's exit code speaks of where it ran rather than of the asset.
bool is_fault_of_surroundings(int exit_code) { return exit_code != 3 && exit_code != 4; }

void add_bind_case(Suite& suite, const Report& asset) {
  pugi::xml_node test = suite.add_case("bind");
  if (asset.contains("seconds")) set_seconds(test, asset["seconds"].get<double>());
  const std::string status = text_of(asset, "status"), command = text_of(asset, "command");
  const Report& error = asset.at("error");
  const std::string message = error.is_object() ? text_of(error, "message") : std::string();
  if (status == "failed") {
    const int code = error.is_object() ? error.at("exit_code").get<int>() : 70;
    std::string body = message;
    if (!command.empty()) body += "\n\nto repeat: " + command;
    const std::string said = text_of(asset, "stderr");
    if (!said.empty()) body += "\n\n" + said;
    put_problem(suite, test, is_fault_of_surroundings(code), "exit code " + std::to_string(code),
                message, body);
  } else if (status == "interrupted") {
    put_problem(suite, test, true, "interrupted", "the run was interrupted", "interrupted");
  } else if (status == "skipped") {
    ++suite.totals.skipped;
    set(test.append_child("skipped"), "message", message.empty() ? "skipped" : message);
  } else if (status == "up-to-date") {
    put_body(test.append_child("system-out"), "up to date");
  }
}

}  // namespace

std::string junit_xml(const Report& report, FailOn fail_on) {
  const bool timed = report.contains("seconds");
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version").set_value("1.0");
  declaration.append_attribute("encoding").set_value("UTF-8");
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", "gvbind");
  Totals whole;
  const auto add_suite = [&](const std::string& name, const std::string& file, const auto& fill) {
    Suite suite{root.append_child("testsuite"), name, file, {}};
    set(suite.node, "name", name);
    fill(suite);
    set_totals(suite.node, suite.totals, timed);
    whole.add(suite.totals);
  };
  if (!report.at("findings").empty())
    add_suite("gvbind", "",
              [&](Suite& suite) { add_findings(suite, report.at("findings"), fail_on); });
  for (const Report& asset : report.at("assets"))
    add_suite(text_of(asset, "name"), text_of(asset, "input"), [&](Suite& suite) {
      if (timed) suite.totals.seconds = asset.value("seconds", 0.0);
      add_bind_case(suite, asset);
      add_findings(suite, asset.at("findings"), fail_on);
    });
  set_totals(root, whole, timed);
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace gvbind
