// Tested by tests/consumer/judge_file.cpp.

#include "gvbind/preview.h"
#include "preview/preview.h"

namespace gvbind {

void draw_preview(const Asset& asset, const std::filesystem::path& png, int width) {
  if (asset.scene().meshes.empty()) throw Error(ErrorKind::cannot_bind, "there is no mesh to draw");
  PreviewOptions options;
  options.width = width;
  write_png(render_sheet(asset.scene(), options), png);
}

}  // namespace gvbind
