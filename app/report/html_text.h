#pragma once

// Tested by tests/command/html_page_test.py.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gvbind {

/// Text for an element or a quoted attribute.
std::string escape_html(const std::string& text);

using TemplateValues = std::vector<std::pair<std::string_view, std::string>>;

/// Replaces the {{names}} in a template once; inserted values are not expanded again.
std::string fill_template(std::string_view text, const TemplateValues& values);

}  // namespace gvbind
