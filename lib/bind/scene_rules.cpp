#include "bind/scene_rules.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "character/selection.h"
#include "character/shape_box.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "gvbind/prepare/components.h"
#include "io/glob.h"

namespace gvbind {

namespace {

void report_unmatched(const std::string& origin, const std::string& why, Findings& findings) {
  findings.push_back({Severity::warning, "rule-unmatched", one_line(origin + ": " + why), ""});
}

std::string hint_of(const std::string& glob, std::span<const std::string> names) {
  const std::string near = nearest_name(glob, names);
  return near.empty() ? "" : "; is it '" + near + "'?";
}

class RuleResolver {
 public:
  RuleResolver(std::vector<SceneMesh>& meshes, const std::vector<SceneJoint>& joints,
               Findings& findings)
      : meshes_(meshes), joints_(joints), findings_(findings) {
    for (const SceneMesh& mesh : meshes)
      if (mesh.selected) box_.extend(shape_box(mesh));
    if (box_.isEmpty()) box_.extend(Eigen::Vector3d::Zero());
    for (const SceneJoint& joint : joints) joint_names_.push_back(joint.name);
  }

  std::optional<Primitive> primitive(const PrimitiveText& text, const std::string& origin) {
    Primitive made;
    made.kind = text.kind;
    const bool in_frame = !text.joint.empty();
    if (in_frame && !take_frame(text.joint, origin, made.frame)) return std::nullopt;
    for (int k = 0; k < 3; ++k) {
      made.a[k] = place(text.a[k], k, in_frame);
      made.b[k] = text.kind == Primitive::Kind::half_space ? text.b[k].value
                                                           : place(text.b[k], k, in_frame);
    }
    made.radius = length(text.radius);
    return made;
  }

  /// Those that may own weight. None, with a finding, where none matches.
  std::vector<std::uint32_t> joints(const std::string& glob, const std::string& origin) {
    std::vector<std::uint32_t> matched;
    bool any = false;
    for (std::uint32_t j = 0; j < joint_names_.size(); ++j) {
      if (!matches_name(glob, joint_names_[j])) continue;
      any = true;
      if (joints_[j].deforms) matched.push_back(j);
    }
    if (matched.empty())
      report_unmatched(origin,
                       any ? "'" + glob + "' matches no joint that may own weight"
                           : "no joint matches '" + glob + "'" + hint_of(glob, joint_names_),
                       findings_);
    return matched;
  }

  std::optional<std::uint32_t> one_joint(const std::string& glob, const std::string& origin) {
    const std::vector<std::uint32_t> matched = joints(glob, origin);
    if (matched.size() > 1)
      throw Error(
          ErrorKind::usage,
          one_line(origin + ": '" + glob + "' matches " + std::to_string(matched.size()) +
                   " joints (" + joint_names_[matched[0]] + ", " + joint_names_[matched[1]] +
                   (matched.size() > 2 ? ", ..." : "") + "), and one is needed"));
    if (matched.empty()) return std::nullopt;
    return matched[0];
  }

  /// Gives vertices of selected meshes to the joint; `gives` lists those of one mesh.
  void give(std::uint32_t joint, const std::string& origin, const std::string& nothing,
            const std::function<std::vector<std::uint32_t>(const SceneMesh& mesh)>& gives) {
    bool any = false;
    for (SceneMesh& mesh : meshes_) {
      if (!mesh.selected) continue;
      const std::vector<std::uint32_t> vertices = gives(mesh);
      if (vertices.empty()) continue;
      any = true;
      mesh.assigned_joint.resize(mesh.positions.size(), -1);
      for (const std::uint32_t vertex : vertices)
        mesh.assigned_joint[vertex] = static_cast<int>(joint);
    }
    if (!any) report_unmatched(origin, nothing, findings_);
  }

  const Eigen::AlignedBox3d& box() const { return box_; }
  const std::vector<SceneMesh>& meshes() const { return meshes_; }

 private:
  bool take_frame(const std::string& name, const std::string& origin, Eigen::Isometry3d& frame) {
    const auto found = std::ranges::find(joint_names_, name);
    if (found == joint_names_.end()) {
      report_unmatched(origin, "no joint is called '" + name + "'" + hint_of(name, joint_names_),
                       findings_);
      return false;
    }
    const Eigen::Affine3d& bind = joints_[found - joint_names_.begin()].bind;
    frame.linear() = bind.rotation();
    frame.translation() = bind.translation();
    return true;
  }

  double length(const WrittenNumber& measure) const {
    return measure.relative ? measure.value * box_.sizes().maxCoeff() : measure.value;
  }
  double place(const WrittenNumber& measure, int axis, bool in_frame) const {
    if (in_frame || !measure.relative) return length(measure);
    return box_.min()[axis] + measure.value * box_.sizes()[axis];
  }

  std::vector<SceneMesh>& meshes_;
  const std::vector<SceneJoint>& joints_;
  Findings& findings_;
  Eigen::AlignedBox3d box_;
  std::vector<std::string> joint_names_;
};

/// Of the components that lie in the primitive, all vertices.
std::vector<std::uint32_t> components_within(const SceneMesh& mesh, const Primitive& where,
                                             const Eigen::AlignedBox3d& box) {
  const double longest = std::max(box.sizes().maxCoeff(), 1e-30);
  const UnitCube cube{box.center(), (lattice_size - 2 * lattice_margin) / longest};
  const LatticeMesh lattice = lattice_mesh(cube, {mesh.positions, mesh.triangles});
  const Components components = connected_components(lattice, welded_vertices(lattice));
  std::vector<bool> within(components.count(), true);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    if (components.component[v] != no_component && distance_to(where, mesh.positions[v]) > 0.0)
      within[components.component[v]] = false;
  std::vector<std::uint32_t> vertices;
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v)
    if (components.component[v] != no_component && within[components.component[v]])
      vertices.push_back(v);
  return vertices;
}

std::vector<std::uint32_t> all_vertices(const SceneMesh& mesh) {
  std::vector<std::uint32_t> vertices(mesh.positions.size());
  for (std::uint32_t v = 0; v < vertices.size(); ++v) vertices[v] = v;
  return vertices;
}

std::vector<std::uint32_t> vertices_of_materials(const SceneMesh& mesh, const std::string& glob) {
  std::vector<std::uint32_t> vertices;
  if (mesh.materials.empty()) return vertices;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const int material = mesh.triangle_materials.empty() ? 0 : mesh.triangle_materials[t];
    if (material < 0 || !matches_name(glob, mesh.materials[material])) continue;
    vertices.insert(vertices.end(), mesh.triangles[t].begin(), mesh.triangles[t].end());
  }
  return vertices;
}

void resolve_influence(const InfluenceLine& line, RuleResolver& resolver, BindRules& resolved) {
  const std::optional<Primitive> where = resolver.primitive(line.where, line.origin);
  if (!where) return;
  if (line.kind == InfluenceKind::only) {
    JointRegion region{{}, *where, line.origin};
    for (const std::string& glob : line.joints)
      for (const std::uint32_t joint : resolver.joints(glob, line.origin))
        if (std::ranges::find(region.joints, joint) == region.joints.end())
          region.joints.push_back(joint);
    if (!region.joints.empty()) resolved.regions.push_back(std::move(region));
    return;
  }
  const std::optional<std::uint32_t> joint = resolver.one_joint(line.joints[0], line.origin);
  if (!joint) return;
  if (line.kind == InfluenceKind::start)
    resolved.volumes.push_back({*joint, *where, line.origin});
  else
    resolver.give(
        *joint, line.origin, "no part of a mesh lies wholly in it",
        [&](const SceneMesh& mesh) { return components_within(mesh, *where, resolver.box()); });
}

void resolve_give(const GiveRule& rule, RuleResolver& resolver) {
  const std::optional<std::uint32_t> joint = resolver.one_joint(rule.joint, rule.origin);
  if (!joint) return;
  std::vector<std::string> names;
  for (const SceneMesh& mesh : resolver.meshes()) {
    if (!mesh.selected) continue;
    if (rule.by_material)
      names.insert(names.end(), mesh.materials.begin(), mesh.materials.end());
    else
      names.push_back(mesh.name);
  }
  resolver.give(*joint, rule.origin,
                std::string("no ") + (rule.by_material ? "material" : "mesh") +
                    " that is bound matches '" + rule.glob + "'" + hint_of(rule.glob, names),
                [&](const SceneMesh& mesh) -> std::vector<std::uint32_t> {
                  if (rule.by_material) return vertices_of_materials(mesh, rule.glob);
                  if (!matches_name(rule.glob, mesh.name)) return {};
                  return all_vertices(mesh);
                });
}

}  // namespace

BindRules resolve_rules(const RuleSet& rules, std::vector<SceneMesh>& meshes,
                        const std::vector<SceneJoint>& joints, Findings& findings) {
  RuleResolver resolver(meshes, joints, findings);
  BindRules resolved;
  for (const EditLine& line : rules.edits)
    if (const auto where = resolver.primitive(line.where, line.origin))
      resolved.edits.push_back({line.kind, *where, line.origin});
  for (const InfluenceLine& line : rules.influences) resolve_influence(line, resolver, resolved);
  for (const ForbidRule& rule : rules.forbid) {
    ForbiddenJoints pair{resolver.joints(rule.first, rule.origin),
                         resolver.joints(rule.second, rule.origin)};
    if (!pair.first.empty() && !pair.second.empty()) resolved.forbidden.push_back(std::move(pair));
  }
  for (const AlphaRule& rule : rules.alphas)
    if (std::vector<std::uint32_t> matched = resolver.joints(rule.joints, rule.origin);
        !matched.empty())
      resolved.alphas.push_back({std::move(matched), rule.alpha});
  for (const GiveRule& rule : rules.give) resolve_give(rule, resolver);
  return resolved;
}

void add_rule_use(RuleUse& sum, const RuleUse& part) {
  const auto add = [](std::vector<std::size_t>& counts, const std::vector<std::size_t>& more) {
    counts.resize(std::max(counts.size(), more.size()));
    for (std::size_t i = 0; i < more.size(); ++i) counts[i] += more[i];
  };
  add(sum.edits, part.edits);
  add(sum.volumes, part.volumes);
  add(sum.regions, part.regions);
}

void report_unused_rules(const BindRules& rules, const RuleUse& use, Findings& findings) {
  const auto report = [&](const auto& list, const std::vector<std::size_t>& counts,
                          const char* why) {
    for (std::size_t i = 0; i < std::min(list.size(), counts.size()); ++i)
      if (counts[i] == 0) report_unmatched(list[i].origin, why, findings);
  };
  report(rules.edits, use.edits, "changes no voxel of the solid");
  report(rules.volumes, use.volumes, "holds no voxel of the solid");
  report(rules.regions, use.regions, "holds no vertex");
}

}  // namespace gvbind
