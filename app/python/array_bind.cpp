#include "python/array_bind.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/bind_options.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "gvbind/egl.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

/// Options of the method that need only numbers, not the meshes, names or materials of a file.
constexpr std::array<std::string_view, 20> array_option_names = {
    "preset", "resolution", "alpha",   "penalty",     "max-influences", "views",    "falloff",
    "prune",  "winding",    "leaf",    "outside",     "faces",          "touching", "distance",
    "rigid",  "controls",   "weights", "joint-names", "device",         "limit"};

const BindOption& array_option(const std::string& name) {
  const BindOption* option = find_bind_option(name);
  if (option && std::ranges::count(array_option_names, name)) return *option;
  if (option)
    throw Error(ErrorKind::usage, "--" + name + ": is of files; bind() takes it, bind_skin() not");
  const std::vector<std::string> known(array_option_names.begin(), array_option_names.end());
  throw Error(ErrorKind::usage, "unknown option '--" + name + "'" + nearest_name_hint(name, known));
}

}  // namespace

BindOptions array_options(const NamedValues& given) {
  GivenFlags flags;
  for (const auto& [name, values] : given) {
    const BindOption& option = array_option(name);
    if (values.size() != 1 && !option.repeatable)
      throw Error(ErrorKind::usage, "--" + name + ": takes one value");
    flags[&option] = values;
  }
  BindSettings settings;
  apply_flags(flags, settings);
  if (settings.auto_resolution)
    throw Error(ErrorKind::usage, "--resolution: 'auto' is of files; give a power of two");
  BindOptions options = settings.options;
  options.max_influences = influences_of(settings);
  options.gpu = &egl::egl_voxelizer();
  return options;
}

}  // namespace gvbind
