#include "io/read_options.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "formats/import/import.h"
#include "formats/import/samples.h"
#include "support/scratch_folder.h"

using namespace gvbind;
using namespace gvbind::test;
namespace fs = std::filesystem;

namespace {

std::string refusal(const AssetRoot& root, const fs::path& path) {
  return error_of(ErrorKind::input, [&] { read_file_under(root, path); });
}

bool is_outside(const AssetRoot& root, const fs::path& path) {
  return refusal(root, path) == outside_text(root) && !lies_under(root, path);
}

}  // namespace

TEST_CASE("a file is read only where it really lies under the root") {
  const ScratchFolder folder;
  folder.write("art/hero/a.bin", "a");
  folder.write("art/b.bin", "b");
  folder.write("art_secret/c.bin", "c");
  const fs::path hero = folder.path() / "art/hero";
  const AssetRoot root = asset_root_of(hero / "hero.gltf");
  CHECK(read_file_under(root, hero / "a.bin").size() == 1);
  CHECK(read_file_under(root, hero / "../hero/./a.bin").size() == 1);
  CHECK(is_outside(root, hero / "../b.bin"));
  CHECK(is_outside(root, folder.path() / "art/b.bin"));
  CHECK(is_outside(root, "/dev/zero"));
  CHECK(is_outside(root, "/proc/self/environ"));
  CHECK_FALSE(lies_under(root, hero / "../none/../../none.bin"));

  const AssetRoot wider = asset_root_of(hero / "hero.gltf", folder.path() / "art");
  CHECK(read_file_under(wider, hero / "../b.bin").size() == 1);
  // A folder whose name merely starts with the root's name is outside.
  CHECK(is_outside(wider, hero / "../../art_secret/c.bin"));
}

TEST_CASE("a link counts as the file that it leads to") {
  const ScratchFolder folder;
  folder.write("art/real.bin", "a");
  folder.write("out/secret.bin", "s");
  const fs::path art = folder.path() / "art";
  fs::create_symlink("../out/secret.bin", art / "leads_out.bin");
  fs::create_directory_symlink("../out", art / "folder");
  fs::create_symlink("real.bin", art / "stays.bin");
  fs::create_symlink(art / "real.bin", folder.path() / "out/leads_in.bin");
  const AssetRoot root = asset_root_of(art / "hero.gltf");
  CHECK(is_outside(root, art / "leads_out.bin"));
  CHECK(is_outside(root, art / "folder/secret.bin"));
  CHECK(read_file_under(root, art / "stays.bin").size() == 1);
  CHECK(read_file_under(root, folder.path() / "out/leads_in.bin").size() == 1);

  // The root may be reached through links, and the document may be a link: then its own folder
  // counts.
  fs::create_directory_symlink("art", folder.path() / "way");
  fs::create_symlink("../out/hero.gltf", art / "hero.gltf");
  CHECK(read_file_under(asset_root_of(folder.path() / "way/hero.gltf"), art / "real.bin").size() ==
        1);
  CHECK(is_outside(asset_root_of(art / "hero.gltf"), folder.path() / "out/secret.bin"));
}

TEST_CASE("only regular files are opened, so that a pipe does not block") {
  const ScratchFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const AssetRoot root = asset_root_of(folder.path() / "hero.gltf");
  CHECK(refusal(root, pipe) == "is not a regular file");
  CHECK(refusal(root, folder.path()) == "is a folder");
  CHECK(refusal(root, folder.path() / "none") == "cannot be opened: No such file or directory");
  CHECK(refusal(asset_root_of("/dev/hero.gltf"), "/dev/zero") == "is not a regular file");
}

TEST_CASE("Assimp opens nothing outside the root") {
  const ScratchFolder folder;
  const std::string box =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl red\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const std::string material = "newmtl red\nKd 1 0 0\n";
  folder.write("art/inside/red.mtl", material);
  folder.write("secret.mtl", material);
  Findings findings;
  const auto read = [&](const std::string& library, const ReadOptions& options = {}) {
    return import_scene(folder.write("art/a.obj", "mtllib " + library + "\n" + box), findings,
                        options);
  };
  const Scene colored = read("inside/red.mtl");
  REQUIRE(colored.meshes.at(0).color);
  CHECK(colored.meshes[0].color->x() == 1.0f);
  CHECK(colored.sidecars == std::vector<std::string>{"inside/red.mtl"});

  fs::create_symlink("../secret.mtl", folder.path() / "art/link.mtl");
  for (const std::string& leak : {std::string("../secret.mtl"), std::string("link.mtl")}) {
    CAPTURE(leak);
    const std::string message = error_of(ErrorKind::input, [&] { read(leak); });
    CHECK(message.find("lies outside") != std::string::npos);
    CHECK(message.find(fs::path(leak).filename().string()) != std::string::npos);
    CHECK(message.find("--asset-root") != std::string::npos);
  }
  ReadOptions wider;
  wider.root = asset_root_of(folder.path() / "art/a.obj", folder.path());
  CHECK(read("../secret.mtl", wider).meshes.at(0).color->x() == 1.0f);
  // A missing file only means a missing material, as without a root.
  CHECK(read("../none.mtl").meshes.size() == 1);
  for (const std::string& sidecar : read("../none.mtl").sidecars)
    CHECK_FALSE(sidecar.starts_with(".."));

  REQUIRE(mkfifo((folder.path() / "art/pipe.mtl").c_str(), 0600) == 0);
  CHECK(read("pipe.mtl").meshes.size() == 1);
}
