#pragma once

// Catch2 3 under the header and the names of Catch2 2, for as long as Debian has that.

#include <catch2/catch_all.hpp>
#include <string>

namespace Catch {

using TestEventListenerBase = EventListenerBase;
using Matchers::Matches;
using Matchers::StartsWith;

inline auto Contains(const std::string& part) { return Matchers::ContainsSubstring(part); }

}  // namespace Catch

using Catch::Approx;
