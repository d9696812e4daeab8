#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "check/skin_score.h"
#include "commands/score/rig_data.h"
#include "commands/weights/zip_entries.h"
#include "round_trip.h"

namespace {

using namespace gvbind;

/// Between the texts of an .obj and of a rig in one input.
constexpr std::string_view between = "\n---\n";

void check_scene(const RigData& data) {
  const Scene scene = scene_of(data);
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    fuzz::require(scene.joints[j].parent < static_cast<int>(j), "parents stand before children");
  for (const Influence entry : scene.meshes.at(0).weights.row(0))
    fuzz::require(entry.joint < scene.joints.size(), "weights are of joints");
  check::SkinScoreOptions options;
  options.poses = 1;
  const check::SkinScore score = check::score_skin(scene, scene, options);
  fuzz::require(score.l1 == 0.0, "a skin equals itself");
  fuzz::require(score.vertices + score.left_out == data.positions.size(),
                "all vertices are judged");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const fuzz::TimeLimit limit;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  fuzz::accepts([&] {
    if (text.starts_with("PK")) return check_scene(read_rig_npz({bytes, bytes + size}));
    const std::size_t end = text.find(between);
    RigData data;
    read_obj(text.substr(0, end), data);
    if (end != text.npos) read_rig_text(text.substr(end + between.size()), data);
    check_scene(data);
  });
  return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t room);

/// An archive is taken apart, one of its arrays mutated, and packed anew: checksums reject others.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t room, unsigned seed) {
  const auto plain = [&] { return LLVMFuzzerMutate(data, size, room); };
  if (seed % 8 == 0 || size < 2 || data[0] != 'P') return plain();
  try {
    ZipEntries entries = read_zip({data, data + size});
    if (entries.empty()) return plain();
    std::string& array = entries[seed / 8 % entries.size()].second;
    std::vector<std::uint8_t> mutated(array.begin(), array.end());
    const std::size_t before = mutated.size();
    mutated.resize(before + 64);
    mutated.resize(LLVMFuzzerMutate(mutated.data(), before, mutated.size()));
    array.assign(mutated.begin(), mutated.end());
    const std::string packed = zip_of(entries);
    if (packed.size() > room) return plain();
    std::copy(packed.begin(), packed.end(), data);
    return packed.size();
  } catch (const Error&) {
    return plain();
  }
}
