// Prints, for each function of mathematics that gvbind calls, a hash of its results for two million
// arguments. windows_test.py compares the lines of Linux with those of Windows.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void sincos(double x, double* sine, double* cosine);
void sincosf(float x, float* sine, float* cosine);

enum { count = 2000000 };

static uint64_t state = 88172645463325252u;

static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

// One argument in sixteen is any double at all.
static double argument(double low, double high) {
  const uint64_t bits = next();
  double any;
  memcpy(&any, &bits, sizeof any);
  return bits % 16 == 0 ? any : low + (high - low) * ((double)(bits >> 11) * 0x1p-53);
}

static uint64_t hash = 0;

static void add(double result) {
  uint64_t bits = 1;  // any NaN is as good as another
  if (!isnan(result)) memcpy(&bits, &result, sizeof bits);
  hash = (hash ^ bits) * 1099511628211u;
  hash ^= hash >> 29;
}

static void print(const char* name) {
  printf("%s %08lx%08lx\n", name, (unsigned long)(hash >> 32), (unsigned long)(hash & 0xffffffffu));
  hash = 0;
}

static void of_one(const char* name, double (*call)(double), double low, double high) {
  for (int i = 0; i < count; ++i) add(call(argument(low, high)));
  print(name);
}

static void of_two(const char* name, double (*call)(double, double), double low, double high) {
  for (int i = 0; i < count; ++i) {
    const double first = argument(low, high);
    add(call(first, argument(-8, 8)));
  }
  print(name);
}

static void of_float(const char* name, float (*call)(float), double low, double high) {
  for (int i = 0; i < count; ++i) add(call((float)argument(low, high)));
  print(name);
}

int main(void) {
  of_one("exp", exp, -30, 30);
  of_one("exp2", exp2, -30, 30);
  of_one("log", log, 0, 100);
  of_one("log2", log2, 0, 100);
  of_one("log10", log10, 0, 100);
  of_one("log1p", log1p, -1, 10);
  of_one("sin", sin, -10, 10);
  of_one("cos", cos, -10, 10);
  of_one("tan", tan, -10, 10);
  of_one("asin", asin, -1, 1);
  of_one("acos", acos, -1, 1);
  of_one("atan", atan, -10, 10);
  of_one("cbrt", cbrt, -10, 10);
  of_one("sqrt", sqrt, 0, 100);
  of_one("round", round, -100, 100);
  of_one("floor", floor, -100, 100);
  of_two("pow", pow, 0, 10);
  of_two("atan2", atan2, -8, 8);
  of_two("hypot", hypot, -8, 8);
  of_two("fmod", fmod, -100, 100);
  of_float("expf", expf, -30, 30);
  of_float("logf", logf, 0, 100);
  of_float("sinf", sinf, -10, 10);
  of_float("cosf", cosf, -10, 10);
  of_float("sqrtf", sqrtf, 0, 100);
  for (int i = 0; i < count; ++i) {
    const double first = argument(0, 10);
    add(powf((float)first, (float)argument(-8, 8)));
  }
  print("powf");
  for (int i = 0; i < count; ++i) {
    double sine, cosine;
    float sine_f, cosine_f;
    const double x = argument(-300, 300);
    sincos(x, &sine, &cosine);
    sincosf((float)x, &sine_f, &cosine_f);
    add(sine);
    add(cosine);
    add(sine_f);
    add(cosine_f);
  }
  print("sincos");
  return 0;
}
