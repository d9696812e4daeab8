#pragma once

// Eigen calls fused instructions, which round differently from a product and a sum. This header is
// found before the compiler's.
#include_next <arm_neon.h>

#undef __ARM_FEATURE_FMA
#define vfmaq_n_f32(sum, a, b) vaddq_f32(sum, vmulq_n_f32(a, b))
#define vfmaq_n_f64(sum, a, b) vaddq_f64(sum, vmulq_n_f64(a, b))
#define vfmaq_laneq_f32(sum, a, b, lane) vaddq_f32(sum, vmulq_laneq_f32(a, b, lane))
#define vfmaq_laneq_f64(sum, a, b, lane) vaddq_f64(sum, vmulq_laneq_f64(a, b, lane))
