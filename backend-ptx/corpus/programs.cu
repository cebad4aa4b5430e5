// arch: 70 80 90
// Small programs: loops that end by data, bit tricks, device functions, three-dimensional grids, dynamic shared memory.
typedef unsigned u32;
typedef unsigned long long u64;
#define INDEX int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
extern "C" __global__ void collatz(const int* a, int* out, int n) { INDEX long long x = a[i]; int steps = 0; while (x > 1) { x = x & 1 ? 3 * x + 1 : x / 2; ++steps; } out[i] = steps; }
extern "C" __global__ void gcd(const u32* a, const u32* b, u32* out, int n) { INDEX u32 x = a[i], y = b[i]; while (y) { u32 r = x % y; x = y; y = r; } out[i] = x; }
extern "C" __global__ void is_prime(const int* a, int* out, int n) { INDEX int x = a[i], prime = x > 1; for (int d = 2; d * d <= x; ++d) if (x % d == 0) { prime = 0; break; } out[i] = prime; }
extern "C" __global__ void lower_bound(const int* sorted, const int* keys, int* out, int m, int n) { INDEX int low = 0, high = m; while (low < high) { int mid = (low + high) / 2; if (sorted[mid] < keys[i]) low = mid + 1; else high = mid; } out[i] = low; }
extern "C" __global__ void popcounts(const u32* a, int* out, int n) { INDEX out[i] = __popc(a[i]) + 100 * __clz(a[i]) + 10000 * __ffs(a[i]); }
extern "C" __global__ void reverse_bits(const u64* a, u64* out, int n) { INDEX out[i] = __brevll(a[i]); }
extern "C" __global__ void rotate(const u32* a, u32* out, int n) { INDEX out[i] = __funnelshift_l(a[i], a[i], i); }
extern "C" __global__ void mul_high(const u64* a, const u64* b, u64* out, int n) { INDEX out[i] = __umul64hi(a[i], b[i]); }
extern "C" __global__ void divide(const int* a, const int* b, int* out, int n) { INDEX out[2 * i] = a[i] / b[i]; out[2 * i + 1] = a[i] % b[i]; }
extern "C" __global__ void divide64(const long long* a, const long long* b, long long* out, int n) { INDEX out[2 * i] = a[i] / b[i]; out[2 * i + 1] = a[i] % b[i]; }
extern "C" __global__ void crc32(const unsigned char* a, u32* out, int length, int n) {
    INDEX u32 crc = ~0u;
    for (int k = 0; k < length; ++k) { crc ^= a[i * length + k]; for (int b = 0; b < 8; ++b) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0); }
    out[i] = ~crc;
}
extern "C" __global__ void xorshift(u32* state, int rounds, int n) { INDEX u32 x = state[i]; for (int k = 0; k < rounds; ++k) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; } state[i] = x; }
extern "C" __global__ void mandelbrot(int* out, int w, int h) {
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= w || py >= h) return;
    double cx = -2.0 + 3.0 * px / w, cy = -1.0 + 2.0 * py / h, x = 0, y = 0;
    int k = 0;
    while (k < 50 && __dadd_rn(__dmul_rn(x, x), __dmul_rn(y, y)) <= 4.0) {
        double next = __dadd_rn(__dsub_rn(__dmul_rn(x, x), __dmul_rn(y, y)), cx);
        y = __dadd_rn(__dmul_rn(__dmul_rn(2.0, x), y), cy);
        x = next;
        ++k;
    }
    out[py * w + px] = k;
}
extern "C" __global__ void life(const unsigned char* a, unsigned char* out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int count = 0;
    for (int dy = -1; dy <= 1; ++dy) for (int dx = -1; dx <= 1; ++dx) count += (dx || dy) && a[(y + dy + h) % h * w + (x + dx + w) % w] & 1;
    out[y * w + x] = count == 3 || (count == 2 && a[y * w + x] & 1);
}
extern "C" __global__ void spmv(const int* starts, const int* columns, const float* values, const float* x, float* y, int n) { INDEX float sum = 0; for (int k = starts[i]; k < starts[i + 1]; ++k) sum += values[k] * x[columns[k]]; y[i] = sum; }
extern "C" __global__ void gather(const float* table, const int* at, float* out, int width, int n) { int i = blockIdx.x, k = threadIdx.x; if (i < n && k < width) out[i * width + k] = table[at[i] * width + k]; }
extern "C" __global__ void bitonic(int* a, int n, int size, int step) { int i = blockIdx.x * blockDim.x + threadIdx.x, j = i ^ step; if (j > i && j < n) { bool up = (i & size) == 0; if ((a[i] > a[j]) == up) { int x = a[i]; a[i] = a[j]; a[j] = x; } } }
extern "C" __global__ void odd_even_sort(int* a) {
    __shared__ int tile[64];
    int t = threadIdx.x, at = blockIdx.x * 64 + t;
    tile[t] = a[at];
    __syncthreads();
    for (int round = 0; round < 64; ++round) {
        if ((t & 1) == (round & 1) && t + 1 < 64 && tile[t] > tile[t + 1]) { int x = tile[t]; tile[t] = tile[t + 1]; tile[t + 1] = x; }
        __syncthreads();
    }
    a[at] = tile[t];
}
extern "C" __global__ void volume(int* out, int nx, int ny) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z; out[(z * ny + y) * nx + x] = x + 100 * y + 10000 * z + 1000000 * gridDim.x + 10000000 * gridDim.y + 100000000 * gridDim.z; }
__device__ __noinline__ int block_of(int scale) { return (blockIdx.y * gridDim.x + blockIdx.x) * scale; }
__device__ __noinline__ int nested(int scale) { return block_of(scale + 1) + threadIdx.x; }
extern "C" __global__ void by_functions(int* out) { out[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = nested(3) + block_of(1000); }
__device__ __noinline__ int plus(int a, int b) { return a + b; }
__device__ __noinline__ int times(int a, int b) { return a * b; }
__device__ int (*const operations[2])(int, int) = {plus, times};
extern "C" __global__ void by_pointers(const int* a, const int* b, const int* which, int* out, int n) { INDEX out[i] = operations[which[i] & 1](a[i], b[i]); }
__device__ __noinline__ int ackermann(int m, int k) { return m == 0 ? k + 1 : k == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, k - 1)); }
extern "C" __global__ void recursive(int* out, int n) { INDEX out[i] = ackermann(2, i); }
struct Shape { float w, h; int kind; };
extern "C" __global__ void areas(const Shape* a, float* out, Shape scale, int n) { INDEX Shape s = a[i]; float x = s.w * scale.w, y = s.h * scale.h; switch (s.kind & 3) { case 0: out[i] = x * y; break; case 1: out[i] = x * y / 2; break; case 2: out[i] = x + y; break; default: out[i] = -1; } }
extern __shared__ int dynamic[];
extern "C" __global__ void rotate_block(const int* a, int* out, int by) { int t = threadIdx.x, base = blockIdx.x * blockDim.x; dynamic[t] = a[base + t]; __syncthreads(); out[base + t] = dynamic[(t + by) % blockDim.x]; }
extern "C" __global__ void local_sort(const int* a, int* out, int n) { INDEX int x[8]; for (int k = 0; k < 8; ++k) x[k] = a[8 * i + k]; for (int r = 1; r < 8; ++r) { int v = x[r], k = r; while (k > 0 && x[k - 1] > v) { x[k] = x[k - 1]; --k; } x[k] = v; } for (int k = 0; k < 8; ++k) out[8 * i + k] = x[k]; }
extern "C" __global__ void votes(const int* a, u32* out) { int i = blockIdx.x * blockDim.x + threadIdx.x; u32 b = __ballot_sync(~0u, a[i] > 0); int any = __any_sync(~0u, a[i] > 100), all = __all_sync(~0u, a[i] > -100); u32 same = __match_any_sync(~0u, a[i] & 3); out[i] = b ^ same ^ (any << 1) ^ all; }
extern "C" __global__ void counts(const int* a, int* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; int c = __syncthreads_count(i < n && a[i] > 10), o = __syncthreads_or(i < n && a[i] > 90), d = __syncthreads_and(a[i] >= 0); if (threadIdx.x == 0) out[blockIdx.x] = c * 4 + (o != 0) * 2 + (d != 0); }
extern "C" __global__ void halves_meet(int* out) {
    __shared__ int tile[128];
    int t = threadIdx.x;
    tile[t] = t * t + blockIdx.x;
    if (t < 64) asm volatile("bar.sync 1, 64;" ::: "memory");
    else asm volatile("bar.sync 2, 64;" ::: "memory");
    int x = tile[t ^ 63];
    __syncthreads();
    out[blockIdx.x * 128 + t] = x + tile[127 - t];
}
extern "C" __global__ void return_then_meet(const int* a, int* out, int n) {
    __shared__ int tile[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    tile[threadIdx.x] = a[i];
    __syncthreads();
    int next = threadIdx.x + 1 < 64 && i + 1 < n ? tile[threadIdx.x + 1] : 0;
    __syncthreads();
    out[i] = a[i] - next;
}
extern "C" __global__ void prints(const int* a, int n) { INDEX if (a[i] > 200) printf("%d: %d\n", i, a[i]); }
extern "C" __global__ void fft_step(float2* a, int half, int n) { INDEX int k = i % half, at = i / half * 2 * half + k; float angle = -3.14159265358979f * k / half, c = cosf(angle), s = sinf(angle); float2 x = a[at], y = a[at + half]; float re = y.x * c - y.y * s, im = y.x * s + y.y * c; a[at] = make_float2(x.x + re, x.y + im); a[at + half] = make_float2(x.x - re, x.y - im); }
extern "C" __global__ void polynomial(const double* x, double* out, int n) { INDEX double v = x[i], y = 0; for (int k = 5; k >= 0; --k) y = fma(y, v, (double)k + 0.5); out[i] = y; }
extern "C" __global__ void rounding_f32(const float* a, const float* b, float* out, int n) { INDEX float x = a[i], y = b[i]; out[8 * i] = __fadd_rz(x, y); out[8 * i + 1] = __fmul_ru(x, y); out[8 * i + 2] = __fdiv_rn(x, y); out[8 * i + 3] = __fsqrt_rn(fabsf(x)); out[8 * i + 4] = rintf(x * 100); out[8 * i + 5] = floorf(x * 100); out[8 * i + 6] = fminf(x, y); out[8 * i + 7] = copysignf(x, y); }
extern "C" __global__ void convert(const double* a, int* i32, float* f32, long long* i64, unsigned char* u8, int n) { INDEX double x = a[i]; i32[i] = __double2int_rn(x); f32[i] = (float)x; i64[i] = __double2ll_rd(x * 1e6); u8[i] = (unsigned char)(int)fabs(x); }
