#include "gvbind/bind_findings.h"

#include <algorithm>
#include <cstdio>

#include "gvbind/error.h"

namespace gvbind {

namespace {

/// Of the box's longest side, a part of the lattice's.
std::string percent(double part) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g %%", part * 100.0);
  return text;
}

std::string percent_of_box(double lattice_steps) {
  return percent(lattice_steps / (lattice_size - 2 * lattice_margin));
}

const char* what_becomes(OutsideRule rule) {
  switch (rule) {
    case OutsideRule::snap:
      return ": moved there; it owns ";
    case OutsideRule::skip:
      return ": skipped; it owns ";
    default:
      return ": starts from there; it owns ";
  }
}

void report_outside(std::span<const OutsideInfluence> outside, std::span<const JointPoint> joints,
                    OutsideRule rule, BindResult& result) {
  for (const OutsideInfluence& out : outside) {
    const std::size_t owned = result.statistics.joint_vertices[out.influence];
    result.findings.push_back(
        {Severity::warning, "joint-outside",
         joint_label(joints, out.influence) + " meets no voxel of the mesh, the nearest is " +
             percent_of_box(out.distance) + " of the box away" + what_becomes(rule) +
             std::to_string(owned) + (owned == 1 ? " vertex" : " vertices"),
         joints[out.influence].name});
  }
}

}  // namespace

std::string joint_label(std::span<const JointPoint> joints, std::size_t i) {
  return joints[i].name.empty() ? "joint " + std::to_string(i) : "joint '" + joints[i].name + "'";
}

void refuse_outside(std::span<const OutsideInfluence> outside, std::span<const JointPoint> joints) {
  const std::size_t others = outside.size() - 1;
  throw Error(ErrorKind::cannot_bind,
              joint_label(joints, outside.front().influence) +
                  " meets no voxel of the mesh, the nearest is " +
                  percent_of_box(outside.front().distance) + " of the box away" +
                  (others == 0 ? "" : "; nor do " + std::to_string(others) + " more"));
}

void report_touching(const TouchingSurfaces& touching, std::span<const JointPoint> joints,
                     Findings& findings) {
  for (const Touch& touch : touching.touches)
    findings.push_back({Severity::note, "surfaces-touch",
                        "the surfaces of " + joint_label(joints, touch.a) + " and " +
                            joint_label(joints, touch.b) + " come nearer than voxels tell: " +
                            std::to_string(touch.voxels) + " voxels between them are cut",
                        joints[touch.a].name});
  if (touching.too_thin > 0)
    findings.push_back({Severity::note, "surfaces-too-thin",
                        std::to_string(touching.too_thin) +
                            " places of surfaces that touch are too thin to be kept apart at this "
                            "resolution",
                        ""});
}

void report_bridges(const AirBridges& bridges, Findings& findings) {
  if (bridges.parts == 0) return;
  findings.push_back({Severity::note, "parts-joined",
                      std::to_string(bridges.parts) + " parts of the solid, " +
                          std::to_string(bridges.voxels) +
                          " voxels, hold no bone: joined to the nearest through the air, at most " +
                          percent_of_box(bridges.longest * lattice_size) + " of the box",
                      ""});
}

void report_rigid(const RigidCount& count, Findings& findings) {
  if (count.parts == 0) return;
  findings.push_back({Severity::note, "rigid-parts",
                      std::to_string(count.parts) + " parts of the mesh, " +
                          std::to_string(count.vertices) + " vertices, go with one joint each",
                      ""});
}

void report_unreached(std::size_t unreached, BindResult& result) {
  result.statistics.unreached_vertices = unreached;
  if (unreached == 0) return;
  result.findings.push_back({Severity::warning, "vertices-unreached",
                             std::to_string(unreached) + " of " +
                                 std::to_string(result.weights.vertex_count()) +
                                 " vertices are reached by no joint inside the volume: they take "
                                 "the weights of the nearest reached vertex",
                             ""});
}

void report_joints(const UnitScene& scene, std::span<const OutsideInfluence> outside,
                   std::span<const JointPoint> joints, OutsideRule rule, BindResult& result) {
  std::vector<std::size_t>& vertices = result.statistics.joint_vertices;
  vertices.assign(scene.influences.size(), 0);
  for (const std::uint32_t influence : result.weights.influence) ++vertices[influence];
  report_outside(outside, joints, rule, result);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (vertices[i] > 0 || scene.influences[i].empty()) continue;
    if (std::ranges::find(outside, i, &OutsideInfluence::influence) != outside.end()) continue;
    result.findings.push_back(
        {Severity::note, "joint-without-vertices",
         joint_label(joints, i) + " owns no vertex: others are nearer everywhere", joints[i].name});
  }
}

}  // namespace gvbind
