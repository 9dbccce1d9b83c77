//go:build ignore

// The practical speed limit of a training step: plain loops in float64 on one thread,
// optimised by a C compiler.
//
//	cc -O3 -march=x86-64-v3 -ffast-math limit.c -lm -o limit && ./limit gaussian 64 32 11
//
// The arguments are the shape (gaussian or trapezoid) and the sizes B, R and M:
// samples in a batch, rules, features. The program prints them and the median time of
// a step in nanoseconds, "gaussian 64 32 11 11904".
//
// A step draws B of N samples without replacement and a DropRule mask, computes
// the loss and its gradients, and makes an AdaBound update and the projection, as
// the fused engine does. It is cheaper in three ways: the mask needs one random bit
// a cell, since P is 1/2; squares are expanded, which loses more digits to
// cancellation; and values that are not finite are not guarded against.
//
// Matrices over the rules have the layout [B][R] or [M][R]; the consequents have
// [M+1][R] with the bias in row 0. So the compiler vectorises over the rules. At its
// end the program compares its gradients with finite differences of its loss.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 4096, MAXR = 512, RUNS = 9 };
static const double lambda = 0.05, floor_sigma = 0.1, least_leg = 1e-9;

static int B, R, M;
static int shape; // the number of antecedent parameters of a function: 2 gaussian, 4 trapezoid
static double *X, *T;        // the data [N][M], [N]
static int order[N];         // a permutation of the samples
static double *x, *t, *keep; // the batch [B][M], [B], and its mask [B][R]
static double *f, *g;        // firing levels, then dL/dy_r; dL/dlog f_r; [B][R]
static double *theta[5], *grad[5], *first[5], *second[5]; // parameters, gradients, moments; consequents last
static double *work[2];      // of the forward pass, [M][R], used again by the backward pass

static double *matrix(int rows, int columns) {
  size_t bytes = ((size_t)rows * columns * sizeof(double) + 63) & ~(size_t)63;
  double *p = aligned_alloc(64, bytes);
  if (!p) { fputs("limit: out of memory\n", stderr); exit(1); }
  return memset(p, 0, bytes);
}

static uint64_t state = 88172645463325252u;
static inline uint64_t bits(void) { // xorshift64
  state ^= state << 13; state ^= state >> 7; state ^= state << 17;
  return state;
}
static int below(int n) { return (int)((bits() >> 32) * (uint64_t)n >> 32); }
static double uniform(void) { return (bits() >> 11) * 0x1p-53; }

// draw draws a batch and its mask. A sample whose rules are all dropped uses all rules.
static void draw(void) {
  for (int b = 0; b < B; b++) {
    int j = b + below(N - b), i = order[j];
    order[j] = order[b]; order[b] = i;
    memcpy(x + b * M, X + i * M, M * sizeof(double));
    t[b] = T[i];
    double *k = keep + b * R;
    uint64_t some = 0;
    for (int r = 0; r < R; r += 32) {
      int n = R - r < 32 ? R - r : 32;
      uint64_t word = bits() & (((uint64_t)1 << n) - 1);
      some |= word;
      for (int i = 0; i < n; i++) k[r + i] = word >> i & 1 ? 1 : 0;
    }
    if (!some) for (int r = 0; r < R; r++) k[r] = 1;
  }
}

// gaussian_firing computes firing levels relative to the largest kept one, in f: log f
// is a sum of parabolas in x.
static void gaussian_firing(void) {
  const double *restrict c = theta[0], *restrict sigma = theta[1];
  double *restrict p1 = work[0], *restrict p2 = work[1], p0[MAXR];
  memset(p0, 0, R * sizeof(double));
  for (int m = 0; m < M; m++)
    for (int r = 0; r < R; r++) {
      double s = 1 / sigma[m * R + r], q = s * s, cq = c[m * R + r] * q;
      p2[m * R + r] = -0.5 * q;
      p1[m * R + r] = cq;
      p0[r] -= 0.5 * cq * c[m * R + r];
    }
  for (int b = 0; b < B; b++) {
    double z[MAXR];
    memcpy(z, p0, R * sizeof(double));
    for (int m = 0; m < M; m++) {
      double a = x[b * M + m], aa = a * a;
      for (int r = 0; r < R; r++) z[r] += p2[m * R + r] * aa + p1[m * R + r] * a;
    }
    const double *restrict k = keep + b * R;
    double *restrict out = f + b * R, top = -1e300;
    for (int r = 0; r < R; r++) { double v = k[r] > 0 ? z[r] : -1e300; top = v > top ? v : top; }
    for (int r = 0; r < R; r++) { double v = z[r] - top; v = v < 0 ? v : 0; out[r] = v > -700 ? v : -700; }
  }
  for (int i = 0; i < B * R; i++) f[i] = exp(f[i]);
}

// trapezoid_firing computes firing levels, in f.
static void trapezoid_firing(void) {
  const double *restrict a = theta[0], *restrict b = theta[1], *restrict c = theta[2], *restrict d = theta[3];
  double *restrict left = work[0], *restrict right = work[1];
  for (int i = 0; i < M * R; i++) { left[i] = 1 / (b[i] - a[i]); right[i] = 1 / (d[i] - c[i]); }
  for (int n = 0; n < B; n++) {
    double level[MAXR];
    for (int r = 0; r < R; r++) level[r] = 1;
    for (int m = 0; m < M; m++) {
      double v = x[n * M + m];
      for (int r = 0; r < R; r++) {
        double up = (v - a[m * R + r]) * left[m * R + r], down = (d[m * R + r] - v) * right[m * R + r];
        double mu = up < down ? up : down;
        mu = mu < 1 ? mu : 1;
        level[r] *= mu > 0 ? mu : 0;
      }
    }
    memcpy(f + n * R, level, R * sizeof(double));
  }
}

// predict returns the loss of the batch and computes dL/dy_r in f and dL/dlog f_r in g.
// A sample whose kept rules do not fire uses all rules; if none fires, it is skipped.
static double predict(void) {
  const double *w = theta[4];
  double loss = 0;
  for (int b = 0; b < B; b++) {
    double out[MAXR]; // of the rules
    memcpy(out, w, R * sizeof(double));
    for (int m = 0; m < M; m++) {
      double a = x[b * M + m];
      for (int r = 0; r < R; r++) out[r] += w[(m + 1) * R + r] * a;
    }
    double *restrict level = f + b * R, *restrict by = g + b * R, *restrict k = keep + b * R;
    double sum = 0, weighted = 0;
    for (int r = 0; r < R; r++) { double v = level[r] * k[r]; sum += v; weighted += v * out[r]; }
    if (!(sum > 0)) {
      for (int r = 0; r < R; r++) { k[r] = 1; sum += level[r]; weighted += level[r] * out[r]; }
    }
    double scale = sum > 0 ? 1 / sum : 0, prediction = weighted * scale, e = sum > 0 ? prediction - t[b] : 0;
    loss += 0.5 * e * e;
    for (int r = 0; r < R; r++) {
      double h = e * scale * level[r] * k[r];
      level[r] = h;
      by[r] = h * (out[r] - prediction);
    }
  }
  for (int i = R; i < (M + 1) * R; i++) loss += 0.5 * lambda * w[i] * w[i];
  return loss;
}

// consequents_gradient computes dL/dw from dL/dy_r.
static void consequents_gradient(void) {
  const double *w = theta[4];
  double *by = grad[4], sum[MAXR];
  memset(sum, 0, R * sizeof(double));
  for (int b = 0; b < B; b++) for (int r = 0; r < R; r++) sum[r] += f[b * R + r];
  memcpy(by, sum, R * sizeof(double));
  for (int m = 0; m < M; m++) {
    memset(sum, 0, R * sizeof(double));
    for (int b = 0; b < B; b++) {
      double a = x[b * M + m];
      for (int r = 0; r < R; r++) sum[r] += f[b * R + r] * a;
    }
    for (int r = 0; r < R; r++) by[(m + 1) * R + r] = sum[r] + lambda * w[(m + 1) * R + r];
  }
}

// gaussian_gradient computes the gradients by c and sigma from the sums of dL/dlog f,
// of dL/dlog f times x, and of dL/dlog f times x squared.
static void gaussian_gradient(void) {
  double s0[MAXR], s1[MAXR], s2[MAXR];
  memset(s0, 0, R * sizeof(double));
  for (int b = 0; b < B; b++) for (int r = 0; r < R; r++) s0[r] += g[b * R + r];
  for (int m = 0; m < M; m++) {
    memset(s1, 0, R * sizeof(double));
    memset(s2, 0, R * sizeof(double));
    for (int b = 0; b < B; b++) {
      double a = x[b * M + m];
      for (int r = 0; r < R; r++) { double va = g[b * R + r] * a; s1[r] += va; s2[r] += va * a; }
    }
    const double *restrict c = theta[0] + m * R, *restrict sigma = theta[1] + m * R;
    double *restrict gc = grad[0] + m * R, *restrict gsigma = grad[1] + m * R;
    for (int r = 0; r < R; r++) {
      double q = 1 / sigma[r];
      gc[r] = q * q * (s1[r] - c[r] * s0[r]);
      gsigma[r] = q * q * q * (s2[r] - 2 * c[r] * s1[r] + c[r] * c[r] * s0[r]);
    }
  }
}

// trapezoid_gradient computes the gradients by a, b, c and d from dL/dlog f. A sample
// lies on at most one leg, so one division suffices.
static void trapezoid_gradient(void) {
  for (int m = 0; m < M; m++) {
    const double *restrict a = theta[0] + m * R, *restrict b = theta[1] + m * R;
    const double *restrict c = theta[2] + m * R, *restrict d = theta[3] + m * R;
    const double *restrict left = work[0] + m * R, *restrict right = work[1] + m * R;
    // Sums of v, and of v over the distance to the foot, on either leg.
    double on_left[MAXR], on_right[MAXR], to_left[MAXR], to_right[MAXR];
    for (int r = 0; r < R; r++) on_left[r] = on_right[r] = to_left[r] = to_right[r] = 0;
    for (int n = 0; n < B; n++) {
      const double *restrict v = g + n * R;
      double u = x[n * M + m];
      for (int r = 0; r < R; r++) {
        double p = u - a[r], q = d[r] - u;
        int l = (p > 0) & (u < b[r]), k = (q > 0) & (u > c[r]);
        double w = v[r], vl = l ? w : 0, vr = k ? w : 0;
        double distance = l ? p : 1;
        distance = k ? q : distance;
        distance = 1 / distance;
        on_left[r] += vl; to_left[r] += vl * distance;
        on_right[r] += vr; to_right[r] += vr * distance;
      }
    }
    for (int r = 0; r < R; r++) {
      grad[0][m * R + r] = on_left[r] * left[r] - to_left[r];
      grad[1][m * R + r] = -on_left[r] * left[r];
      grad[2][m * R + r] = on_right[r] * right[r];
      grad[3][m * R + r] = to_right[r] - on_right[r] * right[r];
    }
  }
}

// forward computes the firing levels and returns the loss.
static double forward(void) {
  if (shape == 2) gaussian_firing(); else trapezoid_firing();
  return predict();
}

static void backward(void) {
  consequents_gradient();
  if (shape == 2) gaussian_gradient(); else trapezoid_gradient();
}

// adabound makes update k = 1, 2, ... of n parameters.
static void adabound(double *restrict p, const double *restrict g, double *restrict m, double *restrict v, int n, int k) {
  double c1 = 1 / (1 - pow(0.9, k)), c2 = 1 / (1 - pow(0.999, k));
  double lower = 0.01 * (1 - 1 / (0.001 * k + 1)), upper = 0.01 * (1 + 1 / (0.001 * k));
  for (int i = 0; i < n; i++) {
    m[i] = 0.9 * m[i] + 0.1 * g[i];
    v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i];
    double rate = 0.01 / (sqrt(v[i] * c2) + 1e-8);
    rate = rate < upper ? rate : upper;
    p[i] -= (rate > lower ? rate : lower) * m[i] * c1;
  }
}

// project clamps sigma to its floor, and keeps the corners in order and the legs at their least width.
static void project(void) {
  if (shape == 2) {
    double *sigma = theta[1];
    for (int i = 0; i < M * R; i++) sigma[i] = sigma[i] > floor_sigma ? sigma[i] : floor_sigma;
    return;
  }
  double *restrict a = theta[0], *restrict b = theta[1], *restrict c = theta[2], *restrict d = theta[3];
#define MIN(p, q) ((p) < (q) ? (p) : (q))
#define MAX(p, q) ((p) > (q) ? (p) : (q))
  for (int i = 0; i < M * R; i++) {
    double lo1 = MIN(a[i], b[i]), hi1 = MAX(a[i], b[i]), lo2 = MIN(c[i], d[i]), hi2 = MAX(c[i], d[i]);
    double mid1 = MAX(lo1, lo2), mid2 = MIN(hi1, hi2), foot = MIN(lo1, lo2);
    double shoulder = MAX(MIN(mid1, mid2), foot + least_leg), last = MAX(MAX(mid1, mid2), shoulder);
    a[i] = foot; b[i] = shoulder; c[i] = last; d[i] = MAX(MAX(hi1, hi2), last + least_leg);
  }
}

static void update(int k) {
  for (int j = 0; j < shape; j++) adabound(theta[j], grad[j], first[j], second[j], M * R, k);
  adabound(theta[4], grad[4], first[4], second[4], (M + 1) * R, k);
  project();
}

// start places the rules on random samples and clears consequents and moments.
static void start(void) {
  for (int r = 0; r < R; r++) {
    int i = below(N);
    for (int m = 0; m < M; m++) {
      double v = X[i * M + m], place[2][4] = {{v, 1}, {v - 10, v - 0.5, v + 0.5, v + 10}};
      for (int j = 0; j < shape; j++) theta[j][m * R + r] = place[shape == 4][j];
    }
  }
  memset(theta[4], 0, (M + 1) * R * sizeof(double));
  for (int j = 0; j < 5; j++) {
    memset(first[j], 0, (M + 1) * R * sizeof(double));
    memset(second[j], 0, (M + 1) * R * sizeof(double));
  }
}

// error returns the difference between the finite difference of the loss along a random
// direction and the gradient along it, over the norm of the gradient.
static double error(void) {
  double along = 0, norm = 0, loss[2], h = 1e-6;
  draw();
  forward();
  backward();
  double *step[5];
  for (int j = 0; j < 5; j++) {
    int n = j == 4 ? (M + 1) * R : j < shape ? M * R : 0;
    step[j] = matrix(M + 1, R);
    for (int i = 0; i < n; i++) {
      step[j][i] = bits() & 1 ? h : -h;
      along += grad[j][i] * step[j][i] / h;
      norm += grad[j][i] * grad[j][i];
    }
  }
  for (int side = 0; side < 2; side++) {
    for (int j = 0; j < 5; j++) for (int i = 0; i < (M + 1) * R; i++) theta[j][i] += (side ? -2 : 1) * step[j][i];
    loss[side] = forward();
  }
  return fabs((loss[0] - loss[1]) / (2 * h) - along) / sqrt(norm);
}

// is_number tests the exponent bits: under -ffast-math comparisons may treat NaN as a number.
static int is_number(double v) {
  uint64_t u;
  memcpy(&u, &v, sizeof u);
  return (u >> 52 & 0x7ff) != 0x7ff;
}

static int ascending(const void *a, const void *b) {
  double d = *(const double *)a - *(const double *)b;
  return (d > 0) - (d < 0);
}

int main(int argc, char **argv) {
  if (argc == 5) {
    shape = !strcmp(argv[1], "gaussian") ? 2 : !strcmp(argv[1], "trapezoid") ? 4 : 0;
    B = atoi(argv[2]); R = atoi(argv[3]); M = atoi(argv[4]);
  }
  if (!shape || B < 1 || B > N || R < 1 || R > MAXR || M < 1) {
    fprintf(stderr, "usage: limit gaussian|trapezoid B R M    with B up to %d and R up to %d\n", N, MAXR);
    return 2;
  }
  for (int i = 0; i < N; i++) order[i] = i;
  X = matrix(N, M); T = matrix(N, 1); x = matrix(B, M); t = matrix(B, 1);
  keep = matrix(B, R); f = matrix(B, R); g = matrix(B, R);
  for (int j = 0; j < 5; j++) {
    theta[j] = matrix(M + 1, R); grad[j] = matrix(M + 1, R);
    first[j] = matrix(M + 1, R); second[j] = matrix(M + 1, R);
  }
  for (int j = 0; j < 2; j++) work[j] = matrix(M, R);
  for (int i = 0; i < N; i++) {
    for (int m = 0; m < M; m++) X[i * M + m] = 2 * (uniform() + uniform() + uniform() - 1.5); // variance 1
    T[i] = sin(X[i * M]) + 0.1 * uniform();
  }
  double ns[RUNS], steps = 5e7 / ((double)B * R * M); // 2000 of the usual sizes, fewer of large ones
  steps = steps < 2000 ? steps : 2000;
  steps = steps > 100 ? steps : 100;
  for (int run = 0; run < RUNS; run++) {
    struct timespec from, to;
    start();
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int k = 1; k <= steps; k++) { draw(); forward(); backward(); update(k); }
    clock_gettime(CLOCK_MONOTONIC, &to);
    ns[run] = ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec)) / (int)steps;
  }
  double off = error();
  if (!is_number(off) || off > 1e-4) {
    fprintf(stderr, "limit: the gradient is wrong: off by %g of its norm\n", off);
    return 1;
  }
  qsort(ns, RUNS, sizeof *ns, ascending);
  printf("%s %d %d %d %.0f\n", argv[1], B, R, M, ns[RUNS / 2]);
  return 0;
}
