// Checks that the default limits of `gvbind check` separate good from broken skins: at most one in
// ten of the artists' skins in the given folders has a warning, and at least nine in ten of each
// kind of broken skin are found. Prints the figures, also for each half of the authors. Exits with
// 77 without the folders.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "check/broken_skins.h"
#include "check/check.h"
#include "formats/document.h"
#include "gvbind/base/parallel.h"

namespace gvbind::test {
namespace {

namespace fs = std::filesystem;

constexpr double max_warned = 0.1, min_found = 0.9;
constexpr double half_slack = 0.05;  ///< tolerance for halves, where each file counts more
constexpr std::size_t seeds = 1;     ///< variants of each skin and fault

/// Number of skins that have a warning or an error.
struct Tally {
  std::size_t skins = 0, found = 0;

  void add(bool hit) { ++skins, found += hit; }
  double part() const {
    return skins > 0 ? static_cast<double>(found) / static_cast<double>(skins) : 0.0;
  }
};

/// By fault; "artist" for the unchanged file, "artist, errors" for those with an error.
using Tallies = std::map<std::string, Tally>;

std::vector<fs::path> skin_files(int count, char** folders) {
  std::vector<fs::path> files;
  for (int i = 0; i < count; ++i) {
    if (!fs::is_directory(folders[i])) continue;
    for (const auto& entry : fs::recursive_directory_iterator(folders[i])) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".glb" || extension == ".gltf" || extension == ".fbx")
        files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

/// File names start with the author.
std::string author_of(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.substr(0, name.find('_'));
}

Severity worst_of(const Scene& scene, const check::CheckOptions& options) {
  const Findings findings = check::check_scene(scene, options).findings;
  return findings.empty() ? Severity::note : findings.front().severity;
}

Tallies judge(const fs::path& file, std::uint64_t number) {
  Findings heard;
  const Document document = read_document(file, heard);
  const Scene scene = scene_of(document, {}, heard);
  Tallies tallies;
  if (!scene.has_skin()) return tallies;
  check::CheckOptions options;
  if (std::holds_alternative<std::shared_ptr<FbxDocument>>(document))
    options.off_sum = Severity::note;
  const Severity artist = worst_of(scene, options);
  tallies["artist"].add(artist >= Severity::warning);
  tallies["artist, errors"].add(artist >= Severity::error);
  for (const Fault fault : all_faults)
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
      if (const std::optional<Scene> bad = broken(scene, fault, number * seeds + seed)) {
        const Severity found = worst_of(*bad, options);
        tallies[name_of(fault)].add(found >= Severity::warning);
        tallies[name_of(fault) + std::string(", errors")].add(found >= Severity::error);
        if (artist < Severity::warning)
          tallies[name_of(fault) + std::string(", of sound files")].add(found >= Severity::warning);
      }
  return tallies;
}

bool print(const char* title, const Tallies& tallies, double slack) {
  std::printf("%s\n", title);
  bool holds = true;
  for (const auto& [name, tally] : tallies) {
    const bool of_artists = name == "artist", judged = name.find(',') == std::string::npos;
    const bool good = !judged || (of_artists ? tally.part() <= max_warned + slack
                                             : tally.part() >= min_found - slack);
    std::printf("  %-34s %4zu of %4zu  %5.1f %%%s\n", name.c_str(), tally.found, tally.skins,
                100.0 * tally.part(), good ? "" : "  <- beyond the limit");
    holds = holds && good;
  }
  return holds;
}

}  // namespace

int run(int count, char** folders) {
  const std::vector<fs::path> files = skin_files(count, folders);
  if (files.empty()) {
    std::puts("skipped: the characters are not here");
    return 77;
  }
  std::vector<Tallies> each(files.size());
  parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) each[i] = judge(files[i], i);
  });
  std::set<std::string> names;
  for (const fs::path& file : files) names.insert(author_of(file));
  std::map<std::string, int> half;
  for (const std::string& name : names) half.emplace(name, static_cast<int>(half.size() % 2));
  Tallies all, halves[2];
  for (std::size_t i = 0; i < files.size(); ++i)
    for (const auto& [name, tally] : each[i])
      for (Tallies* sum : {&all, &halves[half[author_of(files[i])]]}) {
        (*sum)[name].skins += tally.skins;
        (*sum)[name].found += tally.found;
      }
  bool holds = print("all", all, 0.0);
  holds = print("every other author", halves[0], half_slack) && holds;
  holds = print("the other authors", halves[1], half_slack) && holds;
  return holds ? 0 : 1;
}

}  // namespace gvbind::test

int main(int argc, char** argv) { return gvbind::test::run(argc - 1, argv + 1); }
