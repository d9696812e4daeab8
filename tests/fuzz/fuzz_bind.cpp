#include <tbb/global_control.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <set>
#include <string>

#include "commands/bind/bind_file.h"
#include "mutate.h"
#include "round_trip.h"

namespace {

using namespace gvbind;
namespace fs = std::filesystem;

/// A temporary folder of this process, with the input and the output folder.
struct Workplace {
  fs::path folder = fs::temp_directory_path() / ("gvbind_fuzz_bind_" + std::to_string(getpid()));
  fs::path out = folder / "out";
  Workplace() { fs::create_directories(out); }
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
};

const Workplace& workplace() {
  static const Workplace place;
  return place;
}

const char* extension_of(const fuzz::Bytes& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.starts_with("glTF") ? ".glb" : text.starts_with("{") ? ".gltf" : ".fbx";
}

/// The options are derived from the bytes, so that the input alone reproduces a finding.
BindRequest request_for(const fuzz::Bytes& bytes) {
  unsigned sum = 0;
  for (const std::uint8_t byte : bytes) sum += byte;
  const std::string suffix = extension_of(bytes);
  BindRequest request;
  request.input = workplace().folder / ("in" + suffix);
  const bool converts = sum % 8 == 0;
  const std::string other = suffix == ".fbx" ? ".glb" : ".fbx";
  request.output = workplace().out / ("out" + (converts ? other : suffix));
  if (sum / 8 % 4 == 0) request.options = paper_options();
  request.options.device = Device::cpu;
  request.options.resolution = sum / 32 % 4 == 0 ? 32 : 16;
  request.volume = sum / 128 % 4 == 0 ? Volume::per_mesh : Volume::all;
  return request;
}

std::set<std::string> files_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    names.insert(entry.path().lexically_relative(folder).string());
  return names;
}

void check_written(const BindRequest& request, const BoundFile& bound) {
  const std::set<std::string> files = files_in(workplace().out);
  fuzz::require(files == std::set<std::string>(bound.written.begin(), bound.written.end()),
                "exactly the reported files are written");
  Scene scene;
  Findings findings;
  // Attributes are copied unchecked from a damaged input, so they are not read.
  const auto read = [&] {
    scene = scene_of(read_document(request.output, findings), {}, findings, {.attributes = false});
  };
  fuzz::require(fuzz::accepts(read), "the output can be read");
  fuzz::check_scene(scene);
  fuzz::require(scene.has_skin(), "the output has a skin");
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  // With so little work, starting threads costs more than it gains.
  static const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::TimeLimit limit;
  const fuzz::Bytes bytes(data, data + size);
  const BindRequest request = request_for(bytes);
  std::ofstream(request.input, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  BoundFile bound;
  if (fuzz::accepts([&] { bound = bind_file(request, {}); }))
    check_written(request, bound);
  else
    fuzz::require(files_in(workplace().out).empty(), "nothing is left of a bind that failed");
  for (const std::string& name : files_in(workplace().out)) fs::remove_all(workplace().out / name);
  fs::remove(request.input);
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t room, unsigned seed) {
  return fuzz::mutate_character(data, size, room, seed);
}
