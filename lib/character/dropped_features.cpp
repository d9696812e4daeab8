#include "character/dropped_features.h"

#include <algorithm>

namespace gvbind {

void DroppedFeatures::add(std::string_view one, std::string_view many, std::size_t count) {
  if (count == 0) return;
  const auto same = std::ranges::find(kinds, one, &Kind::one);
  if (same != kinds.end())
    same->count += count;
  else
    kinds.push_back({std::string(one), std::string(many), count});
}

std::string DroppedFeatures::text() const {
  std::string out;
  for (const Kind& kind : kinds)
    out += (out.empty() ? "" : ", ") + std::to_string(kind.count) + " " +
           (kind.count == 1 ? kind.one : kind.many);
  return out;
}

}  // namespace gvbind
