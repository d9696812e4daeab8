#pragma once

// Included before glibc's sources of functions of mathematics, which build_math.py compiles for
// other systems: what these sources expect from glibc's own headers. Rounding is always to nearest,
// and errno is left alone.

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// Of math_config.h.
#define WANT_ROUNDING 0
#define WANT_ERRNO 0
#define HIGH_ORDER_BIT_IS_SET_FOR_SNAN 0
#define FIX_INT_FP_CONVERT_ZERO 0
#define LIBM_SVID_COMPAT 0

#define SECTION
#define attribute_hidden
#define __always_inline inline __attribute__((always_inline))
#define __set_errno(number) ((void)0)
#define __glibc_likely(condition) __builtin_expect((condition), 1)
#define __glibc_unlikely(condition) __builtin_expect((condition), 0)
#define DIAG_PUSH_NEEDS_COMMENT
#define DIAG_POP_NEEDS_COMMENT
#define DIAG_IGNORE_NEEDS_COMMENT(version, option)
#define DIAG_IGNORE_Os_NEEDS_COMMENT(version, option)

// dispatch.c gives the functions their names.
#define strong_alias(name, other)
#define weak_alias(name, other)
#define hidden_def(name)
#define libm_alias_finite(name, other)
#define libm_alias_double(name, other)
#define libm_alias_double_other(name, other)
#define libm_alias_float(name, other)
#define libm_alias_float_other(name, other)
#define versioned_symbol(library, name, other, version)

#define math_narrow_eval(x) (x)
#define math_opt_barrier(x) (x)
#define math_force_eval(x) ((void)(x))
#define math_check_force_underflow(x) ((void)0)
#define math_check_force_underflow_nonneg(x) ((void)0)
#define SET_RESTORE_ROUND(mode)
#define SET_RESTORE_ROUND_53BIT(mode)
#define USE_FMAX_BUILTIN 0
#define USE_FMIN_BUILTIN 0
#define USE_SQRT_BUILTIN 1

#define LITTLE_ENDI 1
#define HIGH_HALF 1
#define LOW_HALF 0

typedef union {
  double value;
  struct {
    uint32_t low, high;
  } half;
  uint64_t whole;
} WordsOfDouble;

#define GET_HIGH_WORD(word, number) ((word) = ((WordsOfDouble){.value = (number)}).half.high)
#define GET_LOW_WORD(word, number) ((word) = ((WordsOfDouble){.value = (number)}).half.low)
#define EXTRACT_WORDS64(word, number) ((word) = ((WordsOfDouble){.value = (number)}).whole)
#define INSERT_WORDS64(number, word) ((number) = ((WordsOfDouble){.whole = (word)}).value)
#define EXTRACT_WORDS(high_word, low_word, number) \
  (GET_HIGH_WORD(high_word, number), GET_LOW_WORD(low_word, number))
#define SET_HIGH_WORD(number, word)            \
  do {                                         \
    WordsOfDouble words = {.value = (number)}; \
    words.half.high = (word);                  \
    (number) = words.value;                    \
  } while (0)

// As the compiler does for Linux, where the function is one instruction.
#undef sqrt
#define sqrt(x) __builtin_sqrt(x)

// Of dispatch.c.
#define __ieee754_log log

// Numbers in the order that glibc's sources count on.
#undef fpclassify
#undef FP_ZERO
#define FP_ZERO 2
#define fpclassify(x) __builtin_fpclassify(0, 1, 4, 3, FP_ZERO, x)
#define __frexp frexp
#define __ldexp ldexp
#define issignaling(x) 0
