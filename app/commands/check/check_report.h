#pragma once

// Tested by tests/command/check_test.py.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/baseline.h"
#include "check/penetration.h"
#include "commands/check/check_command.h"
#include "files/stream_folder.h"
#include "formats/document.h"
#include "gvbind/error.h"
#include "motion/pose_figures.h"
#include "report/report_json.h"

namespace gvbind {

/// Locations of idle joints, weight bleed and torn edges; joints and meshes by name.
struct CheckPlaces {
  struct Vertex {
    std::string mesh;
    std::uint32_t vertex = 0;  ///< index in the document
  };
  struct Bleed {
    std::string from, to;
    double share = 0.0, worst = 0.0;
    Vertex at;
  };
  struct FarJoint {
    std::string joint, nearest;
    double excess = 0.0, region = 0.0;
    Vertex at;
  };
  struct DeadJoint {
    std::string joint, taken_by;
    std::size_t vertices = 0;
    double region = 0.0;
  };
  struct Stretch {
    std::string joints[2];
    std::size_t torn_edges = 0;
    double worst = 0.0;
    int pose = 0;
    Vertex at[2];
  };
  std::vector<std::string> idle_joints, weighted_joints, unweighted_joints;
  std::vector<DeadJoint> dead_joints;
  std::vector<Bleed> bleed;
  std::vector<FarJoint> far_joints;
  std::vector<Stretch> stretch;
};

CheckPlaces places_of(const Scene& scene, const check::CheckResult& result);

/// Deformation quality: measures over random poses, and joints that lose volume when rotated alone.
struct CheckMotion {
  struct Joint {
    std::string joint;
    double lost = 0.0, gained = 0.0;  ///< fraction of the rest volume
  };
  motion::PoseFigures figures;
  std::size_t clip_poses = 0;         ///< of the file's clips; 0: it has none that turn a joint
  motion::PoseFigures in_clips = {};  ///< in these poses
  std::vector<Joint> joints;          ///< at most 10, largest loss first
};

/// Findings: "motion-damaged" for clips that are left out.
CheckMotion motion_of(const Document& document, const Scene& scene,
                      const check::CheckResult& result, Findings& findings);

/// Layers that come through each other, see measure_penetration(); joints and meshes by name.
struct CheckLayers {
  struct Place {
    std::string inner, outer;  ///< joints
    std::size_t vertices = 0;
    double worst = 0.0;
    int pose = 0;
    CheckPlaces::Vertex at, over;
  };
  std::size_t covered = 0;
  double share = 0.0, worst = 0.0;
  std::vector<Place> places;
};

CheckLayers layers_of(const Scene& scene, const check::CheckResult& result,
                      const check::StretchOptions& poses);

/// The result for one input.
struct CheckVerdict {
  std::string file;  ///< as given on the command line
  bool judged = false;
  ErrorKind error_kind = ErrorKind::internal;  ///< if not judged
  std::string error;
  std::size_t vertices = 0, joints = 0;
  check::MeasureValues measures;
  CheckPlaces places;
  CheckMotion motion;
  CheckLayers layers;
  Findings findings;  ///< by falling severity
};

/// The report of --report and --json, schema "gvbind/check/1" (report/check_schema.json; `gvbind
/// schema check`): names are stable, members may be added. `of_baseline` are findings that concern
/// no input.
Json check_report(const CheckCommand& command, const std::vector<CheckVerdict>& verdicts,
                  const Findings& of_baseline, int exit_code);

/// The results for all inputs.
struct CheckOutcome {
  std::vector<CheckVerdict> verdicts;
  Findings of_baseline;  ///< findings that concern no input
  int exit_code = 0;
};

/// Checks all inputs and prints nothing. `streams` maps temporary files back to their names in the
/// report; it may be null. Throws Error for problems of no single input: a baseline that cannot be
/// read (input) or was measured with other settings (usage).
CheckOutcome check_inputs(const CheckCommand& command, const StreamFolder* streams = nullptr);

/// The JSON Schema (draft 2020-12) of these reports.
std::string_view check_schema();

/// An earlier report, without the files that could not be checked.
struct CheckBaseline {
  std::vector<std::string> files;
  std::vector<check::MeasureValues> measures;
  std::vector<std::set<std::string>>
      weighted_joints;  ///< empty: an earlier version did not list them
};

/// Throws Error(input) if the file is missing or not a check report, Error(usage) if it was
/// measured with other options: its numbers are then not comparable.
CheckBaseline read_baseline(const CheckCommand& command);

/// Adds regressions to each verdict and returns findings that concern no input: assets that are
/// missing.
Findings compare_with_baseline(const CheckBaseline& baseline, std::vector<CheckVerdict>& verdicts);

}  // namespace gvbind
