#pragma once

// Tested by tests/command/cli_test.py.

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bind/bind_request.h"
#include "gvbind/bind_skin.h"
#include "gvbind/finding.h"

namespace gvbind {

/// The settings of the bind of one file, as they were given; see bind_request.h.
struct BindSettings {
  std::string skeleton;       ///< joints come from this file; empty: the input's own
  std::string rig, rig_hash;  ///< a template for files without joints, and its content; empty: none
  bool keep_axes = false;     ///< with rig: a mesh of a format without units lies as it is
  /// With rig: of such a mesh; none: by the usual size.
  std::optional<double> meters_per_unit;
  int twist = 0;  ///< with rig: twist joints of each limb
  SkeletonScale skeleton_scale;
  bool paper = false;  ///< the options began as paper_options(), not as the built-in ones
  Selection selection;
  BindOptions options;
  Target target = Target::none;
  int max_joints = 0;           ///< of a skin, see split_skins(); 0: any number
  bool auto_influences = true;  ///< the limit of the target, or options.max_influences
  RuleSet rules;
  std::string edits_file, edits_hash;  ///< where rules.edits come from, and the hash of its content
  std::string influences_file, influences_hash;  ///< the same of rules.influences
  std::vector<std::string> forbid, give;         ///< as given; rules.forbid and rules.give
  std::vector<std::string> alpha_joint, lock;    ///< as given; rules.alphas and rules.locks
  std::string rules_file;                        ///< whose settings are among these; empty: none
  std::string network_file;  ///< where options.network comes from; empty: the built-in one
  std::string network_hash;  ///< of the content of that file
  std::vector<std::string> like, like_hashes;  ///< finished characters, and their content
  bool auto_resolution = false;  ///< the file's own features decide, not options.resolution
  Volume volume = Volume::automatic;
  Refinement refine = Refinement::off;
  Existing existing = Existing::replace;
  Springs springs = Springs::off;
  std::string springs_file, springs_hash;      ///< with Springs::file, and the hash of its content
  std::vector<std::string> clip, clip_hashes;  ///< motions that the output gets, their content
  std::optional<SkinningType> skinning;        ///< of an FBX; none: keep that of the file
  std::string skinning_file, skinning_hash;    ///< with SkinningType::blend: factors, their content
  Severity fail_on = Severity::error;
  bool fail_on_worse = false;  ///< the finding worse-than-before fails too
  bool fail_never = false;
  bool force = false;      ///< overwrite the output, even where it is the input
  std::string asset_root;  ///< a directory, see ReadLimits
};

// Headings of the help; options without one stand under CLI11's "Options", which comes last.
inline constexpr const char* first_group = "Turn these first";
inline constexpr const char* file_group = "Input and output";
inline constexpr const char* what_group = "What is bound";
inline constexpr const char* weight_group = "How weights are computed";
inline constexpr const char* look_group = "Look before binding";
inline constexpr const char* report_group = "Reports and progress";
inline constexpr const char* run_group = "Run";
inline constexpr std::array<std::string_view, 8> help_groups = {
    first_group, file_group,   what_group, weight_group,
    look_group,  report_group, run_group,  "Options"};

enum class OptionGroup { skeleton, method, selection, running };

/// A value that has another name now.
struct RenamedValue {
  std::string old_name, name;
};

/// An option of `gvbind bind` that makes sense for one asset, and so is a key of a manifest too.
/// This row of the table is all there is about it: the command line, help, manual pages,
/// completion, keys of manifests and rules, and schemas come from it.
struct BindOption {
  std::string name = {};  ///< the long flag without dashes, and the manifest's key: "resolution"
  std::vector<std::string> old_names = {};  ///< accepted too, not in the help; oldest first
  char letter = 0;                          ///< the short flag; 0: none
  OptionGroup group = OptionGroup::method;
  const char* heading = nullptr;      ///< in the help; null: that of its group
  bool everyday = false;              ///< in the short help too
  std::string help = {};              ///< without the default, which help_of() adds
  std::string default_text = {};      ///< empty: what values() has of the built-in settings
  std::string default_in_batch = {};  ///< where it is another one
  std::string type_name = {};  ///< words in lower case as they are, N, F and A..B for numbers
  bool repeatable = false;
  bool is_flag = false;                 ///< given without a value; as a value: "true" or "false"
  bool is_path = false;                 ///< of a file that is read
  std::vector<std::string> words = {};  ///< with is_path: values that are no paths
  std::vector<RenamedValue> old_values = {};
  bool expands = false;        ///< stands for other options, whose values the settings have
  bool tunable = false;        ///< distances do not depend on it
  bool affects_output = true;  ///< whether the output's bytes may depend on it

  /// Takes the values over into the settings: one, or any number where it is repeatable, which
  /// replace earlier ones. Throws Error(usage) that begins with "--NAME: ".
  void (*apply)(BindSettings& settings, const std::vector<std::string>& values) = nullptr;

  /// The values in their canonical form, such that applying them gives the same settings; none for
  /// an empty list and for no skeleton.
  std::vector<std::string> (*values)(const BindSettings& settings) = nullptr;

  /// With is_path: the content of the file, or the word, for the key of a cache. Null: others keep
  /// track of the file.
  std::string (*content)(const BindSettings& settings) = nullptr;
};

/// The help of an option with its default: "Falloff, from 0 (smooth) to 1 (tight) [0.4]".
std::string help_of(const BindOption& option, bool in_batch = false);
const char* heading_of(const BindOption& option);

/// All of them, in the order of the help. One table serves the command line and the manifest.
std::span<const BindOption> bind_options();

/// By its name or an old one; null where there is none.
const BindOption* find_bind_option(std::string_view name);

/// The name and value under which stamps and distance caches store an option: the oldest spelling,
/// so that files written by earlier versions stay valid.
std::string stored_name(const BindOption& option);
std::string stored_value(const BindOption& option, const std::string& value);

/// The settings that differ from the preset's as arguments of `gvbind bind`: "--alpha=0.5".
std::vector<std::string> option_arguments(const BindSettings& settings);

/// The values of an option as a report shows them: with commas between them.
std::string joined_values(const std::vector<std::string>& values);

/// Whether TOML and JSON write this value of the option as a number.
bool is_number_value(const BindOption& option, const std::string& value);

/// An option of `gvbind bind`, `tune` and `batch` that is about the run and not about an asset. It
/// is no key of a manifest. Its row has the form of bind_options() without apply and values.
struct RunOption {
  const char* command;  ///< "batch" or "bind" (and tune) where the other has none or another text
  BindOption row;
};

std::span<const RunOption> run_options();

/// Names of run_options() that no key of a manifest has: "jobs", "report", ...
std::span<const std::string> run_flag_names();

/// The limit of joints per vertex: the given one, or that of the engine; 0: none.
/// Throws Error(usage) where more are given than the engine reads.
int influences_of(const BindSettings& settings);

}  // namespace gvbind
