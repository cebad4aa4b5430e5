// arch: 70 80 90
// Sums, maxima and scans: in shared memory, by shuffles, by atomics, finished by the last block.
#define FOR_TYPES(M) M(i32, int) M(u64, unsigned long long) M(f32, float) M(f64, double)

#define KERNELS(name, T) \
    extern "C" __global__ void block_sum_##name(const T* a, T* out, int n) { \
        __shared__ T tile[128]; \
        int i = blockIdx.x * 128 + threadIdx.x; \
        tile[threadIdx.x] = i < n ? a[i] : 0; \
        __syncthreads(); \
        for (int step = 64; step > 0; step >>= 1) { \
            if (threadIdx.x < step) tile[threadIdx.x] += tile[threadIdx.x + step]; \
            __syncthreads(); \
        } \
        if (threadIdx.x == 0) out[blockIdx.x] = tile[0]; \
    } \
    extern "C" __global__ void block_max_##name(const T* a, T* out, int n) { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i >= n) return; \
        __shared__ T best[32]; \
        T x = a[i]; \
        for (int step = 16; step > 0; step >>= 1) { T y = __shfl_xor_sync(~0u, x, step); x = x > y ? x : y; } \
        if (threadIdx.x % 32 == 0) best[threadIdx.x / 32] = x; \
        __syncthreads(); \
        if (threadIdx.x == 0) { \
            for (int w = 1; w < blockDim.x / 32; ++w) x = x > best[w] ? x : best[w]; \
            out[blockIdx.x] = x; \
        } \
    } \
    extern "C" __global__ void scan_##name(const T* a, T* out) { \
        __shared__ T tile[2][64]; \
        int i = threadIdx.x, at = blockIdx.x * 64 + i, from = 0; \
        tile[0][i] = a[at]; \
        __syncthreads(); \
        for (int step = 1; step < 64; step *= 2, from ^= 1) { \
            tile[from ^ 1][i] = i >= step ? tile[from][i] + tile[from][i - step] : tile[from][i]; \
            __syncthreads(); \
        } \
        out[at] = tile[from][i]; \
    } \
    extern "C" __global__ void warp_scan_##name(const T* a, T* out) { \
        int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31; \
        T x = a[i]; \
        for (int step = 1; step < 32; step *= 2) { T y = __shfl_up_sync(~0u, x, step); if (lane >= step) x += y; } \
        out[i] = x; \
    }
FOR_TYPES(KERNELS)

extern "C" __global__ void sum_by_atomics(const int* a, int* out, int n) {
    int x = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x += a[i];
    for (int step = 16; step > 0; step >>= 1) x += __shfl_down_sync(~0u, x, step);
    if ((threadIdx.x & 31) == 0) atomicAdd(out, x);
}

extern "C" __global__ void sum_by_last_block(const int* a, int* partial, unsigned* count, int* out, int n) {
    __shared__ int tile[64];
    __shared__ bool last;
    int i = blockIdx.x * 64 + threadIdx.x;
    tile[threadIdx.x] = i < n ? a[i] : 0;
    __syncthreads();
    for (int step = 32; step > 0; step >>= 1) {
        if (threadIdx.x < step) tile[threadIdx.x] += tile[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = tile[0];
        __threadfence();
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; ++b) sum += ((volatile int*)partial)[b];
        *out = sum;
    }
}

extern "C" __global__ void dot(const float* a, const float* b, double* out, int n) {
    __shared__ double tile[64];
    double x = 0;
    for (int i = threadIdx.x; i < n; i += 64) x += (double)a[blockIdx.x * n + i] * b[i];
    tile[threadIdx.x] = x;
    for (int step = 32; step > 0; step >>= 1) {
        __syncthreads();
        if (threadIdx.x < step) tile[threadIdx.x] += tile[threadIdx.x + step];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = tile[0];
}

extern "C" __global__ void argmax(const float* a, int* out, int n) {
    __shared__ float best[64];
    __shared__ int where[64];
    int t = threadIdx.x;
    const float* row = a + blockIdx.x * n;
    best[t] = -1e30f;
    where[t] = 0;
    for (int i = t; i < n; i += 64) if (row[i] > best[t]) { best[t] = row[i]; where[t] = i; }
    __syncthreads();
    for (int step = 32; step > 0; step >>= 1) {
        if (t < step && (best[t + step] > best[t] || (best[t + step] == best[t] && where[t + step] < where[t]))) {
            best[t] = best[t + step];
            where[t] = where[t + step];
        }
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = where[0];
}
