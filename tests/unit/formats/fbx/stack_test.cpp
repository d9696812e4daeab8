#include "formats/fbx/stack.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "formats/fbx/samples.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

constexpr long long second = 46186158000;
constexpr int model = 1, stack = 2;

std::string number_text(const std::string& name, double value) {
  return "\t\t\tP: \"" + name + "\", \"Number\", \"\", \"A\"," + std::to_string(value) + "\n";
}

std::string object_text(const std::string& kind, int id, const std::string& properties = "") {
  return "\t" + kind + ": " + std::to_string(id) + ", \"" + kind +
         "::\", \"\" {\n\t\tProperties70:  {\n" + properties + "\t\t}\n\t}\n";
}

/// A linear curve from 0 s to 1 s.
std::string ramp_text(int id, double from, double to) {
  return "\tAnimationCurve: " + std::to_string(id) +
         ", \"AnimCurve::\", \"\" {\n\t\tKeyTime: *2 {\n\t\t\ta: 0," + std::to_string(second) +
         "\n\t\t}\n\t\tKeyValueFloat: *2 {\n\t\t\ta: " + std::to_string(from) + "," +
         std::to_string(to) + "\n\t\t}\n\t}\n";
}

std::string property_link(int child, int parent, const std::string& property) {
  return "\tC: \"OP\"," + std::to_string(child) + "," + std::to_string(parent) + ", \"" + property +
         "\"\n";
}

/// A stack with layers that animate one model; ids start at 10.
struct Layered {
  std::string objects, links, model_properties;
  int last = 9;

  int layer(const std::string& properties = "") {
    objects += object_text("AnimationLayer", ++last, properties);
    links += link_text(last, stack);
    return last;
  }
  /// Adds curves for the axes named in `axes`; `constants` are the values of the curve node itself.
  void move(int layer, const std::string& property, const std::string& axes,
            const std::vector<std::pair<double, double>>& ramps, const std::string& constants = "",
            int target = model) {
    const int node = ++last;
    objects += object_text("AnimationCurveNode", node, constants);
    links += link_text(node, layer) + property_link(node, target, property);
    for (std::size_t i = 0; i < axes.size(); ++i) {
      objects += ramp_text(++last, ramps[i].first, ramps[i].second);
      links += property_link(last, node, std::string("d|") + axes[i]);
    }
  }
  FbxStack read() const {
    const auto document = parse_text(text());
    return read_stack(objects_of(*document), property_links(*document), stack);
  }
  /// The model's transform at a time.
  FbxTransform at(double seconds, FbxTransform transform = {}) const {
    place_transform(read(), model, seconds, transform);
    return transform;
  }
  std::string text() const {
    return ascii_text(model_text(model, "box", "Mesh", model_properties) +
                          object_text("AnimationStack", stack) + objects,
                      link_text(model, 0) + links);
  }
};

constexpr const char *translation = "Lcl Translation", *rotation = "Lcl Rotation",
                     *scaling = "Lcl Scaling";

std::string blend(int mode, double weight = 100.0) {
  return number_text("BlendMode", mode) + number_text("Weight", weight);
}

Eigen::Matrix3d turned(const FbxTransform& transform) {
  return fbx_rotation(transform.rotation, transform.rotation_active ? transform.rotation_order : 0);
}

}  // namespace

TEST_CASE("a layer adds to the one below as far as its weight goes") {
  Layered scene;
  scene.move(scene.layer(), translation, "XYZ", {{1, 3}, {0, 0}, {5, 5}});
  scene.move(scene.layer(blend(0, 50)), translation, "XYZ", {{10, 20}, {4, 4}, {0, 0}});
  CHECK(scene.at(0.5).translation.isApprox(Eigen::Vector3d(2 + 7.5, 2, 5)));
}

TEST_CASE("a layer that overrides replaces the one below, or a fraction of its value") {
  for (const auto& [mode, expected] : {std::pair(1, 10.0), std::pair(2, 0.75 * 2 + 0.25 * 10)}) {
    Layered scene;
    scene.move(scene.layer(), translation, "XYZ", {{2, 2}, {0, 0}, {0, 0}});
    scene.move(scene.layer(blend(mode, 25)), translation, "XYZ", {{10, 10}, {0, 0}, {0, 0}});
    CHECK(scene.at(0.5).translation.x() == Approx(expected));
  }
}

TEST_CASE("the weight of a layer has curves too") {
  Layered scene;
  scene.move(scene.layer(), translation, "XYZ", {{2, 2}, {0, 0}, {0, 0}});
  const int above = scene.layer(blend(0));
  scene.move(above, translation, "XYZ", {{10, 10}, {0, 0}, {0, 0}});
  scene.move(above, "Weight", "X", {{0, 100}}, "", above);
  CHECK(scene.at(0).translation.x() == Approx(2));
  CHECK(scene.at(0.25).translation.x() == Approx(4.5));
  CHECK(scene.at(1).translation.x() == Approx(12));
}

TEST_CASE("scales of layers multiply unless they are said to add") {
  for (const bool adds : {false, true}) {
    Layered scene;
    scene.move(scene.layer(), scaling, "XYZ", {{2, 2}, {1, 1}, {1, 1}});
    scene.move(scene.layer(blend(0, 50) + number_text("ScaleAccumulationMode", adds ? 1 : 0)),
               scaling, "XYZ", {{9, 9}, {1, 1}, {4, 4}});
    const Eigen::Vector3d expected = adds ? Eigen::Vector3d(6.5, 1.5, 3) : Eigen::Vector3d(6, 1, 2);
    CHECK(scene.at(0.5).scaling.isApprox(expected));
  }
}

TEST_CASE("rotations of layers follow each other in every order of angles, unless angles add") {
  for (int order = 0; order < 6; ++order) {
    FbxTransform below;
    below.rotation_active = true;
    below.rotation_order = order;
    Layered scene;
    scene.move(scene.layer(), rotation, "XYZ", {{20, 20}, {-50, -50}, {70, 70}});
    scene.move(scene.layer(blend(0)), rotation, "XYZ", {{30, 30}, {10, 10}, {-40, -40}});
    const Eigen::Matrix3d expected =
        fbx_rotation({20, -50, 70}, order) * fbx_rotation({30, 10, -40}, order);
    CHECK(turned(scene.at(0.5, below)).isApprox(expected, 1e-9));
  }
  Layered scene;
  scene.move(scene.layer(), rotation, "XYZ", {{20, 20}, {-50, -50}, {70, 70}});
  scene.move(scene.layer(blend(0) + number_text("RotationAccumulationMode", 1)), rotation, "XYZ",
             {{30, 30}, {10, 10}, {-40, -40}});
  CHECK(scene.at(0.5).rotation.isApprox(Eigen::Vector3d(50, -40, 30)));
}

TEST_CASE("a share of a turn goes the short way around") {
  Layered scene;
  scene.move(scene.layer(), rotation, "XYZ", {{0, 0}, {0, 0}, {10, 10}});
  scene.move(scene.layer(blend(2, 50)), rotation, "XYZ", {{0, 0}, {0, 0}, {350, 350}});
  CHECK(turned(scene.at(0.5)).isApprox(Eigen::Matrix3d::Identity(), 1e-9));
}

TEST_CASE("muted layers do not count, and beside one that is solo only that one") {
  for (const bool mutes : {true, false}) {
    Layered scene;
    scene.move(scene.layer(), translation, "XYZ", {{2, 2}, {0, 0}, {0, 0}});
    scene.move(scene.layer(mutes ? number_text("Mute", 1) : ""), translation, "XYZ",
               {{10, 10}, {0, 0}, {0, 0}});
    scene.move(scene.layer(mutes ? "" : number_text("Solo", 1)), translation, "XYZ",
               {{100, 100}, {0, 0}, {0, 0}});
    CHECK(scene.at(0.5).translation.x() == Approx(mutes ? 102 : 100));
  }
}

TEST_CASE("an axis without a curve stands at its curve node's value, or where it was") {
  Layered scene;
  scene.move(scene.layer(), translation, "X", {{0, 2}}, number_text("d|Y", 7));
  FbxTransform below;
  below.translation = {5, 5, 5};
  CHECK(scene.at(0.5, below).translation.isApprox(Eigen::Vector3d(1, 7, 5)));
  scene.move(scene.layer(blend(0)), translation, "", {}, number_text("d|Z", 4));
  CHECK(scene.at(0.5, below).translation.isApprox(Eigen::Vector3d(1, 7, 9)));
}

TEST_CASE("curves of unsupported properties are listed by name") {
  Layered scene;
  const int layer = scene.layer();
  scene.move(layer, translation, "X", {{0, 2}});
  scene.move(layer, "Visibility", "X", {{1, 0}});
  scene.move(layer, "FieldOfView", "", {});
  CHECK(scene.read().other_properties == std::set<std::string>{"Visibility"});
  CHECK(scene.read().find(model, rotation) == nullptr);
}

TEST_CASE("curves that leave a property at its value are no loss") {
  Layered scene;
  const int layer = scene.layer();
  scene.move(layer, "Visibility", "X", {{1, 1}});
  CHECK(scene.read().other_properties.empty());
}
