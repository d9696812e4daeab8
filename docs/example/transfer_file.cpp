#include <gvbind/transfer.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  for (const auto& file : gvbind::transfer::transfer_files(argv[1], {argv[2]}, argv[3]))
    for (const gvbind::transfer::TransferredMesh& mesh : file.meshes)
      std::printf("%s: %s: %zu vertices from the body\n", file.output.c_str(), mesh.name.c_str(),
                  mesh.copied);
}
