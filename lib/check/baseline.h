#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "check/check.h"

namespace gvbind::check {

/// A number that reports contain and baselines compare.
struct Measure {
  const char* name;  ///< stable; member name in the report
  double (*of)(const CheckResult& result);
  bool grows_worse;  ///< larger is worse, otherwise smaller is worse
  /// Tolerance: the larger of the two.
  double absolute;  ///< in the unit of the measure
  double relative;  ///< relative to the baseline's value
};

/// All measures, in the order of the report.
std::span<const Measure> check_measures();

/// By Measure::name. Values missing in one report are not compared.
using MeasureValues = std::map<std::string, double>;

MeasureValues measure_values(const CheckResult& result);

/// A finding "worse" (an error) for each measure that got worse by more than its tolerance.
Findings compare_measures(const MeasureValues& before, const MeasureValues& now);

/// The entry of a baseline for a file: among those with the same file name, the one with the
/// longest common path suffix. Paths are generic (with /).
struct BaselineMatch {
  int index = -1;          ///< -1: none, or ambiguous
  bool ambiguous = false;  ///< several match equally well
};
BaselineMatch match_baseline(const std::string& file, const std::vector<std::string>& baseline);

}  // namespace gvbind::check
