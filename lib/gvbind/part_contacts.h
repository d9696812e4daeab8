#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/mesh_parts.h"

namespace gvbind {

/// How near a part comes to another one.
struct PartContact {
  std::uint32_t part;        ///< the other
  std::vector<double> gaps;  ///< of the part's surface points those within the search distance of
                             ///< the other: how far, cube sides
  double least() const;
  /// Surface points at most `gap` away.
  std::size_t within(double gap) const;
};

/// Of each part asked, in their order, the contacts with every other part within a fortieth of the
/// cube's side, by part; with the nearest alone (several, if they are as
/// near) if none is that near. In parallel.
std::vector<std::vector<PartContact>> part_contacts(const UnitScene& scene, const MeshParts& parts,
                                                    std::span<const std::uint32_t> asked);

}  // namespace gvbind
