#include <gvbind/convert.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const gvbind::ConvertedFile converted = gvbind::convert_file(argv[1], argv[2]);
  std::printf("%s -> %s\n", argv[1], argv[2]);
  for (const gvbind::DroppedFeature& feature : converted.dropped)
    std::printf("lost: %s, %zu times\n", feature.name.c_str(), feature.count);
}
