#include "batch/asset_drawing.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>

#include "batch/state_file.h"
#include "common/report_files.h"
#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "preview/preview.h"
#include "view/write_page.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

void draw_picture(const AssetJob& job) {
  Findings said_before;
  const Document document = read_document(job.request.output, said_before);
  const preview::Image card = preview::render_card(scene_of(document, {}, said_before));
  write_state_file(picture_path(job.request.output), preview::png_bytes(card));
}

void make_page(const AssetJob& job) {
  const std::string page = path_text(job.page);
  if (!job.force) refuse_foreign(page);
  fs::create_directories(job.page.parent_path());
  const ReadLimits limits{job.request.asset_root, job.request.max_memory};
  write_page(read_view(path_text(job.request.output), limits), {}, page, Announce::no);
}

bool is_foreign(const fs::path& page) {
  try {
    refuse_foreign(path_text(page));
    return false;
  } catch (const Error&) {
    return true;
  }
}

/// Whether the file is as it was made of the stamp's outputs.
bool is_drawn(const Stamp& stamp, const char* what, const fs::path& file) {
  const auto drawing = std::ranges::find(stamp.drawings, what, &StampedDrawing::what);
  return drawing != stamp.drawings.end() && drawing->of == outputs_hash(stamp) &&
         has_content(file, drawing->content);
}

/// Calls `draw`, which makes the file; a failure is a finding.
template <typename Draw>
void attempt(const char* what, const fs::path& file, AssetEntry& entry, Stamp& stamp,
             const Draw& draw) {
  std::erase_if(stamp.drawings, [&](const StampedDrawing& one) { return one.what == what; });
  try {
    draw();
    if (const auto content = read_content(file))
      stamp.drawings.push_back({what, outputs_hash(stamp), *content});
  } catch (const std::exception& error) {
    entry.findings.push_back({Severity::warning, "picture-failed", error.what(), ""});
  }
}

}  // namespace

bool lacks_drawing(const AssetJob& job, const Stamp& stamp) {
  const fs::path picture = picture_path(job.request.output);
  std::error_code ignored;
  if (job.picture && (fs::is_symlink(picture, ignored) || !is_drawn(stamp, "picture", picture)))
    return true;
  return !job.page.empty() &&
         (!is_drawn(stamp, "page", job.page) || (!job.force && is_foreign(job.page)));
}

void draw_asset(const AssetJob& job, AssetEntry& entry, Stamp& stamp) {
  if (job.picture)
    attempt("picture", picture_path(job.request.output), entry, stamp, [&] { draw_picture(job); });
  if (!job.page.empty()) attempt("page", job.page, entry, stamp, [&] { make_page(job); });
}

}  // namespace gvbind
