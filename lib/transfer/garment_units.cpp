#include "transfer/garment_units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "character/skeleton_units.h"
#include "gvbind/base/utf8.h"

namespace gvbind::transfer {

namespace {

using Points = std::vector<Eigen::Vector3d>;

struct NamedUnit {
  const char* name;
  double meters;
};

constexpr std::array<NamedUnit, 5> usual_units = {{{"meters", 1.0},
                                                   {"centimeters", 0.01},
                                                   {"millimeters", 0.001},
                                                   {"inches", 0.0254},
                                                   {"feet", 0.3048}}};

/// At most about this many positions, evenly chosen.
Points sample(const Scene& scene, bool skinned_only, std::size_t most) {
  Points all, some;
  for (const SceneMesh& mesh : scene.meshes)
    if (!skinned_only || !mesh.weights.empty())
      all.insert(all.end(), mesh.positions.begin(), mesh.positions.end());
  const std::size_t step = std::max<std::size_t>(1, all.size() / most);
  for (std::size_t i = 0; i < all.size(); i += step)
    if (all[i].allFinite()) some.push_back(all[i]);
  return some;
}

/// The mean distance of the garment's vertices from those of the body, of the garment's diagonal.
double misfit(const Points& body, const Points& garment, const Eigen::Affine3d& moved) {
  Eigen::AlignedBox3d box;
  double sum = 0.0;
  for (const Eigen::Vector3d& vertex : garment) {
    const Eigen::Vector3d p = moved * vertex;
    box.extend(p);
    double nearest = HUGE_VAL;
    for (const Eigen::Vector3d& q : body) nearest = std::min(nearest, (p - q).squaredNorm());
    sum += std::sqrt(nearest);
  }
  const double diagonal = box.isEmpty() ? 0.0 : box.diagonal().norm();
  return diagonal > 0.0 ? sum / static_cast<double>(garment.size()) / diagonal : HUGE_VAL;
}

/// +Z up, as CAD and 3D printing have it, to +Y up.
Eigen::Matrix3d stood_up() {
  Eigen::Matrix3d turn;
  turn << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  return turn;
}

}  // namespace

Eigen::Affine3d garment_to_meters(const Scene& body, const Scene& garment, Findings& findings) {
  constexpr std::size_t most_body = 4000, most_garment = 300;
  constexpr double clear = 0.5;  // another unit has to fit twice as well as the file's own numbers
  Eigen::Affine3d best = Eigen::Affine3d::Identity();
  if (!body.units.known) return best;
  Units meters;
  meters.known = true;
  meters.meters = 1.0;
  meters.up = Eigen::Vector3d::UnitY();
  meters.front = Eigen::Vector3d::UnitZ();
  const Eigen::Affine3d body_to_meters = change_of_units(body.units, meters);
  Points on_body = sample(body, true, most_body);
  for (Eigen::Vector3d& p : on_body) p = body_to_meters * p;
  const Points on_garment = sample(garment, false, most_garment);
  if (on_body.empty() || on_garment.empty()) return best;
  double least = clear * misfit(on_body, on_garment, best);
  const NamedUnit* unit = &usual_units.front();
  bool stands = true;
  for (const bool turned : {false, true})
    for (const NamedUnit& candidate : usual_units) {
      Eigen::Affine3d moved = Eigen::Affine3d::Identity();
      moved.linear() = candidate.meters * (turned ? stood_up() : Eigen::Matrix3d::Identity());
      const double off = misfit(on_body, on_garment, moved);
      if (!(off < least)) continue;
      least = off;
      best = moved;
      unit = &candidate;
      stands = !turned;
    }
  if (unit->meters != 1.0)
    findings.push_back({Severity::note, "mesh-scaled",
                        "taken for " + std::string(unit->name) + ": scaled by " +
                            significant(unit->meters, 4) + ", which brings it nearest to the body",
                        ""});
  if (!stands)
    findings.push_back({Severity::note, "mesh-stood-up",
                        "turned to stand along +y, which brings it nearest to the body", ""});
  return best;
}

}  // namespace gvbind::transfer
