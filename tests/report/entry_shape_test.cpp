#include "report/entry_shape.h"

#include <catch2/catch.hpp>

#include "report/sample_report.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

/// With every member that an entry can have.
Report whole_entry() {
  Report entry = asset_with("a.glb", "done", {finding(Severity::warning), finding(Severity::note)});
  put_member(entry, "resolution", 256);
  put_member(entry, "device", "cpu");
  put_member(entry, "meshes",
             {{{"name", "m"},
               {"vertices", 8},
               {"triangles", 12},
               {"bound", true},
               {"existing", "filled"}}});
  put_member(entry, "joints", {{{"name", "j"}, {"vertices", 8}}, {{"name", "k"}}});
  put_member(entry, "voxels",
             {{"interior", 1},
              {"boundary", 2},
              {"single_votes", 0},
              {"single_votes_interior", 0},
              {"sparse", 3}});
  put_member(entry, "unreached_vertices", 0);
  put_member(entry, "existing", "filled");
  put_member(entry, "filled_vertices", 3);
  const Report figures = {{"vertices_without_weight", 0},
                          {"bleed", 0.01},
                          {"stretch", 1.5},
                          {"far_surface", 0.0},
                          {"far_joint", 0.02}};
  Report skin = figures;
  skin["comparison"] = {{"before", figures},      {"now", figures}, {"vertices", 8},
                        {"changed", 0.5},         {"mean_l1", 0.4}, {"verdict", "worse"},
                        {"worse_in", {"stretch"}}};
  put_member(entry, "skin", skin);
  put_member(entry, "stages", {{{"name", "solid"}, {"seconds", 0.5}, {"peak_bytes", 1000}}});
  put_member(entry, "peak_bytes", 1000);
  put_member(entry, "options", {{"alpha", "0.2"}});
  return entry;
}

Report entry_schema() { return Report::parse(report_schema()).at("$defs").at("asset"); }

/// Each place in the JSON once replaced by each of the values.
void spoil(const Report& whole, const Report::json_pointer& place, std::vector<Report>& spoilt) {
  const Report& here = whole.at(place);
  for (const Report& value : {Report(-1), Report({{"x", Report::array({1})}}), Report({{1}})}) {
    spoilt.push_back(whole);
    spoilt.back().at(place) = value;
  }
  if (here.is_object())
    for (const auto& item : here.items()) spoil(whole, place / item.key(), spoilt);
  if (here.is_array())
    for (std::size_t i = 0; i < here.size(); ++i) spoil(whole, place / i, spoilt);
}

}  // namespace

TEST_CASE("entries as they are written have the shape of entries") {
  CHECK(has_entry_shape(whole_entry()));
  CHECK(has_entry_shape(failed_asset("a.glb", 3, "no")));
  for (const char* status : {"done", "up-to-date", "skipped", "interrupted"})
    CHECK(has_entry_shape(asset_with("a.glb", status)));
  Report stripped = whole_entry();
  for (const char* member : {"seconds", "peak_bytes", "stderr"}) stripped.erase(member);
  CHECK(has_entry_shape(stripped));
}

TEST_CASE("every member of the schema is known, and what it requires is required") {
  const Report schema = entry_schema();
  for (const auto& item : schema.at("properties").items()) {
    INFO(item.key());
    REQUIRE(whole_entry().contains(item.key()));
    Report less = whole_entry();
    less.erase(item.key());
    const Report& required = schema.at("required");
    const bool needed = std::find(required.begin(), required.end(), item.key()) != required.end();
    CHECK(has_entry_shape(less) == !needed);
  }
  Report more = whole_entry();
  more["more"] = 1;
  CHECK_FALSE(has_entry_shape(more));
}

TEST_CASE("a value of another kind at any place is no entry") {
  std::vector<Report> spoilt;
  spoil(whole_entry(), Report::json_pointer(""), spoilt);
  CHECK(spoilt.size() > 100);
  for (const Report& entry : spoilt) {
    INFO(entry.dump());
    CHECK_FALSE(has_entry_shape(entry));
  }
  for (const char* text : {"null", "[]", "{}", "5", "\"entry\""})
    CHECK_FALSE(has_entry_shape(Report::parse(text)));
}

TEST_CASE("status and error of an entry agree") {
  Report failed = failed_asset("a.glb", 3, "no");
  for (const int code : {0, -1, 256}) {
    failed["error"]["exit_code"] = code;
    CHECK_FALSE(has_entry_shape(failed));
  }
  failed["error"] = nullptr;
  CHECK_FALSE(has_entry_shape(failed));
  Report done = whole_entry();
  done["error"] = {{"exit_code", 3}, {"message", "no"}};
  CHECK_FALSE(has_entry_shape(done));
  done["error"] = nullptr;
  done["status"] = "fine";
  CHECK_FALSE(has_entry_shape(done));
}
