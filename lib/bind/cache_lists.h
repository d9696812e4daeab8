#pragma once

// Tested by tests/unit/bind/distance_cache_test.cpp.

#include <span>
#include <vector>

#include "bind/cache_stream.h"
#include "gvbind/cached_distances.h"

namespace gvbind {

// The parts of saved distances. take_...() checks the indices, orders and ranges that the stages
// rely on, and throws Error(input).

void put_points(std::span<const Eigen::Vector3i> points, FieldWriter& out);
std::vector<Eigen::Vector3i> take_points(FieldReader& in);

void put_triangles(std::span<const Triangle> triangles, FieldWriter& out);
std::vector<Triangle> take_triangles(std::size_t vertices, FieldReader& in);

void put_bones(const LatticeBones& bones, FieldWriter& out);
LatticeBones take_bones(std::size_t joints, FieldReader& in);

void put_voxels(const SparseVoxels& voxels, FieldWriter& out);
/// Their neighbors are not linked.
SparseVoxels take_voxels(FieldReader& in);

void put_labels(const DistanceField& field, FieldWriter& out);
DistanceField take_labels(std::size_t voxels, std::size_t joints, FieldReader& in);

void put_seeds(std::span<const Seed> seeds, FieldWriter& out);
std::vector<Seed> take_seeds(std::size_t voxels, std::size_t joints, FieldReader& in);

void put_outside(std::span<const OutsideJoint> outside, FieldWriter& out);
std::vector<OutsideJoint> take_outside(std::size_t joints, FieldReader& in);

void put_primitive(const Primitive& where, FieldWriter& out);
void put_seed_regions(std::span<const SeedRegion> volumes, FieldWriter& out);
std::vector<SeedRegion> take_volumes_of_field(std::size_t joints, FieldReader& in);

void put_scores(const PairScores& scores, FieldWriter& out);
PairScores take_scores(std::size_t vertices, std::size_t joints, FieldReader& in);

/// Statistics and findings; times are left out.
void put_report(const BindResult& report, FieldWriter& out);
BindResult take_report(FieldReader& in);

}  // namespace gvbind
