#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "check/check.h"

namespace gvbind {

/// A number that reports carry and that baselines compare.
struct Measure {
  const char* name;  ///< stable: a member of the report
  double (*of)(const CheckResult& result);
  bool grows_worse;  ///< larger is worse; else smaller is
  /// How much worse it may get before it counts: the larger of the two.
  double absolute;  ///< in the measure's own unit
  double relative;  ///< part of the baseline's value
};

/// All of them, in the order of the report.
std::span<const Measure> check_measures();

/// By Measure::name. A value that a report lacks is not compared.
using MeasureValues = std::map<std::string, double>;

MeasureValues measure_values(const CheckResult& result);

/// A finding "worse" (an error) for each measure that got worse by more than it may.
Findings compare_measures(const MeasureValues& before, const MeasureValues& now);

/// Which entry of a baseline a file is: of those with the same file name the one with the most
/// directories alike, from the file upward. Paths are generic (with /).
struct BaselineMatch {
  int index = -1;          ///< -1: none, or ambiguous
  bool ambiguous = false;  ///< several fit equally well
};
BaselineMatch match_baseline(const std::string& file, const std::vector<std::string>& baseline);

}  // namespace gvbind
