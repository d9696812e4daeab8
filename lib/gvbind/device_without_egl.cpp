#include "gvbind/device.h"

namespace gvbind {

std::optional<DeviceVotes> egl_votes(bool, const UnitScene&, int, unsigned) { return std::nullopt; }

}  // namespace gvbind
