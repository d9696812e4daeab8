#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bind/existing_weights.h"
#include "check/judge_bind.h"
#include "gvbind/finding.h"

namespace gvbind {

/// Which findings make the exit code 1.
struct FailOn {
  std::optional<Severity> severity;  ///< this severity and above; none: no severity
  bool worse = false;                ///< also worse-than-before, whatever its severity

  FailOn() = default;
  FailOn(Severity min_severity) : severity(min_severity) {}
  FailOn(std::nullopt_t) {}
};

/// The texts of --fail-on: "error", "warning", "worse-than-before", "never".
std::string name_of(const FailOn& fail_on);
std::optional<FailOn> fail_on_named(std::string_view name);

enum class AssetStatus { done, up_to_date, skipped, failed, interrupted };

/// "done", "up-to-date", "skipped", "failed", "interrupted".
const char* name_of(AssetStatus status);

struct MeshEntry {
  std::string name;
  std::size_t vertices = 0, triangles = 0;
  bool bound = false;
  std::optional<MeshWeights> existing;
};

struct JointEntry {
  std::string name;
  std::optional<std::size_t> vertices;  ///< vertices with a weight for this joint
};

struct VoxelCounts {
  std::size_t interior = 0, boundary = 0, ambiguous = 0, ambiguous_interior = 0, sparse = 0;
};

struct SkinEntry : check::SkinFigures {
  std::optional<check::SkinComparison> comparison;  ///< none: the input had no weights
};

struct StageEntry {
  std::string name;
  std::optional<double> seconds;
  std::optional<std::size_t> peak_bytes;
};

struct EntryError {
  int exit_code = 0;
  std::string message;
};

/// How a clip that was added moves; lengths are parts of the leg's. See docs/retarget.md.
struct ClipEntry {
  std::string name, source;
  std::size_t frames = 0, joints_to_move = 0, joints_moved = 0;
  double foot_slide = 0.0, penetration = 0.0;
  double largest_jump = 0.0, jump_in_clip = 0.0;  ///< degrees
  double hands_off = 0.0, feet_off = 0.0;         ///< lengths of the body
  double beyond_limits = 0.0;                     ///< degrees, of the worst joint
  std::optional<std::string> worst_joint;
  std::optional<double> stretch;  ///< as check's, in poses of the clip; none: nothing is skinned
};

/// Long flags without their dashes, and their values.
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

/// The result of a bind, as written to reports.
struct BindEntry {
  std::optional<std::string> device;
  std::optional<std::size_t> resolution;  ///< voxels per side
  std::optional<std::vector<MeshEntry>> meshes;
  std::optional<std::vector<JointEntry>> joints;  ///< joints that may own weight
  std::optional<VoxelCounts> voxels;
  std::optional<std::size_t> unreached_vertices;
  std::optional<MeshWeights> existing;  ///< the most severe state among the meshes
  std::optional<std::size_t> filled_vertices;
  std::optional<SkinEntry> skin;  ///< none: nothing was bound, or the skin was not checked
  std::optional<std::vector<ClipEntry>> clips;  ///< that were added
  std::optional<std::vector<StageEntry>> stages;
  std::optional<std::size_t> peak_bytes;
  Findings findings;
};

/// The entry of one asset in a report; report_schema.json documents each member. Optional members
/// that are empty or null are left out of the JSON.
struct AssetEntry : BindEntry {
  std::string name;  ///< unique in a report: the path below the batch's directory
  std::string input, output;
  AssetStatus status = AssetStatus::done;
  std::optional<double> seconds = 0.0;
  std::optional<std::string> skeleton;
  OptionTexts options;
  std::string command;
  std::optional<std::string> picture, page, key;
  std::optional<FailOn> fail_on;  ///< the findings that make the exit code 1
  std::optional<EntryError> error;
  std::optional<std::string> stderr_text = "";
};

AssetEntry new_asset(const std::string& name, const std::string& input, const std::string& output,
                     AssetStatus status);

/// The number of vertices in bound meshes.
std::size_t bound_vertices(const AssetEntry& asset);

/// Whether its new weights are worse than the input's.
bool is_judged_worse(const AssetEntry& asset);

/// The highest severity among an asset's findings.
std::optional<Severity> worst_finding(const AssetEntry& asset);

/// Whether the finding makes the exit code 1, by the asset's threshold; without a threshold, errors
/// do.
bool fails(const Finding& finding, const AssetEntry& asset);

/// The findings of the asset that make the exit code 1.
Findings failing_findings(const AssetEntry& asset);

/// Sorts the worst first: 5 failed, 4 interrupted; else by the worst finding: 3 error, or makes the
/// exit code 1; 2 warning; 1 note; 0 none.
int gravity_of(const AssetEntry& asset);

}  // namespace gvbind
