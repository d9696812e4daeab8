#include "bind/rule_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <utility>

#include "character/selection.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

/// Beyond these, sums of squares would lose the rest.
constexpr double largest_measure = 1e9;

struct PrimitiveForm {
  const char* name;
  Primitive::Kind kind;
  int vectors;  ///< of three numbers each
  bool has_radius;
  const char* takes;
};

constexpr std::array<PrimitiveForm, 5> primitive_forms = {{
    {"box", Primitive::Kind::box, 2, false, "two corners: X Y Z X Y Z"},
    {"capsule", Primitive::Kind::capsule, 2, true, "two ends and a radius: X Y Z X Y Z RADIUS"},
    {"half-space", Primitive::Kind::half_space, 2, false,
     "a point and the direction of its inside: X Y Z DX DY DZ"},
    {"point", Primitive::Kind::sphere, 1, false, "a point: X Y Z"},
    {"sphere", Primitive::Kind::sphere, 1, true, "a center and a radius: X Y Z RADIUS"},
}};

[[noreturn]] void refuse_line(const std::string& origin, const std::string& message) {
  throw Error(ErrorKind::input, one_line(origin + ": " + message));
}

/// The words of one line.
class LineWords {
 public:
  LineWords(std::string_view line, std::string origin) : origin_(std::move(origin)) {
    std::size_t at = 0;
    while (at < line.size()) {
      const char c = line[at];
      if (c == '#') break;
      if (c == ' ' || c == '\t' || c == '\r') {
        ++at;
      } else if (c == '"') {
        const std::size_t end = line.find('"', at + 1);
        if (end == line.npos) refuse_line(origin_, "a quote is not closed");
        words_.emplace_back(line.substr(at + 1, end - at - 1));
        at = end + 1;
      } else {
        const std::size_t end = std::min(line.find_first_of(" \t\r#", at), line.size());
        words_.emplace_back(line.substr(at, end - at));
        at = end;
      }
    }
  }

  bool empty() const { return words_.empty(); }
  bool done() const { return next_ == words_.size(); }
  const std::string& origin() const { return origin_; }

  /// The next word; `what` names it in the error if it is missing.
  const std::string& take(const std::string& what) {
    if (done()) refuse_line(origin_, what + " is missing at the end of the line");
    return words_[next_++];
  }

  template <typename Forms>
  auto choose(const Forms& forms, const std::string& what) {
    const std::string& word = take(what);
    std::vector<std::string> known;
    for (const auto& form : forms) {
      if (word == form.name) return form;
      known.emplace_back(form.name);
    }
    std::string names;
    for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
    const std::string nearest = nearest_name(word, known);
    refuse_line(origin_, "'" + word + "' is no " + what + " (" + names + ")" +
                             (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
  }

  WrittenNumber measure(const std::string& takes) {
    const std::string word = take("a number (" + takes + ")");
    WrittenNumber measure;
    measure.relative = word.ends_with('%');
    const char *begin = word.data(), *end = begin + word.size() - (measure.relative ? 1 : 0);
    const auto [rest, error] = std::from_chars(begin, end, measure.value);
    if (error != std::errc() || rest != end || !(std::abs(measure.value) <= largest_measure))
      refuse_line(origin_, "'" + word + "' is no number from -1e9 to 1e9 (it takes " + takes + ")");
    if (measure.relative) measure.value /= 100.0;
    return measure;
  }

 private:
  std::string origin_;
  std::vector<std::string> words_;
  std::size_t next_ = 0;
};

void check_half_space(const PrimitiveText& made, const std::string& origin) {
  double length = 0.0;
  for (const WrittenNumber& direction : made.b) {
    if (direction.relative)
      refuse_line(origin, "the direction of a half-space takes plain numbers, no %");
    length = std::max(length, std::abs(direction.value));
  }
  if (length < 1e-6) refuse_line(origin, "the direction of a half-space is zero");
}

PrimitiveText take_primitive(LineWords& words) {
  const PrimitiveForm form = words.choose(primitive_forms, "primitive");
  PrimitiveText made;
  made.kind = form.kind;
  for (WrittenNumber& number : made.a) number = words.measure(form.takes);
  if (form.vectors == 2)
    for (WrittenNumber& number : made.b) number = words.measure(form.takes);
  if (form.has_radius) made.radius = words.measure(form.takes);
  if (made.radius.value < 0.0) refuse_line(words.origin(), "a radius is less than zero");
  if (made.kind == Primitive::Kind::half_space) check_half_space(made, words.origin());
  if (words.done()) return made;
  if (const std::string& word = words.take("'in'"); word != "in")
    refuse_line(words.origin(), "'" + word + "' is too much: " + form.name + " takes " +
                                    form.takes + ", and 'in JOINT' behind it");
  made.joint = words.take("the joint of 'in JOINT'");
  if (made.joint.empty()) refuse_line(words.origin(), "a name is empty");
  if (!words.done())
    refuse_line(words.origin(), "'" + words.take("") +
                                    "' is too much behind 'in JOINT'; a name with blanks stands in "
                                    "\"quotes\"");
  return made;
}

/// Calls `take` with the words of every line that holds any.
void read_lines(std::string_view text, const std::string& name,
                const std::function<void(LineWords& words)>& take) {
  int number = 0;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte order mark
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string origin = name + ":" + std::to_string(++number);
    const std::string_view line = text.substr(0, end);
    if (line.find('\0') != line.npos) refuse_line(origin, "a zero byte: this is no text");
    LineWords words(line, origin);
    if (!words.empty()) take(words);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

template <typename Kind>
struct NamedKind {
  const char* name;
  Kind kind;
};

constexpr std::array<NamedKind<EditKind>, 3> edit_kinds = {
    {{"add", EditKind::add}, {"cut", EditKind::cut}, {"seal", EditKind::seal}}};
constexpr std::array<NamedKind<InfluenceKind>, 3> influence_kinds = {
    {{"give", InfluenceKind::give},
     {"only", InfluenceKind::only},
     {"start", InfluenceKind::start}}};

std::vector<std::string> joints_of_word(LineWords& words, InfluenceKind kind) {
  const std::string word = words.take(kind == InfluenceKind::only ? "JOINT[|JOINT...]" : "JOINT");
  std::vector<std::string> joints;
  std::string_view rest = word;
  while (kind == InfluenceKind::only && rest.find('|') != rest.npos) {
    joints.emplace_back(rest.substr(0, rest.find('|')));
    rest.remove_prefix(rest.find('|') + 1);
  }
  joints.emplace_back(rest);
  if (std::ranges::any_of(joints, &std::string::empty))
    refuse_line(words.origin(), "the name of a joint is empty");
  return joints;
}

}  // namespace

std::vector<EditLine> parse_edits(std::string_view text, const std::string& name) {
  std::vector<EditLine> edits;
  read_lines(text, name, [&](LineWords& words) {
    const EditKind kind = words.choose(edit_kinds, "edit").kind;
    edits.push_back({kind, take_primitive(words), words.origin()});
  });
  return edits;
}

std::vector<InfluenceLine> parse_influences(std::string_view text, const std::string& name) {
  std::vector<InfluenceLine> lines;
  read_lines(text, name, [&](LineWords& words) {
    const InfluenceKind kind = words.choose(influence_kinds, "rule").kind;
    std::vector<std::string> joints = joints_of_word(words, kind);
    lines.push_back({kind, std::move(joints), take_primitive(words), words.origin()});
  });
  return lines;
}

ForbidRule parse_forbid(const std::string& text) {
  std::vector<std::size_t> colons;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == ':')
      colons.push_back(i);
  }
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::usage, one_line("--forbid: '" + text + "' " + why));
  };
  if (colons.size() % 2 == 0)
    refuse(colons.empty() ? "is not of the form JOINTGLOB:JOINTGLOB"
                          : "has several colons; write those of names as \\:");
  const std::size_t middle = colons[colons.size() / 2];
  ForbidRule rule{text.substr(0, middle), text.substr(middle + 1), "--forbid '" + text + "'"};
  if (rule.first.empty() || rule.second.empty()) refuse("lacks a glob beside the colon");
  return rule;
}

GiveRule parse_give(const std::string& text) {
  const std::size_t colon = text.find(':'), equals = text.rfind('=');
  const std::string by = text.substr(0, std::min(colon, text.size()));
  if (colon == text.npos || equals == text.npos || equals < colon ||
      (by != "mesh" && by != "material"))
    throw Error(ErrorKind::usage, one_line("--give: '" + text +
                                           "' is not of the form mesh:GLOB=JOINT or "
                                           "material:GLOB=JOINT"));
  GiveRule rule{by == "material", text.substr(colon + 1, equals - colon - 1),
                text.substr(equals + 1), "--give '" + text + "'"};
  if (rule.glob.empty() || rule.joint.empty())
    throw Error(ErrorKind::usage, one_line("--give: '" + text + "' lacks the name of a " +
                                           (rule.joint.empty() ? "joint" : by)));
  return rule;
}

AlphaRule parse_alpha_joint(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  AlphaRule rule{text.substr(0, std::min(equals, text.size())), -1.0,
                 "--alpha-joint '" + text + "'"};
  const char* const end = text.data() + text.size();
  const char* const begin = equals == text.npos ? end : text.data() + equals + 1;
  const auto [rest, error] = std::from_chars(begin, end, rule.alpha);
  const bool is_alpha =
      error == std::errc() && rest == end && rule.alpha >= 0.0 && rule.alpha <= 1.0;
  if (rule.joints.empty() || !is_alpha)
    throw Error(ErrorKind::usage,
                one_line("--alpha-joint: '" + text +
                         "' is not of the form JOINTGLOB=A with a number A from 0 to 1"));
  return rule;
}

LockRule parse_lock(const std::string& text) {
  LockRule rule{LockRule::Of::any, text, "--lock '" + text + "'"};
  for (const auto& [prefix, of] : {std::pair{std::string_view("joint:"), LockRule::Of::joint},
                                   std::pair{std::string_view("mesh:"), LockRule::Of::mesh}})
    if (text.starts_with(prefix)) {
      rule.of = of;
      rule.glob = text.substr(prefix.size());
    }
  if (rule.glob.empty())
    throw Error(ErrorKind::usage,
                one_line("--lock: '" + text + "' lacks the name of a joint or mesh"));
  return rule;
}

}  // namespace gvbind
