// arch: 70 90
// The same small kernels for every type: guarded, strided, in place, with comparisons and choices.
#define FOR_EVERY_TYPE(M) \
    M(i8, signed char) M(u8, unsigned char) M(i16, short) M(u16, unsigned short) M(i32, int) M(u32, unsigned) \
    M(i64, long long) M(u64, unsigned long long) M(f32, float) M(f64, double)

#define KERNELS(name, T) \
    extern "C" __global__ void add_##name(const T* a, const T* b, T* out, int n) { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < n) out[i] = a[i] + b[i]; \
    } \
    extern "C" __global__ void combine_##name(const T* a, const T* b, T* out, int n) { \
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = a[i] * b[i] - a[i]; \
    } \
    extern "C" __global__ void clamp_##name(T* a, T low, T high, int n) { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i >= n) return; \
        T x = a[i]; \
        a[i] = x < low ? low : x > high ? high : x; \
    } \
    extern "C" __global__ void reverse_##name(const T* a, T* out, int n) { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < n) out[n - 1 - i] = a[i]; \
    }
FOR_EVERY_TYPE(KERNELS)
