#pragma once

#include <string>
#include <vector>

#include "formats/fbx/edit.h"
#include "samples.h"

namespace gvbind::test {

/// Builds documents of 6.1. In binary files letters are characters, in text they are words.
struct OldFile {
  FbxEncoding encoding = FbxEncoding::binary;
  FbxNode objects = make_node("Objects", {}), connections = make_node("Connections", {}),
          takes = make_node("Takes", {}, {make_node("Current", {make_text("Walk")})});

  FbxProperty letter(char c) const {
    FbxProperty out;
    out.type = encoding == FbxEncoding::binary ? 'C' : 'n';
    out.data = std::string(1, c);
    return out;
  }
  static FbxProperty full_name(const std::string& name, const std::string& object_class) {
    return make_text(name + std::string("\0\1", 2) + object_class);
  }
  FbxNode& add(const std::string& kind, const std::string& name, const std::string& type,
               std::vector<FbxNode> children, const std::string& object_class = "") {
    append_child(objects, make_node(kind,
                                    {full_name(name, object_class.empty() ? kind : object_class),
                                     make_text(type)},
                                    std::move(children)));
    return objects.children.back();
  }
  void connect(const FbxProperty& child, const FbxProperty& parent,
               const std::string& property = "") {
    FbxNode link = make_node("Connect", {make_text(property.empty() ? "OO" : "OP"), child, parent});
    if (!property.empty()) link.properties.push_back(make_text(property));
    append_child(connections, std::move(link));
  }
  std::vector<std::uint8_t> bytes() const {
    FbxDocument document;
    document.version = 6100;
    document.footer = make_fbx_footer(document.version);
    document.root.children = {
        make_node("FBXHeaderExtension", {}, {make_node("FBXVersion", {make_integer(6100)})}),
        objects, connections, takes};
    if (encoding == FbxEncoding::binary) return write_binary_fbx(document);
    std::string text = "; FBX 6.1.0 project file\n";
    for (const FbxNode& node : document.root.children)
      text += print_ascii_node(node, 0, "\n") + "\n";
    return {text.begin(), text.end()};
  }
  std::shared_ptr<FbxDocument> read(const ReadOptions& options = {}) const {
    return parse_fbx(bytes(), "sample.fbx", options);
  }
};

inline FbxNode property_60(std::string_view name, std::string_view type, std::string_view flags,
                           std::vector<FbxProperty> values) {
  std::vector<FbxProperty> all = {make_text(name), make_text(type), make_text(flags)};
  all.insert(all.end(), values.begin(), values.end());
  return make_node("Property", std::move(all));
}

inline FbxNode translation_60(double x, double y, double z) {
  return make_node("Properties60", {},
                   {property_60("Lcl Translation", "Lcl Translation", "A+",
                                {make_number(x), make_number(y), make_number(z)}),
                    property_60("Size", "double", "", {make_number(7.0)}),
                    property_60("Nickname", "KString", "U", {make_text("bob")})});
}

inline FbxNode numbers_60(const std::string& name, const std::vector<double>& values) {
  FbxNode out = make_node(name, {});
  for (const double value : values) out.properties.push_back(make_number(value));
  return out;
}

inline FbxNode integers_60(const std::string& name, const std::vector<std::int32_t>& values) {
  FbxNode out = make_node(name, {});
  for (const std::int32_t value : values) out.properties.push_back(make_integer(value));
  return out;
}

inline std::vector<FbxNode> tetrahedron_60(double x = 0.0) {
  return {make_node("Version", {make_integer(232)}), translation_60(x, 0, 0),
          numbers_60("Vertices", {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}),
          integers_60("PolygonVertexIndex", {0, 2, -2, 0, 1, -4, 0, 3, -3, 1, 2, -4})};
}

inline FbxNode matrix_60(const std::string& name, const Eigen::Affine3d& matrix) {
  return numbers_60(name, {matrix.matrix().data(), matrix.matrix().data() + 16});
}

inline const FbxProperty scene = OldFile::full_name("Scene", "Model");

inline FbxProperty model(const std::string& name) { return OldFile::full_name(name, "Model"); }

/// A tetrahedron with a skin of two joints.
inline OldFile skinned_file(FbxEncoding encoding) {
  OldFile file{encoding};
  file.add("Model", "Body", "Mesh", tetrahedron_60());
  file.add("Model", "Hip", "LimbNode", {translation_60(0, 2, 0)});
  file.add("Model", "Knee", "LimbNode", {translation_60(0, -1, 0)});
  file.add("Model", "Producer Top", "Camera", {translation_60(0, 4000, 0)});
  file.add("Deformer", "Skin Body", "Skin", {make_node("Version", {make_integer(100)})});
  file.connect(model("Body"), scene);
  file.connect(model("Hip"), scene);
  file.connect(model("Knee"), model("Hip"));
  file.connect(OldFile::full_name("Skin Body", "Deformer"), model("Body"));
  double height = 2.0;
  for (const std::string joint : {"Hip", "Knee"}) {
    const Eigen::Affine3d link = moved(0, height, 0);
    height -= 1.0;
    file.add("Deformer", "Cluster " + joint, "Cluster",
             {integers_60("Indexes", joint == "Hip" ? std::vector{0, 1} : std::vector{2, 3}),
              numbers_60("Weights", {1.0, 1.0}), matrix_60("Transform", link.inverse()),
              matrix_60("TransformLink", link)},
             "SubDeformer");
    file.connect(OldFile::full_name("Cluster " + joint, "SubDeformer"),
                 OldFile::full_name("Skin Body", "Deformer"));
    file.connect(model(joint), OldFile::full_name("Cluster " + joint, "SubDeformer"));
  }
  return file;
}

inline FbxNode channel(const std::string& name, std::vector<FbxNode> children) {
  return make_node("Channel", {make_text(name)}, std::move(children));
}

/// A take that moves Body along x by `count` keys.
inline FbxNode take_of(std::vector<FbxProperty> keys, std::int32_t count) {
  FbxNode x = channel(
      "X", {make_node("Default", {make_number(0.0)}), make_node("KeyVer", {make_integer(4005)}),
            make_node("KeyCount", {make_integer(count)}), make_node("Key", std::move(keys))});
  return make_node("Take", {make_text("Walk")},
                   {make_node("FileName", {make_text("Walk.tak")}),
                    make_node("LocalTime", {make_long(0), make_long(46186158000 * 3)}),
                    make_node("Model", {model("Body")},
                              {channel("Transform", {channel("T", {std::move(x)})})})});
}

inline FbxProperty second(int number) { return make_long(46186158000 * number); }

/// Linear and constant keys, and keys with the slopes of a user and automatic ones.
inline FbxNode mixed_take(const OldFile& file) {
  const auto at = [&](char c) { return file.letter(c); };
  return take_of({second(0),      make_number(0),  at('L'),                           //
                  second(1),      make_number(10), at('C'), at('s'),                  //
                  second(2),      make_number(20), at('C'), at('n'),                  //
                  second(3),      make_number(30), at('U'), at('s'), make_number(0),  //
                  make_number(0), at('n'),                                            //
                  second(4),      make_number(40), at('U'), at('a'), at('n')},
                 5);
}

}  // namespace gvbind::test
