#include <cmath>

#include "characters.h"
#include "joints.h"
#include "parts.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;
using Sections = std::vector<Section>;

const Vector3d shoulder(0.175, 1.425, -0.010), elbow(0.395, 1.235, -0.022),
    wrist(0.590, 1.065, 0.004);
const Vector3d hip(0.095, 0.955, 0.0), knee(0.107, 0.525, 0.014), ankle(0.113, 0.095, -0.012);
const Vector3d arm_line = (wrist - elbow).normalized();

/// A place in the left hand: along the arm from the wrist, and toward the thumb.
Vector3d in_hand(double along, double forward) {
  return wrist + arm_line * along + Vector3d(0, 0, forward);
}

void add_torso(SceneMesh& mesh) {
  SweepOptions options;
  options.around = 20;
  options.steps = 2;
  const Sections torso = {{{0, 0.880, 0.000}, 0.120, 0.090},  {{0, 0.930, -0.004}, 0.155, 0.112},
                          {{0, 0.985, -0.004}, 0.160, 0.114}, {{0, 1.060, 0.000}, 0.143, 0.101},
                          {{0, 1.140, 0.004}, 0.134, 0.094},  {{0, 1.240, 0.003}, 0.152, 0.106},
                          {{0, 1.340, -0.002}, 0.172, 0.114}, {{0, 1.420, -0.010}, 0.162, 0.098},
                          {{0, 1.470, -0.016}, 0.104, 0.070}, {{0, 1.495, -0.018}, 0.062, 0.056}};
  append(mesh, sweep(torso, options));
}

void add_head(SceneMesh& mesh) {
  SweepOptions options;
  options.around = 20;
  options.steps = 2;
  const Sections head = {{{0, 1.575, 0.036}, 0.034, 0.036},  {{0, 1.605, 0.022}, 0.056, 0.066},
                         {{0, 1.655, 0.010}, 0.070, 0.089},  {{0, 1.705, 0.002}, 0.076, 0.098},
                         {{0, 1.755, -0.003}, 0.072, 0.092}, {{0, 1.785, -0.006}, 0.054, 0.070}};
  append(mesh, sweep(head, options));
  options.around = 14;
  options.steps = 1;
  const Sections neck = {{{0, 1.430, -0.018}, 0.050, 0.050},
                         {{0, 1.490, -0.017}, 0.051, 0.052},
                         {{0, 1.560, -0.006}, 0.048, 0.051},
                         {{0, 1.640, 0.002}, 0.046, 0.050}};
  append(mesh, sweep(neck, options));
  append(mesh, ellipsoid({0, 1.663, 0.100}, {0.012, 0.020, 0.017}, 8, 6));
  append_both_sides(mesh, ellipsoid({0.075, 1.680, -0.004}, {0.010, 0.028, 0.018}, 8, 6));
}

void add_sleeve(SceneMesh& mesh) {
  SweepOptions options;
  options.around = 12;
  options.side = Vector3d::UnitZ();
  const Vector3d upper = elbow - shoulder, lower = wrist - elbow;
  const Sections arm = {{{0.080, 1.400, -0.010}, 0.045, 0.040},
                        {{0.135, 1.416, -0.010}, 0.058, 0.054},
                        {shoulder + upper * 0.12, 0.062, 0.060},
                        {shoulder + upper * 0.50, 0.054, 0.055},
                        {elbow, 0.045, 0.046},
                        {elbow + lower * 0.35, 0.049, 0.046},
                        {elbow + lower * 0.80, 0.042, 0.041},
                        {elbow + lower * 0.93, 0.043, 0.042}};
  options.end_bulge = 0.006;
  append_both_sides(mesh, sweep(arm, options));
}

void add_hand(SceneMesh& mesh) {
  SweepOptions options;
  options.around = 12;
  options.steps = 2;
  options.side = Vector3d::UnitZ();
  options.end_bulge = 0.010;
  const Sections palm = {{in_hand(-0.035, 0.000), 0.026, 0.022},
                         {in_hand(0.020, 0.002), 0.031, 0.020},
                         {in_hand(0.065, 0.002), 0.041, 0.017},
                         {in_hand(0.088, 0.001), 0.037, 0.014}};
  append_both_sides(mesh, sweep(palm, options));
  options.around = 7;
  options.end_bulge = 0.008;
  options.start_bulge = 0.004;
  const double forward[] = {0.028, 0.001, -0.026}, reach[] = {0.160, 0.170, 0.155};
  for (int i = 0; i < 3; ++i) {
    const Sections finger = {{in_hand(0.075, 0.92 * forward[i]), 0.0115, 0.0110},
                             {in_hand(0.125, forward[i]), 0.0110, 0.0105},
                             {in_hand(reach[i], 1.05 * forward[i]), 0.0085, 0.0085}};
    append_both_sides(mesh, sweep(finger, options));
  }
  options.side = arm_line;
  const Sections thumb = {{in_hand(0.020, 0.018), 0.014, 0.013},
                          {in_hand(0.050, 0.046), 0.0125, 0.012},
                          {in_hand(0.088, 0.064), 0.0095, 0.009}};
  append_both_sides(mesh, sweep(thumb, options));
}

void add_leg(SceneMesh& mesh) {
  SweepOptions options;
  options.around = 14;
  options.steps = 2;
  const Vector3d thigh = knee - hip, shin = ankle - knee;
  const Sections leg = {{hip - thigh * 0.03, 0.080, 0.086},
                        {hip + thigh * 0.18, 0.083, 0.089},
                        {hip + thigh * 0.60, 0.067, 0.074},
                        {knee, 0.053, 0.058},
                        {knee + shin * 0.30, 0.054, 0.059},
                        {knee + shin * 0.70, 0.042, 0.045},
                        {ankle, 0.038, 0.041}};
  append_both_sides(mesh, sweep(leg, options));
}

void add_boot(SceneMesh& mesh) {
  SweepOptions options;
  options.around = 12;
  options.steps = 2;
  const double x = ankle.x();
  const Sections boot = {{{x, 0.052, -0.062}, 0.034, 0.046},
                         {{x, 0.058, -0.010}, 0.042, 0.056},
                         {{x, 0.043, 0.060}, 0.045, 0.042},
                         {{x + 0.004, 0.031, 0.120}, 0.048, 0.030},
                         {{x + 0.006, 0.028, 0.165}, 0.038, 0.024}};
  Part part = sweep(boot, options);
  // A flat sole.
  for (Vector3d& p : part.positions) p.y() = std::max(p.y(), 0.004);
  append_both_sides(mesh, part);
}

Part skirt() {
  SweepOptions options;
  options.around = 32;
  options.steps = 2;
  options.start_open = options.end_open = true;
  const Sections sections = {{{0, 1.060, 0.001}, 0.152, 0.110},
                             {{0, 0.960, -0.004}, 0.180, 0.136},
                             {{0, 0.820, -0.004}, 0.212, 0.172},
                             {{0, 0.660, -0.004}, 0.244, 0.206}};
  Part part = sweep(sections, options);
  for (Vector3d& p : part.positions) {
    const double fall = (1.06 - p.y()) / 0.4, turn = std::atan2(p.z(), p.x());
    const double fold = 1.0 + 0.05 * fall * std::cos(8.0 * turn);
    p.x() *= fold;
    p.z() *= fold;
  }
  return part;
}

Part cape() {
  return sheet(16, 14, [](double u, double v) {
    const double across = 2.0 * u - 1.0;
    const double fold = 0.020 * v * std::cos(3.0 * M_PI * across);
    const double x = across * (0.195 + 0.150 * v);
    const double top = 1.475 - 0.045 * across * across;
    const double z = -0.094 - 0.150 * v + 0.085 * across * across * (1.0 - 0.6 * v) + fold;
    return Vector3d(-x, top - 1.05 * v, z);
  });
}

Part hat() {
  SweepOptions options;
  options.around = 18;
  options.start_open = true;
  options.end_bulge = 0.012;
  options.steps = 2;
  const Sections sections = {{{0, 1.737, -0.004}, 0.180, 0.205}, {{0, 1.757, -0.004}, 0.125, 0.150},
                             {{0, 1.771, -0.005}, 0.083, 0.105}, {{0, 1.810, -0.010}, 0.076, 0.096},
                             {{0, 1.885, -0.025}, 0.052, 0.066}, {{0, 1.960, -0.060}, 0.026, 0.032},
                             {{0, 2.010, -0.105}, 0.010, 0.012}};
  return sweep(sections, options);
}

SceneMesh& add_mesh(Scene& scene, const char* name, const Eigen::Vector4f& color) {
  SceneMesh mesh;
  mesh.name = name;
  mesh.color = color;
  scene.meshes.push_back(mesh);
  return scene.meshes.back();
}

void add_skeleton(Scene& scene) {
  add_joint(scene, "", "hips", {0, 0.980, -0.002});
  add_joint(scene, "hips", "spine", {0, 1.090, 0.002});
  add_joint(scene, "spine", "chest", {0, 1.260, 0.000});
  add_joint(scene, "chest", "neck", {0, 1.480, -0.016});
  add_joint(scene, "neck", "head", {0, 1.590, 0.000});
  add_joint_pair(scene, "chest", "shoulder", {0.040, 1.430, -0.008});
  add_joint_pair(scene, "shoulder", "upper_arm", shoulder);
  add_joint_pair(scene, "upper_arm", "forearm", elbow);
  add_joint_pair(scene, "forearm", "hand", wrist);
  add_joint_pair(scene, "hand", "thumb", in_hand(0.034, 0.030));
  add_joint_pair(scene, "hand", "index", in_hand(0.090, 0.026));
  add_joint_pair(scene, "hand", "middle", in_hand(0.092, 0.001));
  add_joint_pair(scene, "hand", "ring", in_hand(0.088, -0.024));
  add_joint_pair(scene, "hips", "thigh", hip);
  add_joint_pair(scene, "thigh", "shin", knee);
  add_joint_pair(scene, "shin", "foot", ankle);
  add_joint_pair(scene, "foot", "toe", {ankle.x() + 0.004, 0.030, 0.110});
  point_frames_along_bones(scene);
}

}  // namespace

Scene biped() {
  Scene scene;
  SceneMesh& body = add_mesh(scene, "body", {0.78F, 0.52F, 0.38F, 1.0F});
  add_head(body);
  add_hand(body);
  SceneMesh& outfit = add_mesh(scene, "outfit", {0.10F, 0.16F, 0.30F, 1.0F});
  add_torso(outfit);
  add_sleeve(outfit);
  add_leg(outfit);
  add_boot(outfit);
  append(add_mesh(scene, "skirt", {0.14F, 0.22F, 0.42F, 1.0F}), skirt());
  append(add_mesh(scene, "cape", {0.45F, 0.05F, 0.06F, 1.0F}), cape());
  append(add_mesh(scene, "hat", {0.08F, 0.10F, 0.22F, 1.0F}), hat());
  append_both_sides(add_mesh(scene, "eyes", {0.04F, 0.03F, 0.03F, 1.0F}),
                    ellipsoid({0.030, 1.694, 0.089}, {0.013, 0.016, 0.013}, 10, 6));
  for (SceneMesh& mesh : scene.meshes) add_normals(mesh);
  add_skeleton(scene);
  return scene;
}

}  // namespace gvbind
