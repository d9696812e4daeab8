#include "batch/batch_command.h"

#include <map>

#include "batch/folder.h"
#include "cli/option_values.h"
#include "files/discover.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

using Variables = std::map<std::string, std::string>;

Shard slurm(const Variables& variables) {
  return parse_shard("auto", [&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

Variables array(const char* id, const char* first, const char* last, const char* step,
                const char* count) {
  return {{"SLURM_ARRAY_TASK_ID", id},
          {"SLURM_ARRAY_TASK_MIN", first},
          {"SLURM_ARRAY_TASK_MAX", last},
          {"SLURM_ARRAY_TASK_STEP", step},
          {"SLURM_ARRAY_TASK_COUNT", count}};
}

std::string slurm_error(const Variables& variables) {
  return message_of(ErrorKind::usage, [&] { slurm(variables); });
}

bool is(Shard shard, int index, int count) { return shard.index == index && shard.count == count; }

}  // namespace

TEST_CASE("sizes") {
  CHECK(parse_size("--max-memory", "8G") == 8ULL << 30);
  CHECK(parse_size("--max-memory", "512m") == 512ULL << 20);
  CHECK(parse_size("--max-memory", "1.5GiB") == 3ULL << 29);
  CHECK(parse_size("--max-memory", "64KB") == 64ULL << 10);
  CHECK(parse_size("--max-memory", "4096") == 4096);
  for (const char* text : {"", "G", "-1G", "0", "8X", "8GG", "1e30G", "nan", "inf", "8 G"}) {
    CAPTURE(text);
    CHECK(message_of(ErrorKind::usage, [&] {
            parse_size("--max-memory", text);
          }).starts_with("--max-memory: '"));
  }
}

TEST_CASE("times") {
  CHECK(parse_duration("--timeout", "90") == 90.0);
  CHECK(parse_duration("--timeout", "0.5s") == 0.5);
  CHECK(parse_duration("--timeout", "10m") == 600.0);
  CHECK(parse_duration("--timeout", "1.5h") == 5400.0);
  CHECK(parse_duration("--timeout", "0") == 0.0);
  for (const char* text : {"", "0s", "-1", "10x", "m", "1e99", "10mm"}) {
    CAPTURE(text);
    CHECK(message_of(ErrorKind::usage, [&] {
            parse_duration("--timeout", text);
          }).starts_with("--timeout: '"));
  }
}

TEST_CASE("shards by hand") {
  const Environment none = [](const char*) { return nullptr; };
  CHECK(is(parse_shard("1/1", none), 1, 1));
  CHECK(is(parse_shard("3/16", none), 3, 16));
  CHECK(is(parse_shard("3/10000", none), 3, 10000));
  for (const char* text : {"", "3", "0/4", "5/4", "1/0", "a/b", "1/4/2", "/4", "1/", "-1/4",
                           "1/10001", "1/2000000000"}) {
    CAPTURE(text);
    CHECK(message_of(ErrorKind::usage, [&] { parse_shard(text, none); }).starts_with("--shard: '"));
  }
}

TEST_CASE("shards of a Slurm array") {
  CHECK(is(slurm(array("0", "0", "3", "1", "4")), 1, 4));
  CHECK(is(slurm(array("3", "0", "3", "1", "4")), 4, 4));
  CHECK(is(slurm(array("4", "1", "4", "1", "4")), 4, 4));
  CHECK(is(slurm(array("6", "0", "7", "2", "4")), 4, 4));
  CHECK(is(slurm(array("0", "0", "0", "1", "1")), 1, 1));
  Variables no_step = array("2", "1", "4", "1", "4");
  no_step.erase("SLURM_ARRAY_TASK_STEP");
  CHECK(is(slurm(no_step), 2, 4));
}

TEST_CASE("a Slurm array that does not tell its shards is refused") {
  CHECK(slurm_error({}).find("SLURM_ARRAY_TASK_ID is not set") != std::string::npos);
  Variables no_count = array("1", "0", "3", "1", "4");
  no_count.erase("SLURM_ARRAY_TASK_COUNT");
  CHECK(slurm_error(no_count).find("SLURM_ARRAY_TASK_COUNT") != std::string::npos);
  CHECK(slurm_error(array("5", "1", "5", "1", "3")).find("has holes") != std::string::npos);
  CHECK(slurm_error(array("3", "3", "3", "1", "1")).find("does not begin") != std::string::npos);
  CHECK(slurm_error(array("9", "0", "3", "1", "4")).find("task 9") != std::string::npos);
  CHECK(slurm_error(array("1", "0", "6", "2", "4")).find("task 1") != std::string::npos);
  CHECK(slurm_error(array("x", "0", "3", "1", "4")).find("'x'") != std::string::npos);
  CHECK(slurm_error(array("0", "0", "3", "0", "4")).find("--shard I/N") != std::string::npos);
}

TEST_CASE("patterns of paths") {
  CHECK(matches_path("a/*.fbx", "a/b.fbx"));
  CHECK_FALSE(matches_path("a/*.fbx", "a/b/c.fbx"));
  CHECK(matches_path("a/**/*.fbx", "a/c.fbx"));
  CHECK(matches_path("a/**/*.fbx", "a/b/b/c.fbx"));
  CHECK(matches_path("**", "a/b/c"));
  CHECK(matches_path("a/**", "a/b/c"));
  CHECK_FALSE(matches_path("a/**", "b/a/c"));
  CHECK(matches_path("**/x/**/y.glb", "a/x/x/b/y.glb"));
  CHECK_FALSE(matches_path("**/x/*/y.glb", "a/x/b/c/y.glb"));
  CHECK(matches_path("./a/?.glb", "a/\xC3\xBC.glb"));
  CHECK(matches_path("/a/*", "/a/b"));
  CHECK_FALSE(matches_path("a/*", "/a/b"));
  CHECK_FALSE(matches_path("a", "a/b"));
  CHECK_FALSE(matches_path("a/b", "a"));
}

TEST_CASE("no pattern blows up") {
  std::string pattern, path;
  for (int i = 0; i < 200; ++i) pattern += "**/a*a*a*/", path += "aaaaaaaaaaaa/";
  CHECK_FALSE(matches_path(pattern + "x", path + "y"));
}

TEST_CASE("a rule without a slash matches the name in any folder") {
  CHECK(matches_rule("*.fbx", "a/b/c.fbx"));
  CHECK(matches_rule("*.fbx", "c.fbx"));
  CHECK_FALSE(matches_rule("b*", "b/c.fbx"));
  CHECK(matches_rule("**", "a/b/c.fbx"));
  CHECK_FALSE(matches_rule("./*.fbx", "a/c.fbx"));
}

TEST_CASE("a glob is split before its first wildcard") {
  CHECK(split_glob("a/b/*.x").base == "a/b");
  CHECK(split_glob("a/b/*.x").pattern == "*.x");
  CHECK(split_glob("a/b*/c.x").base == "a");
  CHECK(split_glob("*.x").base.empty());
  CHECK(split_glob("/*.x").base == "/");
  CHECK(split_glob("/a/**").base == "/a");
}
