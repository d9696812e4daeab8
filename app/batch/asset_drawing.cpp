#include "batch/asset_drawing.h"

#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "batch/stamp.h"
#include "batch/state_file.h"
#include "common/report_files.h"
#include "formats/document.h"
#include "gvbind/base/path_text.h"
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

/// The picture and the page of the output. The output is whole and has its name, so the asset does
/// not fail without them; returns the reasons.
std::vector<std::string> draw_output(const AssetJob& job) {
  std::vector<std::string> problems;
  const auto attempt = [&](const auto& draw) {
    try {
      draw();
    } catch (const std::exception& error) {
      problems.emplace_back(error.what());
    }
  };
  if (job.picture) attempt([&] { draw_picture(job); });
  if (!job.page.empty()) attempt([&] { make_page(job); });
  return problems;
}

}  // namespace

void draw_asset(const AssetJob& job, AssetEntry& entry) {
  for (const std::string& problem : draw_output(job))
    entry.findings.push_back({Severity::warning, "picture-failed", problem, ""});
}

}  // namespace gvbind
