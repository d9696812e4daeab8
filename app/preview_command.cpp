#include <filesystem>

#include "assets/document.h"
#include "commands.h"
#include "gvbind/error.h"
#include "preview/preview.h"

namespace gvbind {

int run_preview(const PreviewCommand& command) {
  namespace fs = std::filesystem;
  if (fs::exists(command.output) && !command.force)
    throw Error(ErrorKind::output, command.output + ": exists already; --force overwrites it");
  Findings findings;
  const Scene scene = scene_of(read_document(command.input, findings), {}, findings);
  if (scene.meshes.empty()) throw Error(ErrorKind::cannot_bind, command.input + ": holds no mesh");
  PreviewOptions options;
  options.width = command.width;
  options.bend_degrees = command.bend;
  write_png(render_sheet(scene, options), command.output);
  return 0;
}

}  // namespace gvbind
