#include "fit/cross_validation.h"

#include <catch2/catch.hpp>
#include <set>

#include "fit/made_up_samples.h"
#include "gvbind/base/parallel.h"
#include "gvbind/error.h"

using namespace gvbind;

namespace {

std::vector<fit::CharacterSamples> characters() {
  return {test::made_up_character("anna", 1), test::made_up_character("bert", 2),
          test::made_up_character("anna", 3), test::made_up_character("cleo", 4),
          test::made_up_character("dora", 5)};
}

fit::TrainingOptions quick() {
  fit::TrainingOptions options;
  options.hidden = 8;
  options.networks = 2;
  options.epochs = 2;
  options.batch = 64;
  return options;
}

bool same(const FittedNetworks& a, const FittedNetworks& b) {
  if (a.networks.size() != b.networks.size()) return false;
  for (std::size_t n = 0; n < a.networks.size(); ++n)
    for (std::size_t i = 0; i < network_part_count; ++i)
      if (!std::ranges::equal(parts_of(a.networks[n])[i], parts_of(b.networks[n])[i])) return false;
  return true;
}

}  // namespace

TEST_CASE("characters of one author share a fold, and no fold is empty") {
  const auto all = characters();
  for (const int folds : {2, 3, 4, 99}) {
    const std::vector<int> fold = fit::folds_of(all, folds, 7);
    CHECK(fold[0] == fold[2]);
    const std::set<int> used(fold.begin(), fold.end());
    CHECK(static_cast<int>(used.size()) == std::min(folds, 4));
    CHECK(*used.rbegin() == std::min(folds, 4) - 1);
  }
}

TEST_CASE("no network is fitted on characters that it judges") {
  const auto all = characters();
  const std::vector<int> fold = fit::folds_of(all, 3, 7);
  for (int f = 0; f < 3; ++f) {
    const auto sets = fit::training_sets(all, fold, f);
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const fit::SampleSet* set : {&all[i].whole, &all[i].reduced})
        CHECK((std::ranges::find(sets, set) != sets.end()) == (fold[i] != f));
  }
  CHECK(fit::training_sets(all, fold, -1).size() == 2 * all.size());
}

TEST_CASE("an author's characters do not affect the network that evaluates them") {
  auto all = characters();
  const fit::FitResult before = fit::fit_network(all, quick(), 3);
  all[0].whole = test::made_up_set(77, 90);
  all[2].reduced = test::made_up_set(78, 20);
  const fit::FitResult after = fit::fit_network(all, quick(), 3);
  REQUIRE(before.fold == after.fold);
  for (std::size_t f = 0; f < before.fold_fitted.size(); ++f)
    CHECK(same(before.fold_fitted[f], after.fold_fitted[f]) ==
          (static_cast<int>(f) == before.fold[0]));
  CHECK_FALSE(same(before.fitted, after.fitted));
}

TEST_CASE("the same networks come of one thread and of many", "[threads]") {
  const auto all = characters();
  const fit::FitResult many = fit::fit_network(all, quick(), 2);
  fit::FitResult one;
  with_threads(1, {}, [&] { one = fit::fit_network(all, quick(), 2); });
  CHECK(same(many.fitted, one.fitted));
  CHECK(same(many.fold_fitted[1], one.fold_fitted[1]));
  CHECK(many.verdicts[3].fitted_l1 == one.verdicts[3].fitted_l1);
}

TEST_CASE("one author alone cannot be judged, but be fitted on") {
  std::vector<fit::CharacterSamples> all = {test::made_up_character("anna", 1),
                                            test::made_up_character("anna", 2)};
  try {
    fit::fit_network(all, quick(), 5);
    FAIL("not refused");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::cannot_bind);
    CHECK(std::string(error.what()).find("--folds 0") != std::string::npos);
  }
  int told = 0;
  const fit::FitResult result = fit::fit_network(all, quick(), 0, [&](int done, int of) {
    CHECK(of == 2);
    told = done;
  });
  CHECK(told == 2);
  CHECK(result.verdicts.empty());
  CHECK(result.fitted.networks.front().hidden == 8);
}

TEST_CASE("means are over characters, and over authors with each one's mean first") {
  const std::vector<fit::CharacterVerdict> verdicts = {
      {"a1", "a", 0.2, 0.4}, {"a2", "a", 0.4, 0.6}, {"b1", "b", 0.9, 0.5}};
  CHECK(fit::mean_by_character(verdicts).fitted == Approx(0.5));
  CHECK(fit::mean_by_character(verdicts).falloff == Approx(0.5));
  CHECK(fit::mean_by_group(verdicts).fitted == Approx(0.6));
  CHECK(fit::mean_by_group(verdicts).falloff == Approx(0.5));
}
