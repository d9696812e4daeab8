#pragma once

#include <string>
#include <vector>

#include "report/batch_report.h"

namespace gvbind {

/// How much is printed about an asset.
enum class Detail {
  errors,    ///< -q: only failures, and findings of severity error
  warnings,  ///< one line per kind of finding; no notes
  all,       ///< -v: also notes, and each finding, up to 20 of a kind
};

struct FindingLine {
  Severity severity = Severity::note;
  std::string text;  ///< "hero.fbx: 14 joints are outside the mesh; the worst: ... [joint-outside]"
};

/// Lines for the findings of an asset or a run. Each begins with `about` and ends with the code,
/// for `gvbind explain`. Findings that make the exit code 1 by `fail_on` are listed at any detail,
/// as errors.
std::vector<FindingLine> finding_lines(const Findings& findings, const std::string& about,
                                       Detail detail, const FailOn& fail_on = {});

/// The result of an asset that has not failed, in one line: "build/hero.fbx: bound 12,034 vertices
/// to 45 of 53 joints in 1.23 s (cpu); judged worse". Empty for an interrupted asset.
std::string result_line(const AssetEntry& asset, bool dry_run);

/// The quality of the skin: "bleed 0.28 % (was 0.31 %), stretch 1.88 (was 2.10), 31 % of the
/// vertices follow another joint, judged equal". Empty for an asset without a quality check.
std::string skin_text(const AssetEntry& asset);

/// "33 frames, 12 of 12 joints move, foot slide 0.0 %, hands off 0.1 %, LeftArm 3 degrees beyond
/// limits, stretch 1.42".
std::string clip_text(const ClipEntry& clip);

/// A line for each stage of the asset, with its time and the memory peak at its end.
std::vector<std::string> stage_lines(const AssetEntry& asset);

/// The totals of a run: "23 done, 1 skipped, 1 failed in 12.3 s".
std::string summary_line(const Report& report);

/// The fate of existing weights in a run's inputs: "19 of 25 had weights: replaced", or a count for
/// each fate. Counts assets bound in this run; empty if none had weights.
std::string existing_line(const Report& report);

/// Repeats the failed assets of a run, "error: art/a.fbx: ..." without the word "error"; at most
/// 50, then the number of the remaining ones.
std::vector<std::string> failure_lines(const Report& report);

/// Why the exit code is not 0 though nothing failed, one line per reason: "2 assets have findings
/// that make the exit code 1 by --fail-on: a.fbx, b.fbx", "12 assets were interrupted".
std::vector<std::string> ending_lines(const Report& report);

}  // namespace gvbind
