#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <functional>
#include <vector>

#include "formats/document.h"

/// Invariants of every document that a reader accepts, whatever its content.
namespace gvbind::fuzz {

/// Aborts the process if `holds` is false, so that the fuzzer saves the input.
void require(bool holds, const char* claim);

/// Limits processor time to ten seconds during its lifetime. Unlike the wall-clock limit of the
/// fuzzer, this does not depend on the load of the machine.
class TimeLimit {
 public:
  TimeLimit() : start_(std::clock()) {}
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
  ~TimeLimit();

 private:
  std::clock_t start_;
};

/// Runs `work`. An Error is an acceptable response to a bad file, unless it is an internal one.
/// Returns whether `work` completed.
bool accepts(const std::function<void()>& work);

/// Positions are finite, indices in range, parents precede children, and attributes have one value
/// per vertex.
void check_scene(const Scene& scene);

/// Weights sum to one at every vertex of the bound meshes.
void check_bound(const Scene& scene);

using Parse = std::function<Document(std::vector<std::uint8_t>)>;

/// Adds a skin to a document, encodes it for `path`, and checks that the result can be read. Does
/// the same for a document built from its scene for `other`, which `parse_other` reads.
void check_round_trip(Document document, const std::filesystem::path& path, const Parse& parse,
                      const std::filesystem::path& other, const Parse& parse_other);

}  // namespace gvbind::fuzz
