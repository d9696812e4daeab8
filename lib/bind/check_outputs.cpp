#include "bind/check_outputs.h"

#include <string>
#include <system_error>

#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/atomic_write.h"
#include "platform/files.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);
}

void check_format(const BindRequest& request) {
  if (is_written(request.output)) return;
  const std::string extension = path_text(request.output.extension());
  throw Error(ErrorKind::usage,
              path_text(request.output) + ": " +
                  (extension.empty() ? "has no extension" : "is of no format that gvbind writes") +
                  "; use .fbx, .glb, .gltf or .vrm, or end it with '/' for a folder");
}

/// Whether the output directory exists or has to exist.
void check_directory(const BindRequest& request) {
  const fs::path named = request.output.parent_path();
  const fs::path directory = named.empty() ? "." : named;
  std::error_code ignored;
  if (request.create_directories && !fs::exists(directory, ignored)) return;
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::output, path_text(request.output) + ": " + why);
  };
  if (!fs::exists(directory, ignored))
    refuse("there is no folder '" + path_text(directory) + "'; create it first, or give '" +
           path_text(directory) + "/' as the output");
  if (!fs::is_directory(directory, ignored))
    refuse("'" + path_text(directory) + "' is not a folder");
  if (const int error = platform::check_writable(directory))
    refuse("cannot write in '" + path_text(directory) +
           "': " + std::generic_category().message(error));
}

/// Rejects an unusable output before the work starts.
void check_output(const BindRequest& request) {
  check_path_length(request.output);
  check_format(request);
  check_directory(request);
  std::error_code ignored;
  const std::string name = path_text(request.output);
  if (!request.overwrite && same_file(request.input, request.output))
    throw Error(ErrorKind::output, name + ": is the input itself; --force overwrites it");
  if (!request.overwrite && fs::exists(request.output, ignored))
    throw Error(ErrorKind::output, name + ": exists already; --force overwrites it");
  if (fs::is_directory(request.output, ignored))
    throw Error(ErrorKind::output, name + ": is a folder");
  refuse_other_input(request.output, request.input, request.skeleton, "the file of --skeleton");
  refuse_other_input(request.output, request.input, request.rig, "the template of the skeleton");
  for (const std::string& clip : request.clips)
    refuse_other_input(request.output, request.input, clip, "a file of --clip");
}

/// As check_output(), for a file of distances.
void check_field(const BindRequest& request) {
  const fs::path& file = request.keep.file;
  std::error_code ignored;
  if (file.empty()) return;
  check_path_length(file);
  if (!request.overwrite && fs::exists(file, ignored))
    throw Error(ErrorKind::output, path_text(file) + ": exists already; --force overwrites it");
  refuse_other_input(file, request.input, request.skeleton, "the file of --skeleton");
  for (const fs::path& other : {request.input, request.output})
    if (file.lexically_normal() == other.lexically_normal() || same_file(file, other))
      throw Error(ErrorKind::usage,
                  "--save-distances: " + path_text(file) + " is the input or the output itself");
}

}  // namespace

void check_outputs(const BindRequest& request) {
  check_output(request);
  check_field(request);
}

}  // namespace gvbind
