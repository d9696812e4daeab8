#include "report/report_json.h"

#include <catch2/catch.hpp>

#include "report/sample_report.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

/// An entry with every optional member.
AssetEntry whole_entry() {
  AssetEntry entry =
      done_asset("a.glb", {sample_finding(Severity::warning), sample_finding(Severity::note)});
  entry.resolution = 256;
  entry.device = "cpu";
  entry.meshes = {{"m", 8, 12, true, MeshWeights::filled}};
  entry.joints = {{"j", 8}, {"k", {}}};
  entry.voxels = {1, 2, 0, 0, 3};
  entry.unreached_vertices = 0;
  entry.existing = MeshWeights::filled;
  entry.filled_vertices = 3;
  const check::SkinFigures figures = {0, 0.01, 1.5, 0.0, 0.02};
  entry.skin = {
      figures,
      check::SkinComparison{figures, figures, 8, 0.5, 0.4, check::SkinVerdict::worse, {"stretch"}}};
  entry.clips = {
      {"walk", "walk.bvh", 31, 12, 12, 0.01, 0.02, 9.0, 8.0, 0.03, 0.04, 5.0, "neck", 1.2}};
  entry.stages = {{"solid", 0.5, 1000}};
  entry.peak_bytes = 1000;
  entry.options = {{"alpha", "0.2"}};
  entry.page = "../pages/a.glb.html";
  entry.fail_on = Severity::warning;
  return entry;
}

bool is_entry(const Json& json) { return read_entry(json).has_value(); }

Json entry_schema() { return Json::parse(report_schema()).at("$defs").at("asset"); }

/// Variants of the JSON in which one value is replaced by each of several others.
void spoil(const Json& whole, const Json::json_pointer& place, std::vector<Json>& spoilt) {
  const Json& here = whole.at(place);
  for (const Json& value : {Json(-1), Json({{"x", Json::array({1})}}), Json({{1}})}) {
    spoilt.push_back(whole);
    spoilt.back().at(place) = value;
  }
  if (here.is_object())
    for (const auto& item : here.items()) spoil(whole, place / item.key(), spoilt);
  if (here.is_array())
    for (std::size_t i = 0; i < here.size(); ++i) spoil(whole, place / i, spoilt);
}

}  // namespace

TEST_CASE("entries are read as they are written") {
  AssetEntry stripped = whole_entry();
  strip_timings(stripped);
  for (const AssetEntry& entry : {whole_entry(), stripped, failed_asset("a.glb", 3, "no"),
                                  asset_with("a.glb", AssetStatus::interrupted)}) {
    const auto read = read_entry(json_line(json_of(entry)));
    REQUIRE(read);
    CHECK(json_line(json_of(*read)) == json_line(json_of(entry)));
  }
  for (const AssetStatus status :
       {AssetStatus::done, AssetStatus::up_to_date, AssetStatus::skipped, AssetStatus::interrupted})
    CHECK(is_entry(json_of(asset_with("a.glb", status))));
}

TEST_CASE("every member of the schema is known, and required members are required") {
  const Json schema = entry_schema();
  for (const auto& item : schema.at("properties").items()) {
    INFO(item.key());
    REQUIRE(json_of(whole_entry()).contains(item.key()));
    Json less = json_of(whole_entry());
    less.erase(item.key());
    const Json& required = schema.at("required");
    const bool needed = std::find(required.begin(), required.end(), item.key()) != required.end();
    CHECK(is_entry(less) == !needed);
  }
  Json more = json_of(whole_entry());
  more["more"] = 1;
  CHECK_FALSE(is_entry(more));
}

TEST_CASE("a value of another kind at any place is no entry") {
  std::vector<Json> spoilt;
  spoil(json_of(whole_entry()), Json::json_pointer(""), spoilt);
  CHECK(spoilt.size() > 100);
  for (const Json& entry : spoilt) {
    INFO(entry.dump());
    CHECK_FALSE(is_entry(entry));
  }
  for (const char* text : {"null", "[]", "{}", "5", "\"entry\""})
    CHECK_FALSE(is_entry(Json::parse(text)));
}

TEST_CASE("status and error of an entry agree") {
  Json failed = json_of(failed_asset("a.glb", 3, "no"));
  for (const int code : {0, -1, 256}) {
    failed["error"]["exit_code"] = code;
    CHECK_FALSE(is_entry(failed));
  }
  failed["error"] = nullptr;
  CHECK_FALSE(is_entry(failed));
  Json done = json_of(whole_entry());
  done["error"] = {{"exit_code", 3}, {"message", "no"}};
  CHECK_FALSE(is_entry(done));
  done["error"] = nullptr;
  done["status"] = "fine";
  CHECK_FALSE(is_entry(done));
}
