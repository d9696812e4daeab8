#pragma once

#include <functional>
#include <string>

#include "report/batch_report.h"

namespace gvbind {

/// Returns the PNG of an asset as bytes; empty: none.
using PictureSource = std::function<std::string(const AssetEntry& asset)>;

struct PageOptions {
  std::string title = "gvbind report";
  PictureSource picture;  ///< none: cards without pictures
  /// The path of an asset's own page from the folder of this one; none: cards without links.
  std::function<std::string(const AssetEntry& asset)> link = {};
};

/// A self-contained page: a card per asset, totals, sorting and filters. It loads nothing from the
/// network and declares that to the browser (Content-Security-Policy).
std::string html_page(const Report& report, const PageOptions& options = {});

/// Links from the file `html` to the files named by "page", relative to `directory`.
std::function<std::string(const AssetEntry& asset)> links_from(const std::string& html,
                                                               const std::string& directory);

/// Reads the file named by the asset's "picture", relative to `directory`. A file that is missing,
/// is not a PNG or lies outside the directory counts as no picture.
PictureSource pictures_below(const std::string& directory);

}  // namespace gvbind
