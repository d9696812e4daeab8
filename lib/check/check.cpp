#include "check/check.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "gvbind/base/utf8.h"
#include "gvbind/check.h"

namespace gvbind::check {

namespace {

constexpr std::size_t max_names = 5;

std::string quoted(const std::string& name) { return "'" + name + "'"; }

std::string vertex_text(const Scene& scene, std::size_t mesh, std::uint32_t vertex) {
  return "vertex " + std::to_string(vertex) + " of mesh " + quoted(scene.meshes[mesh].name);
}

std::string vertex_text(const Scene& scene, const VertexId& id) {
  return vertex_text(scene, id.mesh, id.vertex);
}

std::string names_text(const Scene& scene, const std::vector<std::size_t>& joints) {
  std::string text;
  for (std::size_t i = 0; i < std::min(joints.size(), max_names); ++i) {
    if (i > 0) text += ", ";
    text += scene.joints[joints[i]].name;
  }
  return joints.size() > max_names ? text + ", ..." : text;
}

/// Collects the findings of a scene.
struct SceneChecks {
  const Scene& scene;
  const CheckOptions& options;
  CheckResult& result;

  void add(Severity severity, std::string code, std::string message, std::string pointer = "") {
    result.findings.push_back({severity, std::move(code), std::move(message), std::move(pointer)});
  }

  static std::optional<Severity> beyond(double value, const CheckLimit& limit) {
    if (value > limit.error) return Severity::error;
    if (value > limit.warning) return Severity::warning;
    if (value > limit.note) return Severity::note;
    return std::nullopt;
  }

  const std::string& mesh_name(std::size_t mesh) const { return scene.meshes[mesh].name; }

  void meshes() {
    if (result.rows.skinned_meshes == 0) {
      add(Severity::error, "no-skin", "has no skin: no mesh has weights");
      return;
    }
    if (result.triangles == 0)
      add(Severity::warning, "no-triangles",
          "the skinned meshes have no triangles: neither bleed nor stretch");
    for (const SceneMesh& mesh : scene.meshes)
      if (mesh.skin_joints.empty() && mesh.attached_to < 0)
        add(Severity::note, "mesh-without-skin",
            "mesh " + quoted(mesh.name) + " has no skin and hangs from no joint: it stays behind",
            mesh.name);
  }

  void rows() {
    const SkinRows& rows = result.rows;
    if (rows.damaged > 0)
      add(Severity::error, "weights-damaged",
          std::to_string(rows.damaged) +
              " weights are negative, not finite or of a missing joint or vertex, in "
              "mesh " +
              quoted(mesh_name(*rows.damaged_in)),
          mesh_name(*rows.damaged_in));
    if (rows.off_sum > 0)
      add(options.off_sum, "weight-sum",
          "the weights of " + std::to_string(rows.off_sum) + " vertices do not sum to one; " +
              vertex_text(scene, *rows.off_sum_at) + " is off by " +
              significant(rows.largest_error, 3),
          mesh_name(rows.off_sum_at->mesh));
    if (const auto severity =
            beyond(static_cast<double>(rows.without_weight), options.without_weight))
      add(*severity, "vertices-without-weight",
          std::to_string(rows.without_weight) + " vertices have no weight; the first is " +
              vertex_text(scene, *rows.without_weight_at),
          mesh_name(rows.without_weight_at->mesh));
    if (const auto severity =
            beyond(static_cast<double>(rows.max_influences), options.influences)) {
      const CheckLimit& limits = options.influences;
      const double limit = std::min({limits.error, limits.warning, limits.note});
      add(*severity, "too-many-influences",
          std::to_string(rows.over_influences) + " vertices have more than " +
              significant(limit, 3) + " joints; " + vertex_text(scene, *rows.max_influences_at) +
              " has " + std::to_string(rows.max_influences),
          mesh_name(rows.max_influences_at->mesh));
    }
  }

  void joints() {
    const std::vector<std::size_t>& idle = result.joints.idle;
    if (const auto severity = beyond(static_cast<double>(idle.size()), options.idle_joints))
      add(*severity, "joints-without-effect",
          std::to_string(idle.size()) + " of " + std::to_string(result.joints.deforming) +
              " joints move nothing: " + names_text(scene, idle),
          scene.joints[idle.front()].name);
  }

  void dead_joints() {
    for (const DeadJoint& dead : result.dead_joints)
      result.findings.push_back(dead_joint_finding(scene.joints, dead));
  }

  void bleed() {
    const Bleed& bleed = result.bleed;
    const auto severity = beyond(bleed.share, options.bleed_share);
    if (!severity) return;
    const BleedPair& pair = bleed.pairs.front();
    const VertexSource& source = result.surface.source[pair.vertex];
    const std::string& own = scene.joints[pair.own].name;
    add(*severity, "bleed",
        significant(100.0 * bleed.share, 3) + " % of the weight goes to far joints; most from " +
            quoted(own) + " to " + quoted(scene.joints[pair.other].name) + ", worst " +
            significant(pair.worst, 3) + " at " + vertex_text(scene, source.mesh, source.vertex),
        own);
  }

  void far_joints() {
    const FarJoints& far = result.far_joints;
    const auto by_joint = beyond(far.worst, options.far_joint);
    const auto by_surface = beyond(far.surface, options.far_surface);
    const auto severity = std::max(by_joint, by_surface);
    if (!severity || far.joints.empty()) return;
    const FarJoint& worst = far.joints.front();
    const VertexSource& source = result.surface.source[worst.vertex];
    const std::string& joint = scene.joints[worst.joint].name;
    add(*severity, "far-joint",
        "joint " + quoted(joint) + " moves a part of the mesh that lies " +
            significant(100.0 * worst.excess, 3) +
            " % of the size farther from it than from other joints: " +
            vertex_text(scene, source.mesh, source.vertex) + " is next to " +
            quoted(scene.joints[worst.nearest].name) + "; " + significant(100.0 * far.surface, 3) +
            " % of the surface follows far joints",
        joint);
  }

  void stretch() {
    const Stretch& stretch = result.stretch;
    const auto severity = beyond(stretch.p99, options.stretch_p99);
    if (!severity || stretch.pairs.empty()) return;
    const StretchPair& worst_pair = stretch.pairs.front();
    const VertexSource& source = result.surface.source[stretch.worst.vertex_a];
    const std::string& joint = scene.joints[worst_pair.a].name;
    add(*severity, "stretch",
        "in random poses one edge in a hundred becomes at least " + significant(stretch.p99, 3) +
            " times as long; most such edges lie " +
            (worst_pair.a == worst_pair.b
                 ? "at " + quoted(joint)
                 : "between " + quoted(joint) + " and " + quoted(scene.joints[worst_pair.b].name)) +
            "; the worst, at " + vertex_text(scene, source.mesh, source.vertex) + ", becomes " +
            significant(stretch.largest, 3) + " times as long",
        joint);
  }
};

SkinRowOptions row_options(const CheckOptions& options) {
  SkinRowOptions rows = options.rows;
  const CheckLimit& limits = options.influences;
  const double limit = std::min({limits.error, limits.warning, limits.note});
  rows.max_influences = limit < 255.0 ? static_cast<int>(limit) : 0;
  return rows;
}

Stretch stretch_of(const SkinSurface& surface, const std::vector<SceneJoint>& joints,
                   const CheckOptions& options) {
  const CheckLimit& limits = options.stretch_p99;
  Stretch stretch = measure_stretch(surface, joints, options.stretch);
  if (!stretch.sampled ||
      stretch.p99 <= sample_margin * std::min({limits.note, limits.warning, limits.error}))
    return stretch;
  StretchOptions all = options.stretch;
  all.sample = 0;
  return measure_stretch(surface, joints, all);
}

}  // namespace

CheckResult check_scene(const Scene& scene, const CheckOptions& options) {
  return check_surface(scene, skin_surface(scene), options);
}

CheckResult check_surface(const Scene& scene, SkinSurface surface, const CheckOptions& options) {
  CheckResult result;
  result.rows = measure_rows(scene, row_options(options));
  result.joints = measure_joint_use(scene);
  result.surface = std::move(surface);
  result.triangles = result.surface.triangles.size();
  const SkeletonGeometry skeleton(scene.joints);
  const NearestBones nearest = find_nearest_bones(result.surface, skeleton);
  result.dead_joints = find_dead_joints(result.surface, scene.joints, result.joints.without_weight,
                                        skeleton, nearest, options.dead_joints);
  result.bleed = measure_bleed(result.surface, skeleton, nearest, options.bleed);
  result.far_joints = measure_far_joints(result.surface, skeleton, nearest, options.far_joints);
  result.stretch = stretch_of(result.surface, scene.joints, options);

  SceneChecks checks{scene, options, result};
  checks.meshes();
  if (result.rows.skinned_meshes > 0) {
    checks.rows();
    checks.joints();
    checks.dead_joints();
    checks.bleed();
    checks.far_joints();
    checks.stretch();
  }
  std::stable_sort(result.findings.begin(), result.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return result;
}

SkinReport skin_report(const Asset& asset) {
  CheckResult result = check_scene(asset.scene());
  return {result.rows.without_weight, result.rows.max_influences, result.bleed.share,
          result.far_joints.surface,  result.far_joints.worst,    result.stretch.p99,
          std::move(result.findings)};
}

}  // namespace gvbind::check
