#include <gvbind/check.h>
#include <gvbind/preview.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

// Checks a sound file, binds it, checks the result, and draws a picture.
int main(int, char** argv) {
  gvbind::Asset asset = gvbind::Asset::read(argv[1]);
  const gvbind::check::SkinReport before = gvbind::check::skin_report(asset);
  asset.bind();
  const gvbind::check::SkinReport now = gvbind::check::skin_report(asset);
  gvbind::preview::draw_preview(asset, argv[2], 400);
  std::printf("stretch %.9f, then %.9f\n", before.stretch, now.stretch);
  // The file holds the weights rounded.
  const bool alike = std::abs(before.stretch - now.stretch) <= 1e-5 * before.stretch;
  return before.vertices_without_weight == 0 && alike && std::filesystem::file_size(argv[2]) > 1000
             ? 0
             : 1;
}
