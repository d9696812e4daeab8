#include "io/atomic_write.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <set>

#include "formats/import/samples.h"
#include "io/encoded_file.h"
#include "io/staging_cleanup.h"

using namespace gvbind;
using namespace gvbind::test;
namespace fs = std::filesystem;

namespace {

EncodedFile file(const std::string& relative, const std::string& text) {
  return {relative, {text.begin(), text.end()}};
}

/// Everything below the folder, including hidden files.
std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    names.insert(fs::relative(entry.path(), folder).string());
  return names;
}

std::string write_error(const std::vector<EncodedFile>& files, const fs::path& path,
                        const WriteOptions& options = {}) {
  const std::string message =
      error_of(ErrorKind::output, [&] { write_files(files, path, options); });
  const std::string start = path.string() + ": ";
  REQUIRE(message.starts_with(start));
  return message.substr(start.size());
}

using Names = std::set<std::string>;

}  // namespace

TEST_CASE("an output appears with its sidecars and nothing else", "[write]") {
  const ScratchFolder folder;
  const auto path = folder.path() / "a.gltf";
  {
    StagedFiles staged({file("", "main"), file("a.bin", "buffer"), file("tex/b.png", "image")},
                       path);
    CHECK_FALSE(fs::exists(path));
    const fs::path main = staged.staged_main();
    CHECK(main.filename() == "a.gltf");
    CHECK(main.parent_path().parent_path() == folder.path());
    CHECK(main.parent_path().filename().string().starts_with(".gvbind-"));
    CHECK(read_text(main) == "main");
    CHECK(read_text(main.parent_path() / "a.bin") == "buffer");
    CHECK(read_text(main.parent_path() / "tex/b.png") == "image");
    staged.commit();
    CHECK(staged.staged_main() == path);
  }
  CHECK((names_in(folder.path()) == Names{"a.gltf", "a.bin", "tex", "tex/b.png"}));
  CHECK(read_text(path) == "main");
  CHECK(read_text(folder.path() / "tex/b.png") == "image");
}

TEST_CASE("an uncommitted output leaves nothing", "[write]") {
  const ScratchFolder folder;
  {
    const StagedFiles staged({file("", "main"), file("x/y/z.bin", "buffer")},
                             folder.path() / "new/deep/a.gltf",
                             {.overwrite = false, .create_directories = true});
    CHECK(fs::exists(folder.path() / "new/deep"));
  }
  CHECK(names_in(folder.path()).empty());
}

TEST_CASE("remains of killed processes are removed by the next run, folders of live ones stay",
          "[write]") {
  const ScratchFolder folder;
  const auto path = folder.path() / "a.glb";
  const WriteOptions options = {.overwrite = true, .staging_name = "mine"};
  folder.write("elsewhere/deep/precious", "kept");
  folder.write(".gvbind-mine/dead/deep/old", "half");
  folder.write(".gvbind-other/dead/old", "half");
  fs::create_directory_symlink(folder.path() / "elsewhere", folder.path() / ".gvbind-mine/link");
  {
    StagedFiles living({file("", "first")}, path, options);
    CHECK_FALSE(fs::exists(folder.path() / ".gvbind-mine/dead"));
    StagedFiles next({file("", "second")}, path, options);
    CHECK(living.staged_main().parent_path().parent_path() == folder.path() / ".gvbind-mine");
    CHECK(living.staged_main() != next.staged_main());
    CHECK(read_text(living.staged_main()) == "first");
    next.commit();
    CHECK(read_text(path) == "second");
    living.commit();
  }
  CHECK(read_text(path) == "first");
  CHECK(read_text(folder.path() / "elsewhere/deep/precious") == "kept");
  CHECK(read_text(folder.path() / ".gvbind-other/dead/old") == "half");
}

TEST_CASE("a link in the place of the folders of an output is not followed", "[write]") {
  const ScratchFolder folder;
  folder.write("elsewhere/deep/precious", "kept");
  fs::create_directory_symlink(folder.path() / "elsewhere", folder.path() / ".gvbind-mine");
  write_files({file("", "main")}, folder.path() / "a.glb", {.staging_name = "mine"});
  CHECK(names_in(folder.path()) ==
        Names{"a.glb", "elsewhere", "elsewhere/deep", "elsewhere/deep/precious"});
}

TEST_CASE("a relative path without folder", "[write]") {
  const ScratchFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  write_files({file("", "main"), file("s.bin", "side")}, "a.glb");
  fs::current_path(before);
  CHECK((names_in(folder.path()) == Names{"a.glb", "s.bin"}));
}

TEST_CASE("existing files", "[write]") {
  const ScratchFolder folder;
  const auto path = folder.write("a.glb", "old");
  CHECK(write_error({file("", "new")}, path) == "exists already");
  CHECK(read_text(path) == "old");
  CHECK(chmod(path.c_str(), 0640) == 0);
  write_files({file("", "new")}, path, {.overwrite = true});
  CHECK(read_text(path) == "new");
  CHECK((fs::status(path).permissions() == static_cast<fs::perms>(0640)));

  folder.write("tex.png", "image");
  const auto other = folder.path() / "b.gltf";
  CHECK(write_error({file("", "b"), file("tex.png", "another")}, other) ==
        "its sidecar 'tex.png' exists already");
  // Characters may share textures.
  write_files({file("", "b"), file("tex.png", "image")}, other);
  CHECK(read_text(other) == "b");
  write_files({file("", "c"), file("tex.png", "another")}, other, {.overwrite = true});
  CHECK(read_text(folder.path() / "tex.png") == "another");
  CHECK((names_in(folder.path()) == Names{"a.glb", "b.gltf", "tex.png"}));
}

TEST_CASE("a file that appears between staging and commit is not overwritten", "[write]") {
  const ScratchFolder folder;
  const auto path = folder.path() / "a.gltf";
  StagedFiles staged({file("", "main"), file("side/a.bin", "buffer")}, path);
  folder.write("a.gltf", "other's");
  CHECK(error_of(ErrorKind::output, [&] { staged.commit(); }) ==
        path.string() + ": exists already");
  CHECK(read_text(path) == "other's");
  CHECK((names_in(folder.path()) == Names{"a.gltf"}));
}

TEST_CASE("a file that has to stay is not overwritten", "[write]") {
  const ScratchFolder folder;
  const auto path = folder.write("a.gltf", "old main");
  folder.write("a.bin", "old buffer");
  folder.write("same.bin", "same");
  std::set<std::string> asked;
  std::string kept;
  const WriteOptions options = {.overwrite = true, .why_keep = [&](const std::string& relative) {
                                  asked.insert(relative);
                                  return relative == kept ? "is precious" : "";
                                }};
  const std::vector<EncodedFile> files = {file("", "main"), file("a.bin", "buffer"),
                                          file("same.bin", "same"), file("new.bin", "new")};
  for (const char* one : {"", "a.bin"}) {
    kept = one;
    CHECK(write_error(files, path, options) == "is precious");
    CHECK(read_text(path) == "old main");
    CHECK(read_text(folder.path() / "a.bin") == "old buffer");
    CHECK((names_in(folder.path()) == Names{"a.gltf", "a.bin", "same.bin"}));
  }
  kept = "none";
  asked.clear();
  write_files(files, path, options);
  CHECK(asked == Names{"", "a.bin"});
  CHECK(read_text(path) == "main");
}

TEST_CASE("a file that is saved at the last moment is put back", "[write]") {
  const ScratchFolder folder;
  const auto path = folder.write("a.gltf", "old main");
  folder.write("a.bin", "old buffer");
  int asked = 0;
  const WriteOptions options = {.overwrite = true, .why_keep = [&](const std::string& relative) {
                                  // The first call is for staging; after the second one, only
                                  // renaming remains.
                                  if (relative.empty() && ++asked == 2)
                                    folder.write("a.gltf", "saved just now");
                                  return "";
                                }};
  CHECK(write_error({file("", "main"), file("a.bin", "buffer")}, path, options) ==
        "was saved by another process while it was written, and is kept");
  CHECK(asked == 2);
  CHECK(read_text(path) == "saved just now");
  CHECK(read_text(folder.path() / "a.bin") == "old buffer");
  CHECK((names_in(folder.path()) == Names{"a.gltf", "a.bin"}));
}

TEST_CASE("a file that gets the same bytes at the last moment is no loss", "[write]") {
  const ScratchFolder folder;
  const auto path = folder.path() / "a.gltf";
  folder.write("a.bin", "old buffer");
  int asked = 0;
  const WriteOptions options = {.overwrite = true, .why_keep = [&](const std::string& relative) {
                                  if (relative == "a.bin" && ++asked == 2)
                                    folder.write("a.bin", "buffer");
                                  return "";
                                }};
  write_files({file("", "main"), file("a.bin", "buffer")}, path, options);
  CHECK(asked == 2);
  CHECK(read_text(folder.path() / "a.bin") == "buffer");
  CHECK((names_in(folder.path()) == Names{"a.gltf", "a.bin"}));
}

TEST_CASE("a failed commit restores the previous files", "[write]") {
  const ScratchFolder folder;
  const auto path = folder.write("a.gltf", "old main");
  folder.write("a.bin", "old buffer");
  StagedFiles staged({file("", "main"), file("a.bin", "buffer"), file("b.bin", "new")}, path,
                     {.overwrite = true});
  fs::remove(path);
  fs::create_directory(path);
  CHECK(error_of(ErrorKind::output, [&] { staged.commit(); }) == path.string() + ": is a folder");
  CHECK(read_text(folder.path() / "a.bin") == "old buffer");
  CHECK((names_in(folder.path()) == Names{"a.gltf", "a.bin"}));
}

TEST_CASE("outputs that are committed together appear together or not at all", "[write]") {
  const ScratchFolder folder;
  const auto first = folder.write("a.field", "old field"), second = folder.path() / "a.glb";
  {
    StagedFiles field({file("", "new field")}, first, {.overwrite = true});
    StagedFiles made({file("", "field of none")}, folder.path() / "b.field");
    StagedFiles main({file("", "main")}, second);
    folder.write("a.glb", "another program's");
    StagedFiles* const outputs[] = {&field, &made, nullptr, &main};
    CHECK(error_of(ErrorKind::output, [&] { commit_together(outputs); }) ==
          second.string() + ": exists already");
    CHECK(read_text(first) == "old field");
    CHECK((names_in(folder.path()) == Names{"a.field", "a.glb"}));
  }
  StagedFiles field({file("", "new field")}, first, {.overwrite = true});
  StagedFiles main({file("", "main")}, second, {.overwrite = true});
  StagedFiles* const outputs[] = {&field, &main};
  commit_together(outputs);
  CHECK(read_text(first) == "new field");
  CHECK(read_text(second) == "main");
  CHECK((names_in(folder.path()) == Names{"a.field", "a.glb"}));
}

TEST_CASE("places that cannot be written to", "[write]") {
  const ScratchFolder folder;
  const std::vector<EncodedFile> one = {file("", "main")};
  CHECK(write_error(one, folder.path(), {.overwrite = true}) == "is a folder");
  CHECK(write_error(one, "/dev/null", {.overwrite = true}) == "is not a file");
  CHECK(write_error(one, folder.path() / "") == "names no file");
  const auto missing = folder.path() / "no" / "a.glb";
  CHECK(write_error(one, missing) ==
        "its folder '" + missing.parent_path().string() + "' does not exist");
  folder.write("file", "x");
  CHECK(write_error(one, folder.path() / "file/sub/a.glb", {.create_directories = true})
            .starts_with("cannot create the folder"));
  CHECK(write_error(one, "/proc/self/a.glb").starts_with("its folder cannot be written to: "));
  CHECK(write_error(one, folder.path() / std::string(300, 'n')).find("name too long") !=
        std::string::npos);
  CHECK((names_in(folder.path()) == Names{"file"}));
}

TEST_CASE("sidecars stay in the output's folder", "[write]") {
  const ScratchFolder folder;
  const auto path = folder.path() / "a.gltf";
  for (const char* name : {"../a.bin", "/tmp/a.bin", "x/../../a.bin", "x/"})
    CHECK(write_error({file("", "main"), file(name, "x")}, path) ==
          "its sidecar '" + std::string(name) + "' would leave its folder");
  CHECK(write_error({file("", "main"), file("b", "x"), file("./b", "y")}, path) ==
        "two of its files would be './b'");
  CHECK(write_error({file("", "main"), file("a.gltf", "x")}, path) ==
        "two of its files would be 'a.gltf'");
  CHECK(names_in(folder.path()).empty());
}

TEST_CASE("a full disk leaves nothing", "[write]") {
  const ScratchFolder folder;
  const auto path = folder.write("a.glb", "old");
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
  rlimit small = old;
  small.rlim_cur = 1 << 16;
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string message;
  try {
    write_files({file("", std::string(1 << 17, 'x')), file("s.bin", "ok")}, path,
                {.overwrite = true});
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::output) message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  CHECK(message == path.string() + ": cannot be written: File too large");
  CHECK(read_text(path) == "old");
  CHECK((names_in(folder.path()) == Names{"a.glb"}));
}

TEST_CASE("a signal handler removes staged files", "[write]") {
  const ScratchFolder folder;
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(SIGTERM, [](int) {
      remove_staged_files();
      _exit(7);
    });
    const StagedFiles one({file("", "main"), file("x/a.bin", "buffer")},
                          folder.path() / "new/a.gltf", {.create_directories = true});
    const StagedFiles two({file("", "main")}, folder.path() / "b.glb");
    if (!fs::exists(two.staged_main()) || !fs::exists(one.staged_main())) _exit(1);
    std::raise(SIGTERM);
    _exit(2);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(names_in(folder.path()).empty());
}

TEST_CASE("an output that is a link replaces the link", "[write]") {
  const ScratchFolder folder;
  const auto target = folder.write("target", "old");
  fs::create_symlink(target, folder.path() / "a.glb");
  CHECK(write_error({file("", "new")}, folder.path() / "a.glb") == "exists already");
  write_files({file("", "new")}, folder.path() / "a.glb", {.overwrite = true});
  CHECK(read_text(target) == "old");
  CHECK(read_text(folder.path() / "a.glb") == "new");
}
