#include "commands/pose/pose_option.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "cli/option_values.h"
#include "cli/toml_lines.h"
#include "common/console.h"
#include "formats/clip.h"
#include "gvbind/error.h"
#include "preview/poses.h"

namespace gvbind {
namespace {

std::optional<double> seconds_of(std::string_view text) {
  if (text.ends_with('s')) text.remove_suffix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

/// The rotation that a line of a file of rotations describes, in bind space.
Eigen::Matrix3d turn_of(const TomlLine& line) {
  const toml::array* angles = line.value->as_array();
  if (!angles || angles->size() != 3)
    throw Error(ErrorKind::usage, line.place + ": '" + line.pattern +
                                      "' takes three angles in degrees, as in [0, 45, 0]");
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto degrees = (*angles)[axis].value<double>();
    if (!degrees || !std::isfinite(*degrees))
      throw Error(ErrorKind::usage,
                  line.place + ": an angle of '" + line.pattern + "' is no number");
    turn = Eigen::AngleAxisd(*degrees * M_PI / 180.0,
                             Eigen::Vector3d::Unit(static_cast<Eigen::Index>(axis)))
               .toRotationMatrix() *
           turn;
  }
  return turn;
}

std::vector<Eigen::Affine3d> pose_of_file(const std::string& path, const PosedFile& file) {
  const std::vector<SceneJoint>& joints = file.scene.joints;
  std::vector<Eigen::Quaterniond> turn(joints.size(), Eigen::Quaterniond::Identity());
  std::vector<std::string> names;
  for (const SceneJoint& joint : joints) names.push_back(joint.name);
  const toml::table table = read_toml(path);
  for (const TomlLine& line : toml_lines(table, path)) {
    const Eigen::Matrix3d own = turn_of(line);
    for (const std::size_t j : matches_of(line, names, "joint of " + file.path))
      turn[j] = preview::turn_in_frame(joints[j].bind, own) * turn[j];
  }
  return preview::pose_joints(joints, turn);
}

/// Notes how a pose of this clip may differ from the clip.
void note_differences(const std::string& flag, const PosedFile& file,
                      const std::vector<std::string>& clips, std::size_t clip) {
  const auto alike = std::ranges::count(clips, clips[clip]);
  if (alike > 1)
    print_finding(Severity::note, flag + ": " + file.path + " has " + std::to_string(alike) +
                                      " animations '" + clips[clip] + "'; the first is taken");
  if (moves_morphs(file.document, clip))
    print_finding(Severity::note, flag + ": " + file.path +
                                      ": morph targets are left out; the page of 'gvbind view' "
                                      "shows them");
}

}  // namespace

ClipTime clip_option(const std::string& flag, std::string_view text, const PosedFile& file) {
  std::string name(text);
  double seconds = 0.0;
  if (const std::size_t at = name.rfind('@'); at != std::string::npos) {
    const auto time = seconds_of(std::string_view(name).substr(at + 1));
    if (!time)
      throw Error(ErrorKind::usage, flag + ": '" + name.substr(at + 1) +
                                        "' is no time; seconds stand there, as in " +
                                        (flag == "--pose" ? "clip:" : "") + "walk@0.5");
    seconds = *time;
    name.resize(at);
  }
  const std::vector<std::string> clips = clip_names(file.document);
  if (clips.empty()) throw Error(ErrorKind::usage, flag + ": " + file.path + " holds no animation");
  for (std::size_t i = 0; i < clips.size(); ++i)
    if (clips[i] == name || name.empty()) {
      note_differences(flag, file, clips, i);
      return {i, seconds};
    }
  const std::string near = nearest_name_hint(name, clips);
  throw Error(ErrorKind::usage, flag + ": " + file.path + " has no animation '" + name + "'" +
                                    (near.empty() ? "; the first is '" + clips[0] + "'" : near));
}

std::vector<Eigen::Affine3d> pose_option(const std::string& text, const PosedFile& file) {
  if (text.starts_with(clip_prefix)) {
    const ClipTime at =
        clip_option("--pose", std::string_view(text).substr(clip_prefix.size()), file);
    return naming(file.path,
                  [&] { return clip_pose(file.document, file.scene, at.clip, at.seconds); });
  }
  return pose_of_file(text, file);
}

}  // namespace gvbind
