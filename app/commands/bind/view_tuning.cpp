// Tested by tests/command/view_test.py.

#include "commands/bind/view_tuning.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <memory>
#include <utility>

#include "bind/bind_scene.h"
#include "commands/bind/bind_file.h"
#include "commands/bind/field_request.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

[[noreturn]] void refuse_field(const std::string& field, const std::string& why) {
  throw Error(ErrorKind::usage, "--field: the bind of " + field + " used " + why +
                                    ", which a page does not compute; use 'gvbind tune'");
}

void require_tunable(const std::string& field, const BindRequest& request, const BindableFile& f,
                     const BindOptions& options) {
  if (options.weights != WeightRule::fitted) refuse_field(field, "--weights falloff or heat");
  if (options.like) refuse_field(field, "--like");
  if (options.falloff != FalloffRule::paper) refuse_field(field, "--falloff");
  if (request.rules.mirror != Mirror::off) refuse_field(field, "--mirror-axis");
  if (request.refine != Refinement::off) refuse_field(field, "--refine");
  if (request.target != Target::none) refuse_field(field, "--engine");
  if (!options.rules.regions.empty()) refuse_field(field, "regions");
  if (std::ranges::count(f.locked, true) > 0) refuse_field(field, "locks");
  if (request.existing != Existing::replace) refuse_field(field, "--existing");
  for (const SceneMesh& mesh : f.scene.meshes)
    if (!mesh.assigned_joint.empty()) refuse_field(field, "--give");
}

/// By joint of the file of distances, that of the page.
std::vector<std::uint32_t> joints_of_page(const Scene& page, const Scene& file,
                                          const std::string& path) {
  std::vector<std::uint32_t> out;
  for (const SceneJoint& joint : file.joints) {
    const auto found = std::ranges::find(page.joints, joint.name, &SceneJoint::name);
    if (found == page.joints.end())
      throw Error(ErrorKind::cannot_bind,
                  path + ": has no joint '" + joint.name + "', which the file of distances has");
    out.push_back(static_cast<std::uint32_t>(found - page.joints.begin()));
  }
  return out;
}

bool same_vertices(const SceneMesh& a, const SceneMesh& b) {
  if (a.positions.size() != b.positions.size()) return false;
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : b.positions) box.extend(p);
  const double near = 1e-3 * (box.isEmpty() ? 1.0 : box.diagonal().norm());
  for (std::size_t v = 0; v < a.positions.size(); ++v)
    if (!((a.positions[v] - b.positions[v]).norm() <= near)) return false;
  return true;
}

void require_same_meshes(const Scene& page, const Scene& file, const std::string& path) {
  if (!std::ranges::equal(page.meshes, file.meshes, same_vertices))
    throw Error(ErrorKind::cannot_bind,
                path +
                    ": its vertices are not those of the file of distances, one by one; give a "
                    "glTF, either the input of that bind or its output");
}

TunedMesh tuned_mesh(const TunableScores& all, std::size_t begin, std::size_t end,
                     const std::vector<std::uint32_t>& joint_of) {
  TunedMesh out;
  const PairScores& scores = all.scores;
  for (std::size_t v = begin; v <= end; ++v)
    out.first.push_back(scores.first[v] - scores.first[begin]);
  for (std::uint32_t k = scores.first[begin]; k < scores.first[end]; ++k) {
    out.joint.push_back(joint_of[scores.joint[k]]);
    out.score.push_back(scores.score[k]);
  }
  for (std::size_t v = begin; v < end; ++v)
    out.owner.push_back(all.owner[v] == no_owner ? no_owner : joint_of[all.owner[v]]);
  return out;
}

/// Adds the meshes of one solid. `start`: by mesh, its first vertex, counted over all meshes.
void add_solid(const TunableScores& scores, const MeshGroup& group,
               const std::vector<std::size_t>& members, const std::vector<std::uint32_t>& start,
               const std::vector<std::uint32_t>& joint_of, ViewTuning& out) {
  std::vector<std::uint32_t> counted;  // by vertex of the solid
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t v = group.start[i]; v < group.start[i + 1]; ++v)
      counted.push_back(start[members[i]] + static_cast<std::uint32_t>(v - group.start[i]));
  for (std::size_t i = 0; i < members.size(); ++i) {
    TunedMesh mesh = tuned_mesh(scores, group.start[i], group.start[i + 1], joint_of);
    for (std::size_t v = group.start[i]; v < group.start[i + 1]; ++v)
      mesh.source.push_back(counted[scores.source[v]]);
    out.meshes[members[i]] = std::move(mesh);
  }
}

}  // namespace

ViewTuning view_tuning(const std::string& field, const ViewInput& input) {
  const auto cache = std::make_shared<const DistanceCache>(read_field(field));
  BindRequest request =
      request_of(tuned_settings(*cache, field, {}), input_of(*cache, field), "tuned.glb");
  request.kept = cache;
  Findings ignored;
  const BindableFile f = read_selected(request, ignored);
  const BindOptions options = options_for(request, f);
  require_tunable(field, request, f, options);
  require_same_meshes(input.scene, f.scene, input.path);
  const std::vector<std::uint32_t> joint_of = joints_of_page(input.scene, f.scene, input.path);

  ViewTuning out;
  out.field = field;
  out.alpha = options.alpha;
  out.prune = options.prune;
  out.influences = options.max_influences;
  for (const JointAlpha& own : options.rules.alphas)
    for (const std::uint32_t joint : own.joints)
      out.joint_alphas.emplace_back(joint_of[joint], own.alpha);
  out.smooth_limit = options.limit == LimitRule::smooth;
  out.meshes.resize(f.scene.meshes.size());
  std::vector<std::uint32_t> start = {0};
  for (const SceneMesh& mesh : f.scene.meshes)
    start.push_back(start.back() + static_cast<std::uint32_t>(mesh.positions.size()));
  const auto groups = group_meshes(f.bindable(), request.volume);
  if (groups.size() != cache->solids.size())
    throw Error(ErrorKind::cannot_bind,
                field + ": was made of other meshes; bind again, with --save-distances");
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const MeshGroup group = join_meshes(f.bindable(), groups[g]);
    const CachedSolid& solid = cache->solids[g];
    if (field_source({group.positions, group.triangles}, solid.joints, options.rules).mesh !=
        solid.source.mesh)
      throw Error(ErrorKind::cannot_bind, field + ": was made of another state of " +
                                              request.input.string() +
                                              "; bind again, with --save-distances");
    const TunableScores scores = tunable_scores(solid.kept, solid.joints, options);
    out.least_influences = scores.least_influences;
    out.most_influences = scores.most_influences;
    add_solid(scores, group, groups[g], start, joint_of, out);
  }
  return out;
}

}  // namespace gvbind
