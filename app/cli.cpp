#include "cli.h"

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "check_command.h"
#include "commands.h"
#include "gvbind/error.h"
#include "nearest_name.h"
#include "option_values.h"

namespace gvbind {

namespace {

constexpr const char* exit_codes =
    "Exit codes: 0 done; 1 done, with findings at or above --fail-on; 2 usage; 3 input; 4 cannot "
    "be\n"
    "bound; 5 output; 6 several inputs, some failed; 7 a device or memory is missing; 70 internal.";

template <typename Value>
void add_choice(CLI::App& app, const std::string& flag, Value& value,
                const std::map<std::string, Value>& choices, const std::string& help) {
  std::string names, current;
  for (const auto& [name, choice] : choices) {
    names += (names.empty() ? "" : "|") + name;
    if (choice == value) current = name;
  }
  app.add_option_function<std::string>(
         flag,
         [&value, choices, flag](const std::string& text) {
           const auto found = choices.find(text);
           if (found == choices.end()) {
             std::vector<std::string> known;
             for (const auto& entry : choices) known.push_back(entry.first);
             throw Error(ErrorKind::usage, flag + ": '" + text + "' is not one of its values" +
                                               nearest_name_hint(text, known));
           }
           value = found->second;
         },
         help + " [" + current + "]")
      ->type_name(names);
}

void add_selection(CLI::App& app, Selection& selection) {
  const std::string group = "What is bound";
  app.add_option("--meshes", selection.meshes, "Bind only the meshes of these names")
      ->type_name("GLOB")
      ->take_all()
      ->group(group);
  app.add_option("--joints", selection.joints, "Only these joints may own weight")
      ->type_name("GLOB")
      ->take_all()
      ->group(group);
  app.add_option("--exclude", selection.exclude, "These joints own no weight")
      ->type_name("GLOB")
      ->take_all()
      ->group(group);
  app.add_option("--root", selection.roots, "The skeleton is what hangs from this node")
      ->type_name("NAME")
      ->take_all()
      ->group(group);
}

void add_method(CLI::App& app, BindCommand& command) {
  BindOptions& o = command.options;
  app.add_option_function<std::string>(
         "-r,--resolution", [&o](const std::string& t) { o.resolution = parse_resolution(t); },
         "Voxels a side, a power of two from 16 to 1024 [256]")
      ->type_name("N");
  app.add_option_function<std::string>(
         "-a,--alpha",
         [&o](const std::string& t) { o.alpha = parse_number("--alpha", t, 0.0, 1.0); },
         "Falloff: 0 smooth to 1 tight [0.1]")
      ->type_name("0..1");
  app.add_option_function<std::string>(
         "-p,--penalty",
         [&o](const std::string& t) { o.penalty = parse_number("--penalty", t, 1.0, 1000.0); },
         "Factor on steps through the surface's voxels; larger binds tighter at folds [4]")
      ->type_name("1..1000");
  app.add_option_function<std::string>(
         "-n,--max-influences",
         [&o](const std::string& t) { o.max_influences = parse_max_influences(t); },
         "Joints a vertex at most [4]")
      ->type_name("N|all");
  app.add_option_function<std::string>(
         "--views", [&o](const std::string& t) { o.views = parse_views(t); },
         "Directions to look from, of at least two axes [+x,-x,+y,-y,+z,-z]")
      ->type_name("LIST");
  add_choice(app, "--winding", o.winding, {{"on", true}, {"off", false}},
             "Settle doubtful voxels by winding number");
  add_choice(
      app, "--leaf", o.leaf,
      {{"extend", LeafRule::extend}, {"point", LeafRule::point}, {"ignore", LeafRule::ignore}},
      "What a joint without children owns: half its parent's bone further on, a point, nothing");
  add_choice(app, "--volume", command.volume,
             {{"all", Volume::all}, {"per-mesh", Volume::per_mesh}},
             "Make one solid of all meshes, or one of each");
  add_choice(app, "--device", o.device,
             {{"auto", Device::automatic}, {"egl", Device::egl}, {"cpu", Device::cpu}},
             "What renders the solid; auto takes a hardware EGL device where there is one");
}

void add_running(CLI::App& app, BindCommand& command) {
  app.add_option_function<std::string>(
         "-j,--jobs",
         [&command](const std::string& t) {
           command.jobs = static_cast<int>(parse_number("--jobs", t, 1, 4096));
         },
         "Threads [one a core]")
      ->type_name("N");
  app.add_option("--report", command.report, "Write a JSON report there; - is stdout")
      ->type_name("FILE|-");
  add_choice(app, "--progress", command.progress,
             {{"auto", ProgressMode::automatic},
              {"bar", ProgressMode::bar},
              {"plain", ProgressMode::plain},
              {"json", ProgressMode::json},
              {"none", ProgressMode::none}},
             "How progress is told on stderr");
  app.add_option_function<std::string>(
         "--fail-on",
         [&command](const std::string& t) {
           parse_fail_on(t, command.fail_on, command.fail_never);
         },
         "Findings that make the exit code 1 [error]")
      ->type_name("error|warning|never");
  app.add_flag("--dry-run", command.dry_run, "Say what would be bound, and stop");
  app.add_flag("--force", command.force, "Overwrite the output, even where it is the input");
  app.add_flag("-q,--quiet", command.quiet, "Only errors");
  app.add_flag("-v,--verbose", command.verbose, "Notes, and the time of every stage");
}

CLI::App* add_bind(CLI::App& app, BindCommand& command) {
  CLI::App* bind =
      app.add_subcommand("bind", "Compute skin weights and write the file with its skin");
  bind->footer(std::string("Examples:\n"
                           "  gvbind bind hero.fbx -o hero_skinned.fbx\n"
                           "  gvbind bind statue.obj -s rig.bvh -o statue.glb\n"
                           "  gvbind bind a.glb b.glb -o out/ --report out/report.json\n\n") +
               exit_codes);
  bind->add_option("INPUT", command.inputs,
                   "Characters: .fbx, .glb, .gltf, or a mesh that Assimp reads")
      ->required()
      ->take_all();
  bind->add_option("-o,--output", command.output,
                   "The output file; a folder where there are several inputs")
      ->required()
      ->type_name("OUT");
  bind->add_option("-s,--skeleton", command.skeleton,
                   "Take the joints from this file (.fbx, .glb, .gltf, .bvh, .dae, ...)")
      ->type_name("FILE");
  add_method(*bind, command);
  add_selection(*bind, command.selection);
  add_running(*bind, command);
  return bind;
}

CLI::App* add_inspect(CLI::App& app, InspectCommand& command) {
  CLI::App* inspect =
      app.add_subcommand("inspect", "Say what a file holds and what would be bound");
  inspect->add_option("FILE", command.inputs, "Files")->required()->take_all();
  inspect->add_flag("--json", command.json, "As JSON");
  add_selection(*inspect, command.selection);
  return inspect;
}

CLI::App* add_preview(CLI::App& app, PreviewCommand& command) {
  CLI::App* preview =
      app.add_subcommand("preview", "Draw a skinned file: weights in colors and two bent poses");
  preview->add_option("FILE", command.input, "A file with a skin")->required();
  preview->add_option("-o,--output", command.output, "The picture, a PNG")
      ->required()
      ->type_name("PNG");
  preview
      ->add_option_function<std::string>(
          "--width",
          [&command](const std::string& t) {
            command.width = static_cast<int>(parse_number("--width", t, 300, 8000));
          },
          "Pixels [1200]")
      ->type_name("N");
  preview
      ->add_option_function<std::string>(
          "--bend",
          [&command](const std::string& t) { command.bend = parse_number("--bend", t, 0, 120); },
          "How far joints turn in the bent poses, in degrees [40]")
      ->type_name("DEG");
  preview->add_flag("--force", command.force, "Overwrite the picture");
  return preview;
}

/// What the user most likely meant, for a flag that no subcommand in use knows.
[[noreturn]] void refuse_extras(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> extras = app.remaining(true);
  if (extras.empty()) throw Error(ErrorKind::usage, error.what());
  const std::vector<const CLI::App*> used = [&] {
    std::vector<const CLI::App*> apps;
    for (const CLI::App* sub : app.get_subcommands()) apps.push_back(sub);
    if (apps.empty()) apps.push_back(&app);
    return apps;
  }();
  std::vector<std::string> known;
  for (const CLI::App* sub : used)
    for (const CLI::Option* option : sub->get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  const bool flag = extras.front().rfind('-', 0) == 0;
  if (!flag && app.get_subcommands().empty())
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
      known.push_back(sub->get_name());
  const std::string name = extras.front().substr(0, extras.front().find('='));
  throw Error(ErrorKind::usage, "unknown " + std::string(flag ? "option" : "argument") + " '" +
                                    name + "'" + nearest_name_hint(name, known));
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app{
      "gvbind binds characters: it reads an FBX or glTF file with a skeleton, computes skin "
      "weights by\n"
      "Geodesic Voxel Binding, and writes the same file back with a skin.",
      "gvbind"};
  app.footer(std::string("'gvbind COMMAND --help' tells more.\n") + exit_codes);
  app.set_version_flag("--version", "gvbind " GVBIND_VERSION);
  app.require_subcommand(1);
  app.option_defaults()->take_last();  // so that scripts can override what they wrote before
  app.get_formatter()->column_width(34);

  BindCommand bind;
  InspectCommand inspect;
  PreviewCommand preview;
  CheckCommand check;
  const CLI::App* bind_app = add_bind(app, bind);
  const CLI::App* inspect_app = add_inspect(app, inspect);
  const CLI::App* preview_app = add_preview(app, preview);
  const CLI::App* check_app = add_check(app, check);
  app.add_subcommand("doctor", "Check devices, threads and memory, and whether a bind works here");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError& error) {
    refuse_extras(app, error);
  } catch (const CLI::RequiredError& error) {
    // An unknown command is first missed as a command.
    if (app.get_subcommands().empty() && !app.remaining().empty()) refuse_extras(app, error);
    throw Error(ErrorKind::usage, error.what());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    throw Error(ErrorKind::usage, error.what());
  }
  if (bind_app->parsed()) return run_bind(bind);
  if (inspect_app->parsed()) return run_inspect(inspect);
  if (preview_app->parsed()) return run_preview(preview);
  if (check_app->parsed()) return run_check(check);
  return run_doctor();
}

}  // namespace gvbind
