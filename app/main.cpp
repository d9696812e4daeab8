// Tested by tests/command/cli_test.py.

#include "cli/program.h"

int main(int argc, char** argv) { return gvbind::run_program(argc, argv); }
