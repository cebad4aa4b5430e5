// arch: 70 80 90 100
// Half precision, brain floats, eight-bit floats.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>

extern "C" __global__ void half1(__half* r, const __half* a, int* k) {
    int i = threadIdx.x;
    __half x = a[i], y = a[i + 1];
    r[i] = __hfma(x, y, __float2half(1.5f)) + x * y - x / y + hexp(x) + hsqrt(y) + __hmax(x, y) + hsin(x) + htrunc(y);
    k[i] = __half2int_rn(x) + (x < y) + __hisnan(x) + __half_as_short(y) + __hequ(x, y);
}

extern "C" __global__ void half2s(__half2* r, const __half2* a) {
    int i = threadIdx.x;
    __half2 x = a[i], y = a[i + 1];
    r[i] = __hadd2(__hmul2(x, y), __hfma2(x, y, __hneg2(x)));
    r[i + 1] = __hmin2(__habs2(x), h2exp(y));
    r[i + 2] = __halves2half2(__low2half(x), __high2half(y));
    atomicAdd(&r[i + 3], x);
}

extern "C" __global__ void brain(__nv_bfloat16* r, __nv_bfloat162* s, float* f) {
    int i = threadIdx.x;
    r[i] = r[i] * r[i + 1] + __float2bfloat16(f[i]);
    s[i] = __hmul2(s[i], __floats2bfloat162_rn(f[i], f[i + 1]));
    f[i] = __bfloat162float(r[i + 2]) + __low2float(s[i + 1]);
}

extern "C" __global__ void eight(__nv_fp8_e4m3* r, __nv_fp8x2_e5m2* s, float* f, float2* g) {
    int i = threadIdx.x;
    r[i] = __nv_fp8_e4m3(f[i]);
    f[i + 1] = float(r[i + 1]);
    s[i] = __nv_fp8x2_e5m2(g[i]);
    g[i + 1] = float2(s[i + 1]);
}
