// The kernel, included by one source per instruction set. Everything is local to the source;
// otherwise the linker could merge functions and run instructions that the machine lacks.
//
// Tested by tests/unit/gvbind/pair_network_test.cpp.

#include "gvbind/fitted/pair_kernel.h"
#include "gvbind/fitted/pair_network.h"

namespace gvbind {

namespace {

#if defined(__AVX2__)
constexpr std::size_t lanes = 8;
constexpr std::size_t rows = 4;  // per tile, so that its sums fit into registers
#else
constexpr std::size_t lanes = 4;
constexpr std::size_t rows = 2;
#endif
using Lanes [[gnu::vector_size(lanes * sizeof(float)), gnu::aligned(4), gnu::may_alias]] = float;

const Lanes& load(const float* p) { return *reinterpret_cast<const Lanes*>(p); }
Lanes& store(float* p) { return *reinterpret_cast<Lanes*>(p); }

/// out = matrix x + start for `Rows` vectors x and Vectors * lanes outputs.
template <std::size_t Rows, std::size_t Vectors>
inline void multiply_tile(const float* x, std::size_t inputs, const float* matrix,
                          std::size_t width, const float* start, float* out) {
  Lanes sum[Rows][Vectors];
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t v = 0; v < Vectors; ++v) sum[r][v] = load(start + v * lanes);
  for (std::size_t i = 0; i < inputs; ++i, matrix += width)
    for (std::size_t r = 0; r < Rows; ++r)
      for (std::size_t v = 0; v < Vectors; ++v)
        sum[r][v] += load(matrix + v * lanes) * x[r * inputs + i];
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t v = 0; v < Vectors; ++v) store(out + r * width + v * lanes) = sum[r][v];
}

template <std::size_t Rows>
void multiply_rows(const float* x, std::size_t inputs, const float* matrix, std::size_t width,
                   const float* start, float* out) {
  constexpr std::size_t wide = 2 * lane_tile;
  std::size_t o = 0;
  for (; o + wide <= width; o += wide)
    multiply_tile<Rows, wide / lanes>(x, inputs, matrix + o, width, start + o, out + o);
  if (o < width)
    multiply_tile<Rows, lane_tile / lanes>(x, inputs, matrix + o, width, start + o, out + o);
}

/// Each row of `out` = matrix * row of x + start.
void multiply(const float* x, std::size_t count, std::size_t inputs, const float* matrix,
              std::size_t width, const float* start, float* out) {
  for (std::size_t r = 0; r < count; r += rows)
    multiply_rows<rows>(x + r * inputs, inputs, matrix, width, start, out + r * width);
}

void rectify(float* x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x[i] = x[i] > 0.0f ? x[i] : 0.0f;
}

/// Eight partial sums, then their sum: the same order for any vector width.
float dot(const float* a, const float* b, std::size_t count) {
  float sum[lane_tile] = {};
  for (std::size_t i = 0; i < count; i += lane_tile)
    for (std::size_t l = 0; l < lane_tile; l += lanes)
      store(sum + l) += load(a + i + l) * load(b + i + l);
  return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
}

/// Mean and maximum of the hidden units of all pairs.
void pool_pairs(const PairKernelInput& in, const float* unit, float* mean, float* most) {
  for (std::size_t h = 0; h < in.hidden; ++h) {
    float sum = 0.0f, top = 0.0f;  // units are never negative
    for (std::size_t p = 0; p < in.pairs; ++p) {
      const float u = unit[p * in.hidden + h];
      sum += in.pool[p] * u;
      top = u > top ? u : top;
    }
    mean[h] = sum;
    most[h] = top;
  }
}

void score_pairs(const PairKernelInput& in) {
  const std::size_t padded = (in.pairs + pair_tile - 1) / pair_tile * pair_tile;
  const std::size_t size = padded * in.hidden;
  alignas(32) float unit[max_pairs * max_hidden], other[max_pairs * max_hidden];
  alignas(32) float mean[max_hidden] = {}, most[max_hidden] = {}, shared[max_hidden];
  multiply(in.x, padded, in.features, in.first, in.hidden, in.first_bias, other);
  rectify(other, size);
  multiply(other, padded, in.hidden, in.second, in.hidden, in.second_bias, unit);
  rectify(unit, size);
  pool_pairs(in, unit, mean, most);
  multiply_rows<1>(mean, in.hidden, in.near, in.hidden, in.third_bias, shared);
  multiply_rows<1>(most, in.hidden, in.most, in.hidden, shared, mean);
  multiply(unit, padded, in.hidden, in.own, in.hidden, mean, other);
  rectify(other, size);
  for (std::size_t p = 0; p < in.pairs; ++p)
    in.scores[p] = dot(in.last, other + p * in.hidden, in.hidden) +
                   dot(in.linear, in.x + p * in.features, in.features);
}

}  // namespace

}  // namespace gvbind
