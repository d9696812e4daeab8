#include <catch2/catch.hpp>

#include "formats/import/assimp_nodes.h"
#include "formats/import/import.h"
#include "formats/import/samples.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

Scene import_text(const std::string& name, const std::string& text, Findings& findings) {
  const ScratchFolder folder;
  folder.write("a.mtl", "newmtl red\nKd 0.8 0.1 0.2\nd 0.5\n");
  return import_scene(folder.write(name, text), findings);
}

Scene import_text(const std::string& name, const std::string& text) {
  Findings findings;
  return import_text(name, text, findings);
}

bool near(const Eigen::Vector3d& a, const Eigen::Vector3d& b) { return (a - b).norm() < 1e-5; }

std::vector<std::string> names_of(const std::vector<SceneJoint>& joints) {
  std::vector<std::string> names;
  for (const SceneJoint& joint : joints) names.push_back(joint.name);
  return names;
}

/// Twice the area, as a vector along the normal.
Eigen::Vector3d area(const SceneMesh& mesh) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Triangle& t : mesh.triangles) {
    const Eigen::Vector3d a = mesh.positions[t[0]];
    sum += (mesh.positions[t[1]] - a).cross(mesh.positions[t[2]] - a);
  }
  return sum;
}

}  // namespace

TEST_CASE("the suffixes are Assimp's without our own formats", "[import]") {
  const auto extensions = import_extensions();
  const auto has = [&](const char* extension) {
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
  };
  for (const char* extension : {"obj", "dae", "ply", "stl", "bvh"}) CHECK(has(extension));
  for (const char* extension : {"gltf", "glb", "fbx", "", "*.obj"}) CHECK_FALSE(has(extension));
}

TEST_CASE("OBJ: a polygon with corners on straight edges and a hole keeps its area", "[import]") {
  // A plate of 4 x 4 with a hole of 2 x 2, connected to the outside by a bridge, and extra corners
  // along its outside.
  const std::string points =
      "v 0 0 0\nv 2 0 0\nv 4 0 0\nv 4 2 0\nv 4 4 0\nv 2 4 0\nv 0 4 0\nv 0 2 0\n"
      "v 1 1 0\nv 1 3 0\nv 3 3 0\nv 3 1 0\nv 2 1 0\nf 1 2 13 9 10 11 12 13 2 3 4 5 6 7 8\n";
  for (const auto& [faces, triangles, wanted] :
       {std::tuple{"", 13u, 12.0}, std::tuple{"f 1 2 13 9\n", 13u + 2u, 12.0 + 1.5}}) {
    const Scene scene = import_text("a.obj", points + faces);
    REQUIRE(scene.meshes.size() == 1);
    const SceneMesh& mesh = scene.meshes[0];
    CHECK(mesh.triangles.size() == triangles);
    double twice = 0.0;
    for (const Triangle& t : mesh.triangles)
      twice += (mesh.positions[t[1]] - mesh.positions[t[0]])
                   .cross(mesh.positions[t[2]] - mesh.positions[t[0]])
                   .norm();
    CHECK(twice == Approx(2.0 * wanted));
  }
}

TEST_CASE("OBJ: indented lines, and numbers without a digit before the point", "[import]") {
  const Scene scene = import_text(
      "a.obj", "o .5\n\tv\t.5 0 -.25\nv 1 .5 +.5\r\n  v 0 1. .125\nvt .5 .5\nf 1 2\\\n 3\n");
  REQUIRE(scene.meshes.size() == 1);
  CHECK(scene.meshes[0].name == ".5");
  REQUIRE(scene.meshes[0].positions.size() == 3);
  CHECK(near(scene.meshes[0].positions[0], {0.5, 0.0, -0.25}));
  CHECK(near(scene.meshes[0].positions[1], {1.0, 0.5, 0.5}));
  CHECK(near(scene.meshes[0].positions[2], {0.0, 1.0, 0.125}));
}

TEST_CASE("OBJ: groups, quads, materials", "[import]") {
  Findings findings;
  const Scene scene = import_text("a.obj", obj_text, findings);
  REQUIRE(scene.meshes.size() == 2);
  CHECK(scene.joints.empty());
  CHECK_FALSE(scene.units.known);
  CHECK_FALSE(scene.has_skin());
  const SceneMesh& front = scene.meshes[0];
  CHECK(front.name == "front");
  CHECK(scene.meshes[1].name == "bottom");
  REQUIRE(front.positions.size() == 4);
  CHECK(near(front.positions[2], {1, 1, 0}));
  CHECK(front.triangles.size() == 2);
  CHECK(near(area(front), {0, 0, 2}));
  CHECK(near(area(scene.meshes[1]), {0, -2, 0}));
  CHECK(front.normals.empty());
  REQUIRE(front.color.has_value());
  CHECK(front.color->isApprox(Eigen::Vector4f(0.8F, 0.1F, 0.2F, 0.5F)));
  CHECK(front.attached_to == -1);
  CHECK(front.to_bind.matrix().isIdentity());
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "foreign-lines");
  CHECK(findings[0].message == "a.obj: 1 point or line is left out");
}

TEST_CASE("an import tells which files it asked for beside its own", "[import]") {
  const Scene scene = import_text("a.obj", obj_text);
  CHECK(std::count(scene.sidecars.begin(), scene.sidecars.end(), "a.mtl") == 1);
  CHECK(std::count(scene.sidecars.begin(), scene.sidecars.end(), "a.obj") == 0);
  const Scene other = import_text("b.obj", "mtllib sub/lost.mtl\n" + obj_text);
  CHECK(std::count(other.sidecars.begin(), other.sidecars.end(), "sub/lost.mtl") == 1);
}

TEST_CASE("OBJ: normals and texture coordinates are kept", "[import]") {
  const Scene scene = import_text("a.obj",
                                  "v 0 0 0\nv 2 0 0\nv 0 2 0\nvt 0 0\nvt 1 0\nvt 0 0.75\n"
                                  "vn 0 0 2\nf 1/1/1 2/2/1 3/3/1\n");
  REQUIRE(scene.meshes.size() == 1);
  const SceneMesh& mesh = scene.meshes[0];
  REQUIRE(mesh.normals.size() == 3);
  CHECK(mesh.normals[1].isApprox(Eigen::Vector3f::UnitZ()));
  REQUIRE(mesh.texture_coordinates.size() == 3);
  CHECK(mesh.texture_coordinates[2].isApprox(Eigen::Vector2f(0, 0.25F)));
  CHECK_FALSE(mesh.color.has_value());
}

TEST_CASE("PLY and STL: joined vertices, a name from the file", "[import]") {
  const Scene ply = import_text("cloth.ply", ply_text);
  REQUIRE(ply.meshes.size() == 1);
  CHECK(ply.meshes[0].name == "cloth");
  CHECK(ply.meshes[0].positions.size() == 4);
  CHECK(near(area(ply.meshes[0]), {0, 0, 2}));
  // Different normals of facets must not prevent merging of their corners.
  const Scene stl = import_text("s.stl", stl_text);
  REQUIRE(stl.meshes.size() == 1);
  CHECK(stl.meshes[0].positions.size() == 4);
  CHECK(stl.meshes[0].triangles.size() == 2);
  CHECK(stl.meshes[0].normals.empty());
}

TEST_CASE("BVH: the hierarchy with its end sites", "[import]") {
  const Scene scene = import_text("walk.bvh", bvh_text);
  CHECK(scene.meshes.empty());
  CHECK_FALSE(scene.units.known);
  CHECK((names_of(scene.joints) ==
         std::vector<std::string>{"Hips", "Spine", "EndSite_Spine", "Leg", "EndSite_Leg"}));
  CHECK(scene.joints[0].parent == -1);
  CHECK(scene.joints[2].parent == 1);
  CHECK(scene.joints[3].parent == 0);
  // From the offsets, not from the first frame.
  CHECK(near(scene.joints[0].bind.translation(), {0, 36, 0}));
  CHECK(near(scene.joints[2].bind.translation(), {0, 66, 0}));
  CHECK(near(scene.joints[4].bind.translation(), {4, 0, 0}));
  for (const SceneJoint& joint : scene.joints) CHECK(joint.deforms);
}

TEST_CASE("BVH: a single chain from the origin keeps its root", "[import]") {
  const Scene scene = import_text("c.bvh", R"(HIERARCHY
ROOT a
{
  OFFSET 0 0 0
  CHANNELS 3 Zrotation Xrotation Yrotation
  JOINT b
  {
    OFFSET 0 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 1 0
    }
  }
}
MOTION
Frames: 1
Frame Time: 0.1
0 0 0 0 0 0
)");
  CHECK((names_of(scene.joints) == std::vector<std::string>{"a", "b", "EndSite_b"}));
}

TEST_CASE("DAE: skin, unit and up axis", "[import]") {
  const Scene scene = import_text("a.dae", dae_text);
  CHECK(scene.units.known);
  CHECK(scene.units.meters == 1.0);
  CHECK(near(scene.units.up, Eigen::Vector3d::UnitY()));
  CHECK((names_of(scene.joints) == std::vector<std::string>{"low", "high", "tip"}));
  CHECK(near(scene.joints[0].bind.translation(), {0, 0.05, 0}));
  CHECK(near(scene.joints[1].bind.translation(), {0, 1.05, 0}));
  CHECK(near(scene.joints[2].bind.translation(), {0, 2.05, 0}));
  CHECK(scene.joints[1].deforms);
  CHECK_FALSE(scene.joints[2].deforms);  // the skin has no weights for it

  REQUIRE(scene.meshes.size() == 1);
  const SceneMesh& mesh = scene.meshes[0];
  CHECK(mesh.name == "Body");
  REQUIRE(mesh.positions.size() == 6);
  CHECK(near(mesh.positions[0], {0, 0.05, 0}));
  CHECK(near(mesh.positions[5], {0.1, 2.05, 0}));
  // The front of a Z-up file is -Y, which becomes +Z; these triangles face the front.
  CHECK(near(area(mesh), {0, 0, 0.4}));
  CHECK((mesh.skin_joints == std::vector<int>{0, 1}));
  CHECK((mesh.weights.first == std::vector<std::uint32_t>{0, 1, 2, 4, 6, 7, 8}));
  CHECK((mesh.weights.joint == std::vector<std::uint32_t>{0, 0, 1, 0, 1, 0, 1, 1}));
  // As in the file: 0.25 + 1 is not normalized here.
  CHECK(mesh.weights.weight[2] == Approx(0.8).margin(0.21));
  CHECK(mesh.weights.weight[2] > mesh.weights.weight[3]);
}

TEST_CASE("DAE: the bind pose is the skin's, not the nodes'", "[import]") {
  // The nodes are posed differently: `high` is bent by 90 degrees.
  const std::string posed =
      replaced(dae_text, "type=\"JOINT\"><translate>0 0 100</translate>\n   <node",
               "type=\"JOINT\"><translate>0 0 100</translate><rotate>1 0 0 90</rotate>\n   <node");
  const Scene scene = import_text("a.dae", posed);
  REQUIRE(scene.joints.size() == 3);
  CHECK(near(scene.joints[1].bind.translation(), {0, 1.05, 0}));
  CHECK(near(scene.joints[2].bind.translation(), {0, 2.05, 0}));
  CHECK(near(scene.meshes[0].positions[5], {0.1, 2.05, 0}));
}

TEST_CASE("DAE: joints without skin, wrappers left out", "[import]") {
  const std::string unskinned = replaced(
      dae_text,
      "<instance_controller url=\"#c\"><skeleton>#Armature_low</skeleton></instance_controller>",
      "<instance_geometry url=\"#g\"/>");
  const Scene scene = import_text("a.dae", unskinned);
  CHECK((names_of(scene.joints) == std::vector<std::string>{"low", "high", "tip"}));
  for (const SceneJoint& joint : scene.joints) CHECK(joint.deforms);
  CHECK(near(scene.joints[2].bind.translation(), {0, 2.05, 0}));
  REQUIRE(scene.meshes.size() == 1);
  CHECK(scene.meshes[0].skin_joints.empty());
  CHECK(scene.meshes[0].attached_to == -1);
  CHECK(near(scene.meshes[0].positions[5], {0.1, 2.0, 0}));
}

TEST_CASE("DAE: a mesh that hangs from a joint, mirrored", "[import]") {
  const std::string attached = replaced(
      replaced(dae_text,
               "<node id=\"Armature_tip\" name=\"tip\" sid=\"tip\" type=\"JOINT\"><translate>0 0 "
               "100</translate>",
               "<node id=\"Armature_tip\" name=\"tip\" sid=\"tip\" type=\"JOINT\"><translate>0 0 "
               "100</translate><node id=\"Hat\" name=\"Hat\"><scale>-1 1 1</scale>"
               "<instance_geometry url=\"#g\"/></node>"),
      "<node id=\"Body_id\"", "<node id=\"Body_other\"");
  const Scene scene = import_text("a.dae", attached);
  REQUIRE(scene.meshes.size() == 2);
  const SceneMesh& hat = scene.meshes[0];
  CHECK(hat.name == "Hat");
  REQUIRE(hat.attached_to >= 0);
  CHECK(scene.joints[hat.attached_to].name == "tip");
  CHECK(near(hat.positions[1], {-0.1, 2.05, 0}));
  CHECK(near(area(hat), {0, 0, 0.4}));
  CHECK(scene.meshes[1].attached_to == -1);
}

TEST_CASE("COLLADA nodes by id", "[import]") {
  const auto nodes = collada_nodes(
      "<node id='a' name = \"A b\" type='JOINT'><nodes id='x'/><node sid=\"s\"/>"
      "<node id='e' name='&lt;' xname='no'/><node type='JOINT'><node id='open");
  REQUIRE(nodes.size() == 3);
  CHECK(nodes.at("a").name == "A b");
  CHECK(nodes.at("a").joint);
  CHECK(nodes.at("s").name == "s");
  CHECK_FALSE(nodes.at("s").joint);
  CHECK(nodes.at("e").name == "e");
}
