// Tested by tests/command/convert_test.py.

#include <array>
#include <cmath>

#include "formats/fbx/read_scene.h"
#include "formats/fbx/read_source.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

Eigen::Vector3d axis_setting(const FbxNode& settings, const std::string& name, int missing) {
  const int axis = integer_property(settings, nullptr, name + "Axis", missing);
  const double sign = number_property(settings, nullptr, name + "AxisSign", 1.0);
  return Eigen::Vector3d::Unit(axis < 0 || axis > 2 ? missing : axis) * (sign < 0.0 ? -1.0 : 1.0);
}

double rate_of(const FbxNode& settings) {
  // Indexed by TimeMode; 0 is the program's default.
  constexpr std::array rates = {30.0, 120.0, 100.0,  60.0,   50.0, 48.0, 30.0, 30.0,  29.97, 29.97,
                                25.0, 24.0,  1000.0, 23.976, 0.0,  96.0, 72.0, 59.94, 119.88};
  const int mode = integer_property(settings, nullptr, "TimeMode", 0);
  const bool known = mode >= 0 && static_cast<std::size_t>(mode) < rates.size();
  double rate = known ? rates[mode] : 30.0;
  if (rate == 0.0) rate = number_property(settings, nullptr, "CustomFrameRate", 30.0);
  return rate >= 1.0 && rate <= 1000.0 ? rate : 30.0;
}

/// Counts the memory of compressed arrays before any is unpacked: a few bytes can expand to very
/// many.
void check_arrays(const FbxNode& node, MemoryBudget& budget) {
  for (const FbxProperty& property : node.properties) budget.add_unpacked(unpacked_bytes(property));
  for (const FbxNode& child : node.children) check_arrays(child, budget);
}

/// Only the clips show which nodes need a separate scaling, so such files are read twice.
void read_clips_and_scalings(FbxSource& source, NodeScene& scene) {
  const DroppedFeatures losses = source.losses;
  const std::size_t findings = source.findings.size();
  read_fbx_clips(source, scene);
  if (!choose_split_scalings(source)) return hide_fbx_nodes(source, scene);
  source.losses = losses;
  source.findings.erase(source.findings.begin() + static_cast<std::ptrdiff_t>(findings),
                        source.findings.end());
  const std::vector<Transform> rest = rest_transforms(source);
  for (std::size_t i = 0; i < rest.size(); ++i) scene.nodes[i].local = rest[i];
  scene.clips.clear();
  read_fbx_clips(source, scene);
  hide_fbx_nodes(source, scene);
  split_scalings(source, scene);
}

}  // namespace

void read_fbx_settings(FbxSource& source) {
  const FbxNode* found = find_child(source.document.root, "GlobalSettings");
  const FbxNode none;
  const FbxNode& settings = found ? *found : none;
  const double centimeters = number_property(settings, nullptr, "UnitScaleFactor", 1.0);
  source.meters = std::isfinite(centimeters) && centimeters > 0.0 ? centimeters / 100.0 : 0.01;
  source.frame_rate = rate_of(settings);
  const Eigen::Vector3d up = axis_setting(settings, "Up", 1);
  const Eigen::Vector3d front = axis_setting(settings, "Front", 2), side = up.cross(front);
  if (side.isZero(1e-9)) return;
  if (find_property(settings, nullptr, "CoordAxis") && axis_setting(settings, "Coord", 0) == -side)
    source.findings.push_back(
        {Severity::warning,
         "axes-left-handed",
         "the file's axes are left-handed and are read as right-handed ones: left and right may be "
         "exchanged",
         {}});
  source.turn.row(0) = side;
  source.turn.row(1) = up;
  source.turn.row(2) = front;
}

void read_fbx_still(FbxSource& source, NodeScene& scene) {
  MemoryBudget budget(source.document.max_memory);
  if (const FbxNode* nodes = find_child(source.document.root, "Objects"))
    check_arrays(*nodes, budget);
  read_fbx_settings(source);
  read_fbx_nodes(source, scene);
  read_fbx_meshes(source, read_fbx_materials(source, scene), scene);
}

NodeScene read_scene(const FbxDocument& document, const ReadOptions& options, Unweighted unweighted,
                     DroppedFeatures& losses, Findings& findings) {
  return with_path(document.path, [&] {
    const ReadOptions reading = with_root(options, document.path);
    FbxSource source{document,
                     reading,
                     unweighted == Unweighted::follow_node,
                     losses,
                     findings,
                     objects_of(document),
                     property_links(document)};
    NodeScene scene;
    read_fbx_still(source, scene);
    read_clips_and_scalings(source, scene);
    count_fbx_losses(source);
    return scene;
  });
}

NodeScene read_still(const FbxDocument& document, const ReadOptions& options) {
  return with_path(document.path, [&] {
    const ReadOptions reading = with_root(options, document.path);
    Findings findings;
    DroppedFeatures losses;
    FbxSource source{
        document, reading, false, losses, findings, objects_of(document), property_links(document)};
    NodeScene scene;
    read_fbx_still(source, scene);
    return scene;
  });
}

}  // namespace gvbind
