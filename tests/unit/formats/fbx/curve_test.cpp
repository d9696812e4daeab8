#include "formats/fbx/curve.h"

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "formats/fbx/curve_tangents.h"
#include "formats/fbx/objects.h"
#include "formats/fbx/samples.h"
#include "gvbind/error.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

constexpr std::int32_t automatic = fbx_key::cubic | 0x100;
constexpr std::int32_t even = automatic | fbx_key::time_independent;
constexpr std::int32_t user = fbx_key::cubic | fbx_key::user;
constexpr double third = 1.0 / 3.0;

FbxCurve curve_of(const std::vector<double>& times, const std::vector<double>& values,
                  const std::vector<FbxKeyAttributes>& keys) {
  FbxCurve curve;
  curve.times = times;
  curve.values = values;
  curve.spans = solve_spans(curve, keys);
  return curve;
}

FbxCurve curve_of(const std::vector<double>& times, const std::vector<double>& values,
                  std::int32_t flags) {
  FbxKeyAttributes key;
  key.flags = flags;
  return curve_of(times, values, std::vector(times.size(), key));
}

FbxCurve read(const std::string& arrays) {
  const auto document = parse_text(
      ascii_text("\tAnimationCurve: 1, \"AnimCurve::\", \"\" {\n" + arrays + "\t}\n", ""));
  const FbxObjects objects = objects_of(*document);
  return read_curve(objects.node(*objects.find(1)));
}

std::string array_text(const std::string& name, const std::string& numbers) {
  const auto count = std::count(numbers.begin(), numbers.end(), ',') + 1;
  return "\t\t" + name + ": *" + std::to_string(count) + " {\n\t\t\ta: " + numbers + "\n\t\t}\n";
}

std::string list_text(const std::vector<double>& values) {
  std::string out;
  for (const double value : values) {
    if (!out.empty()) out.push_back(',');
    out.append(std::to_string(value));
  }
  return out;
}

/// Keys at 0, 1, 2, ... seconds with the same attributes.
FbxCurve parsed(const std::vector<double>& values, std::int32_t flags, const std::string& data,
                const std::string& more = "") {
  std::vector<double> times;
  for (std::size_t k = 0; k < values.size(); ++k)
    times.push_back(fbx_ticks_per_second * static_cast<double>(k));
  return read(
      array_text("KeyTime", list_text(times)) + array_text("KeyValueFloat", list_text(values)) +
      array_text("KeyAttrFlags", std::to_string(flags)) + array_text("KeyAttrDataFloat", data) +
      array_text("KeyAttrRefCount", std::to_string(values.size())) + more);
}

std::string end_text(const std::string& name, char type, int count) {
  return "\t\t" + name + ": {\n\t\t\tType: " + type +
         "\n\t\t\tRepetition: " + std::to_string(count) + "\n\t\t}\n";
}

/// A slow reference: bisects for the parameter and evaluates the curve by de Casteljau.
double bezier_value(const std::array<double, 4>& x, std::array<double, 4> y, double at) {
  const auto point = [](std::array<double, 4> p, double u) {
    for (std::size_t n = 3; n > 0; --n)
      for (std::size_t i = 0; i < n; ++i) p[i] = (1 - u) * p[i] + u * p[i + 1];
    return p[0];
  };
  double low = 0, high = 1;
  while (high - low > 1e-14) {
    const double middle = 0.5 * (low + high);
    (point(x, middle) < at ? low : high) = middle;
  }
  return point(y, low);
}

/// Extrapolates by recursion to the previous period, at most `turns` times.
double unrolled(const FbxCurve& curve, double seconds, int turns) {
  const double first = curve.times.front(), last = curve.times.back(), length = last - first;
  if (seconds >= first && seconds <= last) return curve_value(curve, seconds);
  const bool is_before = seconds < first;
  const FbxCurve::Beyond beyond = (is_before ? curve.before : curve.after).beyond;
  if (turns == 0) return is_before ? curve.values.front() : curve.values.back();
  if (beyond == FbxCurve::Beyond::mirror)
    return unrolled(curve, 2 * (is_before ? first : last) - seconds, turns - 1);
  const double rise =
      beyond == FbxCurve::Beyond::offset ? curve.values.back() - curve.values.front() : 0.0;
  const double nearer = seconds + (is_before ? length : -length);
  return unrolled(curve, nearer, turns - 1) + (is_before ? -rise : rise);
}

}  // namespace

TEST_CASE("automatic tangents lean to the nearer neighbor, unless they are independent of time") {
  CHECK(curve_of({0, 1, 2}, {0, 1, 4}, automatic).spans[1].right_slope == Approx(2.0));
  const FbxCurve uneven = curve_of({0, 1, 3}, {0, 1, 2}, automatic);
  CHECK(uneven.spans[0].left_slope == Approx(0.75));
  CHECK(uneven.spans[1].right_slope == Approx(0.75));
  CHECK(curve_of({0, 1, 3}, {0, 1, 2}, even).spans[1].right_slope == Approx(2.0 / 3.0));
}

TEST_CASE("automatic tangents of the first and the last key go to their neighbor") {
  for (const std::int32_t flags : {automatic, even, automatic | fbx_key::clamp}) {
    const FbxCurve curve = curve_of({0, 1, 3}, {0, 5, 1}, flags);
    CHECK(curve.spans[0].right_slope == Approx(5.0));
    CHECK(curve.spans[1].left_slope == Approx(-2.0));
  }
  const FbxCurve flat = curve_of({0, 1, 3}, {0, 5, 1}, even | fbx_key::clamp_progressive);
  CHECK(flat.spans[0].right_slope == 0.0);
  CHECK(flat.spans[1].left_slope == 0.0);
}

TEST_CASE("a clamped tangent is flat beside a key of the same value") {
  const std::int32_t flags = even | fbx_key::clamp;
  CHECK(curve_of({0, 1, 2}, {0, 1, 4}, flags).spans[1].right_slope == Approx(2.0));
  CHECK(curve_of({0, 1, 2}, {1, 1, 4}, flags).spans[1].right_slope == 0.0);
  CHECK(curve_of({0, 1, 2}, {0, 4, 4}, flags).spans[0].left_slope == 0.0);
}

TEST_CASE("a progressively clamped curve does not leave the range of the keys beside") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-3, 3), step(0.1, 2);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> times, values;
    for (int k = 0; k < 6; ++k) {
      times.push_back((k ? times.back() : 0.0) + step(random));
      values.push_back(number(random));
    }
    const FbxCurve curve = curve_of(times, values, even | fbx_key::clamp_progressive);
    for (std::size_t k = 0; k + 1 < times.size(); ++k) {
      const auto [low, high] = std::minmax(values[k], values[k + 1]);
      for (double x = 0; x <= 1; x += 0.05) {
        const double value = curve_value(curve, times[k] + x * (times[k + 1] - times[k]));
        CHECK((value >= low - 1e-9 && value <= high + 1e-9));
      }
    }
  }
  CHECK(curve_of({0, 1, 2}, {0, 0.1, 4}, even | fbx_key::clamp_progressive).spans[1].right_slope ==
        Approx(0.3));
}

TEST_CASE("a bias pulls automatic tangents to one neighbor's slope") {
  FbxKeyAttributes plain, biased;
  plain.flags = biased.flags = automatic;
  biased.right = 50.0;  // biased from 2 toward the right slope, which is 3
  CHECK(curve_of({0, 1, 2}, {0, 1, 4}, {plain, biased, plain}).spans[1].right_slope == Approx(2.5));
  biased.right = -100.0;
  CHECK(curve_of({0, 1, 2}, {0, 1, 4}, {plain, biased, plain}).spans[1].right_slope == Approx(1.0));
  plain.next_left = 100.0;  // belongs to the next key, with the opposite sign
  CHECK(curve_of({0, 1, 2}, {0, 1, 4}, {plain, biased, plain}).spans[0].left_slope == Approx(1.0));
}

TEST_CASE("tension, continuity and bias make the tangents of Kochanek and Bartels") {
  FbxKeyAttributes key;
  key.flags = fbx_key::cubic | fbx_key::tcb;
  const auto slopes = [&](double tension, double continuity, double bias) {
    key.right = tension;
    key.next_left = continuity;
    key.third = bias;
    const FbxCurve curve = curve_of({0, 1, 2}, {0, 1, 4}, {key, key, key});
    return std::pair(curve.spans[0].left_slope, curve.spans[1].right_slope);
  };
  CHECK(slopes(0, 0, 0) == std::pair(2.0, 2.0));
  CHECK(slopes(1, 0, 0) == std::pair(0.0, 0.0));
  CHECK(slopes(0, -1, 0) == std::pair(1.0, 3.0));
  CHECK(slopes(0, 1, 0) == std::pair(3.0, 1.0));
  CHECK(slopes(0, 0, 1) == std::pair(1.0, 1.0));
  CHECK(slopes(0.5, 0, -1) == std::pair(1.5, 1.5));
}

TEST_CASE("a user's tangents are those that are stored, on each side of a key") {
  FbxKeyAttributes first, second;
  first.flags = second.flags = user;
  first.right = 1.0;
  first.next_left = -2.0;
  second.right = 7.0;
  const FbxCurve curve = curve_of({0, 1, 2}, {0, 1, 4}, {first, second, second});
  CHECK(curve.spans[0].right_slope == 1.0);
  CHECK(curve.spans[0].left_slope == -2.0);
  CHECK(curve.spans[1].right_slope == 7.0);
}

TEST_CASE("slopes in text are decimals or the bits of floats") {
  const auto bits = [](float value) { return std::to_string(std::bit_cast<std::int32_t>(value)); };
  for (const float slope : {20.0f, -20.0f, 0.125f, -3e-5f, 0.0f}) {
    const FbxCurve packed = parsed({0, 1}, user, bits(slope) + "," + bits(slope) + ",218434821,0");
    const FbxCurve decimal =
        parsed({0, 1}, user, std::to_string(slope) + "," + std::to_string(slope) + ",2.3e-27,0");
    CHECK(packed.spans[0].right_slope == static_cast<double>(slope));
    CHECK(packed.spans[0].left_slope == static_cast<double>(slope));
    CHECK(decimal.spans[0].right_slope == Approx(slope).margin(1e-6));
  }
  CHECK(parsed({0, 1}, user, "20,-5,0,0").spans[0].right_slope == 20.0);
}

TEST_CASE("values between keys lie on the Bezier of their tangents and weights") {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> number(-3, 3);
  std::uniform_int_distribution<std::uint32_t> weight(1, 9999);
  const std::int32_t weighted = user | fbx_key::right_weighted | fbx_key::next_left_weighted;
  for (int round = 0; round < 100; ++round) {
    const std::uint32_t right = weight(random), left = weight(random);
    const double from = number(random), to = number(random);
    const FbxCurve curve =
        parsed({from, to}, weighted,
               "1075838976,-1077936128," + std::to_string(right | left << 16) + ",0");
    const FbxCurve::Span& span = curve.spans[0];
    CHECK(span.right_slope == 2.5);
    CHECK(span.left_slope == -1.5);
    const double a = right / 9999.0, b = left / 9999.0;
    for (double x = 0.02; x < 1; x += 0.07)
      CHECK(curve_value(curve, x) ==
            Approx(bezier_value({0, a, 1 - b, 1},
                                {curve.values[0], curve.values[0] + 2.5 * a,
                                 curve.values[1] + 1.5 * b, curve.values[1]},
                                x))
                .margin(1e-6));
  }
  CHECK(parsed({0, 1}, user, "0,0,655370,0").spans[0].right_weight == third);
}

TEST_CASE("steps hold the value of the key before or of the key after") {
  const FbxCurve before = curve_of({0, 1, 2}, {5, 6, 7}, fbx_key::constant);
  const FbxCurve after = curve_of({0, 1, 2}, {5, 6, 7}, fbx_key::constant | fbx_key::next);
  CHECK(curve_value(before, 0.5) == 5.0);
  CHECK(curve_value(after, 0.5) == 6.0);
  CHECK(curve_value(before, 1.0) == 6.0);
  CHECK((is_stepped(before) && is_stepped(after)));
  CHECK_FALSE(is_stepped(curve_of({0, 1, 2}, {5, 6, 7}, even)));
}

TEST_CASE("beyond its keys a curve holds, goes on, repeats or turns around") {
  const std::vector<double> values = {1, 4, 0, 3};
  std::mt19937 random(3);
  std::uniform_real_distribution<double> time(-20, 23);
  for (const char type : {'C', 'R', 'M', 'A'})
    for (const int count : {-1, 0, 1, 2, 3}) {
      const FbxCurve curve = parsed(
          values, user, "0,0,0,0",
          end_text("Pre-Extrapolation", type, count) + end_text("Post-Extrapolation", type, count));
      for (int i = 0; i < 60; ++i) {
        const double seconds = time(random);
        const int turns = type == 'C' ? 0 : count < 0 ? 100 : count;
        CHECK(curve_value(curve, seconds) == Approx(unrolled(curve, seconds, turns)).margin(1e-6));
      }
    }
  const FbxCurve slope =
      parsed({0, 1}, user, "1075838976,-1077936128,0,0",
             end_text("Pre-Extrapolation", 'K', 1) + end_text("Post-Extrapolation", 'K', 1));
  CHECK(curve_value(slope, -2.0) == Approx(0 - 2 * 2.5));
  CHECK(curve_value(slope, 3.0) == Approx(1 - 2 * 1.5));
}

TEST_CASE("breaks of a curve are its keys, again in every turn, and jumps where it starts anew") {
  const auto breaks = [](const FbxCurve& curve, double begin, double end) {
    std::vector<std::pair<double, bool>> out;
    for (const FbxCurveBreak& found : curve_breaks(curve, begin, end, 1000))
      out.emplace_back(found.seconds, found.jumps);
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  };
  FbxCurve curve = curve_of({0, 1, 3}, {0, 2, 1}, even);
  using Breaks = std::vector<std::pair<double, bool>>;
  CHECK(breaks(curve, -10, 10) == Breaks{{0, false}, {1, false}, {3, false}});
  curve.after.beyond = FbxCurve::Beyond::mirror;
  CHECK(breaks(curve, 2, 8) == Breaks{{3, false}, {5, false}, {6, false}, {7, false}});
  curve.after.beyond = FbxCurve::Beyond::repeat;
  CHECK(breaks(curve, 2, 5) == Breaks{{3, false}, {3, true}, {4, false}});
  CHECK(curve_breaks(curve, 0, 1e9, 50).size() == 50);
  CHECK(breaks(curve_of({0, 1, 3}, {0, 2, 1}, fbx_key::constant), 0, 3) ==
        Breaks{{0, false}, {1, true}, {3, true}});
}

TEST_CASE("a curve with other numbers of keys and values is refused") {
  CHECK_THROWS_AS(read(array_text("KeyTime", "0,1,2") + array_text("KeyValueFloat", "0,1")), Error);
}
