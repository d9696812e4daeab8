#include "gvbind/base/peak_memory.h"

#include <sys/resource.h>

#include <charconv>
#include <fstream>
#include <string>

namespace gvbind {

namespace {

constexpr std::size_t kibibyte = 1024;  // the unit of both values on Linux
#ifdef __APPLE__
constexpr std::size_t usage_unit = 1;
#else
constexpr std::size_t usage_unit = kibibyte;
#endif

/// 0 if the system does not report it.
std::size_t high_water_mark() {
  constexpr std::string_view label = "VmHWM:";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(label)) continue;
    const std::size_t digits = line.find_first_not_of(" \t", label.size());
    if (digits == std::string::npos) return 0;
    std::size_t value = 0;
    std::from_chars(line.data() + digits, line.data() + line.size(), value);
    return value * kibibyte;
  }
  return 0;
}

}  // namespace

std::size_t peak_memory_bytes() {
  // getrusage() continues from the peak of the process that called exec, so a small child of a
  // large parent would report its parent's peak.
  if (const std::size_t own = high_water_mark()) return own;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * usage_unit;
}

void restart_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace gvbind
