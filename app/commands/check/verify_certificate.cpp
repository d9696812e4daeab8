#include "commands/check/verify_certificate.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "common/certificate.h"
#include "common/console.h"
#include "common/write_text.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "report/asset_lines.h"
#include "report/batch_report.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

struct Verified {
  std::string file, certificate, version;
  std::size_t unchanged = 0;
  Findings findings;
};

void add(Verified& verified, Severity severity, const char* code, const std::string& message) {
  verified.findings.push_back({severity, code, message, ""});
}

void compare_file(const fs::path& output, const CertifiedFile& certified, Verified& verified) {
  const fs::path path = certified_place(output, certified.path).lexically_normal();
  const bool is_output = certified.of == "output";
  std::error_code ignored;
  const bool is_there = fs::exists(path, ignored);
  if (is_there && sha256_of_file(path) == certified.content) {
    ++verified.unchanged;
    return;
  }
  if (is_output)
    add(verified, Severity::error, "certified-output",
        path_text(path) + (is_there ? ": has changed since the certificate was written"
                                    : ": is missing, and the certificate names it"));
  else if (is_there)
    add(verified, Severity::error, "certified-input",
        path_text(path) + ": the " + certified.of +
            " has changed since the certificate was written; bind it again");
  else
    add(verified, Severity::note, "certified-input-missing",
        path_text(path) + ": the " + certified.of + " is not here, so it is not compared");
}

Verified verify(const std::string& file) {
  Verified verified;
  verified.file = file;
  const bool is_certificate = is_certificate_name(file);
  const fs::path path = is_certificate ? fs::path(file) : certificate_path(file);
  verified.certificate = path_text(path);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    add(verified, Severity::error, "certificate-missing",
        path_text(path) + ": is missing; 'gvbind bind --certificate' writes it");
    return verified;
  }
  try {
    const Certificate certificate = read_certificate(path);
    verified.version = certificate.version;
    const std::string name = mended_utf8(path_text(fs::path(file).filename()));
    if (!is_certificate && certificate.files[0].path != name)
      add(verified, Severity::error, "certificate-mismatch",
          path_text(path) + ": is of '" + certificate.files[0].path + "'");
    for (const CertifiedFile& one : certificate.files)
      compare_file(certified_output(path), one, verified);
    if (certificate.version != ReportTool::program_version())
      add(verified, Severity::warning, "certified-version",
          path_text(path) + ": was written by gvbind " + certificate.version + ", and this is " +
              ReportTool::program_version());
  } catch (const Error& error) {
    add(verified, Severity::error, "certificate-damaged", path_text(path) + ": " + error.what());
  }
  std::ranges::stable_sort(verified.findings, [](const Finding& a, const Finding& b) {
    return a.severity > b.severity;
  });
  return verified;
}

FailOn threshold(const CheckCommand& command) {
  return command.fail_never ? FailOn() : FailOn(command.fail_on);
}

void print(std::FILE* out, const Verified& verified, const CheckCommand& command) {
  const FailOn fail_on = threshold(command);
  const bool bad = any_fails(verified.findings, fail_on);
  if (command.quiet && !bad) return;
  std::string line = verified.file + ": " + (bad ? "FAILED" : "ok");
  if (!verified.version.empty())
    line += "  certificate of gvbind " + verified.version + ", " +
            counted(verified.unchanged, "file", "files") + " unchanged";
  print_line(out, line);
  const Detail detail = command.quiet ? Detail::errors : Detail::all;
  for (const FindingLine& one : finding_lines(verified.findings, "", detail, fail_on))
    print_line(out, std::string("  ") + severity_name(one.severity) + ": " + one.text);
}

Json report_json(const std::vector<Verified>& all, int code) {
  Json files = Json::array();
  for (const Verified& one : all)
    files.push_back({{"file", one.file},
                     {"certificate", one.certificate},
                     {"version", one.version},
                     {"unchanged", one.unchanged},
                     {"findings", json_of(one.findings)}});
  return {{"schema", "gvbind/verify/1"},
          {"tool", {{"name", "gvbind"}, {"version", ReportTool::program_version()}}},
          {"files", files},
          {"exit_code", code}};
}

std::vector<Verified> verify_all(const CheckCommand& command) {
  std::vector<Verified> all;
  for (const std::string& file : command.inputs) {
    if (file == "-")
      throw Error(ErrorKind::usage, "--verify: stdin has no certificate beside it; name a file");
    all.push_back(verify(file));
  }
  return all;
}

std::size_t count_failing(const std::vector<Verified>& all, const CheckCommand& command) {
  return static_cast<std::size_t>(std::ranges::count_if(
      all, [&](const Verified& one) { return any_fails(one.findings, threshold(command)); }));
}

}  // namespace

Json verify_report(const CheckCommand& command) {
  const std::vector<Verified> all = verify_all(command);
  return report_json(all, count_failing(all, command) > 0 ? 1 : 0);
}

int run_verify(const CheckCommand& command) {
  const std::vector<Verified> all = verify_all(command);
  std::FILE* out = command.json || command.report == "-" ? stderr : stdout;
  const std::size_t failing = count_failing(all, command);
  if (!command.json)
    for (const Verified& one : all) print(out, one, command);
  const int code = failing > 0 ? 1 : 0;
  if (code == 1)
    print_finding(Severity::error, std::to_string(failing) + " of " +
                                       counted(all.size(), "file", "files") +
                                       " whose certificate does not hold");
  if (command.json) write_json(report_json(all, code), "-");
  if (!command.report.empty()) write_json(report_json(all, code), command.report);
  return code;
}

}  // namespace gvbind
