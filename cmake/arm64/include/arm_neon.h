#pragma once

// Eigen does three things differently on ARM64 than on x86-64, which changes last digits. Here it
// does them as on x86-64. Eigen includes this header, found before the compiler's, before it
// declares anything.
#include_next <arm_neon.h>

// Eigen calls fused instructions, which round differently from a product and a sum.
#undef __ARM_FEATURE_FMA
#define vfmaq_n_f32(sum, a, b) vaddq_f32(sum, vmulq_n_f32(a, b))
#define vfmaq_n_f64(sum, a, b) vaddq_f64(sum, vmulq_n_f64(a, b))
#define vfmaq_laneq_f32(sum, a, b, lane) vaddq_f32(sum, vmulq_laneq_f32(a, b, lane))
#define vfmaq_laneq_f64(sum, a, b, lane) vaddq_f64(sum, vmulq_laneq_f64(a, b, lane))

// How many rows of a product of matrices Eigen computes at once is set in the middle of its
// headers, where it includes a plugin.
#define EIGEN_DENSEBASE_PLUGIN "gvbind_eigen_products.h"

#ifdef __cplusplus
// Eigen adds three floats as (a + b) + c, since it has vectors of two; x86-64 has vectors of four
// alone and adds a + (b + c). With this, floats whose number is no multiple of four get no smaller
// vectors on ARM64 either.
namespace Eigen::internal {

template <typename Scalar>
struct packet_traits;

template <typename Scalar, int Size>
struct find_best_packet;

template <typename Scalar, int>
struct largest_packet {
  typedef typename packet_traits<Scalar>::type type;
};

template <int Size>
struct find_best_packet<float, Size> : largest_packet<float, Size> {};

}  // namespace Eigen::internal
#endif
