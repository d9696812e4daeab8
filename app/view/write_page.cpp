#include "view/write_page.h"

#include <cstdio>
#include <filesystem>

#include "common/console.h"
#include "common/write_text.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/atomic_write.h"
#include "io/file_io.h"
#include "view/view_page.h"

namespace gvbind {

void check_page(const std::string& flag, const std::string& page, bool overwrite) {
  const std::string kind = lower_extension(page);
  if (kind != "html" && kind != "htm")
    throw Error(ErrorKind::usage,
                flag + ": '" + page + "' is no page; give a name that ends with .html");
  check_path_length(page);
  refuse_existing(page, overwrite);
}

ViewInput read_for_page(const std::string& path, const ReadLimits& limits) {
  ViewInput input = read_view(path, limits);
  for (const Finding& finding : input.findings)
    print_finding(finding.severity, path + ": " + finding.message);
  return input;
}

ViewComparison page_comparison(const ViewInput& input, const ViewInput& other) {
  for (const ViewInput* file : {&input, &other})
    if (!file->scene.has_skin())
      throw Error(ErrorKind::cannot_bind, file->path + ": has no skin, and a comparison takes two");
  ViewComparison out{path_text(std::filesystem::path(other.path).filename()),
                     match_skin(input.scene, other.scene)};
  if (out.match.common_joints == 0 || out.match.by_order + out.match.by_position == 0)
    throw Error(ErrorKind::cannot_bind, other.path +
                                            ": has no joints or no vertices in common with " +
                                            input.path + ", so the weights cannot be compared");
  return out;
}

void write_page(const ViewInput& input, const ViewExtras& extras, const std::string& page,
                Announce announce) {
  const std::string title = path_text(std::filesystem::path(input.path).filename());
  write_text_file(
      view_page(title, view_data(input, extras), extras.binder ? Binds::yes : Binds::no), page);
  if (announce == Announce::yes) print_line(stdout, input.path + " -> " + page);
}

void write_page_of(const std::string& path, const ReadLimits& limits, const std::string& page,
                   Announce announce) {
  if (!page.empty()) write_page(read_for_page(path, limits), {}, page, announce);
}

}  // namespace gvbind
