#include "repeat_command.h"

#include "report/batch_report.h"

namespace gvbind {

namespace {

/// A path that is no option and no list, whatever it begins with.
std::string path_argument(const std::filesystem::path& path) {
  const std::string text = path.string();
  const bool odd = text.starts_with('-') || text.starts_with('[');
  return shell_word(odd ? std::string("./").append(text) : text);
}

}  // namespace

std::string repeat_command(const std::filesystem::path& input, const std::filesystem::path& output,
                           const BindSettings& settings) {
  // The input comes before options that take any number of values.
  std::string command = "gvbind bind ";
  command += path_argument(input);
  command += " -o ";
  command += path_argument(output);
  command += " --force";
  for (const std::string& argument : option_arguments(settings))
    if (argument != "--force") command.append(" ").append(shell_word(argument));
  return command;
}

}  // namespace gvbind
