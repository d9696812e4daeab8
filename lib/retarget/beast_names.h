#pragma once

// Tested by tests/unit/retarget/joint_map_test.cpp.

#include <string>
#include <vector>

namespace gvbind::retarget {

/// Renames the joints of a skeleton with front and hind legs ("FrontUpLeg.L", "hind_paw.R"): front
/// legs get the names of arms, hind legs the names of legs. `names` are in English, `parents` by
/// joint. False for skeletons without both kinds of legs, which keep their names.
bool name_four_legs(const std::vector<int>& parents, std::vector<std::string>& names);

}  // namespace gvbind::retarget
