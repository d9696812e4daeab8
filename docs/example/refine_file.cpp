#include <gvbind/refine.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const gvbind::motion::RefinedFile refined =
      gvbind::motion::refine_file(argv[1], argv[2], {.poses = 8});
  std::printf("%zu vertices refined, distance to Delta Mush %.5f -> %.5f\n", refined.moved,
              refined.before.mush, refined.after.mush);
}
