#include "motion/skin_cells.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "gvbind/base/parallel.h"
#include "motion/cell_loss.h"

namespace gvbind {
namespace {

double drawn(std::mt19937_64& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
}

Eigen::Vector3d drawn_point(std::mt19937_64& random) {
  return {drawn(random, -1, 1), drawn(random, -1, 1), drawn(random, -1, 1)};
}

motion::SkinCells drawn_cells(std::size_t count, int max_influences, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  motion::SkinCells cells;
  cells.size = 2.5;
  cells.max_influences = max_influences;
  for (std::size_t c = 0; c < count; ++c) {
    cells.joints.push_back({std::string(1, static_cast<char>('a' + c)), drawn_point(random)});
    for (std::size_t k = 0; k < motion::sites_per_cell; ++k) {
      for (int i = 0; i < 3; ++i) cells.numbers.push_back(drawn(random, -0.1, 0.1));
      for (int i = 0; i < 3; ++i) cells.numbers.push_back(drawn(random, -0.5, 0.5));
      for (int i = 0; i < 4; ++i) cells.numbers.push_back(drawn(random, -1, 1));
      cells.numbers.push_back(std::log(drawn(random, 0.05, 0.6)));
    }
    cells.numbers.push_back(drawn(random, -0.5, 1.0));
    cells.numbers.push_back(drawn(random, -0.5, 0.5));
  }
  return cells;
}

/// Written from the paper, independent of the code under test.
std::vector<double> plain_weights(const motion::SkinCells& cells, const Eigen::Vector3d& position) {
  std::vector<double> distance, weight;
  for (std::size_t j = 0; j < cells.count(); ++j) {
    double least = INFINITY;
    for (std::size_t k = 0; k < motion::sites_per_cell; ++k) {
      const double* n = &cells.numbers[j * motion::numbers_per_cell + k * motion::numbers_per_site];
      const Eigen::Vector3d center =
          cells.joints[j].position + cells.size * Eigen::Vector3d(n[0], n[1], n[2]);
      Eigen::Matrix3d f = Eigen::Quaterniond(n[9], n[6], n[7], n[8]).normalized().matrix();
      for (int i = 0; i < 3; ++i) f.row(i) *= std::exp(n[3 + i]);
      const double d = (f * (position - center) / cells.size).norm(), t = std::exp(n[10]);
      least = std::min(least, d < t ? (d * d / t + t) / 2 : d);
    }
    distance.push_back(least);
  }
  std::vector<double> sorted = distance;
  std::ranges::sort(sorted);
  const double far = sorted[static_cast<std::size_t>(cells.max_influences)];
  double sum = 0.0;
  for (std::size_t j = 0; j < cells.count(); ++j) {
    const double x = std::max(0.0, 1.0 - 2.0 * distance[j] / (far + distance[j]));
    const double r = std::exp(cells.numbers[j * motion::numbers_per_cell + motion::cell_exponent]);
    weight.push_back(std::pow(3 * x * x - 2 * x * x * x, r));
    sum += weight.back();
  }
  for (double& w : weight) w /= sum;
  return weight;
}

TEST_CASE("cells weigh as the paper's equations do") {
  const motion::SkinCells cells = drawn_cells(9, 4, 1);
  const motion::CellField field = motion::cell_field(cells);
  std::mt19937_64 random(2);
  motion::CellPoint point;
  for (int i = 0; i < 500; ++i) {
    const Eigen::Vector3d at = 2.0 * drawn_point(random);
    motion::evaluate_point(field, at, point);
    const std::vector<double> plain = plain_weights(cells, at);
    for (std::size_t c = 0; c < cells.count(); ++c)
      CHECK(point.weight[c] == Approx(plain[c]).margin(1e-9));
  }
}

TEST_CASE("cells are a partition of unity with a limited number of joints") {
  for (const std::size_t count : {1u, 2u, 4u, 5u, 12u})
    for (const int most : {1, 2, 4}) {
      const motion::SkinCells cells = drawn_cells(count, most, count);
      std::mt19937_64 random(3);
      std::vector<Eigen::Vector3d> points = {cells.joints[0].position,
                                             Eigen::Vector3d::Constant(NAN)};
      for (int i = 0; i < 300; ++i) points.push_back(3.0 * drawn_point(random));
      const SkinWeights rows = motion::cell_weights(cells, points, most);
      REQUIRE(rows.vertex_count() == points.size());
      for (std::size_t v = 0; v < points.size(); ++v) {
        const WeightRow row = rows.row(v);
        CHECK(row.size() <= static_cast<std::size_t>(most));
        double sum = 0.0;
        for (std::size_t i = 0; i < row.size(); ++i) {
          CHECK(row[i].weight > 0.0f);
          CHECK(row[i].joint < count);
          if (i > 0) CHECK(row[i].weight <= row[i - 1].weight);
          sum += double{row[i].weight};
        }
        CHECK(sum == Approx(v == 1 ? 0.0 : 1.0).margin(1e-6));
      }
    }
}

double largest_change(const motion::CellPoint& a, const motion::CellPoint& b) {
  double largest = 0.0;
  for (std::size_t c = 0; c < a.weight.size(); ++c)
    largest = std::max(largest, std::abs(a.weight[c] - b.weight[c]));
  return largest;
}

/// The largest change of a weight between adjacent points on a line.
double largest_step(const motion::CellField& field, const Eigen::Vector3d& from,
                    const Eigen::Vector3d& to, int steps) {
  motion::CellPoint before, after;
  motion::evaluate_point(field, from, before);
  double largest = 0.0;
  for (int i = 1; i <= steps; ++i) {
    motion::evaluate_point(field, from + (to - from) * (static_cast<double>(i) / steps), after);
    largest = std::max(largest, largest_change(before, after));
    std::swap(before, after);
  }
  return largest;
}

TEST_CASE("weights are continuous where a joint leaves") {
  const motion::CellField field = motion::cell_field(drawn_cells(12, 3, 5));
  motion::CellPoint before, after;
  std::mt19937_64 random(6);
  int left = 0;
  for (int line = 0; line < 20; ++line) {
    const Eigen::Vector3d from = drawn_point(random), to = drawn_point(random);
    constexpr int steps = 1000;
    Eigen::Vector3d last = from;
    motion::evaluate_point(field, from, before);
    for (int i = 1; i <= steps; ++i) {
      const Eigen::Vector3d at = from + (to - from) * (static_cast<double>(i) / steps);
      motion::evaluate_point(field, at, after);
      if (before.owns != after.owns) {
        ++left;
        CHECK(largest_step(field, last, at, 4000) < 0.01);
      }
      std::swap(before, after);
      last = at;
    }
  }
  CHECK(left > 20);
}

motion::CellProblem drawn_problem(const motion::SkinCells& cells) {
  std::mt19937_64 random(7);
  motion::CellProblem problem;
  problem.weights = {1.0, 0.3, 0.7, 0.9};
  for (std::uint32_t s = 0; s < 150; ++s) {
    motion::CellSample sample{
        s, drawn_point(random), 1.0 / 150.0, {{s % 7, 0.75f}, {7, 0.25f}}, 0.8};
    sample.has_spring = s % 3 > 0;
    sample.spring_cell = s % 5;
    sample.anchor = drawn_point(random);
    problem.samples.push_back(sample);
  }
  for (int p = 0; p < 3; ++p) {
    problem.poses.emplace_back();
    for (std::size_t c = 0; c < cells.count(); ++c)
      problem.poses.back().push_back(
          Eigen::Translation3d(drawn_point(random)) *
          Eigen::AngleAxisd(drawn(random, 0, 1), drawn_point(random).normalized()));
  }
  for (std::size_t i = 0; i < 3 * problem.samples.size(); ++i)
    problem.target.push_back(drawn_point(random));
  return problem;
}

TEST_CASE("slopes of the loss are those of finite differences") {
  for (const double margin : {0.0, 0.3}) {
    motion::SkinCells cells = drawn_cells(9, 3, 8);
    const motion::CellProblem problem = drawn_problem(cells);
    std::vector<double> gradient, ignored;
    motion::cell_loss(cells, problem, margin, gradient);
    double size = 0.0;
    for (const double slope : gradient) size = std::max(size, std::abs(slope));
    REQUIRE(size > 1e-3);
    std::size_t moving = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      constexpr double step = 1e-7;
      const double number = cells.numbers[i];
      cells.numbers[i] = number + step;
      const double above = motion::cell_loss(cells, problem, margin, ignored);
      cells.numbers[i] = number - step;
      const double below = motion::cell_loss(cells, problem, margin, ignored);
      cells.numbers[i] = number;
      INFO("number " << i % motion::numbers_per_cell);
      CHECK(gradient[i] == Approx((above - below) / (2 * step)).epsilon(1e-3).margin(1e-5 * size));
      moving += std::abs(gradient[i]) > 1e-4 * size;
    }
    CHECK(moving > gradient.size() / 3);
    if (margin > 0.0) CHECK(std::abs(gradient[motion::cell_margin]) > 1e-6 * size);
  }
}

TEST_CASE("the loss is the same on any number of threads", "[threads]") {
  const motion::SkinCells cells = drawn_cells(9, 3, 8);
  const motion::CellProblem problem = drawn_problem(cells);
  std::vector<double> one, two;
  double first = 0.0, second = 0.0;
  with_threads(1, {}, [&] { first = motion::cell_loss(cells, problem, 0.1, one); });
  with_threads(2, {}, [&] { second = motion::cell_loss(cells, problem, 0.1, two); });
  CHECK(first == second);
  CHECK(one == two);
}

}  // namespace
}  // namespace gvbind
