// Tested by tests/unit/formats/fbx/patch_test.cpp.

#include <cmath>

#include "character/scene.h"
#include "formats/fbx/build.h"
#include "formats/fbx/document.h"
#include "formats/fbx/edit.h"

namespace gvbind {
namespace {

// Readers check the id against the time and the footer; these three values match, and the fixed
// time keeps the output the same in every run.
constexpr std::string_view file_id(
    "\x28\xb3\x2a\xeb\xb6\x24\xcc\xc2\xbf\xc8\xb0\x2a\xa9\x2b\xfc\xf1", 16);
constexpr std::string_view creation_time = "1970-01-01 10:00:00:000";
constexpr std::string_view own_creator = "gvbind";
constexpr std::uint32_t version = 7400;

FbxNode integer_node(std::string_view name, std::int32_t value) {
  return make_node(name, {make_integer(value)});
}

FbxNode header_node() {
  FbxNode stamp = make_node("CreationTimeStamp", {}, {integer_node("Version", 1000)});
  for (const auto& [name, value] : {std::pair("Year", 1970),
                                    {"Month", 1},
                                    {"Day", 1},
                                    {"Hour", 10},
                                    {"Minute", 0},
                                    {"Second", 0},
                                    {"Millisecond", 0}})
    stamp.children.push_back(integer_node(name, value));
  return make_node(
      "FBXHeaderExtension", {},
      {integer_node("FBXHeaderVersion", 1003),
       integer_node("FBXVersion", static_cast<std::int32_t>(version)),
       integer_node("EncryptionType", 0), std::move(stamp), text_node("Creator", own_creator)});
}

/// The axis nearest to a direction, and its sign.
std::pair<int, int> axis_of(const Eigen::Vector3d& direction) {
  Eigen::Index axis = 0;
  direction.cwiseAbs().maxCoeff(&axis);
  return {static_cast<int>(axis), direction[axis] < 0.0 ? -1 : 1};
}

FbxNode settings_node(const Units& units) {
  const auto up = axis_of(units.up);
  const auto front = axis_of(units.front);
  const auto side = axis_of((Eigen::Vector3d::Unit(up.first) * up.second)
                                .cross(Eigen::Vector3d::Unit(front.first) * front.second));
  FbxNode properties = make_node("Properties70", {});
  for (const auto& [name, axis] : {std::pair("Up", up), {"Front", front}, {"Coord", side}}) {
    append_child(properties, integer_entry(std::string(name) + "Axis", axis.first));
    append_child(properties, integer_entry(std::string(name) + "AxisSign", axis.second));
  }
  append_child(properties, number_entry("UnitScaleFactor", units.meters * 100.0));
  append_child(properties, number_entry("OriginalUnitScaleFactor", units.meters * 100.0));
  return make_node("GlobalSettings", {}, {integer_node("Version", 1000), std::move(properties)});
}

FbxNode documents_node(std::int64_t id) {
  FbxNode document = make_node("Document", {make_long(id), make_text("Scene"), make_text("Scene")},
                               {make_node("RootNode", {make_long(0)})});
  return make_node("Documents", {}, {integer_node("Count", 1), std::move(document)});
}

FbxNode definitions_node() {
  FbxNode settings =
      make_node("ObjectType", {make_text("GlobalSettings")}, {integer_node("Count", 1)});
  return make_node("Definitions", {},
                   {integer_node("Version", 100), integer_node("Count", 1), std::move(settings)});
}

std::vector<FbxNode> geometry_nodes(const SceneMesh& mesh) {
  std::vector<std::int32_t> corners, vertices;
  for (const Triangle& triangle : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto vertex = static_cast<std::int32_t>(triangle[k]);
      vertices.push_back(vertex);
      corners.push_back(k == 2 ? ~vertex : vertex);
    }
  std::vector<FbxNode> out = {integer_node("GeometryVersion", 124),
                              vectors_node("Vertices", mesh.positions),
                              make_node("PolygonVertexIndex", {make_array(corners)})};
  if (!mesh.normals.empty()) {
    out.push_back(layer_element("LayerElementNormal", "ByVertice", "Direct"));
    append_child(out.back(), vectors_node("Normals", mesh.normals));
  }
  if (!mesh.texture_coordinates.empty()) {
    out.push_back(layer_element("LayerElementUV", "ByPolygonVertex", "IndexToDirect"));
    append_child(out.back(), vectors_node("UV", mesh.texture_coordinates));
    append_child(out.back(), make_node("UVIndex", {make_array(vertices)}));
  }
  out.push_back(layer_element("LayerElementMaterial", "AllSame", "IndexToDirect"));
  append_child(out.back(), make_node("Materials", {make_array(std::vector<std::int32_t>{0})}));
  FbxNode layer = make_node("Layer", {make_integer(0)}, {integer_node("Version", 100)});
  for (const FbxNode& node : out)
    if (node.name.starts_with("LayerElement"))
      append_child(layer, make_node("LayerElement", {},
                                    {text_node("Type", node.name), integer_node("TypedIndex", 0)}));
  out.push_back(std::move(layer));
  return out;
}

std::vector<FbxNode> material_nodes(const Eigen::Vector4f& color) {
  const auto component = [&](int k) { return make_number(static_cast<double>(color[k])); };
  FbxNode properties = make_node(
      "Properties70", {},
      {property_entry("DiffuseColor", "Color", "", "A", {component(0), component(1), component(2)}),
       property_entry("DiffuseFactor", "Number", "", "A", {make_number(1.0)}),
       property_entry("TransparencyFactor", "Number", "", "A",
                      {make_number(1.0 - static_cast<double>(color[3]))}),
       property_entry("Opacity", "double", "Number", "", {component(3)})});
  return {integer_node("Version", 102), text_node("ShadingModel", "phong"),
          integer_node("MultiLayer", 0), std::move(properties)};
}

void add_mesh(FbxEditor& editor, const SceneMesh& mesh) {
  const std::int64_t geometry = editor.new_id(), model = editor.new_id();
  const std::int64_t material = editor.new_id();
  editor.add_object("Geometry", geometry, mesh.name, "Geometry", "Mesh", geometry_nodes(mesh));
  FbxNode properties = make_node("Properties70", {},
                                 {property_entry("InheritType", "enum", "", "", {make_integer(1)}),
                                  integer_entry("DefaultAttributeIndex", 0)});
  editor.add_object(
      "Model", model, mesh.name, "Model", "Mesh",
      {integer_node("Version", 232), std::move(properties), text_node("Culling", "CullingOff")});
  editor.add_object("Material", material, mesh.name, "Material", "",
                    material_nodes(mesh.color.value_or(Eigen::Vector4f(0.8f, 0.8f, 0.8f, 1.0f))));
  editor.connect(model, 0);
  editor.connect(geometry, model);
  editor.connect(material, model);
}

FbxNode takes_node() { return make_node("Takes", {}, {text_node("Current", "")}); }

/// Prints the document as text that readers recognize as ASCII FBX.
std::vector<std::uint8_t> print_document(const FbxDocument& document) {
  std::string text = "; FBX " + fbx_version_text(document.version) + ".0 project file\n";
  for (const FbxNode& node : document.root.children) {
    // Text cannot hold its bytes, and readers of ASCII files do not need it.
    if (node.name == "FileId") continue;
    text += "\n";
    text += print_ascii_node(node, 0, "\n");
    text += "\n";
  }
  return {text.begin(), text.end()};
}

int time_mode(double rate) {
  for (const auto& [known, mode] : {std::pair(24.0, 11),
                                    {25.0, 10},
                                    {30.0, 6},
                                    {48.0, 5},
                                    {50.0, 4},
                                    {60.0, 3},
                                    {100.0, 2},
                                    {120.0, 1}})
    if (rate == known) return mode;
  return 6;
}

}  // namespace

std::string fbx_version_text(std::uint32_t version) {
  return std::to_string(version / 1000) + "." + std::to_string(version / 100 % 10);
}

FbxNode text_node(std::string_view name, std::string_view value) {
  return make_node(name, {make_text(value)});
}
FbxNode integer_entry(std::string_view name, std::int32_t value) {
  return property_entry(name, "int", "Integer", "", {make_integer(value)});
}
FbxNode number_entry(std::string_view name, double value) {
  return property_entry(name, "double", "Number", "", {make_number(value)});
}

FbxNode layer_element(std::string_view name, std::string_view mapping, std::string_view reference,
                      std::int32_t number) {
  return make_node(name, {make_integer(number)},
                   {integer_node("Version", 101), text_node("Name", ""),
                    text_node("MappingInformationType", mapping),
                    text_node("ReferenceInformationType", reference)});
}

FbxDocument empty_fbx(const Units& units) {
  FbxDocument document;
  document.path = "(new FBX)";
  document.version = version;
  document.footer = make_fbx_footer(version);
  document.root.children = {header_node(),
                            make_node("FileId", {make_bytes(file_id)}),
                            text_node("CreationTime", creation_time),
                            text_node("Creator", own_creator),
                            settings_node(units),
                            documents_node(1000000),
                            make_node("References", {}),
                            definitions_node(),
                            make_node("Objects", {}),
                            make_node("Connections", {}),
                            takes_node()};
  for (const std::string_view name : {"References", "Objects", "Connections"})
    find_child(document.root, name)->null_record = true;
  return document;
}

void set_time_mode(FbxDocument& document, double rate) {
  FbxNode& settings = *find_child(document.root, "GlobalSettings");
  if (FbxNode* properties = find_child(settings, "Properties70"))
    append_child(*properties,
                 property_entry("TimeMode", "enum", "", "", {make_integer(time_mode(rate))}));
}

std::shared_ptr<FbxDocument> finished_fbx(const FbxDocument& document) {
  const bool is_text = document.encoding == FbxEncoding::ascii;
  auto out =
      parse_fbx(is_text ? print_document(document) : write_binary_fbx(document), document.path);
  out->max_memory = document.max_memory;
  out->upgrade = document.upgrade;
  return out;
}

std::shared_ptr<FbxDocument> build_fbx(const Scene& scene, FbxEncoding encoding) {
  FbxDocument document = empty_fbx(scene.units);
  document.encoding = encoding;
  FbxEditor editor(document);
  for (const SceneMesh& mesh : scene.meshes) add_mesh(editor, mesh);
  editor.finish();
  add_joints(document, scene);
  return finished_fbx(document);
}

}  // namespace gvbind
