#include "check/baseline.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "check/trousers.h"

namespace gvbind {

TEST_CASE("every measure has a name of its own and a value") {
  const check::CheckResult result = check::check_scene(test::trousers());
  const check::MeasureValues values = check::measure_values(result);
  CHECK(values.size() == check::check_measures().size());
  CHECK(values.at("bleed") == result.bleed.share);
  CHECK(values.at("stretch_p99") == result.stretch.p99);
  CHECK(values.at("most_influences") == 2.0);
}

TEST_CASE("nothing is worse than itself") {
  const check::MeasureValues values = check::measure_values(check::check_scene(test::trousers()));
  CHECK(check::compare_measures(values, values).empty());
}

TEST_CASE("each measure may get worse by its tolerance and no more") {
  for (const check::Measure& measure : check::check_measures()) {
    INFO(measure.name);
    const double before = 10.0;
    const double allowed = std::max(measure.absolute, measure.relative * before);
    if (std::isinf(allowed)) {
      CHECK(check::compare_measures({{measure.name, before}}, {{measure.name, 100.0}}).empty());
      continue;
    }
    const double sign = measure.grows_worse ? 1.0 : -1.0;
    const auto now = [&](double change) {
      return check::compare_measures({{measure.name, before}},
                                     {{measure.name, before + sign * change}});
    };
    CHECK(now(0.99 * allowed).empty());
    CHECK(now(-100.0).empty());
    const Findings worse = now(1.01 * allowed + 1e-6);
    REQUIRE(worse.size() == 1);
    CHECK(worse[0].severity == Severity::error);
    CHECK(worse[0].code == "worse");
    CHECK(worse[0].message.find(measure.name) == 0);
  }
}

TEST_CASE("more joints at a vertex are not worse") {
  CHECK(check::compare_measures({{"most_influences", 4.0}, {"mean_influences", 2.0}},
                                {{"most_influences", 12.0}, {"mean_influences", 6.0}})
            .empty());
}

TEST_CASE("values missing on one side are not compared") {
  CHECK(check::compare_measures({{"bleed", 0.0}}, {{"torn_edges", 1.0}}).empty());
  CHECK(check::compare_measures({{"of-tomorrow", 0.0}}, {{"of-tomorrow", 9.0}}).empty());
}

TEST_CASE("files are matched by name, then by folders from the file upward") {
  const std::vector<std::string> baseline = {"art/a/hero.glb", "art/b/hero.glb", "art/b/imp.fbx"};
  CHECK(check::match_baseline("imp.fbx", baseline).index == 2);
  CHECK(check::match_baseline("/other/place/b/hero.glb", baseline).index == 1);
  CHECK(check::match_baseline("art/a/hero.glb", baseline).index == 0);
  CHECK(check::match_baseline("hero.glb", baseline).index == -1);
  CHECK(check::match_baseline("hero.glb", baseline).ambiguous);
  CHECK(check::match_baseline("my_imp.fbx", baseline).index == -1);
  CHECK_FALSE(check::match_baseline("my_imp.fbx", baseline).ambiguous);
  CHECK(check::match_baseline("imp.fbx", {}).index == -1);
}

}  // namespace gvbind
