// Tested by tests/command/bake_test.py.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bind/input_file.h"
#include "bind/write_document.h"
#include "cli/command_line.h"
#include "cli/file_command.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "commands/bake/bake_samples.h"
#include "commands/pose/volume_text.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "formats/clip.h"
#include "formats/document.h"
#include "formats/gltf/morphs.h"
#include "formats/gltf/rotation_clip.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/atomic_write.h"
#include "io/encoded_file.h"
#include "io/file_io.h"
#include "preview/poses.h"

namespace gvbind {

namespace {

constexpr double least_morph = 1e-5;  ///< of the size; meshes that move less get no morph targets
constexpr const char* extreme_clip_name = "extremes";
constexpr double between_keys = 0.2;  ///< s, of the extremes

struct BakeCommand : FileCommand {
  std::string input, output, clips, target = "volume";
  int correctives = 0;
  double rate = 30.0, extremes = 0.0;
};

std::vector<bool> weighted_joints(const Scene& scene) {
  std::vector<bool> weighted(scene.joints.size(), false);
  for (const SceneMesh& mesh : scene.meshes)
    for (std::size_t v = 0; v < mesh.weights.vertex_count(); ++v)
      for (const Influence& entry : mesh.weights.row(v))
        if (entry.joint < weighted.size() && entry.weight > 0.0f) weighted[entry.joint] = true;
  return weighted;
}

/// Rest, the six extremes, rest.
gltf::TurnTrack extremes_of(const SceneJoint& joint, double start, double degrees) {
  gltf::TurnTrack track;
  track.node = static_cast<std::size_t>(joint.node);
  const auto add = [&](const Eigen::Quaterniond& turn) {
    track.times.push_back(start + between_keys * static_cast<double>(track.times.size()));
    track.turns.push_back(turn);
  };
  add(Eigen::Quaterniond::Identity());
  for (const int axis : {0, 1, 2})
    for (const double side : {1.0, -1.0}) {
      const Eigen::AngleAxisd turn(side * degrees * M_PI / 180.0, Eigen::Vector3d::Unit(axis));
      add(preview::turn_in_frame(joint.bind, turn.toRotationMatrix()));
    }
  add(Eigen::Quaterniond::Identity());
  return track;
}

/// The name, with a number where others have it: a file that was baked before has the clip already.
std::string unused_name(const std::string& name, const std::vector<std::string>& others) {
  std::string own = name;
  for (int n = 2; std::ranges::find(others, own) != others.end(); ++n)
    own = name + " " + std::to_string(n);
  return own;
}

/// Adds a clip to a glTF in which each joint that owns weight, except roots, rotates alone by
/// +-`degrees` about the three axes of bind space, and warns about joints that no clip can turn.
/// Returns its index. Throws Error(cannot_bind), naming `path`, if there is no such joint.
std::size_t add_extreme_clip(const std::string& path, Document& document, const Scene& scene,
                             double degrees) {
  std::vector<gltf::TurnTrack> tracks;
  double start = 0.0;
  const std::vector<bool> weighted = weighted_joints(scene);
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const SceneJoint& joint = scene.joints[j];
    if (!weighted[j] || joint.parent < 0 || joint.node < 0 || !joint.bind.matrix().allFinite())
      continue;
    tracks.push_back(extremes_of(joint, start, degrees));
    start = tracks.back().times.back();
  }
  if (tracks.empty())
    throw Error(ErrorKind::cannot_bind, path +
                                            ": no joint but roots owns weight, so --extremes "
                                            "turns none");
  const std::vector<std::string> clips = clip_names(document);
  const std::vector<std::size_t> left_out =
      gltf::add_turn_clip(*std::get<std::shared_ptr<GltfDocument>>(document),
                          unused_name(extreme_clip_name, clips), tracks);
  for (const std::size_t node : left_out)
    for (const SceneJoint& joint : scene.joints)
      if (joint.node == static_cast<std::int64_t>(node))
        print_finding(Severity::warning, path + ": joint '" + joint.name +
                                             "' has a matrix that shears, so no clip can turn it");
  return clips.size();
}

/// Names of morph targets that an earlier bake has added.
std::vector<std::string> known_correctives(const Document& document) {
  const auto& gltf = *std::get<std::shared_ptr<GltfDocument>>(document);
  std::vector<std::string> names = gltf::morph_names(gltf);
  std::erase_if(names, [](const std::string& name) { return !name.starts_with("corrective "); });
  return names;
}

/// The correctives in the local space of each mesh that they move.
gltf::NewMorphs new_morphs(const Scene& scene, const motion::PoseSurface& surface,
                           const motion::Correctives& correctives,
                           const std::vector<std::string>& known) {
  gltf::NewMorphs morphs;
  for (std::size_t k = 0; k < correctives.shapes.size(); ++k)
    morphs.names.push_back(
        unused_name("corrective " + std::to_string(known.size() + k + 1), known));
  const double least = least_morph * size_of(surface);
  morphs.deltas.resize(scene.meshes.size());
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    if (scene.meshes[m].weights.empty()) continue;
    const std::size_t begin = surface.first[m], end = surface.first[m + 1];
    const bool moves =
        std::ranges::any_of(correctives.shapes, [&](const motion::RestOffsets& shape) {
          return std::any_of(shape.begin() + static_cast<std::ptrdiff_t>(begin),
                             shape.begin() + static_cast<std::ptrdiff_t>(end),
                             [&](const Eigen::Vector3f& d) { return d.norm() > least; });
        });
    if (!moves) continue;
    const Eigen::Matrix3d to_own = scene.meshes[m].to_bind.linear().inverse();
    for (const motion::RestOffsets& shape : correctives.shapes) {
      std::vector<Eigen::Vector3f>& own = morphs.deltas[m].emplace_back();
      for (std::size_t v = begin; v < end; ++v)
        own.push_back((to_own * shape[v].cast<double>()).cast<float>());
    }
  }
  return morphs;
}

std::vector<gltf::MorphTrack> new_tracks(const BakeSamples& samples,
                                         const motion::Correctives& correctives) {
  std::vector<gltf::MorphTrack> tracks;
  for (const SampledClip& clip : samples.clips) {
    gltf::MorphTrack track{clip.index, clip.times, {}};
    for (std::size_t i = 0; i < clip.times.size(); ++i)
      track.weights.push_back(correctives.weights[clip.first + i]);
    tracks.push_back(std::move(track));
  }
  return tracks;
}

std::string part_text(const ClipError& error) {
  return fixed(100.0 * error.rms, 4) + " % (most " + fixed(100.0 * error.most, 3) + " %)";
}

void print_errors(const BakeSamples& samples, const std::vector<ClipError>& before,
                  const std::vector<ClipError>& after) {
  print_line(stdout, "distance to the target, of the size: by linear skinning -> with correctives");
  for (std::size_t c = 0; c < samples.clips.size(); ++c)
    print_line(stdout, "  " + samples.clips[c].name + ": " + part_text(before[c]) + " -> " +
                           part_text(after[c]));
}

/// Prints the parts that the volume correction left alone, and how far it went in the pose where it
/// went farthest.
void print_volume(const PoseTarget& target) {
  if (!target.volume) return;
  print_line(stdout, parts_text(target.volume->model.parts));
  print_line(stdout, moved_text(target.volume->moved, target.volume->held));
}

/// The baked glTF, or the FBX converted from it.
Conversion output_document(const BakeCommand& command, const Document& baked,
                           DroppedFeatures& losses, Findings& findings) {
  const ReadOptions reading = with_root(read_options(command.limits, command.input), command.input);
  // Encode and parse again: JSON built in memory has other number types than parsed JSON.
  std::vector<EncodedFile> files = encode(baked, "baked.glb", findings);
  const Document again = parse_gltf(std::move(files.front().bytes), command.input, reading);
  if (lower_extension(command.output) != "fbx") return {baked, read_node_scene(again, reading)};
  return convert_document(again, command.output, {.reading = reading}, losses, findings);
}

/// Returns the exit code of the process.
int run_bake(const BakeCommand& command) {
  start_command(command);
  check_new_output(command.output, command.force, ".glb, .gltf or .fbx");
  refuse_other_input(command.output, command.input, command.target, "the file of --reference");
  Findings findings;
  DroppedFeatures losses;
  // An FBX is baked as its conversion to glTF; output_document() converts it back.
  InputFile input = read_to_move(command.input, command.limits, "baked", losses, findings);
  auto& [path, document, scene] = input;
  const std::vector<std::string> known = known_correctives(document);
  ChosenClips clips{command.clips, {}};
  if (command.extremes > 0.0)
    clips.also = add_extreme_clip(command.input, document, scene, command.extremes);
  const PosedFile file{path, document, scene};
  const motion::PoseSurface surface = motion::pose_surface(scene);
  const PoseTarget target = pose_target(command.target, file, surface, command.limits);
  const BakeSamples samples = bake_samples(file, surface, target, clips, command.rate);
  const motion::Correctives correctives =
      motion::fit_correctives(samples.offsets, static_cast<std::size_t>(command.correctives));
  const gltf::NewMorphs morphs = new_morphs(scene, surface, correctives, known);
  if (std::ranges::all_of(morphs.deltas, [](const auto& mesh) { return mesh.empty(); }))
    throw Error(ErrorKind::cannot_bind, command.input +
                                            ": linear skinning is at the target in all clips; "
                                            "there is nothing to bake");
  const std::vector<ClipError> before = clip_errors(samples, surface, target, nullptr);
  const std::vector<ClipError> after = clip_errors(samples, surface, target, &correctives);
  auto& gltf = *std::get<std::shared_ptr<GltfDocument>>(document);
  const std::size_t bytes = gltf::add_morphs(gltf, scene, morphs, new_tracks(samples, correctives));
  write_document(output_document(command, document, losses, findings), command.input,
                 command.output, command.limits, command.force);
  print_errors(samples, before, after);
  print_volume(target);
  print_line(stdout, counted(morphs.names.size(), "corrective", "correctives") + " of " +
                         counted(samples.poses.size(), "pose", "poses") + ", " + grouped(bytes) +
                         " bytes in glTF with their tracks");
  if (!known.empty())
    print_finding(Severity::warning, command.input +
                                         ": has correctives of an earlier bake, which add up with "
                                         "the new ones in clips that were baked; bake the file of "
                                         "before in its place");
  if (samples.thinned)
    print_finding(
        Severity::warning,
        command.input + ": its clips are longer than can be held, and sampled less often");
  print_line(stdout, command.input + " -> " + command.output);
  if (!losses.empty()) print_line(stdout, "lost: " + losses.text());
  return 0;
}

}  // namespace

Subcommand add_bake(CLI::App& app) {
  const auto command = std::make_shared<BakeCommand>();
  CLI::App* bake = app.add_subcommand(
      "bake", "Put what linear skinning lacks into morph targets that play with the clips");
  bake->footer(
      "Examples:\n"
      "  gvbind bake hero.glb -o hero_baked.glb --correctives 8\n"
      "  gvbind bake hero.glb -o hero_baked.glb --correctives 4 --reference delta-mush --clips "
      "'run*'\n"
      "  gvbind bake still.glb -o still_baked.glb --correctives 16 --extremes 60\n"
      "  gvbind bake hero.fbx -o hero_baked.fbx --correctives 16");
  bake->add_option("FILE", command->input, "A glTF or FBX with a skin and clips")
      ->required()
      ->type_name("FILE");
  add_output(*bake, command->output, "The file to write: .glb, .gltf or .fbx");
  add_text(*bake, "--correctives", "How many morph targets, 1 to 256", "K",
           [command](const std::string& text) {
             command->correctives = static_cast<int>(parse_count("--correctives", text, 1, 256));
           })
      ->required();
  bake->add_option("--reference,--target", command->target,
                   "Reference for the clips: linear skinning with volume correction, Delta "
                   "Mush, or another skin of the same shape [volume]")
      ->type_name("volume|delta-mush|FILE");
  bake->add_option("--clips", command->clips, "Only clips of this name; * and ? stand for others")
      ->type_name("GLOB");
  add_text(*bake, "--extremes",
           "Add a clip, 'extremes', in which each joint alone turns by this angle in both "
           "directions about the axes of the file, and bake it too",
           "DEG", [command](const std::string& text) {
             command->extremes = parse_number("--extremes", text, 1, 120);
           });
  add_number(*bake, "--rate", command->rate, 1, 240, "Poses a second of a clip that are looked at");
  add_run_options(*bake, *command);
  add_quiet(*bake, *command);
  add_force(*bake, *command);
  return {bake, [command] { return run_on(command->input, [&] { return run_bake(*command); }); }};
}

}  // namespace gvbind
