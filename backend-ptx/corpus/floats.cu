// arch: 70 80 90 100
// Floating point: roundings, approximations, library functions, conversions.
extern "C" __global__ void rounding(float* r, const float* a, double* s, const double* b) {
    int i = threadIdx.x;
    float x = a[i], y = a[i + 1];
    r[i] = __fadd_rn(x, y) + __fmul_rz(x, y) + __fmaf_ru(x, y, 1.5f) + __fdiv_rd(x, y) + __fsqrt_rn(x) + __frcp_ru(y) +
           __frsqrt_rn(x) + __saturatef(x) + fminf(x, y) + fmaxf(x, y) + fabsf(x) + copysignf(x, y) + 0x1.8p3f;
    double u = b[i], v = b[i + 1];
    s[i] = __dadd_rd(u, v) + __dmul_ru(u, v) + __fma_rz(u, v, 0.1) + __ddiv_rn(u, v) + __dsqrt_ru(u) + __drcp_rd(v) +
           fmin(u, v) - fmax(u, v) + fabs(u) + copysign(u, v);
}

extern "C" __global__ void functions(float* r, double* s) {
    int i = threadIdx.x;
    float x = r[i];
    r[i] = sinf(x) + cosf(x) + tanf(x) + expf(x) + logf(x) + powf(x, 1.7f) + tanhf(x) + erff(x) + cbrtf(x) + fmodf(x, 3.f) +
           __sinf(x) + __expf(x) + __logf(x) + __powf(x, 2.f) + __fdividef(x, 3.f) + rsqrtf(x) + ldexpf(x, 3) + lgammaf(x);
    double y = s[i];
    s[i] = sin(y) + exp(y) + log(y) + pow(y, 1.7) + atan2(y, 2.0) + remainder(y, 3.0) + j0(y) + normcdf(y) + nextafter(y, 1.0);
}

extern "C" __global__ void conversions(float* f, double* d, int* i, unsigned* u, long long* l, unsigned long long* w, short* h) {
    int t = threadIdx.x;
    i[t] = __float2int_rn(f[t]) + __double2int_rz(d[t]) + (int)f[t + 1] + __float_as_int(f[t]) + __double2hiint(d[t]);
    u[t] = __float2uint_ru(f[t]) + (unsigned)d[t] + __float_as_uint(f[t]);
    l[t] = __float2ll_rd(f[t]) + (long long)d[t] + llrint(d[t]) + __double_as_longlong(d[t]);
    w[t] = __double2ull_rn(d[t]);
    h[t] = (short)f[t] + (signed char)i[t];
    f[t] = __int2float_rz(i[t]) + (float)l[t] + __double2float_rn(d[t]) + (float)h[t] + rintf(f[t]) + floorf(f[t + 1]) + ceilf(f[t + 2]) + truncf(f[t + 3]);
    d[t] = (double)i[t] + (double)w[t] + (double)f[t] + round(d[t + 1]);
}

extern "C" __global__ void compare(int* r, const float* a, const double* b) {
    int i = threadIdx.x;
    float x = a[i], y = a[i + 1];
    r[i] = (x < y) + 2 * (x >= y) + 4 * (x != y) + 8 * isnan(x) + 16 * !(x > y) + 32 * isinf(b[i]) + 64 * signbit(b[i]) + (x < y && b[i] > b[i + 1] || i == 3);
    int t;
    asm("{ .reg .pred p, q; setp.lt.and.f32 p|q, %1, %2, !q; selp.s32 %0, 1, 2, p; @q add.s32 %0, %0, 1; }" : "=r"(t) : "f"(x), "f"(y));
    asm("{ .reg .f32 t; set.gt.f32.f32 t, %1, %2; cvt.rzi.s32.f32 %0, t; }" : "=r"(t) : "f"(x), "f"(y));
    r[i + 1] = t;
}
