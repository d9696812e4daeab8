// The functions of mathematics by their usual names: glibc's, in the form for this processor that
// glibc would choose on Linux, or in the only form.

#include <stdbool.h>

#ifdef GVBIND_ONE_FORM

#define OF_ONE(type, name)        \
  type glibc_base_##name(type x); \
  type name(type x) { return glibc_base_##name(x); }

#define OF_TWO(type, name)                \
  type glibc_base_##name(type x, type y); \
  type name(type x, type y) { return glibc_base_##name(x, y); }

#else

static bool has_fma(void) {
  static int known = 0;  // 1: no, 2: yes
  if (known == 0) {
    __builtin_cpu_init();
    known = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2") ? 2 : 1;
  }
  return known == 2;
}

#define OF_ONE(type, name)        \
  type glibc_base_##name(type x); \
  type glibc_fma_##name(type x);  \
  type name(type x) { return has_fma() ? glibc_fma_##name(x) : glibc_base_##name(x); }

#define OF_TWO(type, name)                \
  type glibc_base_##name(type x, type y); \
  type glibc_fma_##name(type x, type y);  \
  type name(type x, type y) { return has_fma() ? glibc_fma_##name(x, y) : glibc_base_##name(x, y); }

#endif

OF_ONE(double, exp)
OF_ONE(double, log)
OF_ONE(double, log2)
OF_TWO(double, pow)
OF_ONE(double, sin)
OF_ONE(double, cos)
OF_ONE(double, tan)
OF_ONE(double, atan)
OF_ONE(double, asin)
OF_ONE(double, acos)
OF_TWO(double, atan2)
OF_ONE(double, log1p)
OF_ONE(float, expf)
OF_ONE(float, logf)
OF_TWO(float, powf)
OF_ONE(float, sinf)
OF_ONE(float, cosf)

// These have one form.
#define ONLY_OF_ONE(name)             \
  double glibc_base_##name(double x); \
  double name(double x) { return glibc_base_##name(x); }

ONLY_OF_ONE(exp2)
ONLY_OF_ONE(log10)
ONLY_OF_ONE(cbrt)

double glibc_base_hypot(double x, double y);
double hypot(double x, double y) { return glibc_base_hypot(x, y); }

void sincos(double x, double* sine, double* cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}

void sincosf(float x, float* sine, float* cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}

#ifndef GVBIND_ONE_FORM
// One instruction, which the compiler replaces by a call for errno's sake.
double sqrt(double x) {
  double root;
  __asm__("sqrtsd %1, %0" : "=x"(root) : "x"(x));
  return root;
}
#endif
