#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "bind/bind_scene.h"
#include "bind/cache_stream.h"
#include "bind/distance_cache.h"
#include "character/selection.h"
#include "characters.h"
#include "formats/document.h"
#include "gltf_seeds.h"
#include "gvbind/bind_skin.h"
#include "gvbind/error.h"
#include "gvbind/fitted/network_file.h"
#include "motion/cells_file.h"
#include "person_scene.h"
#include "retarget/retarget_file.h"
#include "score_seeds.h"
#include "support/shapes.h"
#include "unit/formats/fbx/old_file.h"

namespace gvbind {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

/// Seeds are small so that each mutation is likely to hit relevant bytes.
constexpr std::size_t largest_seed = 32 << 10;

void write_seed(const fs::path& path, const Bytes& bytes) {
  if (bytes.size() > largest_seed)
    throw Error(ErrorKind::internal, path.string() + ": too large for a seed");
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw Error(ErrorKind::output, path.string() + ": cannot be written");
}

void add_capsule(Scene& scene, const std::string& name, const Eigen::Vector3d& from,
                 const Eigen::Vector3d& to) {
  const test::Shape shape = test::capsule(from, to, 0.1, 6, 4);
  SceneMesh& mesh = scene.meshes.emplace_back();
  mesh.name = name;
  mesh.positions = shape.positions;
  mesh.triangles = shape.triangles;
}

/// A trunk and a separate part beside it, with four joints.
Scene figure() {
  Scene scene;
  add_capsule(scene, "Trunk", {0, 0, 0}, {0, 1, 0});
  add_capsule(scene, "Part", {0.3, 0.5, 0}, {0.6, 0.5, 0});
  scene.meshes[0].color = Eigen::Vector4f(1.0f, 0.5f, 0.25f, 1.0f);
  for (const Eigen::Vector3d& p : scene.meshes[0].positions) {
    scene.meshes[0].normals.push_back(Eigen::Vector3f::UnitY());
    scene.meshes[0].texture_coordinates.emplace_back(static_cast<float>(p.x()), 0.5f);
  }
  for (int j = 0; j < 4; ++j) {
    SceneJoint& joint = scene.joints.emplace_back();
    joint.name = "joint" + std::to_string(j);
    joint.parent = j < 3 ? j - 1 : 1;
    joint.bind.translate(j < 3 ? Eigen::Vector3d(0, 0.4 * j, 0) : Eigen::Vector3d(0.45, 0.5, 0));
    joint.bind.rotate(Eigen::AngleAxisd(0.3 * j, Eigen::Vector3d(1, 2, 3).normalized()));
  }
  return scene;
}

/// The first joints of the sample dog, in a single tube as body.
Scene sample_skeleton() {
  constexpr std::size_t max_joints = 12;
  Scene scene = quadruped();
  scene.joints.resize(std::min(scene.joints.size(), max_joints));
  Eigen::AlignedBox3d box;
  for (const SceneJoint& joint : scene.joints) box.extend(joint.bind.translation());
  scene.meshes.clear();
  const Eigen::Vector3d center = box.center();
  add_capsule(scene, "Body", {center.x(), center.y(), box.min().z()},
              {center.x(), center.y(), box.max().z()});
  return scene;
}

Bytes encoded(const Document& document, const fs::path& path) {
  Findings findings;
  return encode(document, path, findings).front().bytes;
}

/// Binds the document, so that the file has a skin.
Document skinned(Document document) {
  Findings findings;
  Scene scene = scene_of(document, {}, findings);
  apply_selection(scene, {});
  BindOptions options;
  options.resolution = 16;
  options.device = Device::cpu;
  patch_skin(document, scene, bind_scene(scene, options).weights);
  return document;
}

void write_formats(const Scene& scene, const std::string& name, const fs::path& folder) {
  for (const char* suffix : {".glb", ".fbx"}) {
    const fs::path path = folder / (name + suffix);
    const Document document = build_document(scene, path);
    write_seed(path, encoded(document, path));
    const fs::path bound = folder / (name + "_skin" + suffix);
    write_seed(bound, encoded(skinned(build_document(scene, path)), bound));
  }
  const Document text = build_fbx(scene, FbxEncoding::ascii);
  write_seed(folder / (name + "_ascii.fbx"), encoded(text, "a.fbx"));
  const Document bound_text = skinned(build_fbx(scene, FbxEncoding::ascii));
  write_seed(folder / (name + "_ascii_skin.fbx"), encoded(bound_text, "a.fbx"));
}

/// A skin and a clip of FBX 6.1.
void write_old_files(const fs::path& folder) {
  for (const auto& [name, encoding] : {std::pair("old.fbx", FbxEncoding::binary),
                                       std::pair("old_ascii.fbx", FbxEncoding::ascii)}) {
    test::OldFile file = test::skinned_file(encoding);
    append_child(file.takes, test::mixed_take(file));
    write_seed(folder / name, file.bytes());
  }
}

/// The first and the last key of a few channels, so that the file is small.
void shorten(Clip& clip) {
  constexpr std::size_t max_channels = 3;
  if (clip.channels.size() > max_channels) clip.channels.resize(max_channels);
  for (Channel& channel : clip.channels) {
    const auto columns = static_cast<std::ptrdiff_t>(channel.columns());
    channel.times = {channel.times.front(), channel.times.back()};
    channel.values.erase(channel.values.begin() + columns, channel.values.end() - columns);
  }
}

/// A person with motions of our own, one clip each.
void write_clips(const fs::path& folder) {
  for (const char* motion : {"idle", "wave"})
    for (const char* suffix : {".glb", ".fbx"}) {
      const fs::path path = folder / (motion + std::string(suffix));
      retarget::HeroFile hero =
          retarget::hero_of(build_document(fuzz::person_scene(), path), path.string(), {});
      Findings findings;
      std::vector<retarget::NewClip> clips = retarget::retarget_motion(
          retarget::open_motion(motion, hero, {}, findings), hero, "", {}, {});
      for (retarget::NewClip& clip : clips) shorten(clip.clip.clip);
      retarget::add_clips(hero, clips, {});
      write_seed(path, encoded(hero.document, path));
    }
}

/// In the format that fuzz_weights reads: with four features.
void write_weights(const fs::path& folder) {
  for (const auto& [hidden, networks] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {3, 1}, {8, 1}, {3, 2}}) {
    NetworkFile file = {{std::vector(networks, make_network(4, hidden))},
                        {"input hero.fbx", "seed 1"}};
    int k = 0;
    for (PairNetwork& network : file.fitted.networks)
      for (const std::span<float> part : parts_of(network))
        for (float& number : part) number = 0.25f * static_cast<float>(++k % 17 - 8);
    write_seed(
        folder / ("hidden" + std::to_string(hidden) + "x" + std::to_string(networks) + ".weights"),
        encode_network(file));
  }
}

/// In the format that fuzz_cells reads: without compression.
void write_cells(const fs::path& folder) {
  motion::SkinCells cells;
  for (const char* name : {"a", "b"}) {
    cells.joints.push_back({name, {name[0] == 'a' ? 0.0 : 1.0, 0.0, 0.0}});
    for (std::size_t i = 0; i < motion::numbers_per_cell; ++i)
      cells.numbers.push_back(0.01 * static_cast<double>(i % 7));
  }
  const Bytes packed = motion::encode_cells(cells);
  const std::size_t first_line = std::string_view("gvbind cells 1\n").size();
  Bytes bytes = unpack_blocks(std::span(packed).subspan(first_line));
  write_seed(folder / "two.cells", bytes);
}

/// In the format that fuzz_field reads: without compression.
void write_fields(const fs::path& folder) {
  for (const WeightRule weights : {WeightRule::falloff, WeightRule::fitted}) {
    Scene scene = figure();
    BindOptions options;
    options.resolution = 16;
    options.device = Device::cpu;
    options.weights = weights;
    options.max_influences = 1;
    options.distance = DistanceRule::path;
    options.components = ComponentRule::bend;
    DistanceCache field{"a.glb", {{"alpha", {"0.4"}}}, options.resolution, {}};
    bind_scene(scene, options, Volume::automatic, {}, {}, {&field.solids, nullptr});
    const Bytes packed = encode_field(field);
    const std::size_t first_line = std::string_view("gvbind field 2\n").size();
    Bytes bytes = unpack_blocks(std::span(packed).subspan(first_line));
    const bool fitted = weights == WeightRule::fitted;
    // The fuzzer derives its options from the length.
    while (bytes.size() % 4 == 0 || (bytes.size() % 8 < 4) != fitted) bytes.push_back(0);
    write_seed(folder / (fitted ? "fitted.field" : "falloff.field"), bytes);
  }
}

/// One line of every kind.
void write_rules(const fs::path& folder) {
  const std::pair<const char*, std::string_view> seeds[] = {
      {"all.edits",
       "# all of them\nadd sphere 0 1 0 0.5\ncut box 0% 40% 0% 100% 45% 100%\n"
       "seal half-space 0 3 0 0 1 0 in j1\nadd capsule 0 0 0 1.5 1 0 10% in \"j2\"\n"
       "cut point 0 1 0\n"},
      {"seal.edits", "cut box -2 3.5 -2 2 5 2\nseal box -2 3.8 -2 2 4.2 2\n"},
      {"all.influences",
       "start j2 point 0.5 1 0.5\nonly j0|j1 box -1 2 -1 1 4 1\ngive j1 sphere 1.7 1.2 0 2\n"
       "start j0 capsule 0 3 0 0 4 0 5%\nonly j* half-space 0 3 0 0 1 0 in j2\n"},
      {"all.toml",
       "alpha = 0.3\nresolution = \"auto\"\nviews = [\"+x\", \"-z\"]\nwinding = false\n"
       "forbid = [\"L*:R*\", \"a\\\\:b:c\"]\ngive = \"mesh:Sword=Hand\"\n"
       "lock = [\"Face*\", \"mesh:Eyes\"]\nmirror = \"auto\"\nprune = 0.02\n"
       "alpha-joint = [\"Tail*=0.9\"]\nfalloff = \"inverse-square\"\n"
       "weights = \"falloff\"\nmeshes = [\"Body\"]\n"},
      {"all.ranges", "# degrees\n\"*\" = 30\nj1 = [[-10, 0, 0], [90.5, 0, 0]]\n\"j[02]\" = 0\n"},
      {"turns.pose", "# degrees\nj1 = [0, 45.5, 0]\n\"j[02]\" = [90, 0, -30]\n"},
      {"factors.pose", "j1 = 0.5\n\"j*\" = -2\n[meshes]\nbody = 1.5\n"},
      {"tail.springs",
       "[[spring]]\njoints = [\"tail_*\", \"ear\"]\nstiffness = [1.5, 0.5]\ndrag = 0.4\ngravity = "
       "0.1\nhit-radius = 0.02\ncolliders = [\"guard\"]\n[[collider]]\nname = \"guard\"\njoint = "
       "\"Hips\"\noffset = [0, 0.1, 0]\ntail = [0, -1e-3, 2]\nradius = 0.1\n"},
      {"joints.map", "\"Bip01 Tail\" = \"tail_01\"\nhead = \"Head\"\n"},
      {"legs.bvh",
       "HIERARCHY\nROOT Hips\n{\nOFFSET 0 90 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
       "Xrotation Yrotation\nJOINT LeftUpLeg\n{\nOFFSET 10 0 0\nCHANNELS 3 Zrotation Xrotation "
       "Yrotation\nJOINT LeftLeg\n{\nOFFSET 0 -40 0\nJOINT LeftFoot\n{\nOFFSET 0 -40 0\nEnd "
       "Site\n{\nOFFSET 0 0 9\n}\n}\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.033333\n0 90 0 0 0 "
       "0 "
       "10 20 30\n1 90 0 0 45 0 -10 0 30\n"}};
  for (const auto& [name, text] : seeds) write_seed(folder / name, {text.begin(), text.end()});
}

}  // namespace
}  // namespace gvbind

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: make_seeds OUT_DIR\n";
    return static_cast<int>(gvbind::ErrorKind::usage);
  }
  try {
    const std::filesystem::path folder = arguments[1];
    std::filesystem::create_directories(folder);
    gvbind::write_formats(gvbind::figure(), "figure", folder);
    gvbind::write_formats(gvbind::sample_skeleton(), "dog", folder);
    gvbind::write_clips(folder);
    gvbind::write_old_files(folder);
    gvbind::write_weights(folder);
    gvbind::write_rules(folder);
    gvbind::write_fields(folder);
    gvbind::write_cells(folder);
    for (const auto& [name, bytes] : gvbind::fuzz::gltf_seeds())
      gvbind::write_seed(folder / name, bytes);
    for (const auto& [name, bytes] : gvbind::fuzz::score_seeds())
      gvbind::write_seed(folder / name, bytes);
  } catch (const gvbind::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
