#pragma once

#include <string_view>

/// Files of this directory that the build embeds into the program.
namespace gvbind::embedded {

extern const std::string_view report_schema_json;
extern const std::string_view check_schema_json;
extern const std::string_view weights_schema_json;
extern const std::string_view page_html;
extern const std::string_view card_html;
extern const std::string_view page_css;
extern const std::string_view page_js;

}  // namespace gvbind::embedded
