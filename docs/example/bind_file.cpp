#include <gvbind/asset.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  gvbind::Asset asset = gvbind::Asset::read(argv[1]);
  const gvbind::AssetBinding binding = asset.bind();
  asset.write(argv[2]);
  std::printf("%zu meshes bound on %s\n", binding.weights.size(),
              binding.statistics.device.c_str());
}
