#pragma once

#include <string_view>

/// Files of this directory that the build embeds into the program; `view_js` is all modules in one.
namespace gvbind::embedded {

extern const std::string_view view_html;
extern const std::string_view view_css;
extern const std::string_view view_js;

}  // namespace gvbind::embedded
