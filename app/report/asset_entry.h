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

/// Code of the finding that an asset's new weights are judged worse than those of its input.
constexpr std::string_view worse_than_before = "worse-than-before";

/// Which findings make the exit code 1.
struct FailOn {
  std::optional<Severity> severity;  ///< those from this one on; none: none does
  bool worse = false;                ///< and worse-than-before, of whatever severity

  FailOn() = default;
  FailOn(Severity min_severity) : severity(min_severity) {}
  FailOn(std::nullopt_t) {}
};

/// As --fail-on takes it: "error", "warning", "worse-than-before", "never"; and back (none for
/// other words).
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
  std::optional<std::size_t> vertices;  ///< with any weight of it
};

struct VoxelCounts {
  std::size_t interior = 0, boundary = 0, ambiguous = 0, ambiguous_interior = 0, sparse = 0;
};

struct SkinEntry : SkinFigures {
  std::optional<SkinComparison> comparison;  ///< none: the input had no weights
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

/// Long flags without their dashes, and their values.
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

/// What a bind returns, as reports have it.
struct BindEntry {
  std::optional<std::string> device;
  std::optional<std::size_t> resolution;  ///< voxels per side
  std::optional<std::vector<MeshEntry>> meshes;
  std::optional<std::vector<JointEntry>> joints;  ///< those that may own weight
  std::optional<VoxelCounts> voxels;
  std::optional<std::size_t> unreached_vertices;
  std::optional<MeshWeights> existing;  ///< the gravest of the meshes
  std::optional<std::size_t> filled_vertices;
  std::optional<SkinEntry> skin;  ///< none: nothing was bound, or it was not judged
  std::optional<std::vector<StageEntry>> stages;
  std::optional<std::size_t> peak_bytes;
  Findings findings;
};

/// What a report says of one asset; report_schema.json tells what each member means. What is
/// optional is left out of the JSON where it is empty, or null.
struct AssetEntry : BindEntry {
  std::string name;  ///< unique in a report: the path below the batch's directory
  std::string input, output;
  AssetStatus status = AssetStatus::done;
  std::optional<double> seconds = 0.0;
  std::optional<std::string> skeleton;
  OptionTexts options;
  std::string command;
  std::optional<std::string> picture, key;
  std::optional<FailOn> fail_on;  ///< which of its findings make the exit code 1
  std::optional<EntryError> error;
  std::optional<std::string> stderr_text = "";
};

AssetEntry new_asset(const std::string& name, const std::string& input, const std::string& output,
                     AssetStatus status);

/// Vertices of the meshes that are bound.
std::size_t bound_vertices(const AssetEntry& asset);

/// Whether its new weights are judged worse than those that it had.
bool is_judged_worse(const AssetEntry& asset);

/// The gravest severity among an asset's findings.
std::optional<Severity> worst_finding(const AssetEntry& asset);

/// Whether the finding makes the exit code 1, by the asset's own threshold; without one, errors do.
bool fails(const Finding& finding, const AssetEntry& asset);

/// Those of the asset's findings.
Findings failing_findings(const AssetEntry& asset);

/// For sorting the worst first: 5 failed, 4 interrupted, then by worst finding 3 error or one that
/// makes the exit code 1, 2 warning, 1 note, 0 none.
int gravity_of(const AssetEntry& asset);

}  // namespace gvbind
