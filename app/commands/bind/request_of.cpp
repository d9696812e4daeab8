// Tested by tests/command/cli_test.py.

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "cli/springs_file.h"
#include "commands/bind/bind_file.h"
#include "commands/bind/like_files.h"
#include "common/resources.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/atomic_write.h"
#include "io/format.h"
#include "rig/twist_joints.h"

namespace gvbind {

namespace fs = std::filesystem;

void check_springs(const BindRequest& request) {
  if (request.springs != Springs::off && format_of_name(request.output) == Format::fbx)
    throw Error(ErrorKind::usage, "--springs: writes spring bones of glTF and VRM, not of FBX");
}

BindRequest request_of(const BindSettings& settings, const fs::path& input,
                       const fs::path& output) {
  BindRequest request;
  request.input = input;
  request.output = output;
  for (const std::string& like : settings.like)
    refuse_other_input(output, input, like, "a file of --like");
  request.skeleton = settings.skeleton;
  request.skeleton_scale = settings.skeleton_scale;
  request.selection = settings.selection;
  request.options = settings.options;
  request.options.max_influences = influences_of(settings);
  LikeFiles like = read_like_files(settings);
  request.options.like = std::move(like.painted);
  request.finished = std::move(like.meshes);
  request.target = settings.target;
  request.max_joints = settings.max_joints;
  if (request.max_joints > 0 && format_of_name(output) == Format::fbx)
    throw Error(ErrorKind::usage, "--max-joints: splits meshes of glTF and VRM, not of FBX");
  request.springs = settings.springs;
  if (request.springs == Springs::file)
    request.given_springs =
        std::make_shared<vrm::GivenSprings>(read_springs(settings.springs_file));
  request.clips = settings.clip;
  check_springs(request);
  request.rules = settings.rules;
  request.auto_resolution = settings.auto_resolution;
  request.volume = settings.volume;
  if (!settings.rig.empty() && !settings.skeleton.empty())
    throw Error(ErrorKind::usage, "--rig and --skeleton each give the joints; use one of them");
  request.rig = settings.rig;
  if (settings.rig.empty() && (settings.keep_axes || settings.meters_per_unit || settings.twist))
    throw Error(ErrorKind::usage,
                std::string(settings.keep_axes         ? "--keep-axes"
                            : settings.meters_per_unit ? "--units"
                                                       : "--twist") +
                    ": is for meshes that get their joints from --rig; give both or none");
  if (settings.twist > 0) rig::check_twist(settings.twist, settings.rig, "--twist");
  request.twist = settings.twist;
  // Other formats become a VRM by --rig alone, which knows where the meshes look.
  if (format_of_name(output) == Format::vrm &&
      (!request.rig.empty() || is_gltf(format_of_name(input))))
    request.vrm = VrmMeta{path_text(output.stem()), {}};
  request.keep_axes = settings.keep_axes;
  request.meters_per_unit = settings.meters_per_unit;
  request.refine = settings.refine;
  request.existing = settings.existing;
  request.skinning = settings.skinning;
  request.skinning_file = settings.skinning_file;
  request.asset_root = settings.asset_root;
  request.overwrite = settings.force;
  return request;
}

int planned_resolution(const BindRequest& request) {
  if (!request.auto_resolution) return request.options.resolution;
  const std::uint64_t limit = memory_limit(request.max_memory);
  constexpr ResolutionOptions limits;
  return finest_within(asset_size(request.input, request.skeleton, limits.most).file_bytes, limit,
                       limits.least, limits.most);
}

}  // namespace gvbind
