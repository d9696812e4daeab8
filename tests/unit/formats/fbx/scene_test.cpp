#include <catch2/catch.hpp>
#include <numeric>

#include "samples.h"

using namespace gvbind;
using namespace gvbind::test;
using Eigen::Affine3d;
using Eigen::Vector3d;

namespace {

Scene scene_of_text(const std::string& text) {
  Findings findings;
  return scene_of(*parse_text(text), {}, findings);
}

const SceneJoint& joint_named(const Scene& scene, const std::string& name) {
  for (const SceneJoint& joint : scene.joints)
    if (joint.name == name) return joint;
  FAIL("no joint " << name);
  return scene.joints.front();
}

/// The mesh Body was bound at (0, 0, 5), with Hip at (0, 1, 0); the nodes are now posed
/// differently. Tip is a child of Hip without a cluster; Above is the parent of Hip.
const std::string posed_objects =
    tetrahedron_text(10) + model_text(11, "Body", "Mesh", vector_text("Lcl Translation", 9, 9, 9)) +
    model_text(13, "Tip", "LimbNode", vector_text("Lcl Translation", 0, 0, 2)) +
    model_text(12, "Hip", "LimbNode", vector_text("Lcl Translation", 3, 0, 0)) +
    model_text(14, "Above", "Root", vector_text("Lcl Translation", 1, 0, 0)) + skin_text(20) +
    cluster_text(21, "0,1,2,3", "1,1,1,0.5", moved(0, -1, 5), moved(0, 1, 0));
const std::string posed_links = link_text(10, 11) + link_text(11, 0) + link_text(12, 14) +
                                link_text(13, 12) + link_text(14, 0) + link_text(20, 10) +
                                link_text(21, 20) + link_text(12, 21);

}  // namespace

TEST_CASE("a skinned file is bound where its clusters say, not where its nodes stand") {
  const Scene scene = scene_of_text(ascii_text(posed_objects, posed_links));
  REQUIRE(scene.joints.size() == 3);
  CHECK(scene.joints[0].name == "Above");
  CHECK(scene.joints[1].name == "Hip");
  CHECK(scene.joints[2].name == "Tip");
  CHECK(scene.joints[1].parent == 0);
  CHECK(scene.joints[2].parent == 1);
  CHECK(scene.joints[1].bind.isApprox(moved(0, 1, 0)));
  // Both keep their offset from the joint whose bind pose is known.
  CHECK(scene.joints[2].bind.isApprox(moved(0, 1, 2)));
  CHECK(scene.joints[0].bind.isApprox(moved(-3, 1, 0)));
  CHECK_FALSE(scene.joints[0].deforms);
  CHECK(scene.joints[1].deforms);
  CHECK_FALSE(scene.joints[2].deforms);
  REQUIRE(scene.meshes.size() == 1);
  CHECK(scene.meshes[0].positions[1].isApprox(Vector3d(1, 0, 5)));
  CHECK(scene.meshes[0].skin_joints == std::vector<int>{1});
  CHECK(scene.meshes[0].weights.weight == std::vector<float>{1, 1, 1, 0.5f});
  CHECK(scene.has_skin());
}

TEST_CASE("a BindPose places the joints that no cluster links") {
  const std::string pose =
      "\tPose: 30, \"Pose::\", \"BindPose\" {\n\t\tNbPoseNodes: 2\n\t\tPoseNode:  {\n\t\t\tNode: "
      "13\n" +
      matrix_text("Matrix", moved(0, 1, 7)) + "\t\t}\n\t\tPoseNode:  {\n\t\t\tNode: 12\n" +
      matrix_text("Matrix", moved(0, 1, 1)) + "\t\t}\n\t}\n";
  const Scene scene = scene_of_text(ascii_text(posed_objects + pose, posed_links));
  // It is 6 above Hip in the pose, so it is put 6 above Hip's bind position.
  CHECK(joint_named(scene, "Tip").bind.isApprox(moved(0, 1, 6)));
}

TEST_CASE("a file without skins is bound in its node pose, with every joint") {
  const Scene scene = scene_of_text(
      ascii_text(tetrahedron_text(10) +
                     model_text(11, "Body", "Mesh", vector_text("Lcl Translation", 0, 0, 5)) +
                     model_text(12, "Hip", "LimbNode", vector_text("Lcl Translation", 3, 0, 0)) +
                     model_text(13, "Group", "Null", vector_text("Lcl Translation", 0, 1, 0)) +
                     model_text(14, "Knee", "Limb", vector_text("Lcl Translation", 0, 1, 0)) +
                     model_text(15, "Camera", "Camera"),
                 link_text(10, 11) + link_text(11, 0) + link_text(12, 0) + link_text(13, 12) +
                     link_text(14, 13) + link_text(15, 14)));
  REQUIRE(scene.joints.size() == 2);
  CHECK(scene.joints[1].name == "Knee");
  CHECK(scene.joints[1].parent == 0);
  CHECK(scene.joints[1].bind.isApprox(moved(3, 2, 0)));
  CHECK(scene.joints[1].deforms);
  CHECK_FALSE(scene.has_skin());
  CHECK(scene.meshes[0].attached_to == -1);
  CHECK(scene.meshes[0].positions[0].isApprox(Vector3d(0, 0, 5)));
}

TEST_CASE("a Root over other joints owns no weight in a first bind") {
  const auto roots = [](const std::string& child_type) {
    Findings findings;
    const Scene scene =
        scene_of(*parse_text(ascii_text(
                     tetrahedron_text(10) + model_text(11, "Body", "Mesh") +
                         model_text(12, "Bip", "Root") + model_text(13, "Pelvis", child_type),
                     link_text(10, 11) + link_text(11, 0) + link_text(12, 0) + link_text(13, 12))),
                 {}, findings);
    CHECK(findings.size() == (scene.joints[0].deforms ? 0 : 1));
    return scene.joints[0].deforms;
  };
  CHECK_FALSE(roots("LimbNode"));
  CHECK(roots("Null"));
}

TEST_CASE("any model that a cluster links is a joint") {
  std::string objects = posed_objects;
  objects.replace(objects.find("\"Model::Hip\", \"LimbNode\""), 24, "\"Model::Hip\", \"Null\"");
  CHECK(joint_named(scene_of_text(ascii_text(objects, posed_links)), "Hip").deforms);
}

TEST_CASE("a mesh that hangs from a joint moves with it into the bind pose") {
  const Scene scene = scene_of_text(
      ascii_text(posed_objects + tetrahedron_text(40) +
                     model_text(41, "Helmet", "Mesh", vector_text("Lcl Translation", 0, 0, 1)),
                 posed_links + link_text(40, 41) + link_text(41, 12)));
  REQUIRE(scene.meshes.size() == 2);
  CHECK(scene.meshes[1].name == "Helmet");
  CHECK(scene.joints[static_cast<std::size_t>(scene.meshes[1].attached_to)].name == "Hip");
  CHECK(scene.meshes[1].positions[0].isApprox(Vector3d(0, 1, 1)));
}

TEST_CASE("the geometric transform moves control points, and mirrored meshes are turned round") {
  const auto volume = [](const SceneMesh& mesh) {
    double out = 0.0;
    for (const Triangle& t : mesh.triangles)
      out += mesh.positions[t[0]].dot(mesh.positions[t[1]].cross(mesh.positions[t[2]])) / 6.0;
    return out;
  };
  const auto mesh_with = [](const std::string& properties) {
    return scene_of_text(ascii_text(tetrahedron_text(10) +
                                        model_text(11, "Body", "Mesh", properties) +
                                        model_text(12, "Hip", "LimbNode"),
                                    link_text(10, 11) + link_text(11, 0) + link_text(12, 0)))
        .meshes[0];
  };
  CHECK(volume(mesh_with("")) == Approx(1.0 / 6.0));
  CHECK(volume(mesh_with(vector_text("Lcl Scaling", -1, 1, 1))) == Approx(1.0 / 6.0));
  const SceneMesh mesh =
      mesh_with(vector_text("GeometricScaling", 1, 1, -3) +
                vector_text("GeometricTranslation", 0, 0, 1) + vector_text("Lcl Scaling", 2, 2, 2));
  CHECK(mesh.positions[3].isApprox(Vector3d(0, 0, -4)));
  CHECK(volume(mesh) == Approx(24.0 / 6.0));
}

TEST_CASE("polygons become triangles that look their way, concave ones too") {
  // An arrowhead with a concave corner 3: a fan around corner 0 would fold over.
  const std::string arrow =
      "\tGeometry: 10, \"Geometry::\", \"Mesh\" {\n\t\tVertices: *12 {\n\t\t\ta: "
      "-2,-1,0,0,2,0,2,-1,0,0,0,0\n\t\t}\n\t\tPolygonVertexIndex: *7 {\n\t\t\ta: "
      "0,3,2,-2,0,-2,-4\n\t\t}\n\t}\n";
  const Scene scene = scene_of_text(
      ascii_text(arrow + model_text(11, "Body", "Mesh") + model_text(12, "Hip", "LimbNode"),
                 link_text(10, 11) + link_text(11, 0) + link_text(12, 0)));
  const SceneMesh& mesh = scene.meshes[0];
  REQUIRE(mesh.triangles.size() == 2);
  double area = 0.0;
  for (const Triangle& t : mesh.triangles) {
    const double part = 0.5 * (mesh.positions[t[1]] - mesh.positions[t[0]])
                                  .cross(mesh.positions[t[2]] - mesh.positions[t[0]])
                                  .z();
    CHECK(part > 0.0);
    area += part;
  }
  CHECK(area == Approx(4.0));
}

TEST_CASE("a polygon around which no fan goes has triangles of its area") {
  // A U shape: no corner sees all others.
  const std::string shape =
      "\tGeometry: 10, \"Geometry::\", \"Mesh\" {\n\t\tVertices: *24 {\n\t\t\ta: "
      "0,0,5,30,0,5,30,20,5,20,20,5,20,10,5,10,10,5,10,20,5,0,20,5\n\t\t}\n"
      "\t\tPolygonVertexIndex: *8 {\n\t\t\ta: 0,1,2,3,4,5,6,-8\n\t\t}\n\t}\n";
  const Scene scene = scene_of_text(
      ascii_text(shape + model_text(11, "Body", "Mesh") + model_text(12, "Hip", "LimbNode"),
                 link_text(10, 11) + link_text(11, 0) + link_text(12, 0)));
  const SceneMesh& mesh = scene.meshes[0];
  REQUIRE(mesh.triangles.size() == 6);
  double area = 0.0;
  for (const Triangle& t : mesh.triangles)
    area += 0.5 * (mesh.positions[t[1]] - mesh.positions[t[0]])
                      .cross(mesh.positions[t[2]] - mesh.positions[t[0]])
                      .norm();
  CHECK(area == Approx(500.0));
}

TEST_CASE("models that show one geometry share its weights, and the first is bound") {
  const std::string text =
      ascii_text(tetrahedron_text(10) + model_text(11, "Left", "Mesh") +
                     model_text(12, "Right", "Mesh", vector_text("Lcl Translation", 5, 0, 0)) +
                     model_text(13, "Hip", "LimbNode"),
                 link_text(10, 11) + link_text(10, 12) + link_text(11, 0) + link_text(12, 0) +
                     link_text(13, 0));
  Findings findings;
  const auto document = parse_text(text);
  const Scene scene = scene_of(*document, {}, findings);
  REQUIRE(scene.meshes.size() == 2);
  CHECK(scene.meshes[0].selected);
  CHECK_FALSE(scene.meshes[1].selected);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "shared-geometry");
  patch_skin(*document, scene, sample_weights(scene));
  const auto again = parse_fbx(encode_fbx(*document, findings), "sample.fbx");
  const Scene skinned = scene_of(*again, {}, findings);
  CHECK(skinned.meshes[0].weights.weight == skinned.meshes[1].weights.weight);
}

TEST_CASE("a second geometry of a model is left, with a warning") {
  Findings findings;
  const Scene scene =
      scene_of(*parse_text(ascii_text(
                   tetrahedron_text(10) + tetrahedron_text(14) + model_text(11, "Coat", "Mesh") +
                       model_text(13, "Hip", "LimbNode"),
                   link_text(10, 11) + link_text(14, 11) + link_text(11, 0) + link_text(13, 0))),
               {}, findings);
  CHECK(scene.meshes.size() == 1);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "geometries-left");
  CHECK(findings[0].message == "mesh 'Coat' has 1 further geometry, which is left as it is");
}

TEST_CASE("clusters that disagree are reported") {
  Findings findings;
  scene_of(*parse_text(ascii_text(
               posed_objects + cluster_text(22, "3", "0.5", moved(0, 0, 0), moved(7, 0, 0)),
               posed_links + link_text(22, 20) + link_text(13, 22))),
           {}, findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "clusters-disagree");
  CHECK(findings[0].pointer == "Body");
}

TEST_CASE("old weights without a vertex or a number are left out and reported") {
  std::string objects = posed_objects;
  objects.replace(objects.find("a: 0,1,2,3\n"), 11, "a: 0,1,9,-1,2\n");
  objects.replace(objects.find("a: 1,1,1,0.5\n"), 13, "a: 1,nan,1,1\n");
  Findings findings;
  const Scene scene = scene_of(*parse_text(ascii_text(objects, posed_links)), {}, findings);
  CHECK(scene.meshes[0].weights.weight == std::vector<float>{1});
  CHECK(scene.meshes[0].damaged_weights == 4);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "weights-damaged");
}

TEST_CASE("negative old weights are left out and reported") {
  std::string objects = posed_objects;
  objects.replace(objects.find("a: 1,1,1,0.5\n"), 13, "a: 1,-1,0,0.5\n");
  Findings findings;
  const Scene scene = scene_of(*parse_text(ascii_text(objects, posed_links)), {}, findings);
  CHECK(scene.meshes[0].weights.weight == std::vector<float>{1, 0.5f});
  CHECK(scene.meshes[0].damaged_weights == 1);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "weights-damaged");
}

TEST_CASE("old weights beyond single precision are left out and reported") {
  std::string objects = posed_objects;
  objects.replace(objects.find("a: 1,1,1,0.5\n"), 13, "a: 1,1e60,1e24,0.5\n");
  Findings findings;
  const Scene scene = scene_of(*parse_text(ascii_text(objects, posed_links)), {}, findings);
  CHECK(scene.meshes[0].weights.weight == std::vector<float>{1, 1e24f, 0.5f});
  CHECK(scene.meshes[0].damaged_weights == 1);
}

TEST_CASE("a cluster whose arrays are damaged loses its old weights, not the file") {
  std::string objects = posed_objects;
  objects.replace(objects.find("a: 1,1,1,0.5\n"), 13, "a: 1,soon\n");
  Findings findings;
  const Scene scene = scene_of(*parse_text(ascii_text(objects, posed_links)), {}, findings);
  CHECK(scene.meshes.at(0).damaged_weights == 1);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "weights-damaged");
}

TEST_CASE(
    "normals that are no numbers are left out and reported, and ignored if normals are not read") {
  std::string text = ascii_text(posed_objects, posed_links);
  const std::string before = "\t\tPolygonVertexIndex";
  text.insert(text.find(before),
              "\t\tLayerElementNormal: 0 {\n\t\t\tMappingInformationType: \"ByVertice\"\n"
              "\t\t\tReferenceInformationType: \"Direct\"\n\t\t\tNormals: *3 {\n"
              "\t\t\t\ta: 1,up,0\n\t\t\t}\n\t\t}\n");
  Findings findings;
  CHECK(scene_of(*parse_text(text), {}, findings).meshes.at(0).normals.empty());
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "attributes-damaged");
  findings.clear();
  scene_of(*parse_text(text), {}, findings, {.attributes = false});
  CHECK(findings.empty());
}

TEST_CASE("normals of a mirrored mesh point outwards, as its triangles do") {
  std::string geometry = tetrahedron_text(10);
  const std::string before = "\t\tPolygonVertexIndex";
  geometry.insert(geometry.find(before),
                  "\t\tLayerElementNormal: 0 {\n\t\t\tMappingInformationType: \"ByVertice\"\n"
                  "\t\t\tReferenceInformationType: \"Direct\"\n\t\t\tNormals: *12 {\n"
                  "\t\t\t\ta: -1,-1,-1,1,0,0,0,1,0,0,0,1\n\t\t\t}\n\t\t}\n");
  for (const double x : {1.0, -1.0}) {
    const Scene scene = scene_of_text(
        ascii_text(geometry + model_text(11, "Body", "Mesh", vector_text("Lcl Scaling", x, 1, 1)),
                   link_text(10, 11) + link_text(11, 0)));
    const SceneMesh& mesh = scene.meshes.at(0);
    CHECK(mesh.normals.at(1).isApprox(Eigen::Vector3f(static_cast<float>(x), 0, 0), 1e-5f));
    const Vector3d middle(0.25 * x, 0.25, 0.25);
    for (const Triangle& t : mesh.triangles) {
      const Vector3d &a = mesh.positions[t[0]], &b = mesh.positions[t[1]],
                     &c = mesh.positions[t[2]];
      CHECK((b - a).cross(c - a).dot(a - middle) > 0.0);
    }
    for (std::size_t v = 0; v < 4; ++v)
      CHECK(mesh.normals[v].cast<double>().dot(mesh.positions[v] - middle) > 0.0);
  }
}

TEST_CASE("units and axes come from the settings") {
  const auto settings = [](const std::string& name, const std::string& value) {
    return "\t\tP: \"" + name + "\", \"int\", \"Integer\", \"\"," + value + "\n";
  };
  const std::string objects =
      tetrahedron_text(10) + model_text(11, "Body", "Mesh") + model_text(12, "Hip", "LimbNode");
  const std::string links = link_text(10, 11) + link_text(11, 0) + link_text(12, 0);
  const Scene plain = scene_of_text(ascii_text(objects, links));
  CHECK(plain.units.meters == 0.01);
  CHECK(plain.units.up == Vector3d::UnitY());
  CHECK(plain.units.front == Vector3d::UnitZ());
  const Scene max = scene_of_text(ascii_text(
      objects, links,
      settings("UpAxis", "2") + settings("UpAxisSign", "1") + settings("FrontAxis", "1") +
          settings("FrontAxisSign", "-1") + settings("UnitScaleFactor", "2.54")));
  CHECK(max.units.meters == Approx(0.0254));
  CHECK(max.units.up == Vector3d::UnitZ());
  CHECK(max.units.front == -Vector3d::UnitY());
}

TEST_CASE("a built document gives back its scene") {
  const Scene scene = arm_scene();
  for (const auto encoding : {FbxEncoding::binary, FbxEncoding::ascii}) {
    Findings findings;
    const Scene again = scene_of(*build_fbx(scene, encoding), {}, findings);
    CHECK(findings.empty());
    REQUIRE(again.meshes.size() == 1);
    const SceneMesh& mesh = again.meshes[0];
    CHECK(mesh.name == "Arm");
    CHECK(mesh.positions == scene.meshes[0].positions);
    CHECK(mesh.triangles == scene.meshes[0].triangles);
    CHECK(mesh.texture_coordinates == scene.meshes[0].texture_coordinates);
    for (std::size_t v = 0; v < mesh.normals.size(); ++v)
      CHECK((mesh.normals[v] - scene.meshes[0].normals[v]).norm() < 1e-6f);
    CHECK(mesh.color->isApprox(*scene.meshes[0].color));
    REQUIRE(again.joints.size() == scene.joints.size());
    for (std::size_t j = 0; j < scene.joints.size(); ++j) {
      CHECK(again.joints[j].name == scene.joints[j].name);
      CHECK(again.joints[j].parent == scene.joints[j].parent);
      CHECK(again.joints[j].bind.isApprox(scene.joints[j].bind, 1e-9));
    }
    CHECK(again.units.meters == Approx(scene.units.meters));
  }
}

TEST_CASE("building is the same every time") {
  Findings findings;
  for (const auto encoding : {FbxEncoding::binary, FbxEncoding::ascii})
    CHECK(encode_fbx(*build_fbx(arm_scene(), encoding), findings) ==
          encode_fbx(*build_fbx(arm_scene(), encoding), findings));
}

TEST_CASE("polygons know the materials of their Model") {
  const auto materials_of = [](const std::string& layer, int count) {
    std::string geometry = tetrahedron_text(10), links = posed_links, materials;
    geometry.insert(geometry.rfind("\t}\n"), layer);
    for (int i = 0; i < count; ++i) {
      materials += "\tMaterial: " + std::to_string(50 + i) + ", \"Material::m" + std::to_string(i) +
                   "\", \"\" {\n\t\tVersion: 102\n\t}\n";
      links += link_text(50 + i, 11);
    }
    const std::string objects =
        geometry + materials + posed_objects.substr(tetrahedron_text(10).size());
    return scene_of_text(ascii_text(objects, links)).meshes.at(0);
  };
  const auto layer = [](const std::string& mapping, const std::string& values) {
    return "\t\tLayerElementMaterial: 0 {\n\t\t\tMappingInformationType: \"" + mapping +
           "\"\n\t\t\tMaterials: *4 {\n\t\t\t\ta: " + values + "\n\t\t\t}\n\t\t}\n";
  };
  const SceneMesh by_polygon = materials_of(layer("ByPolygon", "1,0,7,-1"), 2);
  CHECK(by_polygon.materials == std::vector<std::string>{"m0", "m1"});
  CHECK(by_polygon.triangle_materials == std::vector<int>{1, 0, -1, -1});
  CHECK(materials_of(layer("AllSame", "1"), 2).triangle_materials == std::vector<int>{1, 1, 1, 1});
  // A Model has a slot for each connection.
  const SceneMesh twice =
      scene_of_text(
          ascii_text(tetrahedron_text(10) + "\tMaterial: 50, \"Material::m\", \"\" {\n\t}\n" +
                         model_text(11, "Body", "Mesh"),
                     link_text(10, 11) + link_text(11, 0) + link_text(50, 11) + link_text(50, 11)))
          .meshes.at(0);
  CHECK(twice.materials == std::vector<std::string>{"m", "m"});
  // A single material for all triangles is not stored per triangle.
  CHECK(materials_of(layer("ByPolygon", "0,0,0,0"), 1).triangle_materials.empty());
  CHECK(materials_of("", 0).materials.empty());
}
