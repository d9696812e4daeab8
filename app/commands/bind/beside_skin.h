#pragma once

// Tested by tests/command/bind_clips_test.py.

#include <optional>
#include <vector>

#include "bind/bindable_file.h"
#include "bind/checked_write.h"
#include "character/node_scene.h"
#include "common/resources.h"
#include "report/asset_entry.h"

namespace gvbind {

/// Additions to a document beside its skin.
struct Additions {
  std::vector<SplitMesh> splits;
  NodeScene clips;  ///< as of retarget::add_clips(); none without clips
  std::optional<std::vector<ClipEntry>> clip_entries = {};
};

/// Splits meshes, and adds extensions and clips, as the request asks for. The document has the
/// weights already.
Additions add_beside_skin(const BindRequest& request, BindableFile& f, const SceneWeights& weights,
                          BindStatistics& statistics, Findings& findings);

}  // namespace gvbind
