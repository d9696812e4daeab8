#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "formats/fbx/skeleton.h"
#include "samples.h"

using namespace gvbind;
using namespace gvbind::test;
using Eigen::Affine3d;
using Eigen::Vector3d;

namespace {

std::map<std::string, std::int64_t> counts_of_objects(const FbxDocument& document) {
  std::map<std::string, std::int64_t> out;
  for (const FbxNode& node : find_child(document.root, "Objects")->children) ++out[node.name];
  return out;
}

const FbxNode& object_of(const FbxDocument& document, const std::string& kind,
                         const std::string& type) {
  for (const FbxNode& node : find_child(document.root, "Objects")->children)
    if (node.name == kind && text_of(node.properties[2]) == type) return node;
  FAIL("no " << kind << " of type " << type);
  return document.root;
}

}  // namespace

TEST_CASE("a first skin has a cluster for each joint, matrices, a BindPose and counts") {
  const auto document = build_fbx(arm_scene());
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  const SceneWeights weights = sample_weights(scene);
  patch_skin(*document, scene, weights);
  const auto again = reread(*document);
  const FbxObjects objects = objects_of(*again);
  const FbxSkin skin = read_skin(objects, objects.mesh_geometry(scene.meshes[0].node)->id,
                                 scene.meshes[0].positions.size(), findings);
  REQUIRE(skin.clusters.size() == 4);
  for (std::size_t j = 0; j < 4; ++j) {
    CHECK(skin.clusters[j].joint == scene.joints[j].node);
    CHECK(skin.clusters[j].joint_bind->isApprox(scene.joints[j].bind, 1e-12));
    CHECK((*skin.clusters[j].joint_bind * *skin.clusters[j].mesh_in_joint)
              .isApprox(scene.meshes[0].to_bind, 1e-12));
  }
  CHECK(skin.clusters[3].vertices.empty());
  CHECK_FALSE(skin.clusters[0].vertices.empty());

  const FbxNode& node = object_of(*again, "Deformer", "Skin");
  CHECK(integer_of(find_child(node, "Version")->properties[0]) == 101);
  CHECK(number_of(find_child(node, "Link_DeformAcuracy")->properties[0]) == 50.0);
  CHECK(integer_of(
            find_child(object_of(*again, "Deformer", "Cluster"), "Version")->properties[0]) == 100);

  const auto poses = read_bind_poses(objects);
  CHECK(poses.size() == 5);
  for (const SceneJoint& joint : scene.joints)
    CHECK(poses.at(joint.node).isApprox(joint.bind, 1e-12));
  CHECK(integer_of(
            find_child(object_of(*again, "Pose", "BindPose"), "NbPoseNodes")->properties[0]) == 5);

  std::int64_t total = 1;
  for (const auto& [kind, count] : counts_of_objects(*again)) {
    CHECK(count_in_definitions(*again, kind) == count);
    total += count;
  }
  CHECK(count_in_definitions(*again, "") == total);
  CHECK(objects.by_id.size() == objects.all.size());
}

TEST_CASE("counts of a damaged document do not overflow") {
  for (const std::int32_t damaged : {std::numeric_limits<std::int32_t>::max(), -5}) {
    const auto document = build_fbx(arm_scene());
    find_child(*find_child(document->root, "Definitions"), "Count")->properties = {
        make_integer(damaged)};
    Findings findings;
    const Scene scene = scene_of(*document, {}, findings);
    patch_skin(*document, scene, sample_weights(scene));
    const std::int64_t count = count_in_definitions(*reread(*document), "");
    CHECK(count > 0);
    if (damaged > 0) CHECK(count == damaged);
  }
}

TEST_CASE("a patched skin is read back weight by weight") {
  for (const auto encoding : {FbxEncoding::binary, FbxEncoding::ascii}) {
    const auto document = build_fbx(arm_scene(), encoding);
    Findings findings;
    const Scene scene = scene_of(*document, {}, findings);
    const SceneWeights weights = sample_weights(scene);
    patch_skin(*document, scene, weights);
    const auto again = reread(*document);
    const Scene skinned = scene_of(*again, {}, findings);
    CHECK(skinned.meshes[0].weights.first == weights.meshes[0].first);
    CHECK(skinned.meshes[0].weights.joint == weights.meshes[0].joint);
    CHECK(skinned.meshes[0].weights.weight == weights.meshes[0].weight);
    CHECK(skinned.meshes[0].positions == scene.meshes[0].positions);
    for (const SceneJoint& joint : skinned.joints) CHECK(joint.deforms);
    // Patching with the same weights again changes nothing.
    patch_skin(*again, skinned, weights);
    Findings none;
    CHECK(encode_fbx(*again, none) == again->bytes);
  }
}

TEST_CASE("nothing but the skin changes in a first bind") {
  const auto document = build_fbx(arm_scene());
  const FbxNode before = document->root;
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  patch_skin(*document, scene, sample_weights(scene));
  const auto again = reread(*document);
  REQUIRE(again->root.children.size() == before.children.size());
  for (std::size_t i = 0; i < before.children.size(); ++i) {
    const FbxNode &old = before.children[i], &now = again->root.children[i];
    CAPTURE(old.name);
    if (old.name == "Definitions") continue;
    if (old.name != "Objects" && old.name != "Connections") {
      CHECK(same_tree(old, now));
      continue;
    }
    REQUIRE(now.children.size() > old.children.size());
    for (std::size_t k = 0; k < old.children.size(); ++k)
      CHECK(same_tree(old.children[k], now.children[k]));
  }
}

TEST_CASE("joints that newly get weight get clusters behind the old ones") {
  const std::string text = ascii_text(
      tetrahedron_text(10) + model_text(11, "Body", "Mesh") + model_text(12, "Hip", "LimbNode") +
          model_text(13, "Knee", "LimbNode", vector_text("Lcl Translation", 0, 0, 2)) +
          model_text(14, "Toe", "LimbNode") + skin_text(20) +
          cluster_text(21, "0,1,2,3", "1,1,1,1", moved(0, 0, 0), moved(0, 0, 0)),
      link_text(10, 11) + link_text(11, 0) + link_text(12, 0) + link_text(13, 12) +
          link_text(14, 13) + link_text(20, 10) + link_text(21, 20) + link_text(12, 21));
  const auto document = parse_text(text);
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  SceneWeights weights;
  weights.meshes.push_back({{0, 1, 2, 3, 4}, {0, 1, 1, 1}, {1, 1, 1, 1}});
  patch_skin(*document, scene, weights);
  const Scene again = scene_of(*reread(*document), {}, findings);
  CHECK(again.meshes[0].skin_joints == std::vector<int>{0, 1});
  CHECK(again.meshes[0].weights.joint == std::vector<std::uint32_t>{0, 1, 1, 1});
  CHECK(again.joints[1].bind.isApprox(scene.joints[1].bind));
  CHECK(again.joints[1].deforms);
  CHECK_FALSE(again.joints[2].deforms);
  CHECK(findings.empty());
}

TEST_CASE("a connection that a file has twice counts once") {
  const auto document = build_fbx(arm_scene());
  Findings findings;
  Scene scene = scene_of(*document, {}, findings);
  patch_skin(*document, scene, sample_weights(scene));
  FbxNode* connections = find_child(document->root, "Connections");
  const std::vector<FbxNode> once = connections->children;
  connections->children.insert(connections->children.end(), once.begin(), once.end());

  scene = scene_of(*document, {}, findings);
  const SceneWeights weights = sample_weights(scene);
  CHECK(scene.joints.size() == 4);
  REQUIRE(scene.meshes.size() == 1);
  patch_skin(*document, scene, weights);
  const auto again = reread(*document);
  const Scene skinned = scene_of(*again, {}, findings);
  CHECK(skinned.meshes[0].weights.joint == weights.meshes[0].joint);
  CHECK(skinned.meshes[0].weights.weight == weights.meshes[0].weight);
}

TEST_CASE("the clusters of a second skin and those without a joint lose their weights") {
  const std::string text =
      ascii_text(tetrahedron_text(10) + model_text(11, "Body", "Mesh") +
                     model_text(12, "Hip", "LimbNode") + skin_text(20) + skin_text(30) +
                     cluster_text(21, "0,1", "1,1", moved(0, 0, 0), moved(0, 0, 0)) +
                     cluster_text(31, "2,3", "1,1", moved(0, 0, 0), moved(0, 0, 0)) +
                     cluster_text(32, "2,3", "1,1", moved(0, 0, 0), moved(0, 0, 0)),
                 link_text(10, 11) + link_text(11, 0) + link_text(12, 0) + link_text(20, 10) +
                     link_text(30, 10) + link_text(21, 20) + link_text(31, 30) + link_text(32, 30) +
                     link_text(12, 21) + link_text(12, 31));
  const auto document = parse_text(text);
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  CHECK(scene.meshes[0].weights.weight == std::vector<float>{1, 1, 1, 1});
  SceneWeights weights;
  weights.meshes.push_back({{0, 1, 2, 3, 4}, {0, 0, 0, 0}, {1, 1, 1, 1}});
  patch_skin(*document, scene, weights);
  const auto again = reread(*document);
  int with_weights = 0;
  for (const FbxNode& node : find_child(again->root, "Objects")->children)
    if (find_child(node, "Indexes")) ++with_weights;
  CHECK(with_weights == 1);
  CHECK(scene_of(*again, {}, findings).meshes[0].weights.weight == std::vector<float>{1, 1, 1, 1});
}

TEST_CASE("an old BindPose is kept and gets its missing nodes") {
  const std::string text = ascii_text(
      tetrahedron_text(10) + model_text(11, "Body", "Mesh") + model_text(12, "Hip", "LimbNode") +
          model_text(15, "Group", "Null", vector_text("Lcl Translation", 0, 4, 0)) +
          "\tPose: 30, \"Pose::\", \"BindPose\" {\n\t\tNbPoseNodes: 1\n\t\tPoseNode:  "
          "{\n\t\t\tNode: 12\n" +
          matrix_text("Matrix", moved(1, 2, 3)) + "\t\t}\n\t}\n",
      link_text(10, 11) + link_text(11, 0) + link_text(12, 15) + link_text(15, 0));
  const auto document = parse_text(text);
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  patch_skin(*document, scene, sample_weights(scene));
  const auto again = reread(*document);
  CHECK(counts_of_objects(*again).at("Pose") == 1);
  const auto poses = read_bind_poses(objects_of(*again));
  REQUIRE(poses.size() == 3);
  CHECK(poses.at(12).isApprox(moved(1, 2, 3)));
  CHECK(poses.at(15).isApprox(moved(0, 4, 0)));
  CHECK(poses.at(11).isApprox(Affine3d::Identity()));
  CHECK(integer_of(
            find_child(object_of(*again, "Pose", "BindPose"), "NbPoseNodes")->properties[0]) == 3);
}

TEST_CASE("a BindPose goes without a group that is at no finite place") {
  // Two scales of 1e200 in a hierarchy overflow double precision; the joint below them gets its
  // position from a cluster.
  const std::string grow =
      "\t\t\tP: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",1e200,1e200,1e200\n";
  const auto document = parse_text(ascii_text(
      tetrahedron_text(10) + model_text(11, "Body", "Mesh") + model_text(15, "Far", "Null", grow) +
          model_text(16, "Farther", "Null", grow) + model_text(12, "Hip", "LimbNode") +
          skin_text(20) + cluster_text(21, "0,1,2", "1,1,1", moved(0, 0, 0), moved(0, 1, 0)),
      link_text(10, 11) + link_text(11, 0) + link_text(15, 0) + link_text(16, 15) +
          link_text(12, 16) + link_text(20, 10) + link_text(21, 20) + link_text(12, 21)));
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  patch_skin(*document, scene, sample_weights(scene));
  const auto poses = read_bind_poses(objects_of(*reread(*document)));
  CHECK(poses.contains(12));
  CHECK(poses.contains(11));
  CHECK_FALSE(poses.contains(16));
}

TEST_CASE("a damaged BindPose is as none, before the first skin and after it") {
  const auto document = parse_text(ascii_text(
      tetrahedron_text(10) + model_text(11, "Body", "Mesh") + model_text(12, "Hip", "LimbNode") +
          "\tPose: 30, \"Pose::\", \"BindPose\" {\n\t\tPoseNode:  {\n\t\t\tNode: 12\n"
          "\t\t\tMatrix: \"none\"\n\t\t}\n\t}\n",
      link_text(10, 11) + link_text(11, 0) + link_text(12, 0)));
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  patch_skin(*document, scene, sample_weights(scene));
  const Scene again = scene_of(*reread(*document), {}, findings);
  REQUIRE(again.joints.size() == 1);
  CHECK(again.joints[0].bind.isApprox(scene.joints[0].bind));
}

TEST_CASE("geometric transforms stay out of the cluster's matrices") {
  const std::string text =
      ascii_text(tetrahedron_text(10) +
                     model_text(11, "Body", "Mesh",
                                vector_text("GeometricTranslation", 0, 0, 1) +
                                    vector_text("Lcl Translation", 5, 0, 0)) +
                     model_text(12, "Hip", "LimbNode", vector_text("Lcl Translation", 0, 1, 0)),
                 link_text(10, 11) + link_text(11, 0) + link_text(12, 0));
  const auto document = parse_text(text);
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  patch_skin(*document, scene, sample_weights(scene));
  const auto again = reread(*document);
  const FbxSkin skin = read_clusters(objects_of(*again), 10);
  CHECK(skin.clusters.at(0).mesh_in_joint->isApprox(moved(5, -1, 0)));
  CHECK(scene_of(*again, {}, findings).meshes[0].positions == scene.meshes[0].positions);
}

TEST_CASE("meshes without weights are left as they are") {
  const auto document = build_fbx(arm_scene());
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  patch_skin(*document, scene, {{SkinWeights{}}});
  CHECK_FALSE(document->changed);
  CHECK(encode_fbx(*document, findings) == document->bytes);
}

TEST_CASE("weights that do not fit the document are an error of ours") {
  const auto document = build_fbx(arm_scene());
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  const auto refused = [&](const SceneWeights& weights) {
    return message_of([&] { patch_skin(*document, scene, weights); }, ErrorKind::internal);
  };
  CHECK_FALSE(refused({}).empty());
  CHECK_FALSE(refused({{SkinWeights{{0, 1}, {0}, {1}}}}).empty());
  SceneWeights weights = sample_weights(scene);
  weights.meshes[0].joint[0] = 99;
  CHECK_FALSE(refused(weights).empty());
}

TEST_CASE("joints scaled to nothing cannot own weight, and are left out else") {
  const auto text = [](const std::string& scaling) {
    return ascii_text(tetrahedron_text(10) + model_text(11, "Body", "Mesh") +
                          model_text(12, "Hip", "LimbNode") +
                          model_text(13, "Knee", "LimbNode", scaling),
                      link_text(10, 11) + link_text(11, 0) + link_text(12, 0) + link_text(13, 12));
  };
  const auto document = parse_text(text(vector_text("Lcl Scaling", 0, 0, 0)));
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  SceneWeights weights;
  weights.meshes.push_back({{0, 1, 2, 3, 4}, {0, 0, 0, 1}, {1, 1, 1, 1}});
  CHECK(message_of([&] { patch_skin(*document, scene, weights); }, ErrorKind::cannot_bind)
            .find("'Knee'") != std::string::npos);
  const auto second = parse_text(text(vector_text("Lcl Scaling", 0, 0, 0)));
  weights.meshes[0].joint = {0, 0, 0, 0};
  patch_skin(*second, scene, weights);
  CHECK(read_clusters(objects_of(*reread(*second)), 10).clusters.size() == 1);
}

TEST_CASE("new ids are larger than any id of the document") {
  const std::string text = ascii_text(
      tetrahedron_text(10) + model_text(11, "Body", "Mesh") + model_text(12, "Hip", "LimbNode"),
      link_text(10, 11) + link_text(11, 0) + link_text(12, 0) +
          "\tC: \"OO\",5000000000,9223372036854775807\n");
  const auto document = parse_text(text);
  Findings findings;
  const Scene scene = scene_of(*document, {}, findings);
  patch_skin(*document, scene, sample_weights(scene));
  std::set<std::int64_t> ids;
  for (const FbxNode& node : find_child(document->root, "Objects")->children)
    ids.insert(*integer_of(node.properties[0]));
  CHECK(ids.size() == find_child(document->root, "Objects")->children.size());
  CHECK(*ids.rbegin() > 5000000000);
  CHECK(*ids.rbegin() < 5000000100);
}

TEST_CASE(
    "filled vertices get new weights, and all other entries of clusters keep order and bits") {
  auto document = build_fbx(arm_scene());
  Findings findings;
  const Scene bare = scene_of(*document, {}, findings);
  patch_skin(*document, bare, sample_weights(bare));
  document = reread(*document);
  const Scene before = scene_of(*document, {}, findings);
  const SceneMesh& mesh = before.meshes[0];
  const FbxObjects objects = objects_of(*document);
  const std::int64_t geometry = objects.mesh_geometry(mesh.node)->id;
  const FbxSkin old = read_skin(objects, geometry, mesh.positions.size(), findings);

  SceneWeights fill;
  fill.meshes.resize(1);
  fill.fills = {true};
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    if (v == 2 || v == 5) {
      fill.meshes[0].joint.push_back(1);
      fill.meshes[0].weight.push_back(1.0f);
    }
    fill.meshes[0].first.push_back(static_cast<std::uint32_t>(fill.meshes[0].joint.size()));
  }
  patch_skin(*document, before, fill);
  const auto again = reread(*document);
  const FbxObjects read = objects_of(*again);
  const FbxSkin fresh = read_skin(read, geometry, mesh.positions.size(), findings);
  REQUIRE(fresh.clusters.size() == old.clusters.size());
  for (std::size_t c = 0; c < old.clusters.size(); ++c) {
    FbxCluster expected = old.clusters[c];
    expected.vertices.clear();
    expected.weights.clear();
    for (std::size_t i = 0; i < old.clusters[c].vertices.size(); ++i) {
      if (old.clusters[c].vertices[i] == 2 || old.clusters[c].vertices[i] == 5) continue;
      expected.vertices.push_back(old.clusters[c].vertices[i]);
      expected.weights.push_back(old.clusters[c].weights[i]);
    }
    if (old.clusters[c].joint == before.joints[1].node) {
      expected.vertices.insert(expected.vertices.end(), {2, 5});
      expected.weights.insert(expected.weights.end(), {1.0, 1.0});
    }
    CHECK(fresh.clusters[c].vertices == expected.vertices);
    CHECK(fresh.clusters[c].weights == expected.weights);
  }
  CHECK(findings.empty());
}
