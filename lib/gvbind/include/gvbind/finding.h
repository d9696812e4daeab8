#pragma once

#include <string>
#include <vector>

namespace gvbind {

enum class Severity { note, warning, error };

/// A warning or note for the user; the bind succeeded.
struct Finding {
  Severity severity = Severity::note;
  std::string code;     ///< stable, kebab-case: "joint-outside"
  std::string message;  ///< one line, with names and numbers
  std::string pointer;  ///< name of the joint or mesh it concerns; may be empty
};

using Findings = std::vector<Finding>;

}  // namespace gvbind
