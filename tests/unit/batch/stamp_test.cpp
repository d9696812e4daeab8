#include "batch/stamp.h"

#include <fstream>
#include <utility>

#include <catch2/catch.hpp>

#include "formats/import/samples.h"

using namespace gvbind;
using namespace gvbind::test;
namespace fs = std::filesystem;

namespace {

/// A bound asset: an input with a buffer and a missing material, a skeleton, an output with a
/// buffer.
struct Bound {
  ScratchFolder folder;
  AssetFiles files;
  Stamp stamp;

  Bound() {
    for (const char* sub : {"in", "rigs", "out"}) fs::create_directory(folder.path() / sub);
    files = {folder.write("in/a.gltf", "input"), folder.write("rigs/r.bvh", "skeleton"),
             folder.write("out/a.gltf", "output")};
    folder.write("in/a.bin", "buffer");
    folder.write("out/a.bin", "new buffer");
    stamp.status = "done";
    stamp.key = "version 1\nalpha=0.1\nresolution=256\n";
    stamp.worst = "warning";
    stamp.inputs = {{"input", "", read_content(files.input)},
                    {"input", "a.bin", read_content(folder.path() / "in/a.bin")},
                    {"input", "gone.png", std::nullopt},
                    {"skeleton", "", read_content(files.skeleton)}};
    stamp.outputs = {{"a.gltf", *read_content(files.output)},
                     {"a.bin", *read_content(folder.path() / "out/a.bin")}};
    stamp.entry = R"({"name":"a.gltf"})";
    write_stamp(files.output, stamp);
  }
  std::string why(const std::string& key) const {
    return why_stale(read_stamp(files.output), key, files);
  }
  std::string why() const { return why(stamp.key); }
};

}  // namespace

TEST_CASE("a stamp comes back as it was written, beside the output") {
  const Bound b;
  CHECK(stamp_path(b.files.output) == b.folder.path() / "out/.gvbind/a.gltf.stamp");
  CHECK(fs::exists(stamp_path(b.files.output)));
  const auto stamp = read_stamp(b.files.output);
  REQUIRE(stamp);
  CHECK(stamp->status == "done");
  CHECK(stamp->key == b.stamp.key);
  CHECK(stamp->worst == "warning");
  CHECK(stamp->entry == b.stamp.entry);
  REQUIRE(stamp->inputs.size() == 4);
  CHECK(stamp->inputs[1].content == b.stamp.inputs[1].content);
  CHECK_FALSE(stamp->inputs[2].content);
  CHECK(stamp->outputs[1].content == b.stamp.outputs[1].content);
  CHECK(b.why().empty());
}

TEST_CASE("a stamp holds for a copy elsewhere, with new times") {
  Bound b;
  const ScratchFolder other;
  fs::copy(b.folder.path(), other.path(), fs::copy_options::recursive);
  b.files = {other.path() / "in/a.gltf", other.path() / "rigs/r.bvh", other.path() / "out/a.gltf"};
  fs::last_write_time(b.files.input, fs::file_time_type::clock::now() + std::chrono::hours(1));
  CHECK(b.why().empty());
}

TEST_CASE("whatever changes makes an asset stale, and the reason names it") {
  Bound b;
  const fs::path folder = b.folder.path();
  SECTION("the input") {
    b.folder.write("in/a.gltf", "inpuT");
    CHECK(b.why() == "changed: " + (folder / "in/a.gltf").string());
  }
  SECTION("a sidecar") {
    b.folder.write("in/a.bin", "Buffer");
    CHECK(b.why() == "changed: " + (folder / "in/a.bin").string());
  }
  SECTION("a sidecar that was missing") {
    b.folder.write("in/gone.png", "");
    CHECK(b.why() == "changed: " + (folder / "in/gone.png").string());
  }
  SECTION("the skeleton") {
    b.folder.write("rigs/r.bvh", "other");
    CHECK(b.why() == "changed: " + (folder / "rigs/r.bvh").string());
  }
  SECTION("a skeleton that is no longer given, or was not") {
    const fs::path skeleton = std::exchange(b.files.skeleton, fs::path());
    CHECK(b.why() == "changed: skeleton");
    b.stamp.inputs.pop_back();
    write_stamp(b.files.output, b.stamp);
    CHECK(b.why().empty());
    b.files.skeleton = skeleton;
    CHECK(b.why() == "changed: skeleton");
  }
  SECTION("an output") {
    b.folder.write("out/a.bin", "edited");
    CHECK(b.why() == "output changed: a.bin");
  }
  SECTION("an output that is gone") {
    fs::remove(folder / "out/a.gltf");
    CHECK(b.why() == "output changed: a.gltf");
  }
  SECTION("a setting") {
    CHECK(b.why("version 1\nalpha=0.3\nresolution=256\n") == "changed: alpha");
    CHECK(b.why("version 2\nalpha=0.1\nresolution=128\n") == "changed: resolution, version");
  }
  SECTION("a failure is tried again") {
    b.stamp.status = "failed";
    write_stamp(b.files.output, b.stamp);
    CHECK(b.why() == "failed before");
  }
  SECTION("no stamp, or a damaged one") {
    for (const char* text : {"", "{", "[]\n", "{\"stamp\":2}\n", "{\"stamp\":1,\"status\":3}\n"}) {
      b.folder.write("out/.gvbind/a.gltf.stamp", text);
      CHECK(b.why() == "new");
    }
    fs::remove(stamp_path(b.files.output));
    CHECK(b.why() == "new");
  }
}
