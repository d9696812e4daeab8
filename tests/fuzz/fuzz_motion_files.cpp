#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "cli/springs_file.h"
#include "commands/retarget/retarget_command.h"
#include "gvbind/error.h"
#include "round_trip.h"
#include "rule_scene.h"

namespace {

using namespace gvbind;

/// Calls `read`; an error must name the file, and the line unless the file as a whole is wrong.
void check_refusal(const std::string& path, const char* whole, const std::function<void()>& read) {
  fuzz::accepts([&] {
    try {
      read();
    } catch (const Error& error) {
      const std::string text = error.what();
      fuzz::require(error.kind() == ErrorKind::usage &&
                        (fuzz::names_line(text, path) || text == path + ": " + whole),
                    "a refusal names the file and the line");
      throw;
    }
  });
}

bool in_range(const std::optional<vrm::Range>& range) {
  return !range || (range->first >= 0.0 && range->first <= 1000.0 && range->second >= 0.0 &&
                    range->second <= 1000.0);
}

void check_springs(const std::string& path) {
  check_refusal(path, "holds no [[spring]]", [&] {
    const vrm::GivenSprings given = read_springs(path);
    fuzz::require(!given.springs.empty(), "a file has springs");
    for (const vrm::GivenSpring& spring : given.springs)
      fuzz::require(!spring.joints.empty() && in_range(spring.stiffness) &&
                        in_range(spring.gravity) && in_range(spring.hit_radius) &&
                        (!spring.drag || (*spring.drag >= 0.0 && *spring.drag <= 1.0)),
                    "values of springs are in their ranges");
    for (const vrm::GivenCollider& collider : given.colliders)
      fuzz::require(std::isfinite(collider.radius) && collider.offset.allFinite() &&
                        (!collider.tail || collider.tail->allFinite()),
                    "colliders are finite");
  });
}

void check_map(const std::string& path) {
  check_refusal(path, "names no joint",
                [&] { fuzz::require(!read_joint_map(path).empty(), "a map has pairs"); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::ScratchFile file("fuzz_motion_files");
  const fuzz::TimeLimit limit;
  file.put(data, size);
  check_springs(file.path.string());
  check_map(file.path.string());
  return 0;
}
