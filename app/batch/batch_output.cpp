#include "batch/batch_output.h"

#include "bind/bind_report.h"
#include "common/asset_log.h"
#include "common/console.h"
#include "common/write_text.h"
#include "gvbind/error.h"
#include "report/html_page.h"
#include "report/junit_xml.h"

namespace gvbind {

namespace {

std::string page_of(const BatchCommand& command, const Report& report) {
  PageOptions options;
  options.picture = pictures_below(command.output);
  return html_page(report, options);
}

}  // namespace

FailOn fail_on_of(const BatchCommand& command) {
  const BindSettings settings = resolve_settings({&command.overrides}).settings;
  return fail_on_of(settings);
}

bool write_reports(const BatchCommand& command, const Report& full) {
  // Reports of ten thousand assets are not to be copied for nothing.
  const Report stripped = command.timings ? Report() : strip_timings(full);
  const Report& report = command.timings ? full : stripped;
  bool written = true;
  const auto attempt = [&](const std::string& target, const auto& write) {
    if (target.empty()) return;
    try {
      write();
    } catch (const Error& error) {
      written = false;
      print_finding(Severity::error, error.what());
    }
  };
  attempt(command.report, [&] { write_text(report_text(report), command.report, true); });
  attempt(command.junit,
          [&] { write_text_file(junit_xml(report, fail_on_of(command)), command.junit, true); });
  attempt(command.html, [&] { write_text_file(page_of(command, report), command.html, true); });
  log_to_github(report);
  return written;
}

}  // namespace gvbind
