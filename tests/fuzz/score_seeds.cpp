#include "score_seeds.h"

#include <string_view>

#include "commands/weights/npy_array.h"
#include "commands/weights/zip_entries.h"

namespace gvbind::fuzz {

namespace {

using Seed = std::pair<std::string, std::vector<std::uint8_t>>;

Seed seed_of(const std::string& name, std::string_view content) {
  return {name, {content.begin(), content.end()}};
}

ZipEntries with(ZipEntries entries, const ZipEntries& more) {
  entries.insert(entries.end(), more.begin(), more.end());
  return entries;
}

}  // namespace

std::vector<Seed> score_seeds() {
  const ZipEntries shape = {{"vertices.npy", npy_floats({0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1}, 3)},
                            {"faces.npy", npy_integers({0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2}, 3)},
                            {"joints.npy", npy_floats({0.1f, 0, 0.1f, 0.1f, 1, 0.1f}, 3)},
                            {"bones.npy", npy_integers({0, 1}, 2)},
                            {"joint_names.npy", npy_texts({"hip", "knee"})}};
  const std::string values = npy_floats({1, 0.5f, 0.5f, 1, 0.25f, 0.75f}, 1);
  const std::string columns = npy_integers({0, 0, 1, 1, 0, 1}, 1);
  const std::string name = "skinning_weights_";
  return {
      seed_of("box.rig",
              "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 1\nf 1 2 3\nf 1//1 3//3 4//4\nf -4 -1 -3\n---\n"
              "joints hip 0.1 0 0.1\njoints knee 0.1 1 0.1\nroot hip\nskin 0 hip 1.0\n"
              "skin 1 hip 0.5 knee 0.5\nskin 2 knee 1\nskin 3 hip 0.25 knee 0.75\nhier hip knee\n"),
      seed_of("dense.npz",
              zip_of(with(shape, {{"skinning_weights.npy",
                                   npy_floats({1, 0, 0.5f, 0.5f, 0, 1, 0.25f, 0.75f}, 2)}}))),
      seed_of("triplets.npz",
              zip_of(with(shape, {{name + "value.npy", values},
                                  {name + "row.npy", npy_integers({0, 1, 1, 2, 3, 3}, 1)},
                                  {name + "col.npy", columns}}))),
      seed_of("rows.npz",
              zip_of(with(shape, {{name + "data.npy", values},
                                  {name + "indices.npy", columns},
                                  {name + "indptr.npy", npy_integers({0, 1, 3, 4, 6}, 1)}})))};
}

}  // namespace gvbind::fuzz
