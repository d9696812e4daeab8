#include "common/resources.h"

#include <algorithm>

#include "batch/folder.h"

using namespace gvbind;
using namespace gvbind::test;

TEST_CASE("memory grows with file and resolution, and an earlier peak replaces the guess") {
  const AssetSize small{1'000'000, 128}, large{1'000'000, 512}, heavy{100'000'000, 128};
  CHECK(estimate_memory(small) < estimate_memory(large));
  CHECK(estimate_memory(small) < estimate_memory(heavy));
  CHECK(estimate_memory(heavy, 100'000'000) == 125'000'000);
}

TEST_CASE("an asset is as large as its input and its skeleton") {
  const WorkFolder folder;
  folder.write("a.glb", std::string(1000, 'x'));
  folder.write("rig.bvh", std::string(200, 'x'));
  CHECK(asset_size("a.glb", "", 64).file_bytes == 1000);
  CHECK(asset_size("a.glb", "rig.bvh", 64).file_bytes == 1200);
  CHECK(asset_size("a.glb", "gone.bvh", 64).file_bytes == 1000);
  CHECK(asset_size("gone.glb", "", 64).file_bytes == 0);
  CHECK(asset_size("a.glb", "", 64).resolution == 64);
}

TEST_CASE("the finest resolution within a limit is estimated to fit, and the next finer is not") {
  for (const int finest : {128, 256, 512}) {
    const std::size_t limit = estimate_memory({1'000'000, finest});
    CHECK(finest_within(1'000'000, limit, 128, 512) == finest);
    CHECK(finest_within(1'000'000, limit - 1, 128, 512) == std::max(128, finest / 2));
  }
  CHECK(finest_within(1'000'000, 1, 128, 512) == 128);
  CHECK(finest_within(1'000'000, std::size_t{1} << 40, 128, 512) == 512);
}
