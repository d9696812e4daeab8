#include "characters.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "joints.h"
#include "parts.h"

namespace gvbind {
namespace {

/// The connected parts of a mesh, through shared vertices.
std::vector<std::vector<Triangle>> pieces_of(const SceneMesh& mesh) {
  std::vector<std::uint32_t> above(mesh.positions.size());
  std::iota(above.begin(), above.end(), 0U);
  const auto top = [&](std::uint32_t v) {
    while (above[v] != v) v = above[v] = above[above[v]];
    return v;
  };
  for (const Triangle& t : mesh.triangles) {
    above[top(t[1])] = top(t[0]);
    above[top(t[2])] = top(t[0]);
  }
  std::map<std::uint32_t, std::vector<Triangle>> pieces;
  for (const Triangle& t : mesh.triangles) pieces[top(t[0])].push_back(t);
  std::vector<std::vector<Triangle>> result;
  for (auto& [first, triangles] : pieces) result.push_back(std::move(triangles));
  return result;
}

struct Seams {
  std::size_t repeated = 0;  ///< edges used twice in the same direction
  std::size_t open = 0;      ///< edges without an opposite
};

Seams seams_of(const std::vector<Triangle>& piece) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  Seams seams;
  for (const Triangle& t : piece)
    for (std::size_t i = 0; i < 3; ++i)
      seams.repeated += edges.insert({t[i], t[(i + 1) % 3]}).second ? 0U : 1U;
  for (const auto& [a, b] : edges) seams.open += edges.count({b, a}) ? 0U : 1U;
  return seams;
}

double volume_of(const SceneMesh& mesh, const std::vector<Triangle>& piece) {
  double volume = 0.0;
  for (const Triangle& t : piece)
    volume += mesh.positions[t[0]].dot(mesh.positions[t[1]].cross(mesh.positions[t[2]])) / 6.0;
  return volume;
}

/// The winding number of a closed surface around a point: a sum of solid angles.
double winding(const SceneMesh& mesh, const std::vector<Triangle>& piece,
               const Eigen::Vector3d& at) {
  double sum = 0.0;
  for (const Triangle& t : piece) {
    const Eigen::Vector3d a = mesh.positions[t[0]] - at, b = mesh.positions[t[1]] - at,
                          c = mesh.positions[t[2]] - at;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += 2.0 * std::atan2(a.dot(b.cross(c)),
                            la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (4.0 * M_PI);
}

bool in_some_piece(const Scene& scene, const Eigen::Vector3d& at) {
  for (const SceneMesh& mesh : scene.meshes)
    for (const auto& piece : pieces_of(mesh))
      if (winding(mesh, piece, at) > 0.5) return true;
  return false;
}

std::size_t triangle_count(const Scene& scene) {
  std::size_t count = 0;
  for (const SceneMesh& mesh : scene.meshes) count += mesh.triangles.size();
  return count;
}

double height(const Scene& scene, const char* without = "") {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const SceneMesh& mesh : scene.meshes)
    if (mesh.name != without)
      for (const Eigen::Vector3d& p : mesh.positions) {
        low = std::min(low, p.y());
        high = std::max(high, p.y());
      }
  return high - low;
}

void check_surfaces(const Scene& scene, const std::set<std::string>& open_meshes) {
  for (const SceneMesh& mesh : scene.meshes)
    for (const auto& piece : pieces_of(mesh)) {
      INFO("mesh " << mesh.name << ", piece with vertex " << piece[0][0]);
      const Seams seams = seams_of(piece);
      CHECK(seams.repeated == 0);
      if (open_meshes.count(mesh.name)) {
        CHECK(seams.open > 0);
      } else {
        CHECK(seams.open == 0);
        CHECK(volume_of(mesh, piece) > 0.0);
      }
    }
}

void check_joints(const Scene& meshes, const Scene& skeleton, const std::set<std::string>& outside,
                  const std::set<std::string>& open_meshes) {
  std::set<std::string> names;
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    const SceneJoint& joint = skeleton.joints[j];
    INFO("joint " << joint.name);
    CHECK(names.insert(joint.name).second);
    CHECK(joint.parent < static_cast<int>(j));
    CHECK((joint.parent >= 0 || j == 0));
    CHECK((joint.bind.linear() * joint.bind.linear().transpose())
              .isApprox(Eigen::Matrix3d::Identity(), 1e-9));
    CHECK(joint.bind.linear().determinant() > 0.0);
    bool inside = false;
    for (const SceneMesh& mesh : meshes.meshes) {
      if (open_meshes.count(mesh.name)) continue;
      for (const auto& piece : pieces_of(mesh))
        inside = inside || winding(mesh, piece, joint.bind.translation()) > 0.5;
    }
    CHECK(inside != (outside.count(joint.name) > 0));
  }
}

void check_vertices(const Scene& scene) {
  for (const SceneMesh& mesh : scene.meshes) {
    INFO("mesh " << mesh.name);
    CHECK(mesh.normals.size() == mesh.positions.size());
    CHECK(mesh.color.has_value());
    std::vector<bool> used(mesh.positions.size(), false);
    std::size_t thin = 0;
    for (const Triangle& t : mesh.triangles) {
      const Eigen::Vector3d& a = mesh.positions[t[0]];
      const double area = (mesh.positions[t[1]] - a).cross(mesh.positions[t[2]] - a).norm();
      thin += area > 1e-9 ? 0U : 1U;
      for (const std::uint32_t v : t) used[v] = true;
    }
    CHECK(thin == 0);
    CHECK(std::ranges::all_of(used, [](bool u) { return u; }));
    CHECK(std::ranges::all_of(
        mesh.normals, [](const Eigen::Vector3f& n) { return std::abs(n.norm() - 1.0F) < 1e-5F; }));
  }
}

void check_mirrored(const Scene& scene) {
  std::map<std::string, Eigen::Vector3d> places;
  for (const SceneJoint& joint : scene.joints) places[joint.name] = joint.bind.translation();
  std::size_t pairs = 0;
  for (const auto& [name, place] : places) {
    if (!name.ends_with(".L")) continue;
    const Eigen::Vector3d other = places.at(name.substr(0, name.size() - 1) + "R");
    CHECK(other == Eigen::Vector3d(-place.x(), place.y(), place.z()));
    CHECK(place.x() > 0.0);
    ++pairs;
  }
  CHECK(pairs > 5);
}

}  // namespace

TEST_CASE("the biped is sound") {
  const Scene scene = biped();
  check_surfaces(scene, {"skirt", "cape", "hat"});
  check_joints(scene, scene, {}, {"skirt", "cape", "hat"});
  check_vertices(scene);
  check_mirrored(scene);
  CHECK(scene.joints.size() == 29);
  CHECK(triangle_count(scene) > 3000);
  CHECK(triangle_count(scene) < 8000);
  CHECK(height(scene, "hat") == Approx(1.8).margin(0.03));
  CHECK_FALSE(scene.has_skin());
}

TEST_CASE("the quadruped is sound") {
  const Scene scene = quadruped();
  check_surfaces(scene, {"ears"});
  check_joints(scene, scene, {}, {"ears"});
  check_vertices(scene);
  check_mirrored(scene);
  CHECK(scene.joints.size() == 32);
  CHECK(triangle_count(scene) > 3000);
  CHECK(triangle_count(scene) < 8000);
}

TEST_CASE("the mannequin and its skeleton fit and are sound") {
  const Scene mesh = mannequin(), skeleton = mannequin_skeleton();
  CHECK(mesh.joints.empty());
  CHECK(skeleton.meshes.empty());
  CHECK(skeleton.joints.size() == 23);
  check_surfaces(mesh, {});
  check_vertices(mesh);
  check_joints(mesh, skeleton, {}, {});
  CHECK(height(mesh) == Approx(1.75).margin(0.03));
}

TEST_CASE("other units turn and scale a scene without mirroring it") {
  const Scene scene = biped();
  const Units z_up{0.01, Eigen::Vector3d::UnitZ(), -Eigen::Vector3d::UnitY(), true};
  const Scene turned = in_units(scene, z_up);
  const SceneJoint &head = scene.joints[4], &turned_head = turned.joints[4];
  const Eigen::Vector3d p = head.bind.translation();
  CHECK((turned_head.bind.translation() - 100.0 * Eigen::Vector3d(p.x(), -p.z(), p.y())).norm() <
        1e-9);
  CHECK(turned_head.bind.linear().determinant() == Approx(1.0));
  const auto piece = pieces_of(turned.meshes[0]).front();
  CHECK(volume_of(turned.meshes[0], piece) ==
        Approx(1e6 * volume_of(scene.meshes[0], pieces_of(scene.meshes[0]).front())));
  const Scene back = in_units(turned, scene.units);
  for (std::size_t v = 0; v < back.meshes[0].positions.size(); ++v)
    CHECK((back.meshes[0].positions[v] - scene.meshes[0].positions[v]).norm() < 1e-9);
}

TEST_CASE("the motion file's offsets add up to the joints' places") {
  const Scene skeleton = mannequin_skeleton(), figure = mannequin();
  std::istringstream text(bvh_text(skeleton));
  std::map<std::string, Eigen::Vector3d> places;
  std::vector<Eigen::Vector3d> open = {Eigen::Vector3d::Zero()};
  std::string word, name;
  std::size_t channels = 0, sites = 0;
  while (text >> word && word != "MOTION") {
    if (word == "ROOT" || word == "JOINT") text >> name;
    if (word == "End") name.clear(), ++sites;
    if (word == "OFFSET") {
      Eigen::Vector3d offset;
      text >> offset.x() >> offset.y() >> offset.z();
      open.push_back(open.back() + offset);
      if (!name.empty())
        places[name] = open.back();
      else
        CHECK(in_some_piece(figure, open.back()));
    }
    if (word == "CHANNELS") {
      std::size_t count = 0;
      text >> count;
      channels += count;
    }
    if (word == "}") open.pop_back();
  }
  CHECK(open.size() == 1);
  CHECK(sites == 5);
  REQUIRE(places.size() == skeleton.joints.size());
  for (const SceneJoint& joint : skeleton.joints)
    CHECK((places.at(joint.name) - joint.bind.translation()).norm() < 1e-5);
  std::string rest, frames;
  std::getline(text, rest);
  std::getline(text, frames);
  CHECK(frames == "Frames: 1");
  std::getline(text, rest);
  std::size_t values = 0;
  for (double value = 0; text >> value;) ++values;
  CHECK(values == channels);
}

TEST_CASE("a swept tube is as long and as thick as its sections say") {
  SweepOptions options;
  options.around = 64;
  const std::vector<Section> sections = {{{0, 0, 0}, 1.0, 0.5}, {{0, 4, 0}, 1.0, 0.5}};
  const Part tube = sweep(sections, options);
  SceneMesh mesh;
  append(mesh, tube);
  CHECK(volume_of(mesh, mesh.triangles) == Approx(M_PI * 0.5 * 4.0).epsilon(0.02));
  options.start_open = options.end_open = true;
  CHECK(seams_of(sweep(sections, options).triangles).open == 128);
  CHECK(seams_of(mirrored(tube).triangles).open == 0);
  SceneMesh other;
  append(other, mirrored(tube));
  CHECK(volume_of(other, other.triangles) == Approx(volume_of(mesh, mesh.triangles)));
}

TEST_CASE("a joint with an unknown parent is refused") {
  Scene scene;
  CHECK_THROWS_AS(add_joint(scene, "missing", "a", Eigen::Vector3d::Zero()), std::out_of_range);
}

}  // namespace gvbind
