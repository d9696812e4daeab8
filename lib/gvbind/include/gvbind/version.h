#pragma once

/// The version of these headers.
#define GVBIND_VERSION_MAJOR 0
#define GVBIND_VERSION_MINOR 1
#define GVBIND_VERSION_PATCH 0

namespace gvbind {

/// The version of the library that is linked: "0.1.0". Another minor version before 1.0 may change
/// the interface.
const char* version();

}  // namespace gvbind
