#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/help_formatter.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "cli/written_files.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "formats/document.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

/// The command that the line reached: `merge` in `gvbind report merge`.
const CLI::App& innermost(const CLI::App& app) {
  const std::vector<CLI::App*> used = app.get_subcommands();
  return used.empty() ? app : innermost(*used.front());
}

/// "gvbind report merge".
std::string line_of(const CLI::App& app) {
  return app.get_parent() ? line_of(*app.get_parent()) + " " + app.get_name() : app.get_name();
}

std::vector<std::string> names_below(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

/// The command that a word may stand for, as a hint: by its letters, or as a part of the name.
std::string command_hint(const std::string& word, const std::vector<std::string>& names) {
  constexpr std::size_t shortest_part = 3;
  if (std::string hint = nearest_name_hint(word, names); !hint.empty()) return hint;
  for (const std::string& name : names)
    if (word.size() >= shortest_part && name.find(word) != std::string::npos)
      return "; did you mean '" + name + "'?";
  return "";
}

/// Somebody gave a file without the command that takes it, or a command that is none.
[[noreturn]] void refuse_command(const CLI::App& app, const std::string& word) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const std::string unknown = "unknown command '" + word + "'";
  const std::string hint = command_hint(word, names_below(app));
  if (hint.empty() && fs::is_directory(word, ignored))
    throw Error(ErrorKind::usage,
                unknown + "; did you mean 'gvbind batch " + word + " -o OUT_DIR'?");
  if (hint.empty() && (is_written(word) || fs::exists(word, ignored)))
    throw Error(ErrorKind::usage, unknown + "; did you mean 'gvbind bind " + word + " -o OUT'?");
  throw Error(ErrorKind::usage,
              unknown + (hint.empty() ? ";" : hint) + " 'gvbind help' lists the commands");
}

/// Begins the words behind `--`, which are no options, whatever they begin with. CLI11 itself takes
/// no inputs behind it once it has one from before.
constexpr std::string_view input_mark = "\x1f--:";

std::string without_mark(std::string word) {
  if (word.starts_with(input_mark)) word.erase(0, input_mark.size());
  return word;
}

/// Lets the positionals of a command and of those below it take marked words.
void take_marked_words(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    if (option->get_positional())
      option->transform([](const std::string& word) { return without_mark(word); }, "");
  for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) take_marked_words(*sub);
}

/// The words of a line, the last first, as CLI11 takes them.
std::vector<std::string> words_of(int argc, const char* const* argv) {
  std::vector<std::string> words;
  bool inputs_alone = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (i > 1 && !inputs_alone && word == "--")
      inputs_alone = true;
    else
      words.push_back(inputs_alone ? std::string(input_mark) + word : word);
  }
  std::ranges::reverse(words);
  return words;
}

/// CLI11 says "--alpha: 1 required 0..1 missing".
std::string without_value(const CLI::ArgumentMismatch& error) {
  const std::string text = error.what();
  constexpr std::string_view between = ": 1 required ", end = " missing";
  const std::size_t at = text.find(between);
  if (at == text.npos || !text.ends_with(end)) return text;
  const std::size_t type = at + between.size();
  return text.substr(0, at) + ": needs a value, " +
         text.substr(type, text.size() - end.size() - type);
}

/// Refuses an unknown option or command, with the most likely one as a hint.
[[noreturn]] void refuse_extras(const CLI::App& app, const CLI::ParseError& error) {
  std::vector<std::string> extras = app.remaining(true);
  const bool marked = !extras.empty() && extras.front().starts_with(input_mark);
  std::ranges::transform(extras, extras.begin(), without_mark);
  const CLI::App& command = innermost(app);
  if (extras.empty())
    throw Error(ErrorKind::usage, std::string(error.what()) + "; 'gvbind help" +
                                      line_of(command).substr(app.get_name().size()) +
                                      "' shows its options");
  const bool flag = !marked && extras.front().starts_with('-');
  if (&command == &app && !flag) refuse_command(app, extras.front());
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_lnames().empty()) known.push_back("--" + option->get_lnames().front());
  if (!flag) known = names_below(command);
  const std::string name = extras.front().substr(0, extras.front().find('='));
  throw Error(ErrorKind::usage, "unknown " + std::string(flag ? "option" : "argument") + " '" +
                                    name + "'" + nearest_name_hint(name, known));
}

/// `gvbind help report merge`.
std::string help_on(const CLI::App& app, const std::vector<std::string>& names) {
  const CLI::App* command = &app;
  for (const std::string& name : names) {
    const auto found =
        command->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == name; });
    if (found.empty())
      throw Error(ErrorKind::usage, "'" + line_of(*command) + "' has no command '" + name + "'" +
                                        nearest_name_hint(name, names_below(*command)));
    command = found.front();
  }
  // CLI::App::help() would go on to `help` itself, which is the command that was parsed.
  return app.get_formatter()->make_help(command, line_of(*command), CLI::AppFormatMode::All);
}

/// The exit codes of this command, as a sentence for its help.
std::string exit_codes_of(const CLI::App& app) {
  const bool is_overview = app.get_parent() == nullptr;
  const auto takes_several = [](const CLI::Option* option) {
    return option->get_positional() && option->get_items_expected_max() > 1;
  };
  const bool several = is_overview || !app.get_options(takes_several).empty();
  std::string codes = "Exit codes: 0 done; ";
  if (is_overview)
    codes += "1 done, with findings at or above --fail-on, where a command has it; ";
  else if (app.get_option_no_throw("--fail-on"))
    codes += "1 done, with findings at or above --fail-on; ";
  codes += "2 usage; 3 input; 4 cannot be bound; 5 output; ";
  if (several) codes += "6 some of several inputs failed; ";
  return codes +
         "7 a device or memory is missing; 8 time limit; 70 internal error; 130 "
         "interrupted.";
}

/// Commands that read documents end their help with the exit codes, where they do not list their
/// own.
void add_exit_codes(CLI::App& app) {
  std::string footer = app.get_footer();
  const bool reads = app.get_parent() == nullptr || app.get_option_no_throw("--max-memory");
  if (!reads || footer.find("Exit codes:") != std::string::npos) return;
  if (!footer.empty()) footer += "\n\n";
  app.footer(footer + exit_codes_of(app));
}

/// The overview, where none is named.
Subcommand add_help(CLI::App& app) {
  const auto names = std::make_shared<std::vector<std::string>>();
  CLI::App* help = app.add_subcommand("help", "Explain a command and its options");
  help->add_option("COMMAND", *names, "Which: bind, report merge, ... [an overview]");
  return {help, [&app, names] {
            print_verbatim(stdout, help_on(app, *names));
            return 0;
          }};
}

}  // namespace

void parse_words(CLI::App& app, int argc, const char* const* argv) {
  take_marked_words(app);
  try {
    app.parse(words_of(argc, argv));
  } catch (const CLI::ExtrasError& error) {
    refuse_extras(app, error);
  } catch (const CLI::RequiredError& error) {
    // A misspelled required option is reported as missing under its right name.
    refuse_extras(app, error);
  } catch (const CLI::ArgumentMismatch& error) {
    throw Error(ErrorKind::usage, without_value(error));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) throw;  // --help and --version
    throw Error(ErrorKind::usage, error.what());
  }
}

int run_command_line(int argc, char** argv) {
  CLI::App app{
      "gvbind binds characters: it reads an FBX or glTF file with a skeleton, computes skin "
      "weights by Geodesic Voxel Binding, and writes the same file back with a skin.",
      "gvbind"};
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_all_flag("--help-all", "Print this help with all options and exit");
  app.set_version_flag("--version", "gvbind " GVBIND_VERSION);
  app.require_subcommand(1);
  app.allow_windows_style_options(false);  // '/art/hero.fbx' is a file
  app.option_defaults()->take_last();      // so that scripts can override earlier options

  const std::vector<Subcommand> subcommands = {
      add_bind(app),    add_tune(app),     add_refine(app),     add_batch(app),   add_transfer(app),
      add_rig(app),     add_retarget(app), add_convert(app),    add_weights(app), add_inspect(app),
      add_preview(app), add_view(app),     add_pose(app),       add_bake(app),    add_voxels(app),
      add_check(app),   add_score(app),    add_fit(app),        add_report(app),  add_schema(app),
      add_explain(app), add_doctor(app),   add_completion(app), add_manual(app),  add_help(app),
  };

  // Not before the commands are there: those without a footer would take it for theirs.
  app.footer(
      "Examples:\n"
      "  gvbind bind hero.fbx -o hero_skinned.fbx\n"
      "  gvbind batch art/ -o build/ --html build/index.html\n\n"
      "'gvbind help COMMAND' explains a command, 'gvbind explain' the findings "
      "of a bind or a check.");
  add_exit_codes(app);
  for (const Subcommand& subcommand : subcommands) {
    subcommand.app->group("Commands");
    add_exit_codes(*subcommand.app);
  }
  if (argc == 1) {
    print_verbatim(stderr, app.help());
    return exit_code(ErrorKind::usage);
  }
  try {
    parse_words(app, argc, argv);
  } catch (const CLI::CallForVersion& version) {
    print_verbatim(stdout, std::string(version.what()) + "\n");
    return 0;
  } catch (const CLI::CallForAllHelp&) {
    print_verbatim(stdout, app.help("", CLI::AppFormatMode::All));
    return 0;
  } catch (const CLI::Success&) {
    print_verbatim(stdout, app.help());
    return 0;
  }
  check_written_files(innermost(app));
  for (const Subcommand& subcommand : subcommands)
    if (subcommand.app->parsed()) return subcommand.run();
  throw Error(ErrorKind::internal, "no command was parsed");
}

}  // namespace gvbind
