#include "assets/checked_write.h"

#include "assets/verify.h"

namespace gvbind {

void write_checked(const Document& document, const ExpectedSkin& expected,
                   const std::filesystem::path& output, ReadOptions reading,
                   const WriteOptions& writing) {
  Findings findings;
  StagedFiles staged(encode(document, output, findings), output, writing);
  naming(output, [&] {
    // A document beside its input goes on naming the input's files.
    const std::filesystem::path folder = output.parent_path();
    reading.future_directory = folder.empty() ? "." : folder;
    widen(reading.root, reading.future_directory);
    widen(reading.root, staged.staged_main().parent_path());
    Findings repeated;
    const Document written = read_document(staged.staged_main(), repeated, reading);
    verify_written(expected.scene, expected.weights,
                   scene_of(written, expected.selection, repeated, {.attributes = false}));
  });
  staged.commit();
}

}  // namespace gvbind
