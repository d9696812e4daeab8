#include "bind/checked_write.h"

#include <catch2/catch.hpp>

#include "formats/import/samples.h"

using namespace gvbind;
using namespace gvbind::test;
namespace fs = std::filesystem;

namespace {

const std::string one_triangle =
    R"({"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
    R"("accessors":[{"componentType":5126,"count":3,"type":"VEC3"}]})";

/// The error for an output with that text.
std::string read_back_error(ErrorKind kind, const fs::path& folder, const std::string& text,
                            std::uint64_t max_memory,
                            const std::function<void(const Document&)>& compare) {
  const fs::path output = folder / "out.gltf";
  const StagedFiles staged({{"", {text.begin(), text.end()}}}, output);
  ReadBack from{folder / "in.fbx", output, {}};
  from.reading.max_memory = max_memory;
  return error_of(kind, [&] { read_back(staged, from, compare); });
}

constexpr std::uint64_t enough = std::uint64_t{1} << 30;

}  // namespace

TEST_CASE("an output that cannot be read back is a fault of the output", "[write]") {
  const ScratchFolder folder;
  const std::string out = (folder.path() / "out.gltf").string();
  const auto accept = [](const Document&) {};
  CHECK(read_back_error(ErrorKind::output, folder.path(), "{", enough, accept)
            .starts_with(out + ": cannot be read back: "));
  const auto gone = [&](const Document&) {
    fs::remove_all(folder.path());
    throw Error(ErrorKind::input, "no such file");
  };
  CHECK(read_back_error(ErrorKind::output, folder.path(), one_triangle, enough, gone) ==
        out + ": cannot be read back: no such file");
}

TEST_CASE("an output that reads back differently is named", "[write]") {
  const ScratchFolder folder;
  const auto differs = [](const Document&) { throw Error(ErrorKind::output, "has a hole"); };
  CHECK(read_back_error(ErrorKind::output, folder.path(), one_triangle, enough, differs) ==
        (folder.path() / "out.gltf").string() + ": has a hole");
}

TEST_CASE("an output that takes too much memory names the input", "[write]") {
  const ScratchFolder folder;
  const auto take = [](const Document& written) {
    Findings findings;
    scene_of(written, {}, findings);
  };
  const std::string told =
      read_back_error(ErrorKind::resource, folder.path(), one_triangle, 1, take);
  CHECK(told.starts_with((folder.path() / "in.fbx").string() + ": its output cannot be read back"));
  CHECK(told.find(".gvbind-") == std::string::npos);
}
