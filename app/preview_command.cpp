#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include "assets/document.h"
#include "commands.h"
#include "console.h"
#include "gvbind/error.h"
#include "preview/preview.h"

#include "thread_pool.h"

namespace gvbind {

namespace {

/// What is wrong with it is said before anything is drawn.
void check_output(const PreviewCommand& command) {
  namespace fs = std::filesystem;
  if (command.output == "-") {
    if (isatty(STDOUT_FILENO))
      throw Error(ErrorKind::usage, "--output: '-' writes a PNG to stdout, which is a terminal");
    return;
  }
  std::string extension = fs::path(command.output).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension != ".png")
    throw Error(ErrorKind::usage, "--output: '" + command.output +
                                      "' is no PNG, and nothing else is drawn; give a name that "
                                      "ends with .png, or - for stdout");
  std::error_code ignored;
  if (!command.force && fs::exists(command.output, ignored))
    throw Error(ErrorKind::output, command.output + ": exists already; --force overwrites it");
}

}  // namespace

int run_preview(const PreviewCommand& command) {
  set_up_threads(0);
  check_output(command);
  Findings findings;
  limit_memory(memory_limit(command.limits.max_memory));
  const ReadOptions options_of_file = read_options(command.limits, command.input);
  const Scene scene = scene_of(read_document(command.input, findings, options_of_file), {},
                               findings, {.attributes = false});
  if (scene.meshes.empty()) throw Error(ErrorKind::cannot_bind, command.input + ": holds no mesh");
  PreviewOptions options;
  options.width = command.width;
  options.bend_degrees = command.bend;
  const Image sheet = render_sheet(scene, options);
  if (command.output == "-")
    print_verbatim(stdout, png_bytes(sheet));
  else
    write_png(sheet, command.output);
  return 0;
}

}  // namespace gvbind
