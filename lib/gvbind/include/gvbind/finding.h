#pragma once

#include <string>
#include <vector>

namespace gvbind {

enum class Severity { note, warning, error };

/// Something the user should hear about, though the bind went on.
struct Finding {
  Severity severity = Severity::note;
  std::string code;     ///< stable, kebab-case: "joint-outside"
  std::string message;  ///< one line, with names and numbers
  std::string pointer;  ///< what it is about: a joint's or mesh's name; may be empty
};

using Findings = std::vector<Finding>;

}  // namespace gvbind
