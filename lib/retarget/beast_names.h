#pragma once

// Tested by tests/unit/retarget/joint_map_test.cpp.

#include <string>
#include <vector>

namespace gvbind::retarget {

/// Names of a skeleton with front and hind legs ("FrontUpLeg.L", "hind_paw.R"): those of front legs
/// become those of arms, those of hind legs those of legs. `names` are in English, `parents` by
/// joint. False for skeletons without both, which stay as they are.
bool name_four_legs(const std::vector<int>& parents, std::vector<std::string>& names);

}  // namespace gvbind::retarget
