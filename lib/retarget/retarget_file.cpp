#include "retarget/retarget_file.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "bind/checked_write.h"
#include "bind/false_vrm.h"
#include "bind/overwriting.h"
#include "character/selection.h"
#include "formats/clip.h"
#include "formats/convert/compare_scenes.h"
#include "formats/convert/convert.h"
#include "formats/fbx/append_clips.h"
#include "formats/fbx/damaged_keys.h"
#include "formats/fbx/insert_model.h"
#include "formats/gltf/append_clips.h"
#include "formats/gltf/damaged_keys.h"
#include "formats/gltf/insert_node.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/file_io.h"
#include "io/glob.h"
#include "retarget/bvh_motion.h"
#include "retarget/own_motions.h"
#include "retarget/shape_roles.h"

namespace gvbind::retarget {
namespace {

constexpr std::size_t least_pairs = 3;

const GltfDocument* as_gltf(const Document& document) {
  const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&document);
  return gltf ? gltf->get() : nullptr;
}

/// Rest poses of both sides that suit each other: those at bind time where both have one, else of
/// each side the one whose limbs point more like the other's.
struct RestPair {
  RestSkeleton clip, hero;
};

double limb_difference(const RestSkeleton& a, const BodyRoles& of_a, const RestSkeleton& b,
                       const BodyRoles& of_b) {
  double sum = 0.0;
  for (const auto& [upper, lower] : {std::pair("upper_arm", "forearm"),
                                     {"forearm", "hand"},
                                     {"thigh", "shin"},
                                     {"shin", "foot"}})
    for (const std::string side : body_sides) {
      const int a0 = of_a.first(upper + side), a1 = of_a.first(lower + side),
                b0 = of_b.first(upper + side), b1 = of_b.first(lower + side);
      if (a0 < 0 || a1 < 0 || b0 < 0 || b1 < 0) continue;
      const Eigen::Vector3d d = (a.world.positions[a1] - a.world.positions[a0]).normalized(),
                            e = (b.world.positions[b1] - b.world.positions[b0]).normalized();
      sum += 1.0 - d.dot(e);
    }
  return sum;
}

RestPair choose_rest(const MotionFile& clip, const BodyRoles& clip_roles, const MotionFile& hero,
                     const BodyRoles& hero_roles) {
  std::vector<RestSkeleton> of_clip = {node_pose_skeleton(clip.scene)},
                            of_hero = {node_pose_skeleton(hero.scene)};
  auto clip_bind = bind_pose_skeleton(clip.scene), hero_bind = bind_pose_skeleton(hero.scene);
  if (clip_bind && hero_bind) return {std::move(*clip_bind), std::move(*hero_bind)};
  if (clip_bind) of_clip.push_back(std::move(*clip_bind));
  if (hero_bind) of_hero.push_back(std::move(*hero_bind));
  std::size_t best_clip = 0, best_hero = 0;
  double least = 1e300;
  // The last are the poses at bind time, which count where both suit.
  for (std::size_t c = of_clip.size(); c-- > 0;)
    for (std::size_t h = of_hero.size(); h-- > 0;)
      if (const double off = limb_difference(of_clip[c], clip_roles, of_hero[h], hero_roles);
          off < least - 1e-6) {
        least = off;
        best_clip = c;
        best_hero = h;
      }
  return {std::move(of_clip[best_clip]), std::move(of_hero[best_hero])};
}

std::vector<const Clip*> chosen_clips(const MotionFile& file, const std::string& glob) {
  if (file.scene.clips.empty()) throw Error(ErrorKind::input, file.path + ": holds no clip");
  std::vector<const Clip*> out;
  std::vector<std::string> names;
  for (const Clip& clip : file.scene.clips) {
    names.push_back(clip.name);
    if (glob.empty() || clip.name == glob || matches_glob(glob, clip.name)) out.push_back(&clip);
  }
  if (out.empty())
    throw Error(ErrorKind::usage, "--clips: " + file.path + " has no animation '" + glob + "'" +
                                      nearest_name_hint(glob, names));
  return out;
}

std::string damage_text(const DamagedKeys& damaged) {
  std::string text;
  if (damaged.keys > 0)
    text = std::to_string(damaged.keys) + " of " + counted(damaged.all, "key", "keys");
  if (damaged.whole) text += (text.empty() ? "" : " and ") + std::string("a whole channel");
  return text;
}

/// Adds the damage of an FBX. The reader leaves out stacks without motion; those that damage left
/// without a key are put back as clips without channels.
void add_damage(const FbxDocument& document, MotionFile& file) {
  std::size_t at = 0;
  for (const DamagedStack& stack : damaged_stacks(document)) {
    std::vector<Clip>& clips = file.scene.clips;
    const bool is_read = at < clips.size() && clips[at].name == stack.name;
    if (!is_read && !stack.is_lost) continue;
    if (!is_read) clips.insert(clips.begin() + static_cast<std::ptrdiff_t>(at), {stack.name, {}});
    for (DamagedKeys node : stack.nodes) {
      node.clip = at;
      file.damaged.push_back(std::move(node));
    }
    ++at;
  }
}

/// Warnings about damaged keys of a clip of the file. Throws Error(input) if no key is left.
Findings damage_findings(const MotionFile& file, const Clip& clip) {
  const auto index = static_cast<std::size_t>(&clip - file.scene.clips.data());
  const std::string of_clip = file.path + ": clip '" + clip.name + "': ";
  Findings out;
  for (const DamagedKeys& damaged : file.damaged)
    if (damaged.clip == index)
      out.push_back({Severity::warning, "motion-damaged",
                     of_clip + "joint '" + damaged.node + "' loses " + damage_text(damaged) +
                         ", which are not finite, out of order or incomplete",
                     damaged.node});
  if (!out.empty() && std::ranges::none_of(clip.channels, [](const Channel& channel) {
        return channel.path != Channel::Path::weights;
      }))
    throw Error(ErrorKind::input,
                of_clip +
                    "all keys are damaged (not finite, out of order or incomplete); export it "
                    "again, or leave it out with --clips");
  return out;
}

/// Warns of tracks that move in a clip and are not carried over: scales, and morph targets.
void add_lost(const MotionFile& file, const Clip& clip, Findings& findings) {
  constexpr double same = 1e-3;
  std::size_t scales = 0, morphs = 0;
  for (const Channel& channel : clip.channels) {
    const Node& node = file.scene.nodes[channel.node];
    const bool is_scale = channel.path == Channel::Path::scale;
    if (!is_scale && channel.path != Channel::Path::weights) continue;
    std::vector<double> rest = node.morph_weights;
    if (is_scale) rest.assign(node.local.scale.begin(), node.local.scale.end());
    bool changes = false;
    for (std::size_t k = 0; k < channel.values.size() && !rest.empty(); ++k)
      changes = changes || std::abs(channel.values[k] - rest[k % rest.size()]) > same;
    (is_scale ? scales : morphs) += changes;
  }
  std::string text;
  if (scales > 0) text = counted(scales, "scale track", "scale tracks");
  if (morphs > 0)
    text += (scales > 0 ? " and " : "") + counted(morphs, "morph track", "morph tracks");
  if (!text.empty())
    findings.push_back({Severity::warning, "motion-lost",
                        file.path + ": clip '" + clip.name + "' loses " + text +
                            ": only turns and ways of joints are carried over",
                        ""});
}

void check_given(const GivenPairs& given, const MotionFile& clip, const MotionFile& hero) {
  const auto check = [](const std::string& name, const MotionFile& file) {
    std::vector<std::string> names;
    for (const Node& node : file.scene.nodes) names.push_back(node.name);
    if (std::ranges::find(names, name) == names.end())
      throw Error(ErrorKind::usage, "--map: " + file.path + " has no joint '" + name + "'" +
                                        nearest_name_hint(name, names));
  };
  for (const auto& [from, to] : given) {
    check(from, clip);
    check(to, hero);
  }
}

/// Names that programs give to all clips alike say nothing; the file's name does.
std::string telling_name(const NewClip& clip) {
  const std::string& name = clip.clip.clip.name;
  std::string own = name.ends_with("|Layer0") ? name.substr(0, name.size() - 7) : name;
  own.erase(0, own.rfind('|') + 1);
  for (const char* empty : {"", "mixamo.com", "Take 001", "mixamo", "Animation", "animation_0"})
    if (own == empty) return path_text(std::filesystem::path(clip.source).stem());
  return name;
}

Finding shape_finding(const std::string& path) {
  return {Severity::note, "motion-by-shape",
          path +
              ": its joints have no telling names, so parts of the body were found by their shape; "
              "look at the motion, or name joints with 'gvbind retarget --map'",
          ""};
}

Finding mirror_finding(const std::string& path) {
  return {Severity::warning, "motion-mirrored",
          path +
              ": a negative scale mirrors its skeleton and not the other one, so limbs may turn "
              "the wrong way; apply the scale in a modeling program first",
          ""};
}

/// A written document that plays its last clips alone.
PlayedScene played_last(const Document& written, const ReadOptions& reading, std::size_t count) {
  const auto* fbx = std::get_if<std::shared_ptr<FbxDocument>>(&written);
  PlayedScene out =
      fbx ? play_clips(*fbx, reading) : played_scene(read_node_scene(written, reading));
  const std::size_t before = out.clip_names.size() - std::min(out.clip_names.size(), count);
  out.clip_names.erase(out.clip_names.begin(),
                       out.clip_names.begin() + static_cast<std::ptrdiff_t>(before));
  out.pose = [pose = std::move(out.pose), before](std::size_t clip, double seconds) {
    return pose(before + clip, seconds);
  };
  return out;
}

}  // namespace

MotionFile read_motion(const std::string& path, const ReadLimits& limits, Findings& findings) {
  MotionFile out{path, {}, {}};
  if (lower_extension(path) == "bvh") {
    out.scene = read_bvh(naming(path, [&] { return read_file(path); }), path);
    return out;
  }
  const ReadOptions reading = with_root(read_options(limits, path), path);
  const Document document = read_document(path, findings, reading);
  if (std::holds_alternative<Scene>(document))
    throw Error(
        ErrorKind::input,
        path +
            ": motion is read from BVH, FBX, glTF, VRM and VRMA; 'gvbind convert' writes other "
            "formats as .glb");
  out.scene = read_node_scene(document, reading);
  if (const GltfDocument* gltf = as_gltf(document)) {
    out.bones = human_bones(*gltf, out.scene);
    out.damaged = naming(path, [&] { return gltf::damaged_keys(*gltf); });
  } else if (const auto* fbx = std::get_if<std::shared_ptr<FbxDocument>>(&document)) {
    naming(path, [&] { add_damage(**fbx, out); });
  }
  return out;
}

HeroFile hero_of(const Document& document, const std::string& path, const ReadOptions& reading) {
  HeroFile out{document, {path, {}, {}}};
  if (std::holds_alternative<Scene>(out.document))
    throw Error(
        ErrorKind::usage,
        path + ": only glTF and FBX get clips; 'gvbind convert' writes other formats as one");
  out.motion.scene = read_still(out.document, reading);
  if (std::ranges::none_of(out.motion.scene.nodes, [](const Node& n) { return n.is_joint; }))
    throw Error(ErrorKind::cannot_bind, path + ": has no skeleton; 'gvbind rig' makes one");
  if (const GltfDocument* gltf = as_gltf(out.document))
    out.motion.bones = human_bones(*gltf, out.motion.scene);
  return out;
}

HeroFile read_hero(const std::string& path, const ReadLimits& limits, Findings& findings) {
  const ReadOptions reading = with_root(read_options(limits, path), path);
  return hero_of(read_document(path, findings, reading), path, reading);
}

MotionFile open_motion(const std::string& name, const HeroFile& hero, const ReadLimits& limits,
                       Findings& findings, std::string_view kind) {
  const std::vector<std::string> own = own_motion_names();
  if (std::ranges::find(own, name) != own.end())
    return {"the motion '" + name + "'",
            naming(hero.motion.path,
                   [&] { return own_motion(name, hero.motion.scene, hero.motion.bones, kind); }),
            {}};
  return read_motion(name, limits, findings);
}

void give_root(HeroFile& hero, const ReadOptions& reading, Findings& findings) {
  const RestSkeleton rest = node_pose_skeleton(hero.motion.scene);
  const BodyRoles roles = scene_roles(hero.motion.scene, hero.motion.bones);
  const int hips = roles.first("hips");
  if (hips < 0 || root_node(rest, roles, hero.motion.scene) >= 0) return;
  const std::int64_t source = hero.motion.scene.nodes[hips].source;
  if (const auto* fbx = std::get_if<std::shared_ptr<FbxDocument>>(&hero.document))
    insert_above(**fbx, source, "root");
  else
    gltf::insert_above(*std::get<std::shared_ptr<GltfDocument>>(hero.document),
                       static_cast<std::size_t>(source), "root");
  hero = hero_of(hero.document, hero.motion.path, reading);
  findings.push_back({Severity::note, "root-added",
                      "no node above the hips could take the way of the motion, so one was added",
                      ""});
}

Findings unmatched_findings(const std::string& path, const JointMap& map) {
  constexpr std::size_t shown = 5;
  const std::vector<std::string>& names = map.clip_unmatched;
  if (names.empty()) return {};
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i)
    text += (i ? ", " : "") + names[i];
  return {{Severity::note, "motion-unmatched",
           path + ": " + counted(names.size(), "joint finds", "joints find") +
               " no partner: " + text + (names.size() > shown ? ", ..." : ""),
           ""}};
}

std::vector<NewClip> retarget_motion(const MotionFile& from, const HeroFile& hero,
                                     const std::string& glob, const GivenPairs& given,
                                     const RetargetOptions& options) {
  const std::vector<const Clip*> clips = chosen_clips(from, glob);
  check_given(given, from, hero.motion);
  const BodyRoles clip_roles = scene_roles(from.scene, from.bones),
                  hero_roles = scene_roles(hero.motion.scene, hero.motion.bones);
  RestPair rest = choose_rest(from, clip_roles, hero.motion, hero_roles);
  const MappedSkeleton clip{rest.clip, clip_roles}, target{rest.hero, hero_roles};
  JointMap map = map_joints(clip, target, given);
  if (map.pairs.size() < std::min(least_pairs, target.skeleton.size()))
    throw Error(ErrorKind::cannot_bind,
                from.path + ": " + counted(map.pairs.size(), "joint", "joints") +
                    " of its skeleton match joints of " + hero.motion.path +
                    "; 'gvbind retarget --map FILE' names which follow which");
  const Retargeting between = make_retargeting(clip, target, map);
  std::vector<Transform> node_pose;
  for (const Node& node : hero.motion.scene.nodes) node_pose.push_back(node.local);
  keep_standing_nodes(node_pose, placed_nodes(between), hero_roles, rest.hero);
  RetargetOptions limited = options;
  if (const auto* fbx = std::get_if<std::shared_ptr<FbxDocument>>(&hero.document))
    limited.limit = rotation_limits(**fbx, hero.motion.scene);
  std::vector<NewClip> out;
  Findings of_file;
  if (between.mover >= 0) {
    const JointPair& mover = between.map.pairs[static_cast<std::size_t>(between.mover)];
    const bool is_other = is_mirrored(rest.clip, mover.clip);
    if (is_other != is_mirrored(rest.hero, mover.hero))
      of_file.push_back(mirror_finding((is_other ? from : hero.motion).path));
  }
  for (const auto& [file, roles] : {std::pair(&from, &clip_roles), {&hero.motion, &hero_roles}})
    if (roles->by_shape && !map.same_names) of_file.push_back(shape_finding(file->path));
  for (const Clip* one : clips) {
    Findings findings = std::exchange(of_file, {});
    for (Finding& finding : damage_findings(from, *one)) findings.push_back(std::move(finding));
    add_lost(from, *one, findings);
    out.push_back(naming(from.path, [&] {
      return NewClip{from.path,
                     retarget_clip(between, from.scene, *one, hero.motion.scene, limited), map,
                     std::move(findings)};
    }));
  }
  return out;
}

NodeScene add_clips(HeroFile& hero, std::vector<NewClip>& clips, const ReadOptions& reading) {
  std::set<std::string> used;
  for (const std::string& name : clip_names(hero.document)) used.insert(name);
  std::vector<Clip> added;
  for (NewClip& clip : clips) {
    const std::string name = telling_name(clip);
    std::string own = name;
    for (int n = 2; !used.insert(own).second; ++n) own = name + " " + std::to_string(n);
    clip.clip.clip.name = own;
    added.push_back(clip.clip.clip);
  }
  NodeScene expected = hero.motion.scene;
  expected.clips = added;
  if (auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&hero.document))
    append_clips(**gltf, hero.motion.scene, added);
  else
    append_clips(*std::get<std::shared_ptr<FbxDocument>>(hero.document), reading, hero.motion.scene,
                 added);
  return expected;
}

void compare_clips(const NodeScene& expected, const Document& written, const ReadOptions& reading) {
  compare_scenes(expected, played_last(written, reading, expected.clips.size()));
}

void write_with_clips(const HeroFile& hero, const NodeScene& expected, const std::string& output,
                      const ReadOptions& reading, bool overwrite) {
  const std::string& path = hero.motion.path;
  Findings findings;
  refuse_false_vrm(hero.document, path, output);
  StagedFiles staged(encode(hero.document, output, findings), output,
                     overwriting(output, overwrite));
  read_back(staged, {path, output, reading},
            [&](const Document& written) { compare_clips(expected, written, reading); });
  staged.commit();
}

}  // namespace gvbind::retarget
