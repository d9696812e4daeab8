#include "gvbind/version.h"

#define GVBIND_TEXT(number) #number
#define GVBIND_JOINED(major, minor, patch) \
  GVBIND_TEXT(major) "." GVBIND_TEXT(minor) "." GVBIND_TEXT(patch)

namespace gvbind {

const char* version() {
  return GVBIND_JOINED(GVBIND_VERSION_MAJOR, GVBIND_VERSION_MINOR, GVBIND_VERSION_PATCH);
}

}  // namespace gvbind
