#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "mutate.h"
#include "person_scene.h"
#include "retarget/retarget_file.h"
#include "round_trip.h"

namespace {

using namespace gvbind;
namespace fs = std::filesystem;

/// A temporary folder of this process.
struct Workplace {
  fs::path folder = fs::temp_directory_path() / ("gvbind_fuzz_clips_" + std::to_string(getpid()));
  Workplace() { fs::create_directories(folder); }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  std::string file(const std::string& name) const { return (folder / name).string(); }
};

/// Gives a hero clips and writes it, which compares the clips that are read again. A damaged hero
/// may be refused then.
void check_clips(retarget::HeroFile hero, const std::string& motion, const std::string& output) {
  Findings findings;
  retarget::give_root(hero, {}, findings);
  const retarget::MotionFile from = retarget::open_motion(motion, hero, {}, findings);
  std::vector<retarget::NewClip> clips = retarget::retarget_motion(from, hero, "", {}, {});
  for (const retarget::NewClip& made : clips)
    for (const Channel& channel : made.clip.clip.channels)
      for (const double value : channel.values) fuzz::require(value == value, "keys are numbers");
  const NodeScene expected = retarget::add_clips(hero, clips, {});
  retarget::write_with_clips(hero, expected, output, {}, true);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t room, unsigned seed) {
  return fuzz::mutate_character(data, size, room, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Workplace place;
  const fuzz::TimeLimit limit;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string suffix = text.starts_with("glTF") ? ".glb" : ".fbx";
  const std::string path = place.file("clips" + suffix), output = place.file("out" + suffix);
  std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(size));
  const auto file = [&] {
    Findings findings;
    return retarget::read_hero(path, {}, findings);
  };
  // A document that is given clips changes, so each hero is made anew.
  const auto person = [] {
    return retarget::hero_of(build_document(fuzz::person_scene(), "person.glb"), "person.glb", {});
  };
  fuzz::accepts([&] { check_clips(person(), path, place.file("person.glb")); });
  fuzz::accepts([&] { check_clips(file(), path, output); });
  fuzz::accepts([&] { check_clips(file(), "idle", output); });
  return 0;
}
