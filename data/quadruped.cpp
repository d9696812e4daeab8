#include <cmath>

#include "characters.h"
#include "joints.h"
#include "parts.h"

namespace gvbind {
namespace {

using Eigen::Vector3d;
using Sections = std::vector<Section>;

const Vector3d front_top(0.085, 0.590, 0.250), front_elbow(0.095, 0.420, 0.205),
    front_wrist(0.095, 0.190, 0.235), front_paw(0.095, 0.045, 0.265);
const Vector3d hind_top(0.080, 0.610, -0.300), hind_knee(0.100, 0.420, -0.215),
    hind_hock(0.095, 0.225, -0.365), hind_paw(0.095, 0.050, -0.325);
const Vector3d tail[] = {{0, 0.690, -0.400},
                         {0, 0.640, -0.520},
                         {0, 0.560, -0.620},
                         {0, 0.490, -0.715},
                         {0, 0.450, -0.820}};

void add_trunk(SceneMesh& mesh) {
  SweepOptions options;
  options.around = 24;
  options.start_bulge = 0.035;
  options.end_bulge = 0.050;
  const Sections trunk = {{{0, 0.645, -0.385}, 0.080, 0.088}, {{0, 0.632, -0.310}, 0.112, 0.126},
                          {{0, 0.636, -0.200}, 0.110, 0.116}, {{0, 0.636, -0.060}, 0.104, 0.118},
                          {{0, 0.618, 0.090}, 0.118, 0.148},  {{0, 0.608, 0.220}, 0.122, 0.160},
                          {{0, 0.628, 0.310}, 0.096, 0.132}};
  append(mesh, sweep(trunk, options));
}

void add_head(SceneMesh& mesh) {
  SweepOptions options;
  options.around = 18;
  const Sections neck = {{{0, 0.650, 0.220}, 0.092, 0.118},
                         {{0, 0.735, 0.335}, 0.082, 0.102},
                         {{0, 0.825, 0.420}, 0.067, 0.082},
                         {{0, 0.890, 0.475}, 0.058, 0.066}};
  append(mesh, sweep(neck, options));
  const Sections head = {{{0, 0.900, 0.435}, 0.054, 0.056}, {{0, 0.908, 0.475}, 0.073, 0.074},
                         {{0, 0.903, 0.530}, 0.073, 0.071}, {{0, 0.888, 0.580}, 0.053, 0.053},
                         {{0, 0.876, 0.635}, 0.038, 0.037}, {{0, 0.869, 0.685}, 0.030, 0.029}};
  append(mesh, sweep(head, options));
  options.around = 12;
  options.steps = 2;
  const Sections jaw = {{{0, 0.868, 0.500}, 0.050, 0.032},
                        {{0, 0.850, 0.555}, 0.043, 0.029},
                        {{0, 0.838, 0.615}, 0.029, 0.019},
                        {{0, 0.836, 0.660}, 0.022, 0.014}};
  append(mesh, sweep(jaw, options));
  append(mesh, ellipsoid({0, 0.884, 0.704}, {0.015, 0.012, 0.011}, 10, 6));
}

void add_tail(SceneMesh& mesh) {
  SweepOptions options;
  options.around = 14;
  const double radius[] = {0.032, 0.040, 0.046, 0.040, 0.020};
  Sections sections;
  for (int i = 0; i < 5; ++i) sections.push_back({tail[i], radius[i], radius[i]});
  append(mesh, sweep(sections, options));
}

void add_paw(SceneMesh& mesh, const Vector3d& at) {
  SweepOptions options;
  options.around = 12;
  options.steps = 2;
  const double x = at.x(), z = at.z();
  const Sections paw = {{{x, 0.038, z - 0.025}, 0.026, 0.030},
                        {{x, 0.036, z + 0.015}, 0.035, 0.032},
                        {{x, 0.026, z + 0.055}, 0.031, 0.022}};
  Part part = sweep(paw, options);
  for (Vector3d& p : part.positions) p.y() = std::max(p.y(), 0.004);
  append_both_sides(mesh, part);
}

void add_legs(SceneMesh& mesh) {
  SweepOptions options;
  options.around = 14;
  const Sections front = {{{0.068, 0.650, 0.235}, 0.030, 0.050},
                          {front_top, 0.050, 0.078},
                          {0.5 * (front_top + front_elbow), 0.047, 0.070},
                          {front_elbow, 0.040, 0.050},
                          {0.5 * (front_elbow + front_wrist), 0.034, 0.038},
                          {front_wrist, 0.027, 0.029},
                          {front_paw, 0.025, 0.027}};
  append_both_sides(mesh, sweep(front, options));
  const Sections hind = {{{0.062, 0.675, -0.315}, 0.030, 0.060},
                         {hind_top, 0.052, 0.092},
                         {0.5 * (hind_top + hind_knee), 0.052, 0.090},
                         {hind_knee, 0.045, 0.060},
                         {0.5 * (hind_knee + hind_hock), 0.034, 0.040},
                         {hind_hock, 0.025, 0.029},
                         {hind_paw, 0.025, 0.027}};
  append_both_sides(mesh, sweep(hind, options));
  add_paw(mesh, front_paw);
  add_paw(mesh, hind_paw);
}

/// An open sheet, hollow to the front, from the skull up to a narrow tip.
Part ear() {
  return sheet(8, 8, [](double u, double v) {
    const double across = 2.0 * u - 1.0, rise = 1.0 - v;
    const double width = 0.034 * (1.0 - 0.85 * rise * rise);
    const double hollow = 0.022 * (across * across - 1.0) * (1.0 - 0.8 * rise);
    return Vector3d(0.042 + 0.020 * rise + width * across, 0.945 + 0.105 * rise,
                    0.478 - 0.010 * rise + hollow);
  });
}

void add_skeleton(Scene& scene) {
  add_joint(scene, "", "hips", {0, 0.650, -0.310});
  add_joint(scene, "hips", "spine_1", {0, 0.655, -0.150});
  add_joint(scene, "spine_1", "spine_2", {0, 0.655, 0.020});
  add_joint(scene, "spine_2", "chest", {0, 0.640, 0.180});
  add_joint(scene, "chest", "neck_1", {0, 0.690, 0.290});
  add_joint(scene, "neck_1", "neck_2", {0, 0.790, 0.390});
  add_joint(scene, "neck_2", "head", {0, 0.890, 0.470});
  add_joint(scene, "head", "jaw", {0, 0.862, 0.520});
  add_joint_pair(scene, "head", "ear", {0.044, 0.940, 0.480});
  const char* parent = "hips";
  const char* tail_names[] = {"tail_1", "tail_2", "tail_3", "tail_4"};
  for (int i = 0; i < 4; ++i) {
    add_joint(scene, parent, tail_names[i], tail[i]);
    parent = tail_names[i];
  }
  add_joint_pair(scene, "chest", "shoulder", {0.060, 0.660, 0.210});
  add_joint_pair(scene, "shoulder", "upper_arm", {0.085, 0.560, 0.245});
  add_joint_pair(scene, "upper_arm", "forearm", front_elbow);
  add_joint_pair(scene, "forearm", "hand", front_wrist);
  add_joint_pair(scene, "hand", "front_paw", front_paw);
  add_joint_pair(scene, "hips", "thigh", {0.080, 0.600, -0.295});
  add_joint_pair(scene, "thigh", "shin", hind_knee);
  add_joint_pair(scene, "shin", "foot", hind_hock);
  add_joint_pair(scene, "foot", "hind_paw", hind_paw);
  point_frames_along_bones(scene);
}

SceneMesh named_mesh(const char* name, const Eigen::Vector4f& color) {
  SceneMesh mesh;
  mesh.name = name;
  mesh.color = color;
  return mesh;
}

}  // namespace

Scene quadruped() {
  Scene scene;
  SceneMesh body = named_mesh("body", {0.42F, 0.24F, 0.12F, 1.0F});
  add_trunk(body);
  add_head(body);
  add_tail(body);
  add_legs(body);
  SceneMesh ears = named_mesh("ears", {0.20F, 0.11F, 0.06F, 1.0F});
  append_both_sides(ears, ear());
  SceneMesh eyes = named_mesh("eyes", {0.02F, 0.02F, 0.02F, 1.0F});
  append_both_sides(eyes, ellipsoid({0.043, 0.926, 0.572}, {0.011, 0.012, 0.011}, 10, 8));
  scene.meshes = {body, ears, eyes};
  for (SceneMesh& mesh : scene.meshes) add_normals(mesh);
  add_skeleton(scene);
  return scene;
}

}  // namespace gvbind
