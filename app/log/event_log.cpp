#include "log/event_log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>

#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "gvbind/base/utf8.h"

namespace gvbind {

namespace {

using nlohmann::ordered_json;

constexpr const char* time_pattern = "%Y-%m-%dT%H:%M:%S.%eZ";

spdlog::level::level_enum level_of(LogLevel level) {
  return static_cast<spdlog::level::level_enum>(level);
}

static_assert(static_cast<int>(LogLevel::trace) == SPDLOG_LEVEL_TRACE &&
              static_cast<int>(LogLevel::error) == SPDLOG_LEVEL_ERROR);

/// Passes lines to a function of the owner.
class LineSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit LineSink(std::function<void(std::string_view)> write) : write_(std::move(write)) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    write_({line.data(), line.size()});
  }
  void flush_() override {}

  std::function<void(std::string_view)> write_;
};

/// Writes text that is already escaped and ended.
class StreamSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  explicit StreamSink(std::FILE* stream) : stream_(stream) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    std::fwrite(message.payload.data(), 1, message.payload.size(), stream_);
  }
  void flush_() override { std::fflush(stream_); }

  std::FILE* stream_;
};

std::string text_fields(const LogEvent& event) {
  std::string text;
  for (const std::string* field : {&event.asset, &event.stage, &event.finding})
    text += (field->empty() ? "-" : printable(*field)) + "\t";
  return text + printable(event.message);
}

/// The members after "level".
std::string json_fields(const LogEvent& event) {
  const auto named = [](const std::string& name) {
    return name.empty() ? ordered_json() : ordered_json(name);
  };
  const ordered_json object = {{"asset", named(event.asset)},
                               {"stage", named(event.stage)},
                               {"finding", named(event.finding)},
                               {"message", event.message}};
  const std::string text = object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  return printable_json(text).substr(1);
}

std::unique_ptr<spdlog::logger> stream_logger(std::FILE* stream) {
  auto logger = std::make_unique<spdlog::logger>("", std::make_shared<StreamSink>(stream));
  logger->set_level(spdlog::level::trace);
  logger->flush_on(spdlog::level::trace);
  return logger;
}

}  // namespace

struct EventLog::Lines {
  LogFormat format;
  spdlog::logger logger;
  bool lost = false;
};

EventLog::EventLog(Output output, LogFormat format, LogLevel least)
    : lines_(new Lines{format, {"", std::make_shared<LineSink>(std::move(output.write))}}) {
  const std::string time = time_pattern;
  const std::string pattern = format == LogFormat::json
                                  ? R"({"time":")" + time + R"(","level":"%l",%v)"
                                  : time + "\t%l\t%v";
  spdlog::logger& logger = lines_->logger;
  logger.set_formatter(
      std::make_unique<spdlog::pattern_formatter>(pattern, spdlog::pattern_time_type::utc, "\n"));
  logger.set_level(level_of(least));
  logger.set_error_handler(
      [lines = lines_.get(), lost = std::move(output.lost)](const std::string& why) {
        if (std::exchange(lines->lost, true)) return;
        if (lost) lost(why);
      });
}

EventLog::~EventLog() = default;

void EventLog::write(const LogEvent& event) const {
  const spdlog::level::level_enum level = level_of(event.level);
  if (!lines_->logger.should_log(level)) return;
  const std::string fields =
      lines_->format == LogFormat::json ? json_fields(event) : text_fields(event);
  lines_->logger.log(level, spdlog::string_view_t(fields));
}

void say(std::FILE* stream, LogLevel level, std::string_view text) {
  // Never destroyed, since destructors of other objects may still print at exit.
  static spdlog::logger& to_stdout = *stream_logger(stdout).release();
  static spdlog::logger& to_stderr = *stream_logger(stderr).release();
  spdlog::logger& logger = stream == stdout ? to_stdout : to_stderr;
  logger.log(level_of(level), spdlog::string_view_t(text.data(), text.size()));
}

}  // namespace gvbind
