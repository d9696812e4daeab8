#include "common/console.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>

#include "gvbind/base/utf8.h"
#include "platform/session.h"
#include "report/batch_report.h"

namespace gvbind {

namespace {

bool status_shown = false;
bool only_errors = false;

void remove_status() {
  if (status_shown) std::fputs("\r\033[K", stderr);
  status_shown = false;
}

void write_whole(std::FILE* stream, LogLevel level, std::string_view text) {
  remove_status();
  // Keep the order of lines when both streams go to one place.
  std::fflush(stream == stdout ? stderr : stdout);
  say(stream, level, text);
}

bool in_color() {
  const char* no_color = std::getenv("NO_COLOR");
  return !(no_color && *no_color) && platform::takes_escapes(stderr);
}

/// Cuts to `longest` bytes, at a character boundary.
std::string_view cut(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

const char* color_of(Severity severity) {
  return severity == Severity::error ? "\033[31m" : severity == Severity::warning ? "\033[33m" : "";
}

}  // namespace

void print_line(std::FILE* stream, std::string_view line, LogLevel level) {
  if (only_errors && level < LogLevel::error) return;
  write_whole(stream, level, printable(line).append("\n"));
}

void print_finding(Severity severity, std::string_view line) {
  if (only_errors && severity != Severity::error) return;
  std::string text = severity_name(severity);
  if (in_color()) text = color_of(severity) + text + "\033[m";
  write_whole(stderr, level_of(severity), text.append(": ").append(printable(line)).append("\n"));
}

void print_only_errors() { only_errors = true; }

LogLevel level_of(Severity severity) {
  return severity == Severity::error     ? LogLevel::error
         : severity == Severity::warning ? LogLevel::warning
                                         : LogLevel::info;
}

void print_json(std::FILE* stream, std::string_view json) {
  std::string text = printable_json(json);
  if (!text.ends_with('\n')) text += '\n';
  write_whole(stream, LogLevel::info, text);
}

void print_verbatim(std::FILE* stream, std::string_view text) {
  write_whole(stream, LogLevel::info, text);
}

void print_status(std::string_view line) {
  remove_status();
  if (!line.empty() && !only_errors) {
    constexpr std::size_t min_width = 20;
    const std::string shown = printable(line);
    const std::string_view text = cut(shown, std::max(min_width, terminal_width(stderr) - 1));
    std::fwrite(text.data(), 1, text.size(), stderr);
    status_shown = true;
  }
  std::fflush(stderr);
}

void forget_status() { status_shown = false; }

std::size_t terminal_width(std::FILE* stream) {
  constexpr std::size_t usual = 80;
  std::size_t columns = 0;
  if (const char* text = std::getenv("COLUMNS"))
    std::from_chars(text, text + std::strlen(text), columns);
  if (columns == 0) columns = platform::terminal_columns(stream);
  return columns > 0 ? columns : usual;
}

}  // namespace gvbind
