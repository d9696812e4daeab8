#include <cstddef>
#include <cstdint>

#include "formats/fbx/fbx.h"
#include "formats/gltf/gltf.h"
#include "io/encoded_file.h"
#include "mutate.h"
#include "round_trip.h"

namespace {

using namespace gvbind;

// The folder does not exist, so files beside the document cannot be found.
const char* const nowhere = "/nonexistent/fuzz.glb";

Document parse(fuzz::Bytes bytes) { return parse_gltf(std::move(bytes), nowhere); }

Document parse_built(fuzz::Bytes bytes) { return parse_fbx(std::move(bytes), "built.fbx"); }

void check_unpatched(const fuzz::Bytes& bytes) {
  const auto document = parse_gltf(bytes, nowhere);
  const std::vector<EncodedFile> files = encode_gltf(*document, nowhere);
  if (files.size() == 1)
    fuzz::require(fuzz::accepts([&] { parse(files.front().bytes); }),
                  "a file that is read and written again can be read");
  sidecars_of(*document);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::TimeLimit limit;
  const fuzz::Bytes bytes(data, data + size);
  fuzz::accepts([&] {
    check_unpatched(bytes);
    fuzz::check_round_trip(parse(bytes), nowhere, parse, "built.fbx", parse_built);
  });
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t room, unsigned seed) {
  return fuzz::mutate_character(data, size, room, seed);
}
