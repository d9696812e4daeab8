// Tested by tests/consumer/refused.cpp.

#include <optional>

#include "bind/asset_limits.h"
#include "bind/option_ranges.h"
#include "bind/write_document.h"
#include "formats/convert/convert.h"
#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "gvbind/springs.h"
#include "vrm/spring_bones.h"

namespace gvbind::vrm {

namespace {

/// The largest force and the largest length of a file for --springs.
constexpr double most_force = 1000.0, most_length = 1000.0;

void require_range_of(const char* option, const std::optional<Range>& range, double most) {
  if (!range) return;
  require_range(option, range->first, 0.0, most);
  require_range(option, range->second, 0.0, most);
}

void require_length(const char* option, const Eigen::Vector3d& vector) {
  for (int axis = 0; axis < 3; ++axis)
    require_range(option, vector[axis], -most_length, most_length);
}

void check_options(const GivenSprings& given) {
  for (const GivenSpring& spring : given.springs) {
    require_range_of("stiffness", spring.stiffness, most_force);
    require_range_of("gravity", spring.gravity, most_force);
    require_range_of("hit-radius", spring.hit_radius, most_length);
    if (spring.drag) require_range("drag", *spring.drag, 0.0, 1.0);
  }
  for (const GivenCollider& collider : given.colliders) {
    require_length("offset", collider.offset);
    if (collider.tail) require_length("tail", *collider.tail);
    require_range("radius", collider.radius, 0.0, most_length);
  }
}

}  // namespace

Findings add_springs_to_file(const std::filesystem::path& input,
                             const std::filesystem::path& output,
                             const SpringsFileOptions& options) {
  const std::string from = path_text(input), to = path_text(output);
  const ReadLimits limits = limits_of(options.reading);
  const bool overwrite = options.overwrite == Asset::Overwrite::yes;
  check_new_output(to, overwrite, ".glb, .gltf or .vrm");
  if (options.given) check_options(*options.given);
  const ReadOptions reading = with_root(read_options(limits, from), from);
  Findings findings;
  const Document document = read_document(from, findings, reading);
  const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&document);
  if (!gltf || !same_format(document, to))
    throw Error(ErrorKind::usage, from +
                                      ": springs are for glTF and VRM, and written as .glb, .gltf "
                                      "or .vrm; convert other formats to .glb first");
  if (options.given)
    add_springs(**gltf, *options.given, findings);
  else
    naming(from, [&] { add_springs(**gltf, findings); });
  write_document({document, read_node_scene(document, reading)}, from, to, limits, overwrite);
  return findings;
}

}  // namespace gvbind::vrm
