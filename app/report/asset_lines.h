#pragma once

#include <string>
#include <vector>

#include "report/batch_report.h"

namespace gvbind {

/// How much is said of an asset.
enum class Detail {
  errors,    ///< -q: only what failed, and findings of severity error
  warnings,  ///< one line for all findings of one kind; no notes
  all,       ///< -v: notes too, and each finding, up to 20 of a kind
};

struct FindingLine {
  Severity severity = Severity::note;
  std::string text;  ///< "hero.fbx: 14 joints are outside the mesh; the worst: ... [joint-outside]"
};

/// Lines for the findings of an asset, or of a run; each begins with `about` and ends with
/// the code, which `gvbind explain` takes. What makes the exit code 1 by `fail_on` is listed at any
/// detail, as an error.
std::vector<FindingLine> finding_lines(const Findings& findings, const std::string& about,
                                       Detail detail, const FailOn& fail_on = {});

/// What became of an asset that has not failed, in one line: "build/hero.fbx: bound 12,034 vertices
/// to 45 of 53 joints in 1.23 s (cpu); judged worse". Empty for one that was interrupted.
std::string result_line(const AssetEntry& asset, bool dry_run);

/// How the skin is judged: "bleed 0.28 % (was 0.31 %), stretch 1.88 (was 2.10), 31 % of the
/// vertices follow another joint, judged equal". Empty for an asset that is not judged.
std::string skin_text(const AssetEntry& asset);

/// A line for each stage of the asset, with its time and the peak of memory at its end.
std::vector<std::string> stage_lines(const AssetEntry& asset);

/// How a run ended: "23 done, 1 skipped, 1 failed in 12.3 s".
std::string summary_line(const Report& report);

/// What became of weights that the inputs of a run had: "19 of 25 had weights: replaced", or with a
/// count for each fate. Of assets that were bound in this run; empty where none had weights.
std::string existing_line(const Report& report);

/// The failed assets of a run once more, "error: art/a.fbx: ..." without the word "error"; at most
/// 50 of them, and then how many more there are.
std::vector<std::string> failure_lines(const Report& report);

/// Why the exit code is not 0 though nothing failed, a line each: "2 assets have findings that make
/// the exit code 1 by --fail-on: a.fbx, b.fbx", "12 assets were interrupted".
std::vector<std::string> ending_lines(const Report& report);

}  // namespace gvbind
