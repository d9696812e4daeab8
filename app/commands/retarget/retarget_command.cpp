#include "commands/retarget/retarget_command.h"

#include <algorithm>
#include <cstdio>

#include "bind/write_document.h"
#include "cli/command_line.h"
#include "cli/option_forms.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "cli/toml_lines.h"
#include "commands/retarget/clip_entries.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "common/write_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/atomic_write.h"
#include "report/asset_lines.h"
#include "retarget/own_motions.h"
#include "view/write_page.h"

namespace gvbind {

namespace {

void print_outcome(const RetargetCommand& command, const RetargetOutcome& outcome) {
  for (const FindingLine& line : finding_lines(outcome.findings, "", Detail::all, command.fail_on))
    print_finding(line.severity, line.text);
  if (command.json) return write_json(retarget_report(command, outcome), "-");
  for (const ClipEntry& clip : outcome.entries)
    print_line(stdout, "  " + clip.name + ": " + clip_text(clip));
  print_line(stdout, command.hero + " -> " + command.output + ": " +
                         counted(outcome.clips.size(), "clip", "clips") + " added");
}

/// Returns the exit code of the process.
int run_retarget(const RetargetCommand& command) {
  start_command(command);
  if (!command.view.empty()) check_page("--view", command.view, command.force);
  const RetargetOutcome outcome = retarget_input(command);
  print_outcome(command, outcome);
  write_page_of(command.output, command.limits, command.view,
                command.json ? Announce::no : Announce::yes);
  return any_fails(outcome.findings, command.fail_on) ? 1 : 0;
}

Json clip_json(const retarget::NewClip& clip, const ClipEntry& entry) {
  Json limits = Json::array();
  for (const retarget::JointExcess& excess : clip.clip.figures.excesses)
    limits.push_back({{"joint", excess.joint},
                      {"degrees", excess.degrees},
                      {"degrees_in_clip", excess.in_clip}});
  Json json = {{"name", entry.name},
               {"source", entry.source},
               {"frames", entry.frames},
               {"joints_paired", clip.map.pairs.size()},
               {"joints_to_move", entry.joints_to_move},
               {"joints_moved", entry.joints_moved},
               {"foot_slide", entry.foot_slide},
               {"penetration", entry.penetration},
               {"largest_jump", entry.largest_jump},
               {"jump_in_clip", entry.jump_in_clip},
               {"hands_off", entry.hands_off},
               {"feet_off", entry.feet_off},
               {"beyond_limits", limits},
               {"unmatched_in_clip", clip.map.clip_unmatched},
               {"unmatched_in_hero", clip.map.hero_unmatched}};
  if (entry.stretch) json["stretch"] = *entry.stretch;
  return json;
}

void add_retarget_options(CLI::App& app, RetargetCommand& command) {
  app.add_option("--clips", command.clips, "Only clips of this name; * and ? stand for others")
      ->type_name("GLOB");
  app.add_option("--map", command.map,
                 "Which joints follow which, before names: a TOML file of lines JOINT OF THE CLIP "
                 "= \"JOINT OF THE HERO\"")
      ->type_name("FILE");
  add_choice<bool>(app, "--feet", command.options.feet, {{"ik", true}, {"off", false}},
                   "Bend the legs so that feet stay planted where the feet of the clip are");
  add_choice<bool>(app, "--hands", command.options.hands, {{"ik", true}, {"off", false}},
                   "Bend the arms until the hands are as close to each other as in the clip");
  add_choice<retarget::RootMotion>(app, "--root", command.options.root,
                                   {{"keep", retarget::RootMotion::keep},
                                    {"in-place", retarget::RootMotion::in_place},
                                    {"extract", retarget::RootMotion::extract}},
                                   "The hips walk as far as the clip does, or on the spot, or the "
                                   "way on the ground moves to the "
                                   "joint above them");
  add_fail_on(app, command.fail_on);
}

}  // namespace

retarget::GivenPairs read_joint_map(const std::string& path) {
  retarget::GivenPairs pairs;
  const toml::table table = read_toml(path);
  for (const TomlLine& line : toml_lines(table, path)) {
    const auto hero = line.value->value<std::string>();
    if (!hero)
      throw Error(ErrorKind::usage,
                  line.place + ": '" + line.pattern + "' takes the name of a joint in quotes");
    pairs.emplace_back(line.pattern, *hero);
  }
  if (pairs.empty()) throw Error(ErrorKind::usage, path + ": names no joint");
  return pairs;
}

RetargetOutcome retarget_input(const RetargetCommand& command) {
  check_new_output(command.output, command.force);
  for (const std::string& motion : command.motions)
    refuse_other_input(command.output, command.hero, motion, "a file of clips");
  const retarget::GivenPairs given =
      command.map.empty() ? retarget::GivenPairs{} : read_joint_map(command.map);
  RetargetOutcome out;
  Findings of_reading;
  retarget::HeroFile hero = retarget::read_hero(command.hero, command.limits, of_reading);
  if (!same_format(hero.document, command.output))
    throw Error(ErrorKind::usage, "--output: '" + command.output + "' is of another format than " +
                                      command.hero + "; 'gvbind convert' converts the result");
  const ReadOptions reading = with_root(read_options(command.limits, command.hero), command.hero);
  if (command.options.root == retarget::RootMotion::extract)
    retarget::give_root(hero, reading, out.findings);
  for (const std::string& path : command.motions) {
    const retarget::MotionFile motion =
        retarget::open_motion(path, hero, command.limits, of_reading);
    std::vector<retarget::NewClip> clips =
        retarget::retarget_motion(motion, hero, command.clips, given, command.options);
    if (motion.path == path)
      for (Finding& finding : retarget::unmatched_findings(path, clips.front().map))
        out.findings.push_back(std::move(finding));
    for (retarget::NewClip& clip : clips) out.clips.push_back(std::move(clip));
  }
  const NodeScene expected = retarget::add_clips(hero, out.clips, reading);
  const Scene scene = scene_of(hero.document, {}, of_reading, {.attributes = false});
  out.entries = clip_entries(hero.document, scene, out.clips);
  for (Finding& finding : clip_findings(out.clips, out.entries))
    out.findings.push_back(std::move(finding));
  retarget::write_with_clips(hero, expected, command.output, reading, command.force);
  return out;
}

Json retarget_report(const RetargetCommand& command, const RetargetOutcome& outcome) {
  Json clips = Json::array(), findings = Json::array();
  for (std::size_t c = 0; c < outcome.clips.size(); ++c)
    clips.push_back(clip_json(outcome.clips[c], outcome.entries[c]));
  for (const Finding& finding : outcome.findings)
    findings.push_back({{"code", finding.code}, {"message", finding.message}});
  return {
      {"hero", command.hero}, {"output", command.output}, {"clips", clips}, {"findings", findings}};
}

CLI::App* add_retarget_flags(CLI::App& app, const std::shared_ptr<RetargetCommand>& command) {
  CLI::App* retarget =
      app.add_subcommand("retarget", "Put clips of other skeletons on a character");
  retarget->footer(
      "Examples:\n"
      "  gvbind retarget walk.bvh -t hero.glb -o hero_walks.glb\n"
      "  gvbind retarget idle.fbx run.fbx -t hero.fbx -o hero_moves.fbx --root in-place\n"
      "  gvbind retarget dance.vrma -t hero.vrm -o hero_dances.vrm --map joints.toml");
  retarget
      ->add_option(
          "CLIP", command->motions,
          "Files with motion (BVH, FBX, glTF, VRM or VRM animation), or names of our own: " +
              alternatives_text(retarget::own_motion_names()))
      ->required()
      ->take_all()
      ->type_name("FILE...");
  retarget->add_option("-t,--to", command->hero, "The character: a glTF or FBX with a skeleton")
      ->required()
      ->type_name("FILE");
  add_output(*retarget, command->output, "The file to write, of the character's format");
  add_view_option(*retarget, command->view);
  add_retarget_options(*retarget, *command);
  retarget->add_flag("--json", command->json, "Print figures, pairs and findings as JSON");
  add_run_options(*retarget, *command);
  add_quiet(*retarget, *command);
  add_force(*retarget, *command);
  return retarget;
}

Subcommand add_retarget(CLI::App& app) {
  const auto command = std::make_shared<RetargetCommand>();
  CLI::App* retarget = add_retarget_flags(app, command);
  return {retarget,
          [command] { return run_on(command->hero, [&] { return run_retarget(*command); }); }};
}

}  // namespace gvbind
