// Tested by tests/command/view_test.py.

#include "commands/bind/view_tuning.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <memory>
#include <utility>

#include "bind/bind_scene.h"
#include "bind/existing_weights.h"
#include "character/match_joints.h"
#include "character/match_skin.h"
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

/// By joint of the file of distances, that of the page. Joints that the page lacks are appended to
/// its scene: a conversion leaves out joints without weight.
std::vector<std::uint32_t> joints_of_page(Scene& page, const Scene& file,
                                          const Eigen::Affine3d& to_page) {
  const std::vector<int> known = match_joints(file.joints, page.joints);
  std::vector<std::uint32_t> out;
  for (std::size_t j = 0; j < known.size(); ++j) {
    const SceneJoint& joint = file.joints[j];
    out.push_back(static_cast<std::uint32_t>(known[j] >= 0 ? known[j] : page.joints.size()));
    if (known[j] >= 0) continue;
    SceneJoint added = joint;
    added.node = -1;
    added.bind = to_page * joint.bind;
    if (joint.parent >= 0) added.parent = static_cast<int>(out[joint.parent]);
    page.joints.push_back(std::move(added));
  }
  return out;
}

/// Where the vertices of the page are in the file of distances.
VertexMatch match_page(const Scene& page, const Scene& file, const std::string& path) {
  VertexMatch match = match_vertices(page, file);
  for (const std::vector<std::uint32_t>& vertices : match.vertex)
    if (std::ranges::find(vertices, VertexMatch::none) != vertices.end())
      throw Error(ErrorKind::cannot_bind,
                  path +
                      ": its vertices are not those of the file of distances; give the input of "
                      "that bind or its output");
  return match;
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
void add_held(BindRequest request, ViewInput& input, ViewTuning& out) {
  if (!input.scene.has_skin()) return;
  request.input = input.path;
  Findings ignored;
  const BindableFile f = read_selected(request, ignored);
  if (f.scene.meshes.size() != out.meshes.size() || groups_of_field(request, f).empty()) return;
  const std::vector<std::uint32_t> joint_of = joints_of_page(input.scene, f.scene, out.to_page);
  for (std::size_t m = 0; m < out.meshes.size(); ++m)
    if (f.scene.meshes[m].selected) out.meshes[m].held = sound_rows(f.scene.meshes[m], joint_of);
}

/// The input of a file of distances, as its bind read it.
struct FieldFile {
  BindRequest request;
  BindableFile file;
  std::vector<MeshGroup> groups;
};

/// The format of the output decides the units and vertices that a bind works in, and a file of
/// distances does not name it.
FieldFile read_input_of(const std::string& field, const BindSettings& settings,
                        const std::shared_ptr<const DistanceCache>& cache,
                        const std::string& page) {
  const auto input = input_of(*cache, field);
  std::vector<std::string> outputs = {"tuned.glb", "tuned.fbx"};
  if (format_of_name(page) == Format::fbx) std::ranges::reverse(outputs);
  for (const std::string& output : outputs) {
    FieldFile found{request_of(settings, input, output), {}, {}};
    found.request.kept = cache;
    Findings ignored;
    found.file = read_selected(found.request, ignored);
    found.groups = groups_of_field(found.request, found.file);
    if (!found.groups.empty()) return found;
  }
  throw Error(ErrorKind::cannot_bind, field + ": was made of another state of " + path_text(input) +
                                          "; bind again, with --save-distances");
}

/// Lets each vertex of the page take the row of a vertex of the tuned meshes. A mesh of the page
/// with vertices that are not tuned stays as it is.
void take_rows(VertexMatch match, ViewTuning& out) {
  std::vector<bool> tuned;  // by vertex, counted over all meshes
  for (std::size_t m = 0; m < out.meshes.size(); ++m)
    tuned.insert(tuned.end(), out.start[m + 1] - out.start[m], !out.meshes[m].first.empty());
  for (std::vector<std::uint32_t>& vertices : match.vertex) {
    const bool all = std::ranges::all_of(vertices, [&](std::uint32_t v) { return tuned[v]; });
    out.taken.push_back(all ? std::move(vertices) : std::vector<std::uint32_t>());
  }
}

}  // namespace

ViewTuning view_tuning(const std::string& field, ViewInput& input) {
  const auto cache = std::make_shared<const DistanceCache>(read_field(field));
  const BindSettings settings = tuned_settings(*cache, field, {});
  const auto [request, f, groups] = read_input_of(field, settings, cache, input.path);
  const BindOptions options = options_for(request, f);
  require_tunable(field, request, f, options);
  VertexMatch match = match_page(input.scene, f.scene, input.path);
  const std::vector<std::uint32_t> joint_of = joints_of_page(input.scene, f.scene, match.to_ours);

  ViewTuning out = options_of_page(options, joint_of);
  out.field = field;
  out.input = input.path;
  out.forbid = settings.forbid;
  out.to_page = match.to_ours;
  out.meshes.resize(f.scene.meshes.size());
  for (const SceneMesh& mesh : f.scene.meshes)
    out.start.push_back(out.start.back() + static_cast<std::uint32_t>(mesh.positions.size()));
  const auto members = group_meshes(f.bindable(), request.volume);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const CachedSolid& solid = cache->solids[g];
    BindOptions of_solid = options;
    of_solid.mesh_starts = solid.mesh_starts;
    const TunableScores scores = tunable_scores(solid.kept, solid.joints, of_solid);
    out.least_influences = scores.least_influences;
    out.most_influences = scores.most_influences;
    out.solids.push_back(view_solid(solid.kept.distances));
    add_solid(scores, groups[g], members[g], out.start, joint_of, out);
  }
  add_held(request, input, out);
  take_rows(std::move(match), out);
  return out;
}

}  // namespace gvbind
