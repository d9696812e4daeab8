#include "rig/file_axes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "rig/face_parts.h"
#include "rig/orientation.h"
#include "rig/rig_template.h"

namespace gvbind::rig {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Usual lengths of the longest side, meters; docs/rig.md has the same table.
struct UsualSize {
  const char* name;
  double low, high;
};
constexpr std::array usual_sizes = {UsualSize{"biped", 0.3, 4.0},  UsualSize{"quadruped", 0.1, 6.0},
                                    UsualSize{"bird", 0.05, 4.0},  UsualSize{"hand", 0.05, 0.5},
                                    UsualSize{"fish", 0.02, 30.0}, UsualSize{"spider", 0.002, 4.0}};

struct Unit {
  const char* name;
  double meters;
};
// In the order in which they are tried.
constexpr std::array guessed_units = {Unit{"meters", 1.0}, Unit{"centimeters", 0.01},
                                      Unit{"millimeters", 0.001}};

std::string number_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

double longest_side(const Scene& scene) {
  Eigen::AlignedBox3d box;
  for (const SceneMesh& mesh : scene.meshes)
    for (const Triangle& t : mesh.triangles)
      for (const std::uint32_t v : t) box.extend(mesh.positions[v]);
  return box.isEmpty() ? 0.0 : box.sizes().maxCoeff();
}

/// From the axes of the file to x left, y up, z front.
Matrix3d turn_of(const RigFileOptions& options, const NamedTemplate& from, const Scene& scene) {
  if (options.up || options.front) {
    const Vector3d up = options.up.value_or(scene.units.up);
    return standing_turn(up, front_across(up, options.front.value_or(scene.units.front)));
  }
  std::vector<Vector3d> positions;
  std::vector<Triangle> triangles, face;
  const std::vector<std::vector<Triangle>> faces = face_triangles(scene);
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    const auto base = static_cast<std::uint32_t>(positions.size());
    positions.insert(positions.end(), mesh.positions.begin(), mesh.positions.end());
    for (const Triangle& t : mesh.triangles)
      triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
    for (const Triangle& t : faces[m]) face.push_back({t[0] + base, t[1] + base, t[2] + base});
  }
  const BodyVolume body =
      body_volume({positions, triangles}, {.resolution = RigOptions{}.resolution});
  OrientationOptions known;
  if (const auto place = surface_center(positions, face)) known.face_place = body.from_bind(*place);
  return best_orientation(analyzed_template(from.joints), body, known);
}

/// Meters per unit of the file.
double unit_of(const RigFileOptions& options, const NamedTemplate& from, double size,
               Findings& findings) {
  if (options.meters_per_unit) {
    const double meters = *options.meters_per_unit;
    if (meters != 1.0)
      findings.push_back({Severity::note, "mesh-scaled",
                          "scaled by " + number_text(meters) +
                              " to meters, as asked for: its longest "
                              "side is " +
                              number_text(size * meters) + " m",
                          ""});
    return meters;
  }
  const auto usual =
      std::ranges::find_if(usual_sizes, [&](const UsualSize& s) { return from.name == s.name; });
  if (usual == usual_sizes.end()) {
    findings.push_back({Severity::note, "units-unsure",
                        "the template of a file has no usual size: taken for meters; --units says "
                        "the unit",
                        ""});
    return 1.0;
  }
  for (const Unit& unit : guessed_units) {
    const double length = size * unit.meters;
    if (length < usual->low || length > usual->high) continue;
    if (unit.meters != 1.0)
      findings.push_back({Severity::note, "mesh-scaled",
                          "taken for " + std::string(unit.name) + ": scaled by " +
                              number_text(unit.meters) + ", its longest side is " +
                              number_text(length) + " m; --units says otherwise",
                          ""});
    return unit.meters;
  }
  findings.push_back({Severity::note, "units-unsure",
                      "its longest side is " + number_text(size) +
                          ", which is no usual size of a " + from.name +
                          " in m, cm or mm: left as meters; --units says the unit",
                      ""});
  return 1.0;
}

/// The units of the scene stay unknown: builders take it for meters with +y up.
void move_meshes(const Matrix3d& turn, double scale, Scene& scene) {
  Eigen::Affine3d move = Eigen::Affine3d::Identity();
  move.linear() = scale * turn;
  const Eigen::Matrix3f turn_of_normals = turn.cast<float>();
  for (SceneMesh& mesh : scene.meshes) {
    for (Vector3d& p : mesh.positions) p = scale * (turn * p);
    for (Eigen::Vector3f& n : mesh.normals) n = turn_of_normals * n;
    mesh.to_bind = move * mesh.to_bind;
  }
}

void move_hints(const Matrix3d& turn, double scale, std::vector<JointHint>& hints) {
  const Vector3d middle = Vector3d::Constant(0.5);
  for (JointHint& hint : hints)
    hint.position = hint.of_box ? Vector3d(turn * (hint.position - middle) + middle)
                                : Vector3d(scale * (turn * hint.position));
}

}  // namespace

Standing settle_axes(const RigFileOptions& options, const NamedTemplate& from, BindableFile& f,
                     std::vector<JointHint>& hints, Findings& findings) {
  if (f.scene.units.known || f.scene.meshes.empty()) {
    if (options.meters_per_unit)
      findings.push_back({Severity::note, "units-not-used",
                          "the file says its unit, so --units changes nothing", ""});
    return {options.up, options.front};
  }
  const Matrix3d turn = turn_of(options, from, f.scene);
  const double scale = unit_of(options, from, longest_side(f.scene), findings);
  const Vector3d up = turn.row(1), front = turn.row(2);
  if (options.keep_axes) {
    if (!turn.isIdentity() && !options.up && !options.front)
      findings.push_back({Severity::note, "body-turned",
                          "the template fits best with the mesh turned by right angles; --up and "
                          "--front of 'gvbind rig' say where they are",
                          ""});
  } else if (!turn.isIdentity()) {
    findings.push_back({Severity::note, "mesh-stood-up",
                        "turned to stand along +y and look along +z; "
                        "--keep-axes leaves it",
                        ""});
  }
  const Matrix3d moved = options.keep_axes ? Matrix3d(Matrix3d::Identity()) : turn;
  if (!moved.isIdentity() || scale != 1.0) move_meshes(moved, scale, f.scene);
  move_hints(moved, scale, hints);
  if (options.keep_axes) return {up, front};
  return {Vector3d(Vector3d::UnitY()), Vector3d(Vector3d::UnitZ())};
}

}  // namespace gvbind::rig
