#pragma once

#include <functional>
#include <string>

#include "report/batch_report.h"

namespace gvbind {

/// The PNG of an asset's entry as bytes; empty: none.
using PictureSource = std::function<std::string(const AssetEntry& asset)>;

struct PageOptions {
  std::string title = "gvbind report";
  PictureSource picture;  ///< none: cards without pictures
};

/// One page that needs nothing beside it: a card per asset, counts, sorting, filters. It asks for
/// nothing from any network and says so to the browser (Content-Security-Policy).
std::string html_page(const Report& report, const PageOptions& options = {});

/// Reads the file that the asset's "picture" names, relative to `directory`; a missing one, or one
/// that is no PNG or lies outside the directory, is no picture.
PictureSource pictures_below(const std::string& directory);

}  // namespace gvbind
