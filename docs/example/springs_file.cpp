#include <gvbind/springs.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  for (const gvbind::Finding& finding : gvbind::vrm::add_springs_to_file(argv[1], argv[2]))
    std::printf("%s: %s\n", finding.code.c_str(), finding.message.c_str());
}
