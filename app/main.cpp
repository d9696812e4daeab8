#include <cstdio>
#include <exception>
#include <new>

#include "cli.h"
#include "gvbind/error.h"

int main(int argc, char** argv) {
  try {
    return gvbind::run_command_line(argc, argv);
  } catch (const gvbind::Error& error) {
    std::fprintf(stderr, "gvbind: %s\n", error.what());
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    std::fputs("gvbind: out of memory\n", stderr);
    return static_cast<int>(gvbind::ErrorKind::resource);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gvbind: internal error: %s\n", error.what());
    return static_cast<int>(gvbind::ErrorKind::internal);
  }
}
