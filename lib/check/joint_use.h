#pragma once

#include <cstddef>
#include <vector>

#include "assets/scene.h"

namespace gvbind {

/// Which joints move something. Numbers are of Scene::joints, in its order.
struct JointUse {
  std::size_t deforming = 0;                ///< joints that may own weight
  std::vector<std::size_t> without_weight;  ///< of those, the ones that own none
  std::vector<std::size_t> idle;  ///< of those again, the ones below which none owns weight either:
                                  ///< turning them moves nothing of the skin
};

JointUse measure_joint_use(const Scene& scene);

}  // namespace gvbind
