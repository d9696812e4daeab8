#include "gvbind/bind_findings.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <vector>

#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

/// Lattice steps as a fraction of the box's longest side.
std::string percent(double part) {
  char text[32];
  std::snprintf(text, sizeof text, part < 0.1 ? "%.2g %%" : "%.0f %%", part * 100.0);
  return text;
}

std::string percent_of_box(double lattice_steps) {
  return percent(lattice_steps / (lattice_size - 2 * lattice_margin));
}

const char* consequence_of(OutsideRule rule) {
  switch (rule) {
    case OutsideRule::snap:
      return "; it is moved there and owns ";
    case OutsideRule::skip:
      return "; it is skipped and owns ";
    default:
      return "; it starts from there and owns ";
  }
}

void report_outside(std::span<const OutsideJoint> outside, std::span<const Joint> joints,
                    OutsideRule rule, BindResult& result) {
  std::vector<OutsideJoint> farthest_first(outside.begin(), outside.end());
  std::ranges::stable_sort(farthest_first, std::ranges::greater(), &OutsideJoint::distance);
  for (const OutsideJoint& out : farthest_first) {
    const std::size_t owned = result.statistics.joint_vertices[out.joint];
    result.findings.push_back({owned > 0 ? Severity::warning : Severity::note, "joint-outside",
                               joint_label(joints, out.joint) +
                                   " is outside the mesh: the nearest voxel is " +
                                   percent_of_box(out.distance) + " of the box away" +
                                   consequence_of(rule) + counted(owned, "vertex", "vertices"),
                               joints[out.joint].name});
  }
}

}  // namespace

std::string joint_label(std::span<const Joint> joints, std::size_t i) {
  return joints[i].name.empty() ? "joint " + std::to_string(i) : "joint '" + joints[i].name + "'";
}

void refuse_outside(std::span<const OutsideJoint> outside, std::span<const Joint> joints) {
  const std::size_t others = outside.size() - 1;
  throw Error(ErrorKind::cannot_bind,
              joint_label(joints, outside.front().joint) +
                  " is outside the mesh: the nearest voxel is " +
                  percent_of_box(outside.front().distance) + " of the box away" +
                  (others == 0 ? "" : "; so are " + counted(others, "more joint", "more joints")));
}

void report_contacts(const ContactSeparation& touching, std::span<const Joint> joints,
                     Findings& findings) {
  std::vector<SurfaceContact> largest_first = touching.contacts;
  std::ranges::stable_sort(largest_first, std::ranges::greater(), &SurfaceContact::voxels);
  for (const SurfaceContact& touch : largest_first)
    findings.push_back({Severity::note, "surfaces-touch",
                        "surfaces of " + joint_label(joints, touch.a) + " and " +
                            joint_label(joints, touch.b) + " are closer than one voxel: " +
                            counted(touch.voxels, "voxel", "voxels") + " separated",
                        joints[touch.a].name});
  if (touching.too_thin > 0)
    findings.push_back({Severity::note, "surfaces-too-thin",
                        counted(touching.too_thin, "place", "places") +
                            " where surfaces touch: too thin to separate at this resolution",
                        ""});
}

void report_bridges(const ComponentBridges& bridges, Findings& findings) {
  constexpr double far = 0.5;  // of the box
  if (bridges.components == 0) return;
  const double gap = bridges.longest * lattice_size;
  const bool is_far = gap > far * (lattice_size - 2 * lattice_margin);
  findings.push_back({is_far ? Severity::warning : Severity::note, "parts-joined",
                      counted(bridges.components, "part", "parts") +
                          " of the solid without a bone (" +
                          counted(bridges.voxels, "voxel", "voxels") +
                          ") joined to the nearest part with weights, across gaps of at most " +
                          percent_of_box(gap) + " of the box",
                      ""});
}

void report_rigid(const RigidCount& count, Findings& findings) {
  if (count.components == 0) return;
  findings.push_back({Severity::note, "rigid-parts",
                      counted(count.components, "part", "parts") + " of the mesh (" +
                          counted(count.vertices, "vertex", "vertices") +
                          ") bound rigidly to one joint each",
                      ""});
}

void report_unreached(std::size_t unreached, BindResult& result) {
  result.statistics.unreached_vertices = unreached;
  if (unreached == 0) return;
  result.findings.push_back({Severity::warning, "vertices-unreached",
                             grouped(unreached) + " of " +
                                 counted(result.weights.vertex_count(), "vertex", "vertices") +
                                 " not reached by any joint inside the volume: they take the "
                                 "weights of the nearest vertex that is",
                             ""});
}

namespace {

/// Drops findings that a joint gets no weight if it has some.
void withdraw_where_weighted(std::span<const Joint> joints, BindResult& result) {
  std::set<std::string> weighted;
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (result.statistics.joint_vertices[i] > 0) weighted.insert(joints[i].name);
  std::erase_if(result.findings, [&](const Finding& finding) {
    const bool is_role = finding.code == "joint-holds-others" || finding.code == "joint-repeats" ||
                         finding.code == "joint-away";
    return is_role && weighted.contains(finding.pointer);
  });
}

}  // namespace

void report_joints(const LatticeBones& bones, std::span<const OutsideJoint> outside,
                   std::span<const Joint> joints, OutsideRule rule, BindResult& result) {
  std::vector<std::size_t>& vertices = result.statistics.joint_vertices;
  vertices.assign(bones.size(), 0);
  for (const std::uint32_t joint : result.weights.joint) ++vertices[joint];
  report_outside(outside, joints, rule, result);
  withdraw_where_weighted(joints, result);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (vertices[i] > 0 || bones[i].empty()) continue;
    if (std::ranges::find(outside, i, &OutsideJoint::joint) != outside.end()) continue;
    result.findings.push_back(
        {Severity::note, "joint-without-vertices",
         joint_label(joints, i) + " owns no vertex: other joints are nearer everywhere",
         joints[i].name});
  }
}

}  // namespace gvbind
