#pragma once

// Tested by tests/unit/retarget/joint_map_test.cpp.

#include <string>
#include <string_view>

namespace gvbind::retarget {

/// The name of a joint with body parts and sides in English words, from Japanese (MikuMikuDance),
/// Chinese, German, French, Spanish, Italian and Portuguese; other names stay as they are.
std::string english_name(std::string_view name);

}  // namespace gvbind::retarget
