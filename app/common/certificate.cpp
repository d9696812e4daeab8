#include "common/certificate.h"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include "check/check.h"
#include "common/write_text.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/file_io.h"
#include "report/batch_report.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

constexpr const char* schema = "gvbind/certificate/1";
constexpr const char* ending = ".certificate.json";
constexpr std::uintmax_t most_bytes = 64 << 20;
constexpr int most_levels = 64;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::input, why); }

Json limit_json(const check::CheckLimit& limit) {
  Json json = Json::object();
  const auto add = [&](const char* name, double value) {
    if (value != check::CheckLimit::none) json[name] = value;
  };
  add("note", limit.note);
  add("warning", limit.warning);
  add("error", limit.error);
  return json;
}

/// Above these, a bind has the findings of the same names.
Json limits_json(const AssetEntry& entry) {
  const check::CheckOptions options;
  return {{"fail_on", name_of(entry.fail_on.value_or(Severity::error))},
          {"bleed", limit_json(options.bleed_share)},
          {"stretch", limit_json(options.stretch_p99)},
          {"far_surface", limit_json(options.far_surface)},
          {"far_joint", limit_json(options.far_joint)}};
}

Json files_json(const std::vector<CertifiedFile>& files) {
  Json list = Json::array();
  for (const CertifiedFile& file : files)
    list.push_back({{"of", file.of},
                    {"path", file.path},
                    {"size", file.content.size},
                    {"sha256", file.content.digits}});
  return list;
}

/// Nesting is limited, since dumping is recursive.
Json parse_flat(const std::vector<std::uint8_t>& bytes) {
  bool deep = false;
  const auto keep = [&](int depth, Json::parse_event_t, Json&) {
    deep = deep || depth > most_levels;
    return depth <= most_levels;
  };
  Json json = Json::parse(bytes.begin(), bytes.end(), keep, false);
  if (deep || !json.is_object()) refuse("is no JSON of a certificate");
  return json;
}

Certificate certificate_of(const Json& statement) {
  Certificate certificate;
  certificate.version = statement.at("tool").at("version").get<std::string>();
  for (const Json& file : statement.at("files"))
    certificate.files.push_back(
        {file.at("of").get<std::string>(),
         file.at("path").get<std::string>(),
         {file.at("size").get<std::uintmax_t>(), file.at("sha256").get<std::string>()}});
  if (certificate.files.empty() || certificate.files[0].of != "output") refuse("names no output");
  return certificate;
}

}  // namespace

fs::path certificate_path(const fs::path& output) { return path_text(output) + ending; }

bool is_certificate_name(const fs::path& path) { return path_text(path).ends_with(ending); }

fs::path certified_output(const fs::path& certificate) {
  const std::string text = path_text(certificate);
  return text.substr(0, text.size() - std::string_view(ending).size());
}

void refuse_foreign_certificate(const fs::path& output) {
  const fs::path path = certificate_path(output);
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(path, ignored))) return;
  try {
    // A changed one is ours still.
    const Json json = parse_flat(read_file(path));
    if (json.value("schema", "") == schema) return;
  } catch (const std::exception&) {
    // It is something else.
  }
  throw Error(ErrorKind::output, path_text(path) +
                                     ": is there already and no certificate of gvbind; --force "
                                     "overwrites it");
}

fs::path certified_place(const fs::path& output, const std::string& path) {
  if (path == mended_utf8(path_text(output.filename()))) return output;
  return output.parent_path() / path;
}

Certificate read_certificate(const fs::path& path) {
  std::error_code ignored;
  if (fs::file_size(path, ignored) > most_bytes && !ignored)
    refuse("is larger than a certificate can be");
  const Json json = parse_flat(read_file(path));
  try {
    if (json.at("schema") != schema) refuse("is no certificate of this version of gvbind");
    const Json& statement = json.at("statement");
    if (json.at("statement_sha256") != sha256_of(json_line(statement)))
      refuse("has been changed since it was written: its statement has another hash");
    return certificate_of(statement);
  } catch (const Json::exception&) {
    refuse("lacks a part of a certificate");
  }
}

CertificateDraft::CertificateDraft(const fs::path& input, const fs::path& skeleton,
                                   const fs::path& output)
    : input_(input), skeleton_(skeleton), output_(output) {
  add("input", input_);
  if (!skeleton_.empty()) add("skeleton", skeleton_);
}

void CertificateDraft::add(const char* of, const fs::path& path) {
  const std::optional<FileSha256> content = sha256_of_file(path);
  if (!content) return;
  const fs::path from = fs::absolute(output_).lexically_normal().parent_path();
  const fs::path relative = fs::absolute(path).lexically_normal().lexically_relative(from);
  inputs_.push_back({of, relative.generic_string(), *content});
}

void CertificateDraft::add_outputs(const std::vector<EncodedFile>& files) {
  outputs_.clear();
  for (const EncodedFile& file : files) {
    CertifiedFile one{"output", file.relative_path, {file.bytes.size(), sha256_of(file.bytes)}};
    if (one.path.empty()) one.path = path_text(output_.filename());
    // The output itself comes first.
    outputs_.insert(file.relative_path.empty() ? outputs_.begin() : outputs_.end(), std::move(one));
  }
}

void CertificateDraft::add_sidecars(const std::vector<std::string>& of_input,
                                    const std::vector<std::string>& of_skeleton) {
  for (const std::string& path : of_input) add("input", input_.parent_path() / path);
  for (const std::string& path : of_skeleton) add("skeleton", skeleton_.parent_path() / path);
}

void CertificateDraft::add_output(const std::string& path) {
  if (const auto content = sha256_of_file(certified_place(output_, path)))
    outputs_.push_back({"output", path, *content});
}

std::vector<CertifiedFile> CertificateDraft::files() const {
  std::vector<CertifiedFile> files = outputs_;
  files.insert(files.end(), inputs_.begin(), inputs_.end());
  for (CertifiedFile& file : files) file.path = mended_utf8(file.path);
  return files;
}

bool CertificateDraft::is_written() const {
  std::error_code ignored;
  const fs::path path = certificate_path(output_);
  if (!fs::is_regular_file(path, ignored)) return false;
  try {
    return std::ranges::is_permutation(read_certificate(path).files, files());
  } catch (const Error&) {
    return false;
  }
}

void CertificateDraft::write(const AssetEntry& entry) const {
  const fs::path path = certificate_path(output_);
  for (const auto& [of, file] : {std::pair("input", input_), std::pair("skeleton", skeleton_)}) {
    const auto known = std::ranges::find(inputs_, std::string(of), &CertifiedFile::of);
    if (file.empty() || (known != inputs_.end() && sha256_of_file(file) == known->content))
      continue;
    throw Error(ErrorKind::output, path_text(path) + ": is not written, since " + path_text(file) +
                                       " changed while it was bound");
  }
  AssetEntry bare = entry;
  strip_timings(bare);
  const Json statement = {
      {"tool", {{"name", "gvbind"}, {"version", ReportTool::program_version()}}},
      {"files", files_json(files())},
      {"limits", limits_json(entry)},
      {"report", json_of(bare)}};
  // As it comes back from the file, where bytes that are not UTF-8 were replaced.
  const Json stored = Json::parse(json_line(statement));
  write_text_file(json_text({{"schema", schema},
                             {"statement_sha256", sha256_of(json_line(stored))},
                             {"statement", stored}}),
                  path_text(path));
}

void write_certificate(const CertificateDraft& draft, AssetEntry& entry) {
  try {
    draft.write(entry);
  } catch (const Error& error) {
    entry.findings.insert(entry.findings.begin(),
                          {Severity::error, "certificate-failed", error.what(), ""});
  }
}

}  // namespace gvbind
