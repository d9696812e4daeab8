#include "commands/fit/fit_inputs.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>

#include "character/selection.h"
#include "common/console.h"
#include "common/content_hash.h"
#include "common/exit_codes.h"
#include "files/discover.h"
#include "formats/document.h"
#include "gvbind/base/parallel.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/glob.h"
#include "platform/session.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

struct FoundCharacter {
  std::string root;      ///< a folder as given
  std::string relative;  ///< path of the file below `root`
  std::string file() const { return path_text(fs::path(root) / relative); }
  /// The first folder below the root, or the file's own name if it is in the root.
  std::string top() const {
    const std::size_t slash = relative.find('/');
    return slash == relative.npos ? path_text(fs::path(relative).stem())
                                  : relative.substr(0, slash);
  }
};

std::vector<FoundCharacter> find_characters(const std::vector<std::string>& folders) {
  std::vector<FoundCharacter> found;
  for (const std::string& folder : folders) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
      throw Error(ErrorKind::input, folder + ": is not a folder");
    for (const Candidate& file : discover_inputs({.places = {{folder, folder}}}, {}))
      if (is_written(file.shape)) found.push_back({folder, file.shape});
  }
  return found;
}

std::string group_of(const FoundCharacter& found, GroupBy by) {
  if (by == GroupBy::file) return found.file();
  if (by == GroupBy::folder) return path_text(fs::path(found.file()).parent_path());
  const std::string name = found.top();
  return name.substr(0, name.find('_'));
}

bool matches(const std::string& pattern, const FoundCharacter& found) {
  return matches_glob(pattern, found.relative) || matches_glob(pattern, found.top()) ||
         matches_glob(pattern, path_text(fs::path(found.relative).filename()));
}

/// Moves the characters that match a pattern to `left_out`.
void exclude(const std::vector<std::string>& patterns, std::vector<FoundCharacter>& found,
             std::vector<LeftOut>& left_out) {
  std::set<std::string> used;
  std::erase_if(found, [&](const FoundCharacter& character) {
    const auto pattern =
        std::ranges::find_if(patterns, [&](const std::string& p) { return matches(p, character); });
    if (pattern == patterns.end()) return false;
    used.insert(*pattern);
    left_out.push_back({character.file(), "excluded by '" + *pattern + "'"});
    return true;
  });
  for (const std::string& pattern : patterns)
    if (!used.contains(pattern))
      throw Error(ErrorKind::usage, "--exclude: '" + pattern +
                                        "' matches no file, or none that another pattern has left");
}

/// Returns the samples, or the reason why the file is left out.
std::string sample_file(const FoundCharacter& found, const FitCommand& command,
                        fit::CharacterSamples& samples) {
  try {
    Findings findings;
    const std::string file = found.file();
    const Document document = read_document(file, findings, read_options(command.limits, file));
    Scene scene = scene_of(document, {}, findings, {.attributes = false});
    if (std::string why = fit::why_unfit(scene); !why.empty()) return why;
    apply_selection(scene, {});
    samples = fit::samples_of(scene, command.samples);
    samples.name = found.file();
    samples.group = group_of(found, command.by);
    return samples.whole.vertex_count() > 0 ? "" : "has no vertex to fit on";
  } catch (...) {
    const std::string what = caught_error().what();
    const std::string name = found.file() + ": ";
    return what.starts_with(name) ? what.substr(name.size()) : what;
  }
}

}  // namespace

void show_count(const FitCommand& command, const char* what, std::size_t done, std::size_t of) {
  if (command.quiet || !platform::is_terminal(stderr)) return;
  print_status(done < of
                   ? std::string(what) + ": " + std::to_string(done) + "/" + std::to_string(of)
                   : std::string());
}

FitInputs read_inputs(const FitCommand& command) {
  FitInputs inputs;
  std::vector<FoundCharacter> found = find_characters(command.folders);
  exclude(command.exclude, found, inputs.left_out);
  std::vector<fit::CharacterSamples> samples(found.size());
  std::vector<std::string> reasons(found.size());
  std::mutex mutex;
  std::size_t done = 0;
  parallel_for(found.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      reasons[i] = sample_file(found[i], command, samples[i]);
      const std::scoped_lock lock(mutex);
      show_count(command, "Reading", ++done, found.size());
    }
  });
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto content = read_content(found[i].file());
    if (reasons[i].empty() && !content) reasons[i] = "cannot be read again";
    if (reasons[i].empty()) {
      inputs.hashes.push_back(content->hash);
      inputs.characters.push_back(std::move(samples[i]));
    } else {
      inputs.left_out.push_back({found[i].file(), reasons[i]});
    }
  }
  return inputs;
}

}  // namespace gvbind
