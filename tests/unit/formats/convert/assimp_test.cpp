#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "formats/convert/convert.h"
#include "formats/document.h"
#include "formats/fbx/write_scene.h"

using namespace gvbind;

namespace {

constexpr double half_turn = 3.14159265358979323846;

/// Two joints and a square with one morph, all moved by a clip.
NodeScene small_scene() {
  NodeScene scene;
  Node root, tip, body;
  root.name = "root";
  tip.name = "tip";
  body.name = "body";
  root.is_joint = tip.is_joint = true;
  tip.parent = 0;
  tip.local.translation = Eigen::Vector3d(0, 1, 0);
  body.mesh = body.skin = 0;
  body.morph_weights = {0.0};
  scene.nodes = {root, tip, body};
  Mesh mesh;
  mesh.name = "square";
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  mesh.normals.assign(4, Eigen::Vector3f::UnitZ());
  mesh.uvs = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
  mesh.primitives = {{{{0, 1, 2}, {0, 2, 3}}, 0}};
  mesh.morphs = {{"wide", {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {}}};
  mesh.weights.first = {0, 1, 2, 3, 4};
  mesh.weights.joint = {0, 0, 1, 1};
  mesh.weights.weight = {1, 1, 1, 1};
  scene.meshes = {mesh};
  Skin skin;
  skin.joints = {0, 1};
  skin.joint_binds = {Eigen::Affine3d::Identity(), Eigen::Affine3d(Eigen::Translation3d(0, 1, 0))};
  for (const Eigen::Affine3d& bind : skin.joint_binds) skin.inverse_binds.push_back(bind.inverse());
  scene.skins = {skin};
  Material material;
  material.name = "paint";
  material.base_color = {0.5, 0.25, 0.125, 1.0};
  scene.materials = {material};
  Channel turn;
  turn.node = 1;
  turn.path = Channel::Path::rotation;
  turn.times = {0.0, 1.0};
  const Eigen::Quaterniond end(Eigen::AngleAxisd(0.5 * half_turn, Eigen::Vector3d::UnitZ()));
  turn.values = {0, 0, 0, 1, end.x(), end.y(), end.z(), end.w()};
  scene.clips = {{"bend", {turn}}};
  return scene;
}

}  // namespace

TEST_CASE("Assimp reads an FBX of ours: mesh, bones, material, morph and clip") {
  DroppedFeatures losses;
  Findings findings;
  const auto document = write_fbx(small_scene(), losses);
  CHECK(losses.empty());
  const std::vector<std::uint8_t> bytes = encode_fbx(*document, findings);
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0, "fbx");
  INFO(importer.GetErrorString());
  REQUIRE(scene);
  REQUIRE(scene->mNumMeshes == 1);
  const aiMesh& mesh = *scene->mMeshes[0];
  CHECK(mesh.mNumFaces == 2);
  CHECK(mesh.HasTextureCoords(0));
  CHECK(mesh.HasNormals());
  REQUIRE(mesh.mNumBones == 2);
  CHECK(mesh.mBones[1]->mName.C_Str() == std::string("tip"));
  CHECK(mesh.mBones[1]->mOffsetMatrix.b4 == Approx(-100.0));
  REQUIRE(mesh.mNumAnimMeshes == 1);
  CHECK(mesh.mAnimMeshes[0]->mName.C_Str() == std::string("wide"));
  REQUIRE(scene->mNumMaterials == 1);
  aiColor3D color;
  CHECK(scene->mMaterials[0]->Get(AI_MATKEY_COLOR_DIFFUSE, color) == AI_SUCCESS);
  CHECK(color.g == Approx(0.25));
  REQUIRE(scene->mNumAnimations == 1);
  CHECK(scene->mAnimations[0]->mName.C_Str() == std::string("bend"));
  const double seconds = scene->mAnimations[0]->mDuration / scene->mAnimations[0]->mTicksPerSecond;
  CHECK(seconds == Approx(1.0));
}

TEST_CASE("Assimp reads the characters of the tree as they went into FBX") {
  for (const std::string name : {"biped", "quadruped"}) {
    Findings findings;
    DroppedFeatures losses;
    const Document input = read_document(std::string(GVBIND_DATA) + "/" + name + ".glb", findings);
    const Document output = convert_document(input, "x.fbx", {}, losses, findings).document;
    const std::vector<std::uint8_t> bytes =
        encode_fbx(*std::get<std::shared_ptr<FbxDocument>>(output), findings);
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0, "fbx");
    INFO(importer.GetErrorString());
    REQUIRE(scene);
    std::size_t corners = 0, triangles = 0;
    for (unsigned m = 0; m < scene->mNumMeshes; ++m) corners += 3 * scene->mMeshes[m]->mNumFaces;
    for (const SceneMesh& mesh : scene_of(input, {}, findings).meshes)
      triangles += mesh.triangles.size();
    CHECK(corners == 3 * triangles);
    for (const SceneJoint& joint : scene_of(input, {}, findings).joints)
      CHECK(scene->mRootNode->FindNode(joint.name.c_str()) != nullptr);
  }
}
