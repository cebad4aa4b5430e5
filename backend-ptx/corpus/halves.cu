// arch: 80 90
// Arithmetic of 16-bit floats, asynchronous copies, mbarriers, matrix fragments: with results that are known.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
typedef unsigned u32;
extern "C" __global__ void add_f16(const __half* a, const __half* b, __half* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = __hadd(a[i], b[i]); }
extern "C" __global__ void fma_f16(const __half* a, const __half* b, __half* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = __hfma(a[i], b[i], a[i]); }
extern "C" __global__ void add_f16x2(const __half2* a, const __half2* b, __half2* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = __hadd2(__hmul2(a[i], b[i]), b[i]); }
extern "C" __global__ void widen_f16(const __half* a, float* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = __half2float(a[i]) * 2; }
extern "C" __global__ void narrow_f16(const float* a, __half* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = __float2half_rn(a[i]); }
extern "C" __global__ void narrow_bf16(const float* a, __nv_bfloat16* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = __float2bfloat16_rn(a[i]); }
extern "C" __global__ void widen_bf16(const __nv_bfloat16* a, float* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = __bfloat162float(a[i]); }
extern "C" __global__ void copy_async(const int* a, int* out) {
    __shared__ __align__(16) int tile[2][128];
    u32 to = (u32)__cvta_generic_to_shared(&tile[0][0]) + threadIdx.x * 16;
    const int* from = a + blockIdx.x * 256 + threadIdx.x * 4;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n\tcp.async.commit_group;" ::"r"(to), "l"(from) : "memory");
    asm volatile("cp.async.cg.shared.global [%0+512], [%1], 16;\n\tcp.async.commit_group;" ::"r"(to), "l"(from + 128) : "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    int x = tile[0][threadIdx.x * 3 & 127];
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    out[blockIdx.x * 32 + threadIdx.x] = x + tile[1][127 - threadIdx.x];
}
extern "C" __global__ void meet_at_mbarrier(const int* a, int* out) {
    __shared__ int tile[64];
    __shared__ unsigned long long gate;
    u32 at = (u32)__cvta_generic_to_shared(&gate);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at) : "memory");
    __syncthreads();
    tile[threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x];
    asm volatile("{\n\t.reg .b64 s;\n\t.reg .pred p;\n\tmbarrier.arrive.shared.b64 s, [%0];\nwait:\n\tmbarrier.test_wait.shared.b64 p, [%0], s;\n\t@!p bra wait;\n\t}" ::"r"(at) : "memory");
    out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}
// one warp multiplies 16×16 by 16×8 halves
extern "C" __global__ void mma_f16(const u32* a, const u32* b, float* d) {
    int lane = threadIdx.x, g = lane >> 2, t = lane & 3;
    a += blockIdx.x * 128;
    b += blockIdx.x * 64;
    u32 x0 = a[g * 8 + t], x1 = a[(g + 8) * 8 + t], x2 = a[g * 8 + t + 4], x3 = a[(g + 8) * 8 + t + 4];
    u32 y0 = b[g * 8 + t], y1 = b[g * 8 + t + 4];
    float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3) : "r"(x0), "r"(x1), "r"(x2), "r"(x3), "r"(y0), "r"(y1));
    d += blockIdx.x * 128;
    d[g * 8 + t * 2] = c0;
    d[g * 8 + t * 2 + 1] = c1;
    d[(g + 8) * 8 + t * 2] = c2;
    d[(g + 8) * 8 + t * 2 + 1] = c3;
}
extern "C" __global__ void reduce_by_redux(const int* a, int* out) { int x = a[blockIdx.x * 32 + threadIdx.x]; int s = __reduce_add_sync(~0u, x), m = __reduce_max_sync(~0u, x); u32 o = __reduce_or_sync(~0u, (u32)x); if (threadIdx.x == 0) { out[3 * blockIdx.x] = s; out[3 * blockIdx.x + 1] = m; out[3 * blockIdx.x + 2] = (int)o; } }
