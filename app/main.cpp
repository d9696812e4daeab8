// Tested by tests/command/cli_test.py.

#include "cli/program.h"

#ifdef __EMSCRIPTEN__
// Newer compilers give it another name than emscripten's linker looks for.
int main(int argc, char** argv) __asm__("main");
#endif

int main(int argc, char** argv) { return gvbind::run_program(argc, argv); }
