#include "preview/sheet_colors.h"

#include "gvbind/error.h"
#include "preview/colors.h"
#include "preview/distinct_colors.h"

namespace gvbind::preview {

SheetColors sheet_colors(const Scene& scene, const PreviewOptions& options) {
  if (options.joint >= static_cast<int>(scene.joints.size()))
    throw Error(ErrorKind::usage, "joint of the preview: there is none of that number");
  SheetColors colors;
  colors.joints = options.legend ? distinct_joint_colors(scene) : joint_colors(scene.joints);
  if (options.joint >= 0)
    for (std::size_t j = 0; j < colors.joints.size(); ++j)
      colors.joints[j] = heat_color(static_cast<int>(j) == options.joint ? 1.0 : 0.0);
  for (const SceneMesh& mesh : scene.meshes) {
    const auto own = options.joint >= 0
                         ? joint_heat_colors(mesh, static_cast<std::size_t>(options.joint))
                         : weight_colors(mesh, colors.joints);
    colors.vertices.insert(colors.vertices.end(), own.begin(), own.end());
  }
  return colors;
}

}  // namespace gvbind::preview
