#include "motion/correctives.h"

#include <catch2/catch.hpp>

#include "gvbind/base/parallel.h"
#include "motion/bent_tube.h"
#include "motion/delta_mush.h"
#include "motion/volume_correction.h"

namespace gvbind {
namespace {

using test::farthest;

TEST_CASE("sums of long products do not depend on the caches of the machine") {
  CHECK(Eigen::l1CacheSize() == 32 * 1024);
  CHECK(Eigen::l2CacheSize() == 256 * 1024);
  CHECK(Eigen::l3CacheSize() == 2 * 1024 * 1024);
}

struct Samples {
  motion::VolumeModel model = motion::volume_model(test::jointed_tube());
  std::vector<std::vector<Eigen::Affine3d>> poses;
  std::vector<std::vector<Eigen::Vector3d>> targets;
  std::vector<motion::RestOffsets> offsets;
  motion::DeltaMush mush = motion::prepare_delta_mush(model.surface.rest, model.surface.triangles);

  explicit Samples(bool volume = false, double step = 5.0) {
    for (int i = 0; i <= 24; ++i) {
      poses.push_back(test::tube_pose(step * i, Eigen::Vector3d(0.3, i % 3 - 1.0, 1).normalized()));
      targets.push_back(
          volume ? motion::volume_positions(model, poses.back()).positions
                 : motion::delta_mush(mush, motion::linear_positions(model.surface, poses.back())));
      offsets.push_back(motion::rest_offsets(model.surface, poses.back(), targets.back()));
    }
  }
};

double worst_error(const Samples& samples, const motion::Correctives& correctives) {
  double worst = 0.0;
  for (std::size_t s = 0; s < samples.poses.size(); ++s)
    worst =
        std::max(worst, farthest(motion::offset_positions(samples.model.surface, samples.poses[s],
                                                          motion::blended_offsets(correctives, s)),
                                 samples.targets[s]));
  return worst;
}

double sum_of_squares(const Samples& samples, const motion::Correctives& correctives) {
  double sum = 0.0;
  for (std::size_t s = 0; s < samples.poses.size(); ++s) {
    const motion::RestOffsets blended = motion::blended_offsets(correctives, s);
    for (std::size_t v = 0; v < blended.size(); ++v)
      sum += (blended[v] - samples.offsets[s][v]).squaredNorm();
  }
  return sum;
}

TEST_CASE("offsets in rest space give the target back") {
  const Samples samples;
  for (std::size_t s = 0; s < samples.poses.size(); ++s)
    CHECK(farthest(
              motion::offset_positions(samples.model.surface, samples.poses[s], samples.offsets[s]),
              samples.targets[s]) < 2e-6);
}

TEST_CASE("where a vertex has collapsed its offset stays bounded") {
  const motion::VolumeModel model = motion::volume_model(test::jointed_tube());
  const auto pose = test::tube_pose(180, {0, 1, 0});
  auto target = motion::linear_positions(model.surface, pose);
  for (Eigen::Vector3d& p : target) p += Eigen::Vector3d(0.01, 0.02, 0.03);
  for (const Eigen::Vector3f& offset : motion::rest_offsets(model.surface, pose, target))
    CHECK(offset.norm() < 0.5F);
}

TEST_CASE("as many shapes as samples are the samples, and each further shape lowers the rest") {
  const Samples samples;
  double before = HUGE_VAL;
  for (const std::size_t count : {1, 2, 4, 8, 16}) {
    const motion::Correctives correctives = motion::fit_correctives(samples.offsets, count);
    CHECK(correctives.shapes.size() == count);
    const double rest = sum_of_squares(samples, correctives);
    CHECK(rest < before);
    before = rest;
  }
  CHECK(worst_error(samples, motion::fit_correctives(samples.offsets, 100)) < 1e-5);
}

TEST_CASE("the volume lost at one joint is one shape") {
  // So large that no bound on displacements is reached.
  const Samples samples(true, 2.0);
  const motion::Correctives correctives = motion::fit_correctives(samples.offsets, 8);
  CHECK(correctives.shapes.size() < 8);
  CHECK(worst_error(samples, motion::fit_correctives(samples.offsets, 1)) < 1e-4);
}

TEST_CASE("weights without a sign cost at most the shape that is constant") {
  // Two ways to bend: with these weights, shapes of one sign are not sufficient.
  std::vector<motion::RestOffsets> samples;
  for (int s = 0; s < 12; ++s) {
    motion::RestOffsets& sample = samples.emplace_back(40, Eigen::Vector3f::Zero());
    for (std::size_t v = 0; v < sample.size(); ++v)
      sample[v] = {std::sin(0.5F * static_cast<float>(s)) * static_cast<float>(v),
                   std::cos(0.7F * static_cast<float>(s)), 0.0F};
  }
  const motion::Correctives correctives = motion::fit_correctives(samples, 3);
  REQUIRE(correctives.shapes.size() == 3);
  for (std::size_t s = 0; s < samples.size(); ++s) {
    CHECK(correctives.weights[s].back() == 1.0);
    for (const double weight : correctives.weights[s]) CHECK((weight >= 0.0 && weight <= 1.0));
    const motion::RestOffsets blended = motion::blended_offsets(correctives, s);
    for (std::size_t v = 0; v < blended.size(); ++v)
      CHECK((blended[v] - samples[s][v]).norm() < 1e-4F);
  }
}

TEST_CASE("the largest weight of a shape is 1, and no shape is made of nothing") {
  const Samples samples;
  const motion::Correctives correctives = motion::fit_correctives(samples.offsets, 5);
  REQUIRE(correctives.shapes.size() == 5);
  for (std::size_t k = 0; k < 5; ++k) {
    double largest = 0.0, least = 0.0;
    for (const std::vector<double>& weights : correctives.weights) {
      largest = std::max(largest, weights[k]);
      least = std::min(least, weights[k]);
    }
    CHECK(largest == 1.0);
    CHECK(least >= 0.0);
  }
  CHECK(motion::fit_correctives(samples.offsets, 1).shapes.size() == 1);
  const std::vector<motion::RestOffsets> nothing(3,
                                                 motion::RestOffsets(7, Eigen::Vector3f::Zero()));
  CHECK(motion::fit_correctives(nothing, 4).shapes.empty());
  CHECK(motion::fit_correctives({}, 4).shapes.empty());
}

TEST_CASE("correctives are the same on any number of threads", "[threads]") {
  motion::Correctives one, two;
  with_threads(1, {}, [&] { one = motion::fit_correctives(Samples().offsets, 6); });
  with_threads(2, {}, [&] { two = motion::fit_correctives(Samples().offsets, 6); });
  CHECK(one.shapes == two.shapes);
  CHECK(one.weights == two.weights);
}

}  // namespace
}  // namespace gvbind
