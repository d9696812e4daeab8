// Tested by tests/command/score_test.py.

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <span>

#include "commands/score/rig_data.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

using Words = std::vector<std::string_view>;

constexpr std::string_view blanks = " \t\r\f\v";

Words words_of(std::string_view line) {
  Words words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == line.npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(blanks), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

/// Calls read(words) for each line; errors get its number.
template <typename Read>
void each_line(std::string_view text, const Read& read) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    try {
      if (const Words words = words_of(text.substr(0, end)); !words.empty()) read(words);
    } catch (const Error& error) {
      throw Error(error.kind(), "line " + std::to_string(number) + ": " + error.what());
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

[[noreturn]] void refuse_line(const std::string& why) { throw Error(ErrorKind::input, why); }

template <typename Number>
Number number_of(std::string_view word, const char* what) {
  if (word.starts_with('+')) word.remove_prefix(1);
  Number value{};
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size())
    refuse_line("'" + std::string(word) + "' is no " + what);
  return value;
}

Eigen::Vector3d place_of(std::span<const std::string_view> words) {
  Eigen::Vector3d place;
  for (Eigen::Index k = 0; k < 3; ++k)
    place[k] = number_of<double>(words[static_cast<std::size_t>(k)], "coordinate");
  return place;
}

/// An index of an .obj: from 1, or from the end if negative; texture and normal may follow.
std::uint32_t corner_of(std::string_view word, std::size_t vertices) {
  const auto index = number_of<std::int64_t>(word.substr(0, word.find('/')), "vertex");
  const auto count = static_cast<std::int64_t>(vertices);
  const std::int64_t at = index < 0 ? count + index : index - 1;
  if (index == 0 || at < 0 || at >= count)
    refuse_line("vertex " + std::to_string(index) + " does not exist; " + std::to_string(count) +
                " are above");
  return static_cast<std::uint32_t>(at);
}

void add_polygon(const Words& words, RigData& data) {
  if (words.size() < 4) refuse_line("a face has fewer than three vertices");
  std::vector<std::uint32_t> corners;
  for (std::size_t i = 1; i < words.size(); ++i)
    corners.push_back(corner_of(words[i], data.positions.size()));
  for (std::size_t i = 2; i < corners.size(); ++i)
    data.triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

/// Joints by name.
class JointIndex {
 public:
  void add(std::string_view name, std::size_t joint) {
    if (!index_.emplace(name, joint).second)
      refuse_line("joint '" + std::string(name) + "' is there already");
  }
  std::size_t at(std::string_view name) const {
    const auto found = index_.find(name);
    if (found == index_.end()) refuse_line("joint '" + std::string(name) + "' is not above");
    return found->second;
  }

 private:
  std::map<std::string, std::size_t, std::less<>> index_;
};

void read_joint(const Words& words, JointIndex& index, RigData& data) {
  if (words.size() != 5) refuse_line("is not 'joints NAME X Y Z'");
  index.add(words[1], data.joints.size());
  data.joint_names.emplace_back(words[1]);
  data.joints.push_back(place_of(std::span(words).subspan(2)));
  data.parents.push_back(-1);
}

void read_skin(const Words& words, const JointIndex& index, RigData& data) {
  if (words.size() < 2 || words.size() % 2 != 0)
    refuse_line("is not 'skin VERTEX NAME WEIGHT ...'");
  const auto vertex = number_of<std::uint64_t>(words[1], "vertex");
  for (std::size_t i = 2; i < words.size(); i += 2)
    data.add_weight(vertex, index.at(words[i]), number_of<double>(words[i + 1], "weight"));
}

}  // namespace

void read_obj(std::string_view text, RigData& data) {
  each_line(text, [&](const Words& words) {
    if (words[0] == "v") {
      if (words.size() < 4) refuse_line("a vertex has fewer than three coordinates");
      if (data.positions.size() == std::numeric_limits<std::uint32_t>::max())
        refuse_line("there are too many vertices");
      data.positions.push_back(place_of(std::span(words).subspan(1)));
    } else if (words[0] == "f") {
      add_polygon(words, data);
    }
  });
}

void read_rig_text(std::string_view text, RigData& data) {
  JointIndex index;
  each_line(text, [&](const Words& words) {
    if (words[0] == "joints") return read_joint(words, index, data);
    if (words[0] == "skin") return read_skin(words, index, data);
    if (words[0] == "root") {
      if (words.size() != 2) refuse_line("is not 'root NAME'");
      index.at(words[1]);
    } else if (words[0] == "hier") {
      if (words.size() != 3) refuse_line("is not 'hier PARENT CHILD'");
      data.set_parent(index.at(words[2]), index.at(words[1]));
    } else {
      refuse_line("begins with '" + std::string(words[0]) +
                  "', not with joints, root, hier or skin");
    }
  });
}

}  // namespace gvbind
