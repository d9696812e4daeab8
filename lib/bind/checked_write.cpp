#include "bind/checked_write.h"

#include <ios>
#include <new>
#include <string>
#include <string_view>

#include "bind/false_vrm.h"
#include "bind/joined_parts.h"
#include "bind/verify.h"
#include "gvbind/base/path_text.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

/// Messages name the output: the staged file is gone when a user reads them.
std::string with_final_paths(std::string text, const fs::path& staged, const fs::path& output) {
  const std::string from = path_text(staged.parent_path() / "");
  const std::string to = output.has_parent_path() ? path_text(output.parent_path() / "") : "";
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
    text.replace(at, from.size(), to);
  return text;
}

/// The message without the name of the output.
std::string reason_of(const std::string& what, const fs::path& staged, const fs::path& output) {
  const std::string text = with_final_paths(what, staged, output);
  const std::string name = path_text(output) + ": ";
  return text.starts_with(name) ? text.substr(name.size()) : text;
}

[[noreturn]] void throw_of_output(ErrorKind kind, const std::string& reason, const ReadBack& from) {
  if (kind == ErrorKind::resource)
    throw Error(kind, path_text(from.input) + ": its output cannot be read back: " + reason);
  if (kind != ErrorKind::input && kind != ErrorKind::cannot_bind)
    throw Error(kind, path_text(from.output) + ": " + reason);
  throw Error(ErrorKind::output, path_text(from.output) + ": cannot be read back: " + reason);
}

ReadOptions options_of(const StagedFiles& staged, const ReadBack& from) {
  ReadOptions options = from.reading;
  // A document beside its input goes on naming the input's files.
  const fs::path folder = from.output.parent_path();
  options.future_directory = folder.empty() ? "." : folder;
  widen(options.root, options.future_directory);
  widen(options.root, staged.staged_main().parent_path());
  return options;
}

}  // namespace

void read_back(const StagedFiles& staged, const ReadBack& from,
               const std::function<void(const Document& written)>& compare) {
  const fs::path main = staged.staged_main();
  try {
    Findings repeated;  // reported when the input was read
    compare(read_document(main, repeated, options_of(staged, from)));
  } catch (const Error& error) {
    throw_of_output(error.kind(), reason_of(error.what(), main, from.output), from);
  } catch (const std::bad_alloc&) {
    throw_of_output(ErrorKind::resource, "out of memory", from);
  } catch (const std::ios_base::failure& failure) {
    throw_of_output(ErrorKind::input, failure.what(), from);
  }
}

void verify_staged(const StagedFiles& staged, const ReadBack& from, const ExpectedSkin& expected) {
  read_back(staged, from, [&](const Document& written) {
    Findings repeated;
    Scene read = scene_of(written, expected.selection, repeated, {.attributes = false});
    join_parts(expected.scene, expected.weights, expected.splits, read);
    verify_written(expected.scene, expected.weights, read);
  });
}

void write_checked(const Document& document, const ExpectedSkin& expected, const ReadBack& from,
                   const WriteOptions& writing, StagedFiles* beside) {
  Findings findings;
  refuse_false_vrm(document, from.input, from.output);
  StagedFiles staged(encode(document, from.output, findings), from.output, writing);
  verify_staged(staged, from, expected);
  StagedFiles* const outputs[] = {beside, &staged};
  commit_together(outputs);
}

}  // namespace gvbind
