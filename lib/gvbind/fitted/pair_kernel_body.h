// The kernel, included by one source per instruction set. Everything is local to the source;
// otherwise the linker could merge functions and run instructions that the machine lacks.
//
// Tested by tests/unit/gvbind/pair_network_test.cpp.

#include "gvbind/fitted/pair_kernel.h"
#include "gvbind/fitted/pair_network.h"

namespace gvbind {

namespace {

// Tiles of rows by outputs, so that their sums fit into registers.
#if defined(__AVX512F__)
constexpr std::size_t wide_lanes = 16, lanes = 8, rows = 4, wide_tile = 32;
#elif defined(__AVX2__)
constexpr std::size_t wide_lanes = 8, lanes = 8, rows = 4, wide_tile = 16;
#else
constexpr std::size_t wide_lanes = 4, lanes = 4, rows = 2, wide_tile = 16;
#endif
using WideLanes [[gnu::vector_size(wide_lanes * sizeof(float))]] = float;
using Lanes [[gnu::vector_size(lanes * sizeof(float))]] = float;

// Copied, since clang takes a reference to a vector for an aligned one.
template <typename Vector = Lanes>
inline Vector load(const float* p) {
  Vector values;
  __builtin_memcpy(&values, p, sizeof values);
  return values;
}
template <typename Vector>
inline void store(Vector values, float* p) {
  __builtin_memcpy(p, &values, sizeof values);
}

/// out += matrix x for `Rows` vectors x, `stride` apart, and Outputs outputs.
template <typename Vector, std::size_t Rows, std::size_t Outputs>
inline void add_tile(const float* x, std::size_t inputs, std::size_t stride, const float* matrix,
                     std::size_t width, float* out) {
  constexpr std::size_t n = sizeof(Vector) / sizeof(float), vectors = Outputs / n;
  Vector sum[Rows][vectors];
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t v = 0; v < vectors; ++v) sum[r][v] = load<Vector>(out + r * width + v * n);
  for (std::size_t i = 0; i < inputs; ++i, matrix += width)
    for (std::size_t r = 0; r < Rows; ++r)
      for (std::size_t v = 0; v < vectors; ++v)
        sum[r][v] += load<Vector>(matrix + v * n) * x[r * stride + i];
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t v = 0; v < vectors; ++v) store(sum[r][v], out + r * width + v * n);
}

template <std::size_t Rows>
void add_rows(const float* x, std::size_t inputs, std::size_t stride, const float* matrix,
              std::size_t width, float* out) {
  std::size_t o = 0;
  for (; o + wide_tile <= width; o += wide_tile)
    add_tile<WideLanes, Rows, wide_tile>(x, inputs, stride, matrix + o, width, out + o);
  for (; o < width; o += lane_tile)
    add_tile<Lanes, Rows, lane_tile>(x, inputs, stride, matrix + o, width, out + o);
}

/// Adds matrix * row of x to each row of `out`.
void add_product(const float* x, std::size_t count, std::size_t inputs, std::size_t stride,
                 const float* matrix, std::size_t width, float* out) {
  for (std::size_t r = 0; r < count; r += rows)
    add_rows<rows>(x + r * stride, inputs, stride, matrix, width, out + r * width);
}

void copy_rows(const float* row, std::size_t count, std::size_t width, float* out) {
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t h = 0; h < width; ++h) out[r * width + h] = row[h];
}

void rectify(float* x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x[i] = x[i] > 0.0f ? x[i] : 0.0f;
}

/// Eight partial sums, then their sum: the same order for any vector width.
float dot(const float* a, const float* b, std::size_t count) {
  float sum[lane_tile] = {};
  for (std::size_t i = 0; i < count; i += lane_tile)
    for (std::size_t l = 0; l < lane_tile; l += lanes)
      store(load(sum + l) + load(a + i + l) * load(b + i + l), sum + l);
  return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
}

/// Adds to the mean and the maximum of the hidden units of all pairs; both begin with zeros, as
/// units are never negative.
void pool_pairs(const PairKernelInput& in, const float* unit, float* mean, float* most) {
  for (std::size_t p = 0; p < in.pairs; ++p, unit += in.hidden)
    for (std::size_t h = 0; h < in.hidden; h += lanes) {
      const Lanes u = load(unit + h), top = load(most + h);
      store(load(mean + h) + in.pool[p] * u, mean + h);
      store(u > top ? u : top, most + h);
    }
}

/// The first layer's sums, before its rectifier.
void add_first_layer(const PairKernelInput& in, std::size_t padded, float* out) {
  alignas(32) float of_point[max_hidden] = {};
  if (in.point_features > 0)
    add_rows<1>(in.point_x, in.point_features, in.point_features, in.first_of_point, in.hidden,
                of_point);
  for (std::size_t p = 0; p < in.pairs; ++p)
    for (std::size_t h = 0; h < in.hidden; ++h)
      out[p * in.hidden + h] = in.start[p][h] + of_point[h];
  for (std::size_t i = in.pairs * in.hidden; i < padded * in.hidden; ++i) out[i] = 0.0f;
  const std::size_t stride = (in.features + lane_tile - 1) / lane_tile * lane_tile;
  add_product(in.x, padded, in.features, stride, in.first, in.hidden, out);
}

void score_pairs(const PairKernelInput& in) {
  const std::size_t padded = (in.pairs + pair_tile - 1) / pair_tile * pair_tile;
  const std::size_t stride = (in.features + lane_tile - 1) / lane_tile * lane_tile;
  const std::size_t size = padded * in.hidden;
  alignas(32) float unit[max_pairs * max_hidden], other[max_pairs * max_hidden];
  alignas(32) float mean[max_hidden] = {}, most[max_hidden] = {}, shared[max_hidden];
  add_first_layer(in, padded, other);
  rectify(other, size);
  copy_rows(in.second_bias, padded, in.hidden, unit);
  add_product(other, padded, in.hidden, in.hidden, in.second, in.hidden, unit);
  rectify(unit, size);
  pool_pairs(in, unit, mean, most);
  copy_rows(in.third_bias, 1, in.hidden, shared);
  add_rows<1>(mean, in.hidden, in.hidden, in.near, in.hidden, shared);
  add_rows<1>(most, in.hidden, in.hidden, in.most, in.hidden, shared);
  copy_rows(shared, padded, in.hidden, other);
  add_product(unit, padded, in.hidden, in.hidden, in.own, in.hidden, other);
  rectify(other, size);
  for (std::size_t p = 0; p < in.pairs; ++p)
    in.scores[p] = dot(in.last, other + p * in.hidden, in.hidden) +
                   (dot(in.linear, in.x + p * stride, stride) + in.score_start[p]);
}

}  // namespace

}  // namespace gvbind
