#include "retarget/bvh_motion.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "character/reduce_keys.h"
#include "gvbind/base/mend_utf8.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"

namespace gvbind::retarget {
namespace {

constexpr std::size_t max_joints = 4096, max_depth = 512, max_name = 256;
constexpr double max_frame_time = 10.0;  // seconds: two frames would be sampled for hours

/// A channel of a joint: 0 to 2 positions, 3 to 5 rotations.
struct BvhJoint {
  std::vector<int> channels;
  bool has_position = false, has_rotation = false;
};

struct BvhReader {
  std::string_view text;
  const std::filesystem::path& path;
  std::size_t at = 0, line = 1;
  NodeScene scene = {};
  std::vector<BvhJoint> joints = {};  ///< by node
  std::size_t columns = 0;            ///< channels of all joints

  [[noreturn]] void fail(const std::string& message) const {
    throw Error(ErrorKind::input,
                path_text(path) + ": line " + std::to_string(line) + ": " + mend_utf8(message));
  }

  void skip_space(bool across_lines) {
    while (at < text.size()) {
      const char c = text[at];
      if (c == '\n') {
        if (!across_lines) return;
        ++line;
      } else if (c != ' ' && c != '\t' && c != '\r' && c != '\0') {
        return;
      }
      ++at;
    }
  }

  std::string_view word() {
    skip_space(true);
    const std::size_t begin = at;
    while (at < text.size() && std::string_view(" \t\r\n").find(text[at]) == std::string_view::npos)
      ++at;
    return text.substr(begin, at - begin);
  }

  /// The rest of the line, which may have spaces: names of joints.
  std::string rest_of_line() {
    skip_space(false);
    const std::size_t begin = at;
    while (at < text.size() && text[at] != '\n' && text[at] != '{') ++at;
    std::string_view rest = text.substr(begin, at - begin);
    while (!rest.empty() && std::string_view(" \t\r").find(rest.back()) != std::string_view::npos)
      rest.remove_suffix(1);
    return mend_utf8(std::string(rest.substr(0, max_name)));
  }

  void expect(std::string_view wanted) {
    const std::string_view found = word();
    if (found != wanted) fail(quoted(found) + " where '" + std::string(wanted) + "' belongs");
  }

  static std::string quoted(std::string_view found) {
    if (found.empty()) return "the file ends";
    std::string out = "'";
    for (const char c : found.substr(0, 40)) out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    out += '\'';
    return out;
  }

  double number() {
    std::string_view found = word();
    if (found.starts_with('+')) found.remove_prefix(1);
    double value = 0.0;
    const auto [end, problem] = std::from_chars(found.data(), found.data() + found.size(), value);
    if (found.empty() || problem != std::errc() || end != found.data() + found.size())
      fail(quoted(found) + " where a number belongs");
    constexpr double largest = 1e9;
    if (!std::isfinite(value) || std::abs(value) > largest)
      fail(quoted(found) + " is no number that a pose can have");
    return value;
  }

  std::size_t count(std::size_t most, const char* what) {
    const double value = number();
    if (value < 0.0 || value != std::floor(value) || value > static_cast<double>(most))
      fail(std::string("the number of ") + what + " is not from 0 to " + std::to_string(most));
    return static_cast<std::size_t>(value);
  }
};

int channel_of(std::string_view name) {
  constexpr std::array names = {"Xposition", "Yposition", "Zposition",
                                "Xrotation", "Yrotation", "Zrotation"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view known = names[i];
    if (name.size() != known.size()) continue;
    bool same = true;
    for (std::size_t k = 0; k < known.size(); ++k)
      same = same && std::tolower(static_cast<unsigned char>(name[k])) ==
                         std::tolower(static_cast<unsigned char>(known[k]));
    if (same) return static_cast<int>(i);
  }
  return -1;
}

void read_channels(BvhReader& reader, BvhJoint& joint) {
  const std::size_t count = reader.count(6, "channels of a joint");
  for (std::size_t c = 0; c < count; ++c) {
    const std::string_view name = reader.word();
    const int channel = channel_of(name);
    if (channel < 0) reader.fail(BvhReader::quoted(name) + " is no channel");
    for (const int other : joint.channels)
      if (other == channel) reader.fail(BvhReader::quoted(name) + " stands twice");
    joint.channels.push_back(channel);
    (channel < 3 ? joint.has_position : joint.has_rotation) = true;
  }
  reader.columns += count;
}

int add_joint(BvhReader& reader, std::string name, int parent) {
  if (reader.scene.nodes.size() >= max_joints)
    reader.fail("more than " + std::to_string(max_joints) + " joints");
  Node node;
  node.name = std::move(name);
  node.parent = parent;
  node.is_joint = true;
  reader.scene.nodes.push_back(std::move(node));
  reader.joints.emplace_back();
  return static_cast<int>(reader.scene.nodes.size()) - 1;
}

/// From ROOT to the brace that closes it.
void read_joints(BvhReader& reader) {
  std::vector<int> open = {add_joint(reader, reader.rest_of_line(), -1)};
  reader.expect("{");
  while (!open.empty()) {
    const int joint = open.back();
    const std::string_view key = reader.word();
    if (key == "OFFSET") {
      for (int axis = 0; axis < 3; ++axis)
        reader.scene.nodes[joint].local.translation[axis] = reader.number();
    } else if (key == "CHANNELS") {
      if (!reader.joints[joint].channels.empty()) reader.fail("CHANNELS stands twice");
      read_channels(reader, reader.joints[joint]);
    } else if (key == "JOINT" || key == "End") {
      if (open.size() >= max_depth) reader.fail("joints are nested too deeply");
      std::string name = reader.rest_of_line();
      if (key == "End") name = reader.scene.nodes[joint].name + " end";
      open.push_back(add_joint(reader, std::move(name), joint));
      // No partner is missed for it.
      if (key == "End") reader.scene.nodes.back().is_joint = false;
      reader.expect("{");
    } else if (key == "}") {
      open.pop_back();
    } else {
      reader.fail(BvhReader::quoted(key) + " where OFFSET, CHANNELS, JOINT, End or } belongs");
    }
  }
}

/// The channels of the clip, two at most for each joint.
std::vector<std::array<int, 2>> add_channels(const BvhReader& reader, Clip& clip) {
  std::vector<std::array<int, 2>> of_joint(reader.joints.size(), {-1, -1});
  for (std::size_t j = 0; j < reader.joints.size(); ++j)
    for (const bool turns : {false, true}) {
      const BvhJoint& joint = reader.joints[j];
      if (!(turns ? joint.has_rotation : joint.has_position)) continue;
      of_joint[j][turns] = static_cast<int>(clip.channels.size());
      Channel channel;
      channel.node = static_cast<int>(j);
      channel.path = turns ? Channel::Path::rotation : Channel::Path::translation;
      clip.channels.push_back(std::move(channel));
    }
  return of_joint;
}

void read_frame(BvhReader& reader, double seconds, const std::vector<std::array<int, 2>>& of_joint,
                Clip& clip) {
  for (std::size_t j = 0; j < reader.joints.size(); ++j) {
    Eigen::Vector3d position = reader.scene.nodes[j].local.translation;
    Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
    for (const int channel : reader.joints[j].channels) {
      const double value = reader.number();
      if (channel < 3)
        position[channel] = value;
      else
        turn = turn * Eigen::AngleAxisd(value * M_PI / 180.0, Eigen::Vector3d::Unit(channel - 3));
    }
    const auto add = [&](int at, const double* values, std::ptrdiff_t size) {
      if (at < 0) return;
      clip.channels[at].times.push_back(seconds);
      clip.channels[at].values.insert(clip.channels[at].values.end(), values, values + size);
    };
    turn.normalize();
    add(of_joint[j][0], position.data(), 3);
    add(of_joint[j][1], turn.coeffs().data(), 4);
  }
}

/// Seconds of a frame. Programs write few digits of a thirtieth, so that key times would drift off
/// the frames: a whole number of frames a second is meant if it is written like that.
double frame_time(BvhReader& reader) {
  reader.skip_space(true);
  const std::size_t begin = reader.at;
  const double step = reader.number();
  const std::string_view text = reader.text.substr(begin, reader.at - begin);
  const std::size_t point = text.find('.');
  if (!(step > 0.0) || point == std::string_view::npos ||
      text.find_first_of("eE") != std::string_view::npos)
    return step;
  const double last_digit = std::pow(10.0, -static_cast<double>(text.size() - point - 1));
  const double rate = std::round(1.0 / step);
  return rate > 0.0 && std::abs(1.0 / rate - step) <= last_digit ? 1.0 / rate : step;
}

void read_motion(BvhReader& reader) {
  reader.expect("MOTION");
  reader.expect("Frames:");
  const std::size_t frames = reader.count(100'000'000, "frames");
  reader.expect("Frame");
  reader.expect("Time:");
  const double step = frame_time(reader);
  if (frames == 0) reader.fail("the motion has no frame");
  if (!(step > 0.0) && frames > 1) reader.fail("the time of a frame is not above 0");
  if (step > max_frame_time) reader.fail("a frame takes more than 10 seconds");
  // Every value takes two characters, so a file cannot claim more than it holds.
  if (reader.columns * frames > reader.text.size())
    reader.fail("the file is too short for " + std::to_string(frames) + " frames");
  Clip clip{mend_utf8(path_text(reader.path.stem())), {}};
  const auto of_joint = add_channels(reader, clip);
  for (std::size_t f = 0; f < frames; ++f)
    read_frame(reader, static_cast<double>(f) * step, of_joint, clip);
  for (Channel& channel : clip.channels)
    if (channel.path == Channel::Path::rotation) align_rotations(channel);
  if (clip.channels.empty()) reader.fail("no joint has channels");
  reader.scene.clips.push_back(std::move(clip));
}

}  // namespace

NodeScene read_bvh(std::span<const std::uint8_t> bytes, const std::filesystem::path& path) {
  BvhReader reader{{reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path};
  if (reader.text.starts_with("\xef\xbb\xbf")) reader.at = 3;
  reader.expect("HIERARCHY");
  reader.expect("ROOT");
  read_joints(reader);
  read_motion(reader);
  return std::move(reader.scene);
}

}  // namespace gvbind::retarget
