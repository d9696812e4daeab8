#include "common/log_file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "common/console.h"
#include "common/exit_codes.h"
#include "gvbind/error.h"
#include "io/file_io.h"
#include "platform/files.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_output(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::output, path + ": " + why);
}

/// Appends lines; each stays whole even if other runs append to the same file.
class LineFile {
 public:
  LineFile(OpenFile file, bool is_torn) : file_(std::move(file)), is_torn_(is_torn) {}

  void write(std::string_view line) {
    // After a full disk cut off a line, start on a new one.
    const std::string text = (is_torn_ ? "\n" : "") + std::string(line);
    for (std::size_t done = 0; done < text.size();) {
      const std::ptrdiff_t size =
          platform::write_some(file_.get(), text.data() + done, text.size() - done);
      if (size < 0) {
        is_torn_ = is_torn_ || done > 0;
        throw Error(ErrorKind::output, std::generic_category().message(errno));
      }
      done += static_cast<std::size_t>(size);
    }
    is_torn_ = false;
  }

 private:
  OpenFile file_;
  bool is_torn_;  ///< the last line has no line end
};

void write_to_stdout(std::string_view line) {
  const bool failed_before = std::ferror(stdout) != 0;
  print_verbatim(stdout, line);
  if (!failed_before && std::ferror(stdout) != 0)
    throw Error(ErrorKind::output, std::generic_category().message(errno));
}

/// Matches characters literally, except that a 0 in `shape` stands for any digit.
bool has_shape(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (shape[i] == '0' ? !is_digit : text[i] != shape[i]) return false;
  }
  return true;
}

/// Whether a file with this beginning is a log of gvbind in that format.
bool is_log(std::string_view head, LogFormat format) {
  const bool is_json = format == LogFormat::json;
  const std::string_view shape =
      is_json ? R"({"time":"0000-00-00T00:00:00.000Z","level":")" : "0000-00-00T00:00:00.000Z\t";
  if (!has_shape(head, shape)) return false;
  head.remove_prefix(shape.size());
  for (const std::string_view level : {"trace", "debug", "info", "warning", "error"})
    if (head.starts_with(level) && head.substr(level.size()).starts_with(is_json ? "\"," : "\t"))
      return true;
  return false;
}

std::string old_name(const LogFile& log, int age) {
  return age == 0 ? log.path : log.path + "." + std::to_string(age);
}

void rotate(const LogFile& log) {
  std::error_code ignored;
  if (!fs::is_regular_file(log.path, ignored)) return;
  for (int age = log.keep - 1; age >= 0; --age) {
    const std::string name = old_name(log, age);
    std::error_code error;
    if (!fs::exists(fs::symlink_status(name, ignored))) continue;
    fs::rename(name, old_name(log, age + 1), error);
    if (error) refuse_output(log.path, "cannot be rotated: " + name + ": " + error.message());
  }
}

bool ends_within_line(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) == 0 || error) return false;
  std::ifstream file(path, std::ios::binary);
  file.seekg(-1, std::ios::end);
  const int last = file.get();
  return file.good() && last != '\n';
}

OpenFile opened(const LogFile& log, bool create_directories) {
  const fs::path folder = fs::path(log.path).parent_path();
  std::error_code error;
  if (create_directories && !folder.empty()) fs::create_directories(folder, error);
  if (error) refuse_output(log.path, "its folder cannot be made: " + error.message());
  if (log.mode == LogMode::rotate) rotate(log);
  using platform::OpenFor;
  OpenFile file(platform::open_file(
      log.path, log.mode == LogMode::append ? OpenFor::appending : OpenFor::rewriting));
  if (file.get() < 0)
    refuse_output(log.path, "cannot be written: " + std::generic_category().message(errno));
  return file;
}

}  // namespace

std::vector<NamedFile> files_of(const LogFile& log) {
  std::vector<NamedFile> files;
  if (log.path.empty() || log.path == "-") return files;
  const int oldest = log.mode == LogMode::rotate ? log.keep : 0;
  for (int age = 0; age <= oldest; ++age) files.push_back({"--log", old_name(log, age)});
  return files;
}

void refuse_foreign_log(const LogFile& log) {
  const auto other = log.format == LogFormat::json ? LogFormat::text : LogFormat::json;
  for (const NamedFile& file : files_of(log)) {
    std::error_code error;
    if (!fs::is_regular_file(file.path, error) || fs::file_size(file.path, error) == 0) continue;
    std::array<char, 64> bytes{};
    std::ifstream stream(file.path, std::ios::binary);
    stream.read(bytes.data(), bytes.size());
    const std::string_view head(bytes.data(), static_cast<std::size_t>(stream.gcount()));
    if (is_log(head, log.format)) continue;
    const bool is_other = is_log(head, other);
    if (is_other && log.mode != LogMode::append) continue;
    const std::string goes_on = log.mode == LogMode::append ? "appends to it" : "overwrites it";
    refuse_output(file.path, is_other
                                 ? "is a log in the other --log-format; give it, another name "
                                   "or another --log-mode"
                                 : "is there already and no log of gvbind; --force " + goes_on);
  }
}

LogLevel log_level(int verbose) {
  return verbose > 1 ? LogLevel::trace : verbose == 1 ? LogLevel::debug : LogLevel::info;
}

std::shared_ptr<const EventLog> open_log(const LogFile& log, LogLevel least,
                                         bool create_directories) {
  if (log.path.empty()) return nullptr;
  EventLog::Output output;
  if (log.path == "-") {
    output.write = write_to_stdout;
  } else {
    OpenFile opened_file = opened(log, create_directories);
    const auto file =
        std::make_shared<LineFile>(std::move(opened_file), ends_within_line(log.path));
    output.write = [file](std::string_view line) { file->write(line); };
  }
  output.lost = [path = log.path](const std::string& why) {
    print_finding(Severity::warning, "--log: " + path + ": cannot be written: " + why);
  };
  return std::make_shared<EventLog>(std::move(output), log.format, least);
}

int with_log(const std::shared_ptr<const EventLog>& log, const std::string& command,
             const std::function<int()>& run) {
  if (!log) return run();
  const auto end = [&](int code) {
    log->write({code == 0 ? LogLevel::info : LogLevel::error, "", "", "",
                "ended with exit code " + std::to_string(code)});
  };
  log->write({LogLevel::info, "", "", "", "gvbind " GVBIND_VERSION ": " + command});
  try {
    const int code = run();
    end(code);
    return code;
  } catch (...) {
    const Error error = caught_error();
    log->write({LogLevel::error, "", "", "", error.what()});
    end(exit_code(error.kind()));
    throw;
  }
}

}  // namespace gvbind
