// arch: 70 90
// Every atomic operation for every type it has, in global and in shared memory.
#define BOTH(name, T, call) \
    extern "C" __global__ void global_##name(T* out, const T* in, int n) { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < n) { T* p = out + (i & 7); T x = in[i]; (void)call; } \
    } \
    extern "C" __global__ void shared_##name(T* out, const T* in, int n) { \
        __shared__ T tile[8]; \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (threadIdx.x < 8) tile[threadIdx.x] = out[threadIdx.x]; \
        __syncthreads(); \
        if (i < n) { T* p = tile + (i & 7); T x = in[i]; (void)call; } \
        __syncthreads(); \
        if (threadIdx.x < 8) out[8 + blockIdx.x * 8 + threadIdx.x] = tile[threadIdx.x]; \
    }
#define ORDERED(name, T) BOTH(add_##name, T, atomicAdd(p, x)) BOTH(min_##name, T, atomicMin(p, x)) BOTH(max_##name, T, atomicMax(p, x))
#define BITS(name, T) BOTH(and_##name, T, atomicAnd(p, x)) BOTH(or_##name, T, atomicOr(p, x)) BOTH(xor_##name, T, atomicXor(p, x))
typedef unsigned long long u64;
ORDERED(i32, int)
ORDERED(u32, unsigned)
BOTH(add_u64, u64, atomicAdd(p, x))
BOTH(min_u64, u64, atomicMin(p, x))
BOTH(max_u64, u64, atomicMax(p, x))
BITS(u32, unsigned)
BITS(u64, u64)
BOTH(add_f32, float, atomicAdd(p, x))
BOTH(add_f64, double, atomicAdd(p, x))
BOTH(inc_u32, unsigned, atomicInc(p, 1000u))
BOTH(dec_u32, unsigned, atomicDec(p, 1000u))

extern "C" __global__ void max_by_swaps(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int* p = (int*)out;
    int old = *p;
    while (__int_as_float(old) < in[i]) {
        int assumed = old;
        old = atomicCAS(p, assumed, __float_as_int(in[i]));
        if (old == assumed) break;
    }
}

extern "C" __global__ void append(const int* in, int* count, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 0) out[atomicAdd(count, 1)] = in[i];
}

extern "C" __global__ void histogram(const unsigned char* in, int* out, int n) {
    __shared__ int bins[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) bins[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) if (bins[b]) atomicAdd(&out[b], bins[b]);
}

extern "C" __global__ void histogram_global(const unsigned char* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&out[in[i]], 1);
}

// every warp's leader reserves room for its lanes
extern "C" __global__ void append_by_warp(const int* in, int* count, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool take = i < n && in[i] % 2 == 0;
    unsigned mask = __ballot_sync(~0u, take), lane = threadIdx.x & 31;
    int base = 0;
    if (lane == 0) base = atomicAdd(count, __popc(mask));
    base = __shfl_sync(~0u, base, 0);
    if (take) out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}

extern "C" __global__ void work_queue(unsigned* next, int* out, int n) {
    for (unsigned i = atomicAdd(next, 1); i < n; i = atomicAdd(next, 1)) out[i] = i * i;
}
