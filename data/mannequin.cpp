#include "characters.h"
#include "joints.h"
#include "parts.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;
using Sections = std::vector<Section>;

const Vector3d shoulder(0.185, 1.420, 0), elbow(0.455, 1.420, 0), wrist(0.700, 1.420, 0),
    knuckles(0.775, 1.420, 0);
const Vector3d hip(0.095, 0.915, 0), knee(0.095, 0.500, 0), ankle(0.095, 0.090, 0);

/// A turned piece of wood between two balls: thin at its ends, thick at `thickest` of the way.
Part spindle(const Vector3d& from, const Vector3d& to, double end, double middle, double thickest,
             const Vector3d& side) {
  SweepOptions options;
  options.around = 14;
  options.steps = 3;
  options.side = side;
  options.start_bulge = options.end_bulge = 0.4 * end;
  const Vector3d along = to - from;
  const Sections sections = {{from + 0.06 * along, end, end},
                             {from + thickest * along, middle, middle},
                             {from + 0.94 * along, 0.9 * end, 0.9 * end}};
  return sweep(sections, options);
}

Part ball(const Vector3d& center, double radius) {
  return ellipsoid(center, Vector3d::Constant(radius), 12, 8);
}

void add_trunk(SceneMesh& mesh) {
  SweepOptions options;
  options.around = 20;
  const Sections pelvis = {
      {{0, 0.880, 0}, 0.090, 0.075}, {{0, 0.930, 0}, 0.150, 0.100}, {{0, 0.990, 0}, 0.128, 0.090}};
  append(mesh, sweep(pelvis, options));
  append(mesh, ball({0, 1.075, 0}, 0.085));
  const Sections chest = {{{0, 1.150, 0}, 0.105, 0.080},
                          {{0, 1.260, 0}, 0.150, 0.108},
                          {{0, 1.380, 0}, 0.168, 0.100},
                          {{0, 1.450, 0}, 0.100, 0.070}};
  append(mesh, sweep(chest, options));
  append(mesh, spindle({0, 1.435, 0}, {0, 1.590, 0}, 0.048, 0.046, 0.5, Vector3d::UnitX()));
  const Sections head = {{{0, 1.560, 0.022}, 0.040, 0.046},
                         {{0, 1.620, 0.010}, 0.072, 0.086},
                         {{0, 1.690, 0.002}, 0.080, 0.098},
                         {{0, 1.725, 0.000}, 0.062, 0.077}};
  options.end_bulge = 0.035;
  append(mesh, sweep(head, options));
}

void add_limbs(SceneMesh& mesh) {
  const Vector3d z = Vector3d::UnitZ(), x = Vector3d::UnitX();
  append_both_sides(mesh, ball(shoulder, 0.058));
  append_both_sides(mesh, spindle(shoulder, elbow, 0.036, 0.050, 0.4, z));
  append_both_sides(mesh, ball(elbow, 0.040));
  append_both_sides(mesh, spindle(elbow, wrist, 0.030, 0.042, 0.3, z));
  append_both_sides(mesh, ball(wrist, 0.030));
  SweepOptions options;
  options.around = 12;
  options.side = z;
  const Sections hand = {{{0.715, 1.420, 0}, 0.022, 0.018},
                         {{0.775, 1.420, 0}, 0.042, 0.018},
                         {{0.860, 1.420, 0}, 0.030, 0.012}};
  append_both_sides(mesh, sweep(hand, options));
  append_both_sides(mesh, ball(hip, 0.070));
  append_both_sides(mesh, spindle(hip, knee, 0.056, 0.076, 0.3, x));
  append_both_sides(mesh, ball(knee, 0.054));
  append_both_sides(mesh, spindle(knee, ankle, 0.040, 0.056, 0.3, x));
  append_both_sides(mesh, ball(ankle, 0.040));
  options.side = x;
  const Sections foot = {{{0.095, 0.046, -0.040}, 0.034, 0.038},
                         {{0.095, 0.050, 0.020}, 0.042, 0.044},
                         {{0.095, 0.030, 0.130}, 0.044, 0.026}};
  append_both_sides(mesh, sweep(foot, options));
}

/// One side's joints carry the side before their names, as motion files have them.
void add_sided(Scene& scene, const std::string& parent, const std::string& name,
               const Vector3d& place) {
  for (const bool left : {true, false}) {
    const std::string side = left ? "Left" : "Right";
    const bool middle = parent == "Hips" || parent == "Spine2";
    add_joint(scene, middle ? parent : side + parent, side + name,
              left ? place : Vector3d(-place.x(), place.y(), place.z()));
  }
}

}  // namespace

Scene mannequin() {
  Scene scene;
  SceneMesh mesh;
  mesh.name = "mannequin";
  mesh.color = Eigen::Vector4f(0.62F, 0.40F, 0.20F, 1.0F);
  add_trunk(mesh);
  add_limbs(mesh);
  add_normals(mesh);
  scene.meshes.push_back(mesh);
  return scene;
}

Scene mannequin_skeleton() {
  Scene scene;
  add_joint(scene, "", "Hips", {0, 0.940, 0});
  add_joint(scene, "Hips", "Spine", {0, 1.010, 0});
  add_joint(scene, "Spine", "Spine1", {0, 1.130, 0});
  add_joint(scene, "Spine1", "Spine2", {0, 1.270, 0});
  add_joint(scene, "Spine2", "Neck", {0, 1.450, 0});
  add_joint(scene, "Neck", "Head", {0, 1.580, 0.010});
  add_joint(scene, "Head", "HeadTop", {0, 1.720, 0.010});
  add_sided(scene, "Spine2", "Shoulder", {0.050, 1.415, 0});
  add_sided(scene, "Shoulder", "Arm", shoulder);
  add_sided(scene, "Arm", "ForeArm", elbow);
  add_sided(scene, "ForeArm", "Hand", wrist);
  add_sided(scene, "Hips", "UpLeg", hip);
  add_sided(scene, "UpLeg", "Leg", knee);
  add_sided(scene, "Leg", "Foot", ankle);
  add_sided(scene, "Foot", "ToeBase", {0.095, 0.035, 0.100});
  return scene;
}

}  // namespace gvbind
