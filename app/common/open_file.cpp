#include "common/open_file.h"

#include <system_error>

#include "gvbind/error.h"
#include "platform/session.h"

namespace gvbind {

void open_file(const std::string& path) {
  std::string program;
  if (const int error = platform::open_on_desktop(path, program))
    throw Error(ErrorKind::resource, path + ": is written, but " + program + " cannot be run: " +
                                         std::generic_category().message(error));
}

}  // namespace gvbind
