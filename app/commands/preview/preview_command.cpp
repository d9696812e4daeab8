#include "commands/preview/preview_command.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "cli/command_line.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "cli/written_files.h"
#include "commands/pose/pose_option.h"
#include "commands/preview/animated_picture.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "files/stream_folder.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/atomic_write.h"
#include "io/file_io.h"
#include "platform/session.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

constexpr int milliseconds_per_turn = 3600;

[[noreturn]] void refuse_preview(const std::string& message) {
  throw Error(ErrorKind::usage, message);
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return path.ends_with('/') || fs::is_directory(path, ignored);
}

/// The path of each input's sheet; empty if none is requested.
std::vector<std::string> sheet_paths(const PreviewCommand& command) {
  const std::size_t count = command.inputs.size();
  if (command.output.empty() || !is_folder(command.output)) {
    if (count > 1)
      refuse_preview("--output: '" + command.output +
                     "' is no folder, and several inputs need one; DIR/ makes it");
    return {command.output};
  }
  std::vector<std::string> paths;
  std::map<std::string, std::string> input_of;
  for (const std::string& input : command.inputs) {
    paths.push_back(path_text(fs::path(command.output) / fs::path(input).stem()) + ".png");
    const auto [same, is_new] = input_of.emplace(fold_case(paths.back()), input);
    if (!is_new)
      refuse_preview("two inputs would be drawn to " + paths.back() + ": " + same->second +
                     " and " + input);
  }
  return paths;
}

/// Reports unusable outputs before anything is drawn.
std::vector<std::string> checked_sheets(const PreviewCommand& command) {
  if (command.output.empty() && command.turntable.empty())
    refuse_preview("--output: is missing; a name that ends with .png, a folder, or - for stdout");
  if (!command.turntable.empty()) {
    const std::string kind = lower_extension(command.turntable);
    if (kind != "gif" && kind != "webp")
      refuse_preview("--turntable: '" + command.turntable +
                     "' is neither .gif nor .webp, and nothing else is drawn");
    if (command.inputs.size() > 1)
      refuse_preview("--turntable: takes one input, and there are several");
    refuse_existing(command.turntable, command.force);
  }
  if (command.output == "-") {
    if (command.inputs.size() > 1) refuse_preview("--output: '-' takes one input");
    if (platform::is_terminal(stdout))
      refuse_preview("--output: '-' writes a PNG to stdout, which is a terminal");
    return {"-"};
  }
  const std::vector<std::string> sheets = sheet_paths(command);
  std::vector<NamedFile> inputs;
  for (const std::string& input : command.inputs) add_files_beside(input, inputs);
  for (const std::string& path : sheets) {
    if (path.empty()) continue;
    if (lower_extension(path) != "png")
      refuse_preview("--output: '" + path +
                     "' is no PNG, and nothing else is drawn; give a name that ends with .png, "
                     "or - for stdout");
    refuse_shared({"--output", path}, inputs);
    refuse_existing(path, command.force);
  }
  return sheets;
}

void check_comparison(const PreviewCommand& command) {
  if (command.other.empty()) {
    if (!command.target.empty()) refuse_preview("--reference: stands beside --compare only");
    return;
  }
  const std::pair<const char*, bool> others[] = {
      {"--joint", !command.joint.empty()},         {"--pose", !command.pose.empty()},
      {"--view", !command.options.views.empty()},  {"--legend", command.options.legend},
      {"--turntable", !command.turntable.empty()}, {"--textured", command.textured},
      {"--joint-labels", command.options.names}};
  for (const auto& [flag, given] : others)
    if (given)
      refuse_preview("--compare draws a picture of its own; leave " + std::string(flag) + " out");
}

int joint_option(const std::string& name, const PreviewInput& input) {
  if (!input.scene.has_skin())
    refuse_preview("--joint: " + input.path + " has no skin, so no joint owns vertices");
  std::vector<std::string> names;
  for (const SceneJoint& joint : input.scene.joints) {
    if (joint.name == name) return static_cast<int>(names.size());
    names.push_back(joint.name);
  }
  refuse_preview("--joint: " + input.path + " has no joint '" + name + "'" +
                 nearest_name_hint(name, names));
}

void write_bytes(const std::string& bytes, const std::string& path, bool make_folder) {
  write_files({{"", {bytes.begin(), bytes.end()}}}, path,
              {.overwrite = true, .create_directories = make_folder});
}

void draw_turntable(const PreviewCommand& command, const PreviewInput& input,
                    const preview::PreviewOptions& options) {
  preview::TurntableOptions turning = command.turning;
  if (command.has_width) turning.width = options.width;
  const int milliseconds = std::max(20, milliseconds_per_turn / turning.frames);
  const bool gif = lower_extension(command.turntable) == "gif";
  const auto picture = gif ? animated_gif(milliseconds) : animated_webp(milliseconds);
  preview::render_turntable(input.scene, options, turning,
                            [&](const preview::Image& image) { picture->add(image); });
  write_bytes(picture->finish(), command.turntable, false);
}

void draw_input(const PreviewCommand& command, const std::string& path, const std::string& sheet,
                const StreamFolder* streams) {
  PreviewInput input =
      command.textured ? read_textured(path, command.limits) : read_preview(path, command.limits);
  if (streams) input.path = streams->told(path);
  preview::PreviewOptions options = command.options;
  if (command.textured) options.textures = &input.textures;
  if (!command.joint.empty()) options.joint = joint_option(command.joint, input);
  if (!command.pose.empty())
    options.pose = pose_option(command.pose, {input.path, input.document, input.scene});
  const auto log_drawn = [&](const std::string& picture) {
    print_line(sheet == "-" ? stderr : stdout, input.path + " -> " + picture);
  };
  if (!command.turntable.empty()) {
    draw_turntable(command, input, options);
    log_drawn(command.turntable);
  }
  if (sheet.empty()) return;
  const std::string bytes =
      preview::png_bytes(command.other.empty() ? preview::render_sheet(input.scene, options)
                                               : draw_comparison(command, input));
  if (sheet == "-") return print_verbatim(stdout, bytes);
  write_bytes(bytes, sheet, is_folder(command.output));
  log_drawn(sheet);
}

/// Refuses options that nothing would be drawn by.
void check_unused(const PreviewCommand& command) {
  if (command.has_frames && command.turntable.empty())
    refuse_preview("--frames: are those of --turntable, which is missing");
  if (command.has_bend && !command.pose.empty())
    refuse_preview("--bend: bends the poses that --pose takes the place of; leave one of them out");
  if (!command.output.empty() || command.turntable.empty()) return;
  const std::pair<const char*, bool> of_sheets[] = {{"--view", !command.options.views.empty()},
                                                    {"--bend", command.has_bend},
                                                    {"--legend", command.options.legend},
                                                    {"--joint-labels", command.options.names}};
  for (const auto& [flag, given] : of_sheets)
    if (given)
      refuse_preview(std::string(flag) + ": is of the picture of --output; a turntable has none");
}

void check_textured(const PreviewCommand& command) {
  if (!command.textured) return;
  if (!command.joint.empty()) refuse_preview("--textured: draws no weights; leave --joint out");
  if (command.options.legend) refuse_preview("--textured: draws no weights; leave --legend out");
  if (command.options.names)
    refuse_preview("--textured: draws no joints; leave --joint-labels out");
}

int draw_all(const PreviewCommand& command, const StreamFolder* streams) {
  const std::vector<std::string> sheets = checked_sheets(command);
  if (command.inputs.size() == 1) {
    draw_input(command, command.inputs[0], sheets[0], streams);
    return 0;
  }
  std::set<ErrorKind> failed;
  std::size_t failures = 0;
  for (std::size_t i = 0; i < command.inputs.size(); ++i) try {
      draw_input(command, command.inputs[i], sheets[i], streams);
    } catch (...) {
      const Error error = caught_error(command.inputs[i]);
      print_finding(Severity::error, streams ? streams->told(error.what()) : error.what());
      failed.insert(error.kind());
      ++failures;
    }
  if (failed.empty()) return 0;
  return failures == command.inputs.size() && failed.size() == 1 ? exit_code(*failed.begin()) : 6;
}

/// Returns the exit code of the process.
int run_preview(PreviewCommand& command) {
  start_command(command);
  check_comparison(command);
  check_textured(command);
  check_unused(command);
  const auto streams = receive_stdin(command.inputs, memory_limit(command.limits.max_memory));
  try {
    return draw_all(command, streams.get());
  } catch (const Error& error) {
    if (!streams) throw;
    throw Error(error.kind(), streams->told(error.what()));
  }
}

/// Parses "front,back,30:10": names, or yaw and pitch in degrees.
std::vector<preview::PreviewView> parse_preview_views(const std::string& text) {
  static const std::map<std::string, preview::PreviewView> known = {
      {"front", {"FRONT", 0, 0}},      {"left", {"LEFT", 90, 0}}, {"back", {"BACK", 180, 0}},
      {"right", {"RIGHT", 270, 0}},    {"top", {"TOP", 0, 90}},   {"bottom", {"BOTTOM", 0, -90}},
      {"quarter", {"QUARTER", 35, 10}}};
  std::vector<preview::PreviewView> views;
  for (std::size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const auto found = known.find(part);
    if (found != known.end()) {
      views.push_back(found->second);
    } else if (const std::size_t colon = part.find(':'); colon != std::string::npos) {
      views.push_back({part, parse_number("--view", part.substr(0, colon), -360, 360),
                       parse_number("--view", part.substr(colon + 1), -90, 90)});
    } else {
      std::vector<std::string> names;
      for (const auto& entry : known) names.push_back(entry.first);
      refuse_choice("--view", part, names);
    }
  }
  constexpr std::size_t max_views = 8;
  if (views.size() > max_views) refuse_preview("--view: takes 8 views at most");
  return views;
}

void add_picture_options(CLI::App& app, PreviewCommand& command) {
  add_text(app, "--width", "Pixels [1200; a turntable 480, at most 2000]", "N",
           [&command](const std::string& t) {
             command.options.width = static_cast<int>(parse_count("--width", t, 300, 8000));
             command.has_width = true;
           });
  add_number(app, "--bend", command.options.bend_degrees, 0, 120,
             "How far joints turn in the bent poses, in degrees", "DEG");
  add_text(app, "--view",
           "From where it is seen: front, left, back, right, top, bottom, quarter, or YAW:PITCH in "
           "degrees; several with commas [front,left,back]",
           "VIEWS",
           [&command](const std::string& t) { command.options.views = parse_preview_views(t); });
  app.add_option("--joint", command.joint,
                 "How much this joint owns, from blue to red, instead of the colors of all")
      ->type_name("NAME");
  app.add_option("--pose", command.pose,
                 "This pose instead of the bent ones: a clip of the file at a time in seconds, or "
                 "a TOML file with lines NAME = [x, y, z], degrees about the axes of the file")
      ->type_name("FILE|clip:NAME@TIME");
  app.add_flag("--textured", command.textured,
               "Base colors and textures instead of weights, in the same views and poses");
  app.add_flag("--legend", command.options.legend,
               "Names beside colors; neighbors never share a color then");
  app.add_flag("--joint-labels,--names", command.options.names,
               "Each joint's name beside it, where there is room; not on a turntable");
}

void add_turntable_options(CLI::App& app, PreviewCommand& command) {
  app.add_option("--turntable", command.turntable,
                 "The figure as it turns once, in the pose of --pose; -o may be left out then")
      ->type_name("GIF|WEBP");
  add_number(app, "--frames", command.turning.frames, 2, 360, "Pictures of a turn");
}

}  // namespace

PreviewInput read_preview(const std::string& path, const ReadLimits& limits) {
  Findings findings;
  PreviewInput input;
  input.path = path;
  input.document = read_document(path, findings, read_options(limits, path));
  input.scene = scene_of(input.document, {}, findings, {.attributes = false});
  if (input.scene.meshes.empty()) throw Error(ErrorKind::cannot_bind, path + ": holds no mesh");
  return input;
}

Subcommand add_preview(CLI::App& app) {
  const auto command = std::make_shared<PreviewCommand>();
  CLI::App* preview =
      app.add_subcommand("preview", "Draw a skinned file: weights in colors and two bent poses");
  preview->footer(
      "Examples:\n"
      "  gvbind preview hero.glb -o hero.png --legend\n"
      "  gvbind preview hero.glb --compare artist.glb -o compare.png\n"
      "  gvbind preview refined.glb --compare hero.glb --reference delta-mush -o compare.png\n"
      "  gvbind preview hero.fbx --textured --pose clip:walk@0.4 -o hero.png\n"
      "  gvbind preview hero.glb --pose clip:walk@0.4 --turntable hero.webp");
  preview
      ->add_option("FILE", command->inputs,
                   "Files with a skin; - is stdin: glTF or FBX in one file")
      ->required()
      ->take_all();
  preview
      ->add_option("-o,--output", command->output,
                   "The picture, a PNG; - is stdout; a folder (DIR/) where there are several files")
      ->type_name("PNG|DIR/|-");
  add_picture_options(*preview, *command);
  preview
      ->add_option("--compare", command->other,
                   "Beside the weights that this file has for the same shape (an artist's, say): "
                   "weights, where they differ, and bent poses; prints how far they are apart")
      ->type_name("FILE");
  preview
      ->add_option("--reference,--target", command->target,
                   "With --compare: the reference for the bent poses, as for bake: linear "
                   "skinning with volume correction, Delta Mush, or another skin")
      ->type_name("volume|delta-mush|FILE");
  add_turntable_options(*preview, *command);
  add_run_options(*preview, *command);
  add_quiet(*preview, *command);
  add_force(*preview, *command, "Overwrite the pictures");
  return {preview, [command, preview] {
            command->has_bend = preview->count("--bend") > 0;
            command->has_frames = preview->count("--frames") > 0;
            return run_preview(*command);
          }};
}

}  // namespace gvbind
