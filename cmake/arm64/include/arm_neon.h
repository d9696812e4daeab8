#pragma once

// Three things that Eigen does otherwise on ARM64 than on x86-64, where other last digits come of
// it. Eigen includes this header, found before the compiler's, before it declares anything.
#include_next <arm_neon.h>

// It calls fused instructions, which round differently from a product and a sum.
#undef __ARM_FEATURE_FMA
#define vfmaq_n_f32(sum, a, b) vaddq_f32(sum, vmulq_n_f32(a, b))
#define vfmaq_n_f64(sum, a, b) vaddq_f64(sum, vmulq_n_f64(a, b))
#define vfmaq_laneq_f32(sum, a, b, lane) vaddq_f32(sum, vmulq_laneq_f32(a, b, lane))
#define vfmaq_laneq_f64(sum, a, b, lane) vaddq_f64(sum, vmulq_laneq_f64(a, b, lane))

// How many rows of a product of matrices it computes at once. A plugin is included in the middle of
// it.
#define EIGEN_DENSEBASE_PLUGIN "gvbind_eigen_products.h"

#ifdef __cplusplus
// It adds three floats as (a + b) + c, since it has vectors of two; x86-64 has vectors of four
// alone and adds a + (b + c). Here, too, floats whose number four does not divide get no smaller
// vectors.
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
