#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <functional>
#include <vector>

#include "formats/document.h"

/// What is claimed of every document that a reader takes, whatever is in it.
namespace gvbind::fuzz {

/// Ends the process, so that the fuzzer keeps the input.
void require(bool holds, const char* claim);

/// While it lives, not more than ten seconds of processor time may pass: unlike the fuzzer's own
/// limit, which is one of wall time, this does not depend on what else a machine does.
class TimeLimit {
 public:
  TimeLimit() : start_(std::clock()) {}
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
  ~TimeLimit();

 private:
  std::clock_t start_;
};

/// Runs `work`; an Error that leaves it is the answer to a bad file, unless it tells of a mistake
/// of ours. Returns whether `work` came to its end.
bool accepts(const std::function<void()>& work);

/// Finite places, indices in range, parents before children, as many of each as there are vertices.
void check_scene(const Scene& scene);

/// Weights sum to one at every vertex of the bound meshes.
void check_bound(const Scene& scene);

using Parse = std::function<Document(std::vector<std::uint8_t>)>;

/// Gives a document that was read a skin and encodes it for `path`: what comes out can be read. So
/// can a document built from its scene for `other`, as `parse_other` reads it.
void check_round_trip(Document document, const std::filesystem::path& path, const Parse& parse,
                      const std::filesystem::path& other, const Parse& parse_other);

}  // namespace gvbind::fuzz
