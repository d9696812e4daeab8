#include <cstddef>
#include <cstdint>
#include <string>

#include "gvbind/error.h"
#include "retarget/bvh_motion.h"
#include "retarget/joint_map.h"
#include "retarget/retarget_clip.h"
#include "retarget/shape_roles.h"
#include "round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gvbind;
  const fuzz::TimeLimit limit;
  fuzz::accepts([&] {
    NodeScene scene;
    try {
      scene = retarget::read_bvh({data, size}, "a.bvh");
    } catch (const Error& error) {
      fuzz::require(
          error.kind() == ErrorKind::input && std::string(error.what()).starts_with("a.bvh: line "),
          "a refusal names the file and the line");
      throw;
    }
    // A motion on its own skeleton: no such file may break the transfer.
    const retarget::RestSkeleton rest = retarget::node_pose_skeleton(scene);
    for (const retarget::BodyRoles& roles :
         {retarget::body_roles(rest), retarget::parts_by_shape(scene)}) {
      const retarget::MappedSkeleton own{rest, roles};
      const retarget::Retargeting between =
          retarget::make_retargeting(own, own, retarget::map_joints(own, own));
      const retarget::RetargetedClip made =
          retarget::retarget_clip(between, scene, scene.clips.at(0), scene, {});
      for (const Channel& channel : made.clip.channels)
        for (const double value : channel.values) fuzz::require(value == value, "keys are numbers");
    }
  });
  return 0;
}
