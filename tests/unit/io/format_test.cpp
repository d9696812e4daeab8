#include "io/format.h"

#include <catch2/catch.hpp>

using namespace gvbind;

TEST_CASE("the extension names a format, in any case") {
  CHECK(format_of_name("a.gltf") == Format::gltf);
  CHECK(format_of_name("in.fbx/a.GLB") == Format::glb);
  CHECK(format_of_name("a.b.Vrm") == Format::vrm);
  CHECK(format_of_name("a.fbx") == Format::fbx);
  for (const char* name : {"a.obj", "fbx", ".glb", "a.glb.", "a.glb2", ""})
    CHECK(format_of_name(name) == Format::other);
}

TEST_CASE("VRM is a glTF") {
  for (const Format format : {Format::gltf, Format::glb, Format::vrm}) CHECK(is_gltf(format));
  for (const Format format : {Format::fbx, Format::other}) CHECK(!is_gltf(format));
}
