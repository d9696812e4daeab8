#include "batch/asset_certificate.h"

#include <optional>
#include <string>
#include <vector>

#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "report/report_json.h"

namespace gvbind {

namespace {

/// Of the asset's files as they are now.
CertificateDraft draft_of(const AssetJob& job, const Stamp& stamp) {
  const BindRequest& request = job.request;
  CertificateDraft draft(request.input, request.skeleton, request.output);
  for (const StampedOutput& file : stamp.outputs) draft.add_output(file.path);
  for (const StampedInput& file : stamp.inputs)
    if (!file.path.empty())
      draft.add_sidecars(file.of == "input" ? std::vector{file.path} : std::vector<std::string>(),
                         file.of == "input" ? std::vector<std::string>() : std::vector{file.path});
  return draft;
}

}  // namespace

bool lacks_certificate(const AssetJob& job, const Stamp& stamp) {
  return job.certificate && !draft_of(job, stamp).is_written();
}

void certify_stamped(const AssetJob& job) {
  const BindRequest& request = job.request;
  if (!job.force) refuse_foreign_certificate(request.output);
  const std::optional<Stamp> stamp = read_stamp(request.output);
  const std::optional<AssetEntry> entry = stamp ? read_entry(stamp->entry) : std::nullopt;
  // Hashed first and compared then, so that a file that changes meanwhile is not certified.
  const CertificateDraft draft = draft_of(job, stamp.value_or(Stamp()));
  const AssetFiles files{request.input, request.skeleton, request.output};
  if (!entry || !why_stale(stamp, job.key, files).empty())
    throw Error(ErrorKind::output,
                path_text(certificate_path(request.output)) +
                    ": is not written, since the asset has changed; run the batch again");
  draft.write(*entry);
}

}  // namespace gvbind
