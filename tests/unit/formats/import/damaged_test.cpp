#include <catch2/catch.hpp>

#include "formats/import/declared_counts.h"
#include "formats/import/import.h"
#include "formats/import/samples.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

/// The error without the path.
std::string import_error(const std::string& name, std::string_view text,
                         const ChildLimits& limits = {}, ErrorKind kind = ErrorKind::input) {
  const ScratchFolder folder;
  const auto path = folder.write(name, text);
  Findings findings;
  const std::string message =
      error_of(kind, [&] { import_scene_within(limits, path, asset_root_of(path), findings); });
  const std::string start = path.string() + ": ";
  REQUIRE(message.starts_with(start));
  return message.substr(start.size());
}

}  // namespace

TEST_CASE("paths that are missing or no files", "[damaged]") {
  const ScratchFolder folder;
  Findings findings;
  const auto message = [&](const std::filesystem::path& path) {
    return error_of(ErrorKind::input, [&] { import_scene(path, findings); });
  };
  const auto missing = folder.path() / "no.obj";
  CHECK(message(missing) == missing.string() + ": No such file or directory");
  std::filesystem::create_directory(folder.path() / "d.obj");
  CHECK(message(folder.path() / "d.obj").ends_with("is not a file"));
  CHECK(message(folder.write("a.txt", "x")).ends_with("unknown format '.txt'"));
  CHECK(message(folder.write("none", "x")).ends_with("unknown format '.'"));
}

TEST_CASE("empty files and garbage are refused in every format", "[damaged]") {
  std::string garbage;
  for (int i = 0; i < 300; ++i) garbage += static_cast<char>(i * 37 + 11);
  for (const char* extension : {"obj", "ply", "stl", "dae", "bvh", "off", "x", "3ds"}) {
    CAPTURE(extension);
    CHECK_FALSE(import_error(std::string("a.") + extension, "").empty());
    CHECK_FALSE(import_error(std::string("a.") + extension, garbage).empty());
  }
}

TEST_CASE("files that make Assimp abort or crash", "[damaged]") {
  const std::string abort = import_error("a.dae", replaced(dae_text, "<v>0 0", "<v>0 9"));
  CHECK(abort == "the reader crashed on it (SIGABRT)");
  // Assimp reads beyond a list here, so the result depends on the allocator.
  const ScratchFolder folder;
  const auto path = folder.write("a.dae", replaced(dae_text, "<v>0 0", "<v>9 0"));
  Findings findings;
  try {
    const Scene scene = import_scene(path, findings);
    CHECK(scene.joints.size() == 3);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    CHECK(std::string(error.what()).starts_with(path.string() + ": "));
  }
}

TEST_CASE("a file that sends Assimp into an endless loop", "[damaged]") {
  ChildLimits limits;
  limits.cpu_seconds = 1;
  const auto endless = []() -> std::vector<std::uint8_t> {
    volatile bool goes_on = true;
    while (goes_on) continue;
    return {};
  };
  CHECK(error_of(ErrorKind::time_limit, [&] { run_in_child(endless, limits); }) ==
        "reading took longer than 1 s and was stopped");
}

TEST_CASE("a header that claims more than its file holds is refused before Assimp works for it",
          "[damaged]") {
  ChildLimits none;
  none.cpu_seconds = 0;  // fails if a child process is needed
  none.wall_seconds = 0;
  const auto refusal = [&](const std::string& name, std::string_view text) {
    return import_error(name, text, none);
  };
  const std::string places = "property float x\nproperty float y\nproperty float z\n";
  const std::string list = "property list uchar int vertex_indices\n";
  CHECK(refusal("a.ply", ply_text.substr(0, ply_text.find("property float z"))) ==
        "damaged or truncated: its header does not end");
  CHECK(refusal("a.ply", "ply\nformat ascii 1.0\nelement vertex 4000000000\n" + places +
                             "end_header\n0 0 0\n") ==
        "damaged or truncated: it claims to hold 4,000,000,000 of 'vertex', for which the 6 bytes "
        "of data are too few");
  CHECK(refusal("a.ply",
                "ply\nformat binary_little_endian 1.0\nelement vertex 99999999999999999999"
                "\nend_header\n")
            .find("of 'vertex'") != std::string::npos);
  CHECK(refusal("a.ply", "ply\r\nformat ascii 1.0\r\nelement vertex 3\r\n" + places +
                             "element face 8\n" + list +
                             "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
            .find("8 of 'face'") != std::string::npos);
  CHECK(refusal("a.off", "OFF\n# counts\n3 4000000000 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
            .find("of 'face'") != std::string::npos);
}

TEST_CASE("counts that a file can just hold are left to Assimp", "[damaged]") {
  const std::string binary =
      "ply\nformat binary_little_endian 1.0\nelement vertex 2\nproperty double x\nproperty short "
      "y\n"
      "element face 3\nproperty list uchar int vertex_indices\nend_header\n";
  const std::size_t least = binary.size() + 2 * 10 + 3;
  CHECK(false_count("ply", binary, least).empty());
  CHECK_FALSE(false_count("ply", binary, least - 2).empty());
  CHECK(false_count("ply", ply_text, ply_text.size()).empty());
  CHECK(false_count("off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2", 35).empty());
  CHECK(false_count("off", "OFF BINARY\n", 11).empty());
  CHECK(false_count("obj", "element vertex 4000000000\n", 26).empty());
}

TEST_CASE("indices out of range and numbers that are none", "[damaged]") {
  CHECK(import_error("a.ply", replaced(ply_text, "4 0 1 2 3", "4 0 1 2 77")) ==
        "mesh '': face 0 names a vertex that does not exist");
  CHECK(import_error("a.obj", "v 0 0 0\nv 1 0 0\nv nan 1 1\nf 1 2 3\n") ==
        "mesh 'defaultobject': vertex 2 is not finite");
  CHECK(import_error("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 9\n") == "OBJ: vertex index out of range");
}

TEST_CASE("truncated files", "[damaged]") {
  CHECK(import_error("a.dae", dae_text.substr(0, dae_text.find("<library_visual"))) ==
        "ends before </COLLADA>");
  CHECK_FALSE(import_error("a.bvh", bvh_text.substr(0, bvh_text.find("JOINT Leg"))).empty());
  // Whatever Assimp does, there is a scene or an error in time.
  ChildLimits limits;
  limits.cpu_seconds = 1;
  for (std::size_t size = 40; size < stl_text.size(); size += 60) {
    const ScratchFolder folder;
    const auto path = folder.write("a.stl", std::string_view(stl_text).substr(0, size));
    Findings findings;
    try {
      const Scene scene = import_scene_within(limits, path, asset_root_of(path), findings);
      CHECK_FALSE(scene.meshes.empty());
    } catch (const Error& error) {
      CHECK((error.kind() == ErrorKind::input || error.kind() == ErrorKind::resource ||
             error.kind() == ErrorKind::time_limit));
    }
  }
}

TEST_CASE("files with nothing to use", "[damaged]") {
  CHECK_FALSE(import_error("a.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n").empty());
}
