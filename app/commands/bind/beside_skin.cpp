#include "commands/bind/beside_skin.h"

#include <memory>
#include <utility>
#include <variant>

#include "commands/bind/bound_clips.h"
#include "commands/bind/timed_stage.h"
#include "formats/document.h"
#include "formats/gltf/split_skins.h"
#include "gvbind/base/utf8.h"
#include "vrm/humanoid.h"
#include "vrm/spring_bones.h"
#include "vrm/twist_constraints.h"

namespace gvbind {

namespace {

/// Divides meshes whose skins have more joints than the request allows.
std::vector<SplitMesh> split_to_limit(const BindRequest& request, BindableFile& f,
                                      Findings& findings) {
  const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&f.document);
  if (request.max_joints == 0 || !gltf) return {};
  std::vector<SplitMesh> splits = naming(request.input, [&] {
    return split_skins(**gltf, static_cast<std::size_t>(request.max_joints));
  });
  for (const SplitMesh& split : splits)
    findings.push_back({Severity::note, "mesh-split",
                        "mesh '" + split.name + "': its skin of " + grouped(split.old_joints) +
                            " joints became " + counted(split.parts.size(), "part", "parts") +
                            " of at most " + grouped(split.most_joints),
                        split.name});
  return splits;
}

/// Adds the human bones and the spring bones that the request asks for.
void add_extensions(const BindRequest& request, BindableFile& f, Findings& findings) {
  auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&f.document);
  if (!gltf) return;
  naming(request.input, [&] {
    if (request.vrm) vrm::add_humanoid(**gltf, *request.vrm, findings);
    if (request.vrm) vrm::add_twist_constraints(**gltf, f.twists, f.scene);
    if (request.springs == Springs::automatic) vrm::add_springs(**gltf, findings);
  });
  if (request.springs == Springs::file) vrm::add_springs(**gltf, *request.given_springs, findings);
}

}  // namespace

Additions add_beside_skin(const BindRequest& request, BindableFile& f, const SceneWeights& weights,
                          BindStatistics& statistics, Findings& findings) {
  Additions added;
  added.splits = split_to_limit(request, f, findings);
  add_extensions(request, f, findings);
  if (!request.clips.empty())
    timed(statistics, "clips", [&] {
      AddedMotions motions = add_motions(request, f, weights, findings);
      added.clips = std::move(motions.expected);
      added.clip_entries = std::move(motions.entries);
    });
  return added;
}

}  // namespace gvbind
