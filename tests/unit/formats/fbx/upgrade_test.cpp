#include <catch2/catch.hpp>

#include <set>

#include "formats/fbx/animation.h"
#include "formats/fbx/curve.h"
#include "formats/fbx/objects.h"
#include "old_file.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

const FbxObject* object_named(const FbxObjects& objects, std::string_view kind,
                              std::string_view name) {
  for (const FbxObject& object : objects.all)
    if (objects.is(object, kind) && object.name == name) return &object;
  return nullptr;
}

double place_at(const FbxDocument& document, double seconds) {
  const FbxObjects objects = objects_of(document);
  const FbxObject* body = object_named(objects, "Model", "Body");
  return animated_transforms(document, objects, 0, seconds).at(body->id).translation().x();
}

}  // namespace

TEST_CASE("documents of 6.1 are read as documents of 7.1") {
  const FbxEncoding encoding = GENERATE(FbxEncoding::binary, FbxEncoding::ascii);
  const auto document = skinned_file(encoding).read();
  CHECK(document->version == 7100);
  CHECK(document->encoding == encoding);
  Findings findings;
  const Scene read = scene_of(*document, {}, findings);
  REQUIRE(read.meshes.size() == 1);
  CHECK(read.meshes[0].name == "Body");
  CHECK(read.meshes[0].positions.size() == 4);
  CHECK(read.meshes[0].triangles.size() == 4);
  REQUIRE(read.joints.size() == 2);
  CHECK(read.joints[0].name == "Hip");
  CHECK(read.joints[1].name == "Knee");
  CHECK(read.joints[1].parent == 0);
  CHECK(read.joints[0].bind.translation().isApprox(Eigen::Vector3d(0, 2, 0), 1e-12));
  CHECK(read.joints[1].bind.translation().isApprox(Eigen::Vector3d(0, 1, 0), 1e-12));
}

TEST_CASE("an upgraded document is written as it will be read, with a warning") {
  const FbxEncoding encoding = GENERATE(FbxEncoding::binary, FbxEncoding::ascii);
  const auto document = skinned_file(encoding).read();
  Findings findings;
  const auto bytes = encode_fbx(*document, findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "fbx-upgraded");
  CHECK(findings[0].message == "the file is FBX 6.1 and is written as FBX 7.1");
  const auto again = parse_fbx(bytes, "again.fbx");
  CHECK(same_tree(again->root, document->root));
  CHECK(!again->upgrade);
}

TEST_CASE("properties go to the Model or to its attribute, and views are left out") {
  const auto document = skinned_file(FbxEncoding::binary).read();
  const FbxObjects objects = objects_of(*document);
  const FbxObject *hip = object_named(objects, "Model", "Hip"),
                  *attribute = object_named(objects, "NodeAttribute", "Hip");
  REQUIRE(hip);
  REQUIRE(attribute);
  CHECK(number_property(objects.node(*attribute), nullptr, "Size", 0.0) == 7.0);
  CHECK(find_property(objects.node(*hip), nullptr, "Lcl Translation"));
  CHECK(find_property(objects.node(*hip), nullptr, "Nickname"));
  CHECK(!find_property(objects.node(*hip), nullptr, "Size"));
  CHECK(!object_named(objects, "Model", "Producer Top"));
  const FbxObject* geometry = object_named(objects, "Geometry", "Body");
  REQUIRE(geometry);
  CHECK(number_property(objects.node(*geometry), nullptr, "Size", 0.0) == 7.0);
  CHECK(objects.children_of(geometry->id, "Deformer", "Skin").size() == 1);
}

TEST_CASE("keys of takes keep their interpolation") {
  const FbxEncoding encoding = GENERATE(FbxEncoding::binary, FbxEncoding::ascii);
  OldFile file = skinned_file(encoding);
  append_child(file.takes, mixed_take(file));
  const auto document = file.read();
  CHECK(animation_names(objects_of(*document)) == std::vector<std::string>{"Walk"});
  CHECK(place_at(*document, 0.5) == Approx(5.0));
  CHECK(place_at(*document, 1.5) == Approx(10.0));
  CHECK(place_at(*document, 2.5) == Approx(30.0));
  CHECK(place_at(*document, 3.25) == Approx(30.0 + 10.0 * 0.15625));
  CHECK(place_at(*document, 4.0) == Approx(40.0));
  const FbxNode& takes = *find_child(document->root, "Takes");
  REQUIRE(find_child(takes, "Take"));
  CHECK(!find_child(*find_child(takes, "Take"), "Model"));
}

TEST_CASE("a false count of keys loses none") {
  OldFile file = skinned_file(FbxEncoding::binary);
  append_child(file.takes, take_of({second(0), make_number(3), file.letter('L'), second(1),
                                    make_number(5), file.letter('L')},
                                   GENERATE(0, 1, 9)));
  const auto document = file.read();
  CHECK(place_at(*document, 1.0) == Approx(5.0));
  CHECK(document->upgrade->keys_left_out == 0);
}

TEST_CASE("keys after one of unknown form are left out and counted") {
  OldFile file = skinned_file(FbxEncoding::binary);
  append_child(file.takes, take_of({second(0), make_number(3), file.letter('L'), second(1),
                                    make_number(10), file.letter('?'), second(2), make_number(0)},
                                   3));
  const auto document = file.read();
  CHECK(place_at(*document, 0.0) == Approx(3.0));
  CHECK(place_at(*document, 2.0) == Approx(3.0));
  Findings findings;
  encode_fbx(*document, findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].message ==
        "the file is FBX 6.1 and is written as FBX 7.1; 2 keys of clips are left out");
}

TEST_CASE("textures of faces go to the materials of those faces") {
  OldFile file;
  std::vector<FbxNode> mesh = tetrahedron_60();
  const auto layer = [](const std::string& name, const std::string& list,
                        const std::vector<std::int32_t>& values) {
    return make_node(
        name, {make_integer(0)},
        {make_node("MappingInformationType", {make_text("ByPolygon")}), integers_60(list, values)});
  };
  mesh.push_back(layer("LayerElementMaterial", "Materials", {0, 1, 1, 0}));
  mesh.push_back(layer("LayerElementTexture", "TextureId", {1, 0, 0, 1}));
  file.add("Model", "Body", "Mesh", mesh);
  file.connect(model("Body"), scene);
  for (const std::string kind : {"Material", "Texture"})
    for (const std::string name : {"a", "b"}) {
      file.add(kind, name, "", {make_node("Version", {make_integer(102)})});
      file.connect(OldFile::full_name(name, kind), model("Body"));
    }
  const auto document = file.read();
  const FbxObjects objects = objects_of(*document);
  const FbxPropertyLinks links = property_links(*document);
  for (const auto& [material, texture] : {std::pair("a", "b"), std::pair("b", "a")}) {
    const auto& to = links.at(object_named(objects, "Material", material)->id);
    REQUIRE(to.size() == 1);
    CHECK(to[0].child == object_named(objects, "Texture", texture)->id);
    CHECK(to[0].property == "DiffuseColor");
  }
  CHECK(objects.children_of(object_named(objects, "Model", "Body")->id, "Texture").empty());
}

TEST_CASE("instances share a geometry, and Models of one name all stay") {
  OldFile file;
  std::vector<FbxNode> mesh = tetrahedron_60();
  mesh.push_back(make_node("NodeAttributeName", {OldFile::full_name("Shape", "Geometry")}));
  file.add("Model", "One", "Mesh", mesh);
  file.add("Model", "Two", "Mesh", mesh);
  file.add("Model", "Same", "Mesh", tetrahedron_60(10));
  file.add("Model", "Same", "Mesh", tetrahedron_60(20));
  for (const char* name : {"One", "Two", "Same", "Same"}) file.connect(model(name), scene);
  const auto document = file.read();
  const FbxObjects objects = objects_of(*document);
  const auto geometry = [&](const char* name) {
    return objects.mesh_geometry(object_named(objects, "Model", name)->id);
  };
  CHECK(geometry("One") == geometry("Two"));
  std::set<std::int64_t> same;
  for (const FbxObject* child : objects.children_of(0, "Model"))
    if (child->name == "Same") same.insert(objects.mesh_geometry(child->id)->id);
  CHECK(same.size() == 2);
}

TEST_CASE("many values of an old file count as memory") {
  OldFile file;
  std::vector<FbxNode> mesh = tetrahedron_60();
  mesh[2] = numbers_60("Vertices", std::vector<double>(30000, 1.0));
  file.add("Model", "Body", "Mesh", mesh);
  ReadOptions options;
  options.max_memory = 1 << 20;
  CHECK(message_of([&] { file.read(options); }, ErrorKind::resource).find("memory") !=
        std::string::npos);
}
