// Tested by tests/command/view_test.py.

#include "commands/bind/view_tuning.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <memory>
#include <utility>

#include "bind/bind_scene.h"
#include "bind/existing_weights.h"
#include "commands/bind/bind_file.h"
#include "commands/bind/field_request.h"
#include "gvbind/base/path_text.h"
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

std::vector<std::uint32_t> translated(const std::vector<std::uint32_t>& joints,
                                      const std::vector<std::uint32_t>& joint_of) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t joint : joints) out.push_back(joint_of[joint]);
  return out;
}

/// The options of the bind, for joints of the page.
ViewTuning options_of_page(const BindOptions& options, const std::vector<std::uint32_t>& joint_of) {
  ViewTuning out;
  out.alpha = options.alpha;
  out.prune = options.prune;
  out.influences = options.max_influences;
  out.smooth_limit = options.limit == LimitRule::smooth;
  for (const JointAlpha& own : options.rules.alphas)
    for (const std::uint32_t joint : own.joints)
      out.joint_alphas.emplace_back(joint_of[joint], own.alpha);
  for (const ForbiddenJoints& pair : options.rules.forbidden)
    out.forbidden.push_back({translated(pair.first, joint_of), translated(pair.second, joint_of)});
  return out;
}

ViewSolid view_solid(const CharacterDistances& distances) {
  ViewSolid out{distances.character.cube, distances.voxels.resolution, {}, {}};
  MortonCode end = 0;
  for (const Leaf& leaf : distances.voxels.leaves) {
    out.skip.push_back(static_cast<double>(leaf.code() - end));
    out.leaf.push_back(static_cast<std::uint8_t>(leaf.level + (leaf.boundary ? 128 : 0)));
    end = leaf.code() + (MortonCode{1} << 3 * leaf.level);
  }
  return out;
}

/// The joined meshes of a file, by solid; none where the distances are not of its meshes and
/// joints.
std::vector<MeshGroup> groups_of_field(const BindRequest& request, const BindableFile& f) {
  const std::vector<CachedSolid>& solids = request.kept->solids;
  const auto members = group_meshes(f.bindable(), request.volume);
  if (members.size() != solids.size()) return {};
  const std::vector<Joint> joints = joint_points(f.bindable());
  std::vector<MeshGroup> out;
  for (std::size_t g = 0; g < members.size(); ++g) {
    out.push_back(join_meshes(f.bindable(), members[g]));
    const CacheKey now = field_source({out[g].positions, out[g].triangles}, joints, f.rules);
    if (now.mesh != solids[g].source.mesh || !same_skeleton(solids[g].joints, joints)) return {};
  }
  return out;
}

SkinWeights sound_rows(const SceneMesh& mesh, const std::vector<std::uint32_t>& joint_of) {
  SkinWeights out;
  if (mesh.weights.empty()) return out;
  const std::vector<bool> usable = usable_vertices(mesh);
  for (std::size_t v = 0; v < usable.size(); ++v) {
    if (usable[v])
      for (const auto [joint, weight] : mesh.weights.row(v)) {
        out.joint.push_back(joint_of[joint]);
        out.weight.push_back(weight);
      }
    out.first.push_back(static_cast<std::uint32_t>(out.joint.size()));
  }
  return out;
}

/// Adds the weights of the page's file, where it may be the input of `gvbind tune --lock`.
void add_held(BindRequest request, const ViewInput& input, ViewTuning& out) {
  if (!input.scene.has_skin()) return;
  request.input = input.path;
  Findings ignored;
  const BindableFile f = read_selected(request, ignored);
  if (f.scene.meshes.size() != out.meshes.size() || groups_of_field(request, f).empty()) return;
  const std::vector<std::uint32_t> joint_of = joints_of_page(input.scene, f.scene, input.path);
  for (std::size_t m = 0; m < out.meshes.size(); ++m)
    if (f.scene.meshes[m].selected) out.meshes[m].held = sound_rows(f.scene.meshes[m], joint_of);
}

}  // namespace

ViewTuning view_tuning(const std::string& field, const ViewInput& input) {
  const auto cache = std::make_shared<const DistanceCache>(read_field(field));
  const BindSettings settings = tuned_settings(*cache, field, {});
  BindRequest request = request_of(settings, input_of(*cache, field), "tuned.glb");
  request.kept = cache;
  Findings ignored;
  const BindableFile f = read_selected(request, ignored);
  const BindOptions options = options_for(request, f);
  require_tunable(field, request, f, options);
  require_same_meshes(input.scene, f.scene, input.path);
  const std::vector<std::uint32_t> joint_of = joints_of_page(input.scene, f.scene, input.path);

  ViewTuning out = options_of_page(options, joint_of);
  out.field = field;
  out.input = input.path;
  out.forbid = settings.forbid;
  out.meshes.resize(f.scene.meshes.size());
  std::vector<std::uint32_t> start = {0};
  for (const SceneMesh& mesh : f.scene.meshes)
    start.push_back(start.back() + static_cast<std::uint32_t>(mesh.positions.size()));
  const std::vector<MeshGroup> groups = groups_of_field(request, f);
  if (groups.empty())
    throw Error(ErrorKind::cannot_bind, field + ": was made of another state of " +
                                            path_text(request.input) +
                                            "; bind again, with --save-distances");
  const auto members = group_meshes(f.bindable(), request.volume);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const CachedSolid& solid = cache->solids[g];
    const TunableScores scores = tunable_scores(solid.kept, solid.joints, options);
    out.least_influences = scores.least_influences;
    out.most_influences = scores.most_influences;
    out.solids.push_back(view_solid(solid.kept.distances));
    add_solid(scores, groups[g], members[g], start, joint_of, out);
  }
  add_held(request, input, out);
  return out;
}

}  // namespace gvbind
