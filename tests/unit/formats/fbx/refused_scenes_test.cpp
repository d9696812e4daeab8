#include <catch2/catch.hpp>
#include <numeric>

#include "samples.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

Scene scene_of_text(const std::string& text) {
  Findings findings;
  return scene_of(*parse_text(text), {}, findings);
}

std::string scene_error(const std::string& text) {
  return message_of([&] { scene_of_text(text); }, ErrorKind::input);
}

}  // namespace

TEST_CASE("models that show one geometry many times are counted before they are read") {
  std::string objects = tetrahedron_text(10), links;
  for (int m = 100; m < 1100; ++m) {
    objects += model_text(m, std::string("m").append(std::to_string(m)), "Mesh");
    links += link_text(10, m) + link_text(m, 0);
  }
  const std::string text = ascii_text(objects, links);
  Findings findings;
  const auto read = [&](std::uint64_t max_memory) {
    return scene_of(*parse_fbx({text.begin(), text.end()}, "a.fbx", {{}, max_memory}), {},
                    findings);
  };
  CHECK(read(64 << 20).meshes.size() == 1000);
  CHECK(
      message_of([&] { read(700 << 10); }, ErrorKind::resource).starts_with("a.fbx: its meshes "));
}

TEST_CASE("arrays are counted before they are unpacked, all of the file together") {
  const auto document_with = [](int geometries) {
    auto document = build_fbx(arm_scene());
    FbxNode& objects = *find_child(document->root, "Objects");
    FbxNode& connections = *find_child(document->root, "Connections");
    const std::vector<double> zeros(3 << 16);
    for (int g = 0; g < geometries; ++g) {
      objects.children.push_back(make_node(
          "Geometry", {make_long(7000 + g), make_text("g"), make_text("Mesh")},
          {make_node("Vertices", {make_array(zeros)}), make_node("PolygonVertexIndex", {})}));
      objects.children.push_back(
          make_node("Model", {make_long(8000 + g), make_text("m"), make_text("Mesh")}));
      connections.children.push_back(
          make_node("C", {make_text("OO"), make_long(7000 + g), make_long(8000 + g)}));
    }
    return document;
  };
  Findings findings;
  const auto read = [&](int geometries) {
    const auto document = document_with(geometries);
    document->max_memory = 40 << 20;
    return scene_of(*document, {}, findings, {.attributes = false});
  };
  CHECK(read(2).meshes.size() == 3);
  CHECK_FALSE(message_of([&] { read(12); }, ErrorKind::resource).empty());
}

TEST_CASE("geometry that cannot be is refused by mesh and place") {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string objects =
        tetrahedron_text(10) + model_text(11, "Body", "Mesh") + model_text(12, "Hip", "LimbNode");
    objects.replace(objects.find(from), from.size(), to);
    return scene_error(
        ascii_text(objects, link_text(10, 11) + link_text(11, 0) + link_text(12, 0)));
  };
  CHECK(with("0,0,0,1", "0,0,0,1").empty());
  CHECK(with("0,0,0,1", "0,0,0,nan") ==
        "sample.fbx: mesh 'Body': Vertices: position 1 is not finite");
  CHECK(with("0,0,0,1", "0,0,inf,1") ==
        "sample.fbx: mesh 'Body': Vertices: position 0 is not finite");
  CHECK(with("0,0,0,1", "0,0,0,x") == "sample.fbx: mesh 'Body': Vertices: x is no number");
  CHECK(with("0,0,0,1", "0,0,1").find("no whole positions") != std::string::npos);
  CHECK(with("0,2,-2", "0,4,-2") ==
        "sample.fbx: mesh 'Body': PolygonVertexIndex: corner 1 names vertex 4 of 4");
  CHECK(with("0,2,-2", "0,2,-9").find("names vertex 8") != std::string::npos);
  CHECK(with("0,2,-2", "0,2,-2147483648").find("names vertex 2147483647") != std::string::npos);
}

TEST_CASE("transforms that are not finite are refused by name") {
  const auto with = [](const std::string& mesh, const std::string& joint) {
    const auto at = [](const std::string& x) {
      return "\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\"," + x + ",0,0\n";
    };
    return scene_error(ascii_text(tetrahedron_text(10) + model_text(11, "Body", "Mesh", at(mesh)) +
                                      model_text(12, "Hip", "LimbNode", at(joint)),
                                  link_text(10, 11) + link_text(11, 0) + link_text(12, 0)));
  };
  CHECK(with("0", "0").empty());
  CHECK(with("nan", "0") == "sample.fbx: mesh 'Body': its transform is not finite");
  CHECK(with("0", "inf") == "sample.fbx: joint 'Hip': its transform is not finite");
}

TEST_CASE("a Model that takes its vertices past the largest number is an error that names both") {
  std::string geometry = tetrahedron_text(2);
  const std::string far = "1e300,0,0";
  geometry.replace(geometry.find("1,0,0"), 5, far);
  const std::string text =
      ascii_text(geometry + model_text(1, "body", "Mesh",
                                       "\t\t\tP: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\","
                                       "1e300,1e300,1e300\n"),
                 link_text(1, 0) + link_text(2, 1));
  Findings findings;
  CHECK(message_of([&] { scene_of(*parse_text(text), {}, findings); }, ErrorKind::input) ==
        "sample.fbx: mesh 'body': vertex 1 is at no finite place");
}
