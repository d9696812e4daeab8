// How far a skeleton moves when its mesh is stored differently: see docs/measurements/rig.md.
//
//   rig_same_skeleton TEMPLATE FILE...
//
// Prints a line per file: for each change, the largest distance of a joint from its expected
// position, in percent of the body's size, and the joint's name beyond 1 %. "bytes" is 0 if one and
// two threads give the same numbers.
// Exits with 1 if they do not, or if a change that keeps the shape moves a joint by more than 1 %;
// with 77 if a file is missing.

#include <meshoptimizer.h>
#include <Eigen/Geometry>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gvbind/base/parallel.h"
#include "rig/builtin_templates.h"
#include "rig/rig_character.h"
#include "skinned_body.h"

namespace gvbind {
namespace {

using Eigen::Affine3d;
using Eigen::Vector3d;

struct ToldMesh {
  std::vector<Vector3d> positions;
  std::vector<Triangle> triangles;
};

struct Change {
  const char* name;
  std::function<ToldMesh(const ToldMesh&, double size)> made;
  bool keeps_shape = true;
  Affine3d by = Affine3d::Identity();  ///< where it moves a joint
  bool swaps = false;                  ///< left and right
};

ToldMesh moved_mesh(ToldMesh mesh, const Affine3d& by) {
  for (Vector3d& p : mesh.positions) p = by * p;
  if (by.linear().determinant() < 0.0)
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

/// With half of its triangles, like a typical LOD. Vertices at the same position are merged.
ToldMesh decimated_mesh(ToldMesh mesh, double) {
  std::vector<unsigned> same(mesh.positions.size()), made(3 * mesh.triangles.size());
  const std::size_t count =
      meshopt_generateVertexRemap(same.data(), nullptr, mesh.positions.size(),
                                  mesh.positions.data(), mesh.positions.size(), sizeof(Vector3d));
  std::vector<Vector3d> positions(count);
  std::vector<Eigen::Vector3f> floats(count);
  for (std::size_t v = 0; v < same.size(); ++v) {
    positions[same[v]] = mesh.positions[v];
    floats[same[v]] = mesh.positions[v].cast<float>();
  }
  std::vector<unsigned> corners;
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) corners.push_back(same[v]);
  made.resize(meshopt_simplify(made.data(), corners.data(), corners.size(), floats[0].data(),
                               floats.size(), sizeof(Eigen::Vector3f), corners.size() / 2, 1.0f));
  ToldMesh half{positions, {}};
  for (std::size_t i = 0; i + 2 < made.size(); i += 3)
    half.triangles.push_back({made[i], made[i + 1], made[i + 2]});
  return half;
}

/// Merges the vertices of each grid cell, 1 % of the size, into the first one.
ToldMesh coarse_mesh(ToldMesh mesh, double size) {
  std::map<std::tuple<long, long, long>, Vector3d> first;
  for (Vector3d& p : mesh.positions) {
    const Vector3d at = (p / (0.01 * size)).array().floor();
    p = first.emplace(std::tuple(long(at.x()), long(at.y()), long(at.z())), p).first->second;
  }
  return mesh;
}

/// Removes every fiftieth triangle.
ToldMesh torn_mesh(ToldMesh mesh, double) {
  std::vector<Triangle> kept;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (t % 50 != 7) kept.push_back(mesh.triangles[t]);
  mesh.triangles = std::move(kept);
  return mesh;
}

ToldMesh doubled_mesh(ToldMesh mesh, double) {
  const std::size_t count = mesh.triangles.size();
  for (std::size_t t = 0; t < count; ++t) mesh.triangles.push_back(Triangle(mesh.triangles[t]));
  return mesh;
}

std::vector<Change> all_changes() {
  std::vector<Change> changes = {{"decimated", decimated_mesh, false},
                                 {"coarse", coarse_mesh, false},
                                 {"torn", torn_mesh, false},
                                 {"doubled", doubled_mesh}};
  const auto add = [&](const char* name, const Affine3d& by) {
    changes.push_back({name, [by](const ToldMesh& mesh, double) { return moved_mesh(mesh, by); },
                       true, by, by.linear().determinant() < 0.0});
  };
  add("mirrored", Affine3d(Eigen::Scaling(Vector3d(-1.0, 1.0, 1.0))));
  add("scaled", Eigen::Translation3d(12.0, -3.0, 7.0) * Affine3d(Eigen::Scaling(37.5)));
  for (const auto& [name, axis] : {std::pair("turned x", Vector3d(Vector3d::UnitX())),
                                   std::pair("turned y", Vector3d(Vector3d::UnitY())),
                                   std::pair("turned z", Vector3d(Vector3d::UnitZ()))}) {
    // Exact values: a cosine slightly off zero would move vertices across voxel faces.
    Affine3d turn(Eigen::AngleAxisd(1.5707963267948966, axis));
    turn.linear() = turn.linear().array().round().matrix().eval();
    add(name, turn);
  }
  return changes;
}

/// For each joint, the one of the same name on the other side, or itself.
std::vector<std::size_t> other_sides(const std::vector<Joint>& joints) {
  std::vector<std::size_t> partners;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    std::string name = joints[j].name;
    if (name.ends_with(".L"))
      name.back() = 'R';
    else if (name.ends_with(".R"))
      name.back() = 'L';
    partners.push_back(j);
    for (std::size_t k = 0; k < joints.size(); ++k)
      if (joints[k].name == name) partners[j] = k;
  }
  return partners;
}

bool same_numbers(const rig::RiggedCharacter& a, const rig::RiggedCharacter& b) {
  for (std::size_t j = 0; j < a.joints.size(); ++j)
    if (std::memcmp(a.joints[j].position.data(), b.joints[j].position.data(), 3 * sizeof(double)) !=
        0)
      return false;
  return true;
}

bool compare_file(const std::string& file, const std::vector<Joint>& skeleton) {
  const test::SkinnedBody body = test::skinned_body(file);
  const ToldMesh mesh{body.positions, body.triangles};
  Eigen::AlignedBox3d box;
  for (const Vector3d& p : mesh.positions) box.extend(p);
  const double size = box.sizes().maxCoeff();
  const auto rigged = [&](const ToldMesh& told) {
    return rig::rig_character({told.positions, told.triangles}, skeleton);
  };
  const std::vector<std::size_t> partners = other_sides(skeleton);
  rig::RiggedCharacter made, alone;
  with_threads(2, {}, [&] { made = rigged(mesh); });
  with_threads(1, {}, [&] { alone = rigged(mesh); });
  bool is_same = same_numbers(made, alone);
  std::printf("%s", file.substr(file.rfind('/') + 1).c_str());
  for (const Change& change : all_changes()) {
    const rig::RiggedCharacter other = rigged(change.made(mesh, size));
    const double scale = std::cbrt(std::abs(change.by.linear().determinant()));
    double most = 0.0;
    std::size_t worst = 0;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
      if (!skeleton[j].deforms) continue;
      const std::size_t k = change.swaps ? partners[j] : j;
      const Vector3d wanted = change.by * made.joints[j].position;
      const double distance = (other.joints[k].position - wanted).norm() / scale / size;
      if (distance > most) worst = j;
      most = std::max(most, distance);
    }
    std::printf("\t%s %.2f", change.name, 100.0 * most);
    if (most > 0.01) std::printf(" (%s)", skeleton[worst].name.c_str());
    if (change.keeps_shape && most > 0.01) is_same = false;
  }
  std::printf("\tbytes %d\n", same_numbers(made, alone) ? 0 : 1);
  std::fflush(stdout);
  return is_same;
}

}  // namespace
}  // namespace gvbind

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: rig_same_skeleton TEMPLATE FILE...\n");
    return 2;
  }
  const auto skeleton = gvbind::rig::builtin_template(arguments[1]);
  if (!skeleton) return 2;
  bool is_same = true;
  for (int i = 2; i < count; ++i) try {
      if (!std::filesystem::exists(arguments[i])) return 77;
      is_same = gvbind::compare_file(arguments[i], *skeleton) && is_same;
    } catch (const std::exception& error) {
      std::printf("%s\terror: %s\n", arguments[i], error.what());
      is_same = false;
    }
  return is_same ? 0 : 1;
}
