#include "commands/bind/bind_report.h"

#include <catch2/catch.hpp>

using namespace gvbind;

TEST_CASE("the command to repeat is quoted for a shell") {
  BindSettings settings;
  settings.options.alpha = 0.5;
  settings.selection.meshes = {"Body*", "a b"};
  settings.force = true;
  CHECK(repeat_command("art/it's \xC3\xBC\n.glb", "-out/a.glb", settings) ==
        "gvbind bind 'art/it'\\''s \xC3\xBC\n.glb' -o ./-out/a.glb --force --alpha=0.5 "
        "'--meshes=Body*' '--meshes=a b'");
  CHECK(repeat_command("[a].glb", "b.glb", {}) == "gvbind bind './[a].glb' -o b.glb --force");
}
