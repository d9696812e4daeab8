#include "round_trip.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "bind/verify.h"
#include "character/selection.h"
#include "gvbind/error.h"
#include "io/encoded_file.h"

namespace gvbind::fuzz {
namespace {

void check_rows(const SkinWeights& weights, std::size_t vertices, std::size_t joints) {
  require(weights.vertex_count() == vertices, "a mesh with weights has a row for each vertex");
  require(std::ranges::is_sorted(weights.first) && weights.first.back() == weights.weight.size() &&
              weights.joint.size() == weights.weight.size(),
          "rows of weights lie one after the other");
  require(std::ranges::all_of(weights.joint, [&](std::uint32_t j) { return j < joints; }),
          "weights are of joints that are there");
  require(std::ranges::all_of(weights.weight, [](float w) { return w > 0 && std::isfinite(w); }),
          "weights are positive");
}

void check_mesh(const SceneMesh& mesh, std::size_t joints) {
  const std::size_t vertices = mesh.positions.size();
  for (const Eigen::Vector3d& p : mesh.positions) require(p.allFinite(), "positions are finite");
  for (const Triangle& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle)
      require(corner < vertices, "vertices of triangles exist");
  if (!mesh.weights.empty()) check_rows(mesh.weights, vertices, joints);
  for (const int joint : mesh.skin_joints)
    require(joint >= 0 && static_cast<std::size_t>(joint) < joints, "skins are of joints");
  require(mesh.attached_to < static_cast<int>(joints), "a mesh is attached to an existing joint");
  require(mesh.normals.empty() || mesh.normals.size() == vertices, "a vertex, a normal");
  require(mesh.texture_coordinates.empty() || mesh.texture_coordinates.size() == vertices,
          "a vertex, a texture coordinate");
}

/// Up to three joints per vertex, for the meshes that a bind would select.
SceneWeights some_weights(const Scene& scene) {
  static constexpr float shares[] = {0.5f, 0.375f, 0.125f};
  std::vector<std::uint32_t> deforming;
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    if (scene.joints[j].deforms) deforming.push_back(static_cast<std::uint32_t>(j));
  SceneWeights out;
  for (const SceneMesh& mesh : scene.meshes) {
    SkinWeights& rows = out.meshes.emplace_back();
    if (!mesh.selected || mesh.positions.empty()) continue;
    const std::size_t count = deforming.size() < 3 ? 1 : 3;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      for (std::size_t k = 0; k < count; ++k) {
        rows.joint.push_back(deforming[(v + k) % deforming.size()]);
        rows.weight.push_back(count == 1 ? 1.0f : shares[k]);
      }
      rows.first.push_back(static_cast<std::uint32_t>(rows.joint.size()));
    }
  }
  return out;
}

Scene scene_again(const std::vector<EncodedFile>& files, const Parse& parse, const char* claim) {
  Scene scene;
  Findings findings;
  require(accepts([&] { scene = scene_of(parse(files.front().bytes), {}, findings); }), claim);
  check_scene(scene);
  return scene;
}

}  // namespace

void require(bool holds, const char* claim) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", claim);
  std::abort();
}

TimeLimit::~TimeLimit() {
  require(std::clock() - start_ < 10 * CLOCKS_PER_SEC, "a small file takes no ten seconds");
}

bool accepts(const std::function<void()>& work) {
  try {
    work();
    return true;
  } catch (const Error& error) {
    if (std::getenv("GVBIND_FUZZ_TALK")) std::fprintf(stderr, "%s\n", error.what());
    require(error.kind() != ErrorKind::internal, error.what());
    const std::string_view text = error.what();
    require(!text.empty() && text.find('\n') == text.npos, "an error is one line");
    return false;
  }
}

void check_scene(const Scene& scene) {
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const SceneJoint& joint = scene.joints[j];
    require(joint.parent >= -1 && joint.parent < static_cast<int>(j), "parents before children");
    require(joint.bind.matrix().allFinite(), "joints are at finite places");
  }
  for (const SceneMesh& mesh : scene.meshes) check_mesh(mesh, scene.joints.size());
}

void check_bound(const Scene& scene) {
  for (const SceneMesh& mesh : scene.meshes)
    for (std::size_t v = 0; v < mesh.weights.vertex_count(); ++v) {
      double sum = 0.0;
      for (std::uint32_t i = mesh.weights.first[v]; i < mesh.weights.first[v + 1]; ++i)
        sum += static_cast<double>(mesh.weights.weight[i]);
      require(std::abs(sum - 1.0) < 1e-4, "weights sum to one");
    }
}

void check_round_trip(Document document, const std::filesystem::path& path, const Parse& parse,
                      const std::filesystem::path& other, const Parse& parse_other) {
  Findings findings;
  Scene scene = scene_of(document, {}, findings);
  check_scene(scene);
  const Document built = build_document(scene, other);
  scene_again(encode(built, other, findings), parse_other, "a built document can be read");

  apply_selection(scene, {});
  const SceneWeights weights = some_weights(scene);
  patch_skin(document, scene, weights);
  const std::vector<EncodedFile> files = encode(document, path, findings);
  if (files.size() > 1) return;  // its buffers are separate files
  const Scene read = scene_again(files, parse, "a patched document can be read");
  // Numbers beyond single precision may differ when read back; a bind is then not written.
  accepts([&] { verify_written(scene, weights, read); });
}

}  // namespace gvbind::fuzz
