#pragma once

// Tested by tests/command/certificate_test.py.

#include <filesystem>
#include <string>
#include <vector>

#include "common/sha256.h"
#include "io/encoded_file.h"
#include "report/asset_entry.h"
#include "report/report_json.h"

namespace gvbind {

/// A file that a certificate speaks of.
struct CertifiedFile {
  std::string of;    ///< "output", "input" or "skeleton": the file itself, or one beside it
  std::string path;  ///< from the output's directory
  FileSha256 content;

  bool operator==(const CertifiedFile&) const = default;
};

/// A statement about an output, which lies beside it: the files that were read and written, the
/// version, the options, the figures of the report and the limits of findings. It has a hash of its
/// own text and no signature: it shows accidents, not forgery.
struct Certificate {
  std::string version;               ///< of the gvbind that wrote the output
  std::vector<CertifiedFile> files;  ///< the output itself first
};

/// "hero.glb.certificate.json" for "hero.glb".
std::filesystem::path certificate_path(const std::filesystem::path& output);
bool is_certificate_name(const std::filesystem::path& path);
/// The output of a certificate, by its name.
std::filesystem::path certified_output(const std::filesystem::path& certificate);

/// Throws Error(output) where a file has the certificate's name that is none.
void refuse_foreign_certificate(const std::filesystem::path& output);

/// Where a file of the output's certificate lies. A name that is not UTF-8 differs from the file's.
std::filesystem::path certified_place(const std::filesystem::path& output, const std::string& path);

/// Throws Error(input), without the path, where the file is no whole certificate: too large, no
/// JSON, of another schema, or changed since it was written.
Certificate read_certificate(const std::filesystem::path& path);

/// Collects the parts of a certificate around a bind.
class CertificateDraft {
 public:
  /// Hashes the input and the skeleton (empty: none) before they are read.
  CertificateDraft(const std::filesystem::path& input, const std::filesystem::path& skeleton,
                   const std::filesystem::path& output);

  /// The files as they are about to be written.
  void add_outputs(const std::vector<EncodedFile>& files);
  /// Files beside the input and the skeleton, relative to each. Missing ones are left out.
  void add_sidecars(const std::vector<std::string>& of_input,
                    const std::vector<std::string>& of_skeleton);
  /// A file of an existing output.
  void add_output(const std::string& path);

  /// Whether a whole certificate of these very files lies beside the output.
  bool is_written() const;

  /// Whole or not at all. Throws Error(output), also where the input or the skeleton has changed
  /// since the constructor: then nothing is certified.
  void write(const AssetEntry& entry) const;

 private:
  std::vector<CertifiedFile> files() const;  ///< as the certificate names them
  void add(const char* of, const std::filesystem::path& path);

  std::filesystem::path input_, skeleton_, output_;
  std::vector<CertifiedFile> inputs_, outputs_;
};

/// draft.write(), with an Error as the finding "certificate-failed": the output is whole.
void write_certificate(const CertificateDraft& draft, AssetEntry& entry);

}  // namespace gvbind
