#include "batch/asset_worker.h"

#include <catch2/catch.hpp>

#include "report/sample_report.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

std::string line_of(const AssetEntry& entry) { return json_line({{"entry", json_of(entry)}}); }

}  // namespace

TEST_CASE("messages of a worker are parsed") {
  const auto stage = read_worker_line(R"({"stage": "distances", "done": 0.25})", "a.glb");
  REQUIRE(stage);
  CHECK(stage->stage == "distances");
  CHECK(stage->done == 0.25);
  for (const AssetEntry& entry : {done_asset("a.glb"), asset_with("a.glb", AssetStatus::skipped),
                                  failed_asset("a.glb", 3, "no")}) {
    const auto line = read_worker_line(line_of(entry), "a.glb");
    REQUIRE(line);
    CHECK(line->stage.empty());
    CHECK(json_of(line->entry) == json_of(entry));
  }
}

TEST_CASE("a name that is not UTF-8 is known again") {
  const std::string name = "a\xFF\xFE.glb";
  CHECK(read_worker_line(line_of(done_asset(name)), name));
}

TEST_CASE("nonsense of a worker is none of its messages") {
  AssetEntry timeless = done_asset("a.glb");
  timeless.seconds.reset();
  for (const std::string& line : {std::string(),
                                  std::string("Segmentation fault"),
                                  std::string("null"),
                                  std::string("{}"),
                                  std::string("[1, 2]"),
                                  std::string(R"({"entry": 5})"),
                                  std::string(R"({"entry": {}})"),
                                  std::string(R"({"entry": null})"),
                                  std::string(R"({"stage": "x"})"),
                                  std::string(R"({"stage": 1, "done": 0.5})"),
                                  std::string(R"({"stage": "x", "done": "y"})"),
                                  std::string(R"({"stage": "", "done": 0.5})"),
                                  std::string(R"({"stage": "x", "done": 1e999})"),
                                  std::string(1 << 20, '['),
                                  std::string("\0\xFF{", 3),
                                  line_of(timeless),
                                  line_of(done_asset("b.glb")),
                                  line_of(asset_with("a.glb", AssetStatus::up_to_date)),
                                  line_of(asset_with("a.glb", AssetStatus::interrupted)),
                                  line_of(done_asset("a.glb")).substr(0, 100)}) {
    INFO(line.substr(0, 200));
    CHECK_FALSE(read_worker_line(line, "a.glb"));
  }
}
