#include "bind/rule_lines.h"

#include <catch2/catch.hpp>
#include <random>

#include "formats/import/samples.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

std::string edits_refused(const std::string& text) {
  return error_of(ErrorKind::input, [&] { parse_edits(text, "a.edits"); });
}

std::string influences_refused(const std::string& text) {
  return error_of(ErrorKind::input, [&] { parse_influences(text, "b.rules"); });
}

std::string usage_refused(const std::function<void()>& call) {
  return error_of(ErrorKind::usage, call);
}

}  // namespace

TEST_CASE("edits are read line by line", "[rules]") {
  const auto edits = parse_edits(
      "\xef\xbb\xbf# a comment\r\n"
      "add sphere 1 -2.5 3e1 50%   # behind it\r\n"
      "\n"
      "cut\tbox 0% 0% 0% 100% 50% 100%\n"
      "seal half-space 0 1 0 0 -1 0 in \"Left Hand\"",
      "a.edits");
  REQUIRE(edits.size() == 3);
  CHECK(edits[0].kind == EditKind::add);
  CHECK(edits[0].where.kind == Primitive::Kind::sphere);
  CHECK(edits[0].where.a[1].value == -2.5);
  CHECK(edits[0].where.a[2].value == 30.0);
  CHECK_FALSE(edits[0].where.a[2].relative);
  CHECK(edits[0].where.radius.relative);
  CHECK(edits[0].where.radius.value == 0.5);
  CHECK(edits[0].origin == "a.edits:2");
  CHECK(edits[1].kind == EditKind::cut);
  CHECK(edits[1].where.b[1].value == 0.5);
  CHECK(edits[2].kind == EditKind::seal);
  CHECK(edits[2].where.joint == "Left Hand");
  CHECK(edits[2].origin == "a.edits:5");
  CHECK(parse_edits("", "a.edits").empty());
  CHECK(parse_edits("\n  \n# nothing\n", "a.edits").empty());
}

TEST_CASE("a malformed edit is reported with its line and its fault", "[rules]") {
  const std::pair<const char*, const char*> lines[] = {
      {"ad sphere 0 0 0 1", "'ad' is no edit (add, cut, seal); did you mean 'add'?"},
      {"add", "primitive is missing"},
      {"add spher 0 0 0 1", "did you mean 'sphere'?"},
      {"add sphere 0 0 0", "a number (a center and a radius: X Y Z RADIUS) is missing"},
      {"add sphere 0 0 zero 1", "'zero' is no number"},
      {"add sphere 0 0 nan 1", "'nan' is no number"},
      {"add sphere 0 0 1e300 1", "'1e300' is no number"},
      {"add sphere 0 0 0x1 1", "'0x1' is no number"},
      {"add sphere 0 0 % 1", "'%' is no number"},
      {"add sphere 0 0 0 -1", "a radius is less than zero"},
      {"add sphere 0 0 0 1 2", "'2' is too much: sphere takes a center and a radius"},
      {"add sphere 0 0 0 1 in", "the joint of 'in JOINT' is missing"},
      {"add sphere 0 0 0 1 in \"\"", "a name is empty"},
      {"add sphere 0 0 0 1 in Left Hand", "'Hand' is too much behind 'in JOINT'"},
      {"add sphere 0 0 0 1 in \"Left", "a quote is not closed"},
      {"cut half-space 0 0 0 0 0 0", "direction of a half-space is zero"},
      {"cut half-space 0 0 0 0 10% 0", "takes plain numbers"},
  };
  for (const auto& [line, words] : lines) {
    const std::string message = edits_refused("# first\n" + std::string(line) + "\nadd");
    CHECK_THAT(message, Catch::StartsWith("a.edits:2: "));
    CHECK_THAT(message, Catch::Contains(words));
  }
  CHECK_THAT(edits_refused(std::string("add\0", 4)), Catch::Contains("a.edits:1: a zero byte"));
}

TEST_CASE("influences are read line by line", "[rules]") {
  const auto lines = parse_influences(
      "start Spine_2 point 0 1 0\n"
      "only \"Arm *|Hand\" capsule 0 0 0 1 1 1 0.2 in Hips\n"
      "give Hand_R box 0% 0% 0% 1% 1% 1%\n",
      "b.rules");
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].kind == InfluenceKind::start);
  CHECK(lines[0].where.kind == Primitive::Kind::sphere);
  CHECK(lines[0].where.radius.value == 0.0);
  CHECK(lines[1].joints == std::vector<std::string>{"Arm *", "Hand"});
  CHECK(lines[1].where.joint == "Hips");
  CHECK(lines[2].kind == InfluenceKind::give);
  CHECK_THAT(influences_refused("\nstart Spine"), Catch::StartsWith("b.rules:2: primitive"));
  CHECK_THAT(influences_refused("strat Spine point 0 0 0"), Catch::Contains("'start'?"));
  CHECK_THAT(influences_refused("only a||b point 0 0 0"), Catch::Contains("is empty"));
}

TEST_CASE("names hold colons in --forbid where one is left to separate them", "[rules]") {
  const auto both = [](const std::string& text) {
    const ForbidRule rule = parse_forbid(text);
    return std::pair(rule.first, rule.second);
  };
  CHECK(both("Left*:Right*") == std::pair<std::string, std::string>("Left*", "Right*"));
  CHECK(both("rig:Left*:rig:Right*").second == "rig:Right*");
  CHECK(both("rig\\:Left*:Right*").first == "rig\\:Left*");
  for (const char* bad : {"Left*", ":a", "a:", "a:b:c", ""})
    CHECK_THAT(usage_refused([&] { parse_forbid(bad); }), Catch::StartsWith("--forbid: "));
}

TEST_CASE("a given part names a mesh or material and a joint", "[rules]") {
  const GiveRule mesh = parse_give("mesh:rig:Sword=Hand=R");
  CHECK_FALSE(mesh.by_material);
  CHECK(mesh.glob == "rig:Sword=Hand");
  CHECK(mesh.joint == "R");
  CHECK(parse_give("material:Steel*=Hand").by_material);
  for (const char* bad :
       {"Sword=Hand", "mesh:Sword", "part:Sword=Hand", "mesh:=Hand", "mesh:Sword="})
    CHECK_THAT(usage_refused([&] { parse_give(bad); }), Catch::StartsWith("--give: "));
}

TEST_CASE("random texts are read or refused with a line", "[rules]") {
  const std::string parts[] = {"add", "cut", "sphere", "box", "only", "0", "1%",   "in",   "\"",
                               "#",   "\n",  "a|b",    " ",   " ",    " ", "\xff", "start"};
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (int k = 0; k < 30; ++k) text += parts[random() % std::size(parts)];
    for (const bool edits : {true, false}) try {
        if (edits)
          parse_edits(text, "n");
        else
          parse_influences(text, "n");
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::input);
        CHECK_THAT(error.what(), Catch::Matches("n:[0-9]+: .*"));
      }
  }
}

TEST_CASE("an alpha of joints is read, and invalid ones are refused") {
  const AlphaRule rule = parse_alpha_joint("rig=Tail*=0.75");
  CHECK(rule.joints == "rig=Tail*");
  CHECK(rule.alpha == 0.75);
  CHECK(rule.origin == "--alpha-joint 'rig=Tail*=0.75'");
  for (const char* odd : {"", "=", "a", "a=", "=1", "a=2", "a=-0.1", "a=1x", "a=nan", "a=inf"}) {
    CAPTURE(odd);
    CHECK(error_of(ErrorKind::usage, [&] {
            parse_alpha_joint(odd);
          }).starts_with("--alpha-joint: '"));
  }
}
