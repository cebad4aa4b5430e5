// arch: 70 90
// Matrix products, transpositions, stencils, rows.
#define FOR_TYPES(M) M(i32, int) M(f32, float) M(f64, double)

#define KERNELS(name, T) \
    extern "C" __global__ void matmul_##name(const T* a, const T* b, T* c, int n) { \
        int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x; \
        if (row >= n || column >= n) return; \
        T sum = 0; \
        for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column]; \
        c[row * n + column] = sum; \
    } \
    extern "C" __global__ void matmul_tiled_##name(const T* a, const T* b, T* c, int n) { \
        __shared__ T x[8][8], y[8][9]; \
        int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 8 + ty, column = blockIdx.x * 8 + tx; \
        T sum = 0; \
        for (int tile = 0; tile < n; tile += 8) { \
            x[ty][tx] = row < n && tile + tx < n ? a[row * n + tile + tx] : 0; \
            y[ty][tx] = tile + ty < n && column < n ? b[(tile + ty) * n + column] : 0; \
            __syncthreads(); \
            for (int k = 0; k < 8; ++k) sum += x[ty][k] * y[k][tx]; \
            __syncthreads(); \
        } \
        if (row < n && column < n) c[row * n + column] = sum; \
    } \
    extern "C" __global__ void transpose_##name(const T* a, T* out, int rows, int columns) { \
        __shared__ T tile[16][17]; \
        int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y; \
        if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = a[y * columns + x]; \
        __syncthreads(); \
        x = blockIdx.y * 16 + threadIdx.x; \
        y = blockIdx.x * 16 + threadIdx.y; \
        if (x < rows && y < columns) out[y * rows + x] = tile[threadIdx.x][threadIdx.y]; \
    } \
    extern "C" __global__ void matvec_##name(const T* a, const T* x, T* y, int rows, int columns) { \
        int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32; \
        if (row >= rows) return; \
        T sum = 0; \
        for (int k = lane; k < columns; k += 32) sum += a[row * columns + k] * x[k]; \
        for (int step = 16; step > 0; step >>= 1) sum += __shfl_xor_sync(~0u, sum, step); \
        if (lane == 0) y[row] = sum; \
    } \
    extern "C" __global__ void stencil_##name(const T* a, T* out, int n) { \
        __shared__ T tile[66]; \
        int i = blockIdx.x * 64 + threadIdx.x, t = threadIdx.x + 1; \
        tile[t] = i < n ? a[i] : 0; \
        if (threadIdx.x == 0) tile[0] = i > 0 ? a[i - 1] : 0; \
        if (threadIdx.x == 63) tile[65] = i + 1 < n ? a[i + 1] : 0; \
        __syncthreads(); \
        if (i < n) out[i] = tile[t - 1] + 2 * tile[t] + tile[t + 1]; \
    }
FOR_TYPES(KERNELS)

__constant__ float weights[9] = {0.0625f, 0.125f, 0.0625f, 0.125f, 0.25f, 0.125f, 0.0625f, 0.125f, 0.0625f};
extern "C" __global__ void blur(const float* a, float* out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    float sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) sum += weights[(dy + 1) * 3 + dx + 1] * a[(y + dy) * w + x + dx];
    out[y * w + x] = sum;
}

extern "C" __global__ void laplace3d(const double* a, double* out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    int i = (z * n + y) * n + x;
    out[i] = a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + a[i - n * n] + a[i + n * n] - 6 * a[i];
}

extern "C" __global__ void softmax(const float* a, float* out, int n) {
    __shared__ float tile[64];
    const float* row = a + blockIdx.x * n;
    int t = threadIdx.x;
    float most = -1e30f, sum = 0;
    for (int i = t; i < n; i += 64) most = fmaxf(most, row[i]);
    tile[t] = most;
    __syncthreads();
    for (int step = 32; step > 0; step >>= 1) {
        if (t < step) tile[t] = fmaxf(tile[t], tile[t + step]);
        __syncthreads();
    }
    most = tile[0];
    __syncthreads();
    for (int i = t; i < n; i += 64) sum += expf(row[i] - most);
    tile[t] = sum;
    __syncthreads();
    for (int step = 32; step > 0; step >>= 1) {
        if (t < step) tile[t] += tile[t + step];
        __syncthreads();
    }
    for (int i = t; i < n; i += 64) out[blockIdx.x * n + i] = expf(row[i] - most) / tile[0];
}

extern "C" __global__ void layer_norm(const float* a, const float* gain, float* out, int n) {
    const float* row = a + blockIdx.x * n;
    int lane = threadIdx.x;
    float sum = 0, squares = 0;
    for (int i = lane; i < n; i += 32) { sum += row[i]; squares += row[i] * row[i]; }
    for (int step = 16; step > 0; step >>= 1) {
        sum += __shfl_xor_sync(~0u, sum, step);
        squares += __shfl_xor_sync(~0u, squares, step);
    }
    float mean = sum / n, scale = rsqrtf(squares / n - mean * mean + 1e-5f);
    for (int i = lane; i < n; i += 32) out[blockIdx.x * n + i] = (row[i] - mean) * scale * gain[i];
}

extern "C" __global__ void attention(const float* q, const float* k, const float* v, float* out, int n) {
    const int D = 16;
    __shared__ float keys[32][D], values[32][D];
    int i = blockIdx.x * 32 + threadIdx.x, head = blockIdx.y * n * D;
    float mine[D], acc[D] = {}, most = -1e30f, sum = 0;
    for (int d = 0; d < D; ++d) mine[d] = i < n ? q[head + i * D + d] : 0;
    for (int start = 0; start < n; start += 32) {
        __syncthreads();
        for (int d = 0; d < D; ++d) {
            int row = start + threadIdx.x;
            keys[threadIdx.x][d] = row < n ? k[head + row * D + d] : 0;
            values[threadIdx.x][d] = row < n ? v[head + row * D + d] : 0;
        }
        __syncthreads();
        for (int j = 0; j < min(32, n - start); ++j) {
            float score = 0;
            for (int d = 0; d < D; ++d) score += mine[d] * keys[j][d];
            float next = fmaxf(most, score * 0.25f), shrink = expf(most - next), e = expf(score * 0.25f - next);
            sum = sum * shrink + e;
            for (int d = 0; d < D; ++d) acc[d] = acc[d] * shrink + e * values[j][d];
            most = next;
        }
    }
    if (i < n) for (int d = 0; d < D; ++d) out[head + i * D + d] = acc[d] / sum;
}

extern "C" __global__ void nbody(const float4* bodies, float* out, int n) {
    __shared__ float4 tile[32];
    int i = blockIdx.x * 32 + threadIdx.x;
    float4 own = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    float x = 0, y = 0, z = 0;
    for (int start = 0; start < n; start += 32) {
        if (start + threadIdx.x < n) tile[threadIdx.x] = bodies[start + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < min(32, n - start); ++j) {
            float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
            float inverse = 1.f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f), pull = tile[j].w * inverse * inverse * inverse;
            x += dx * pull;
            y += dy * pull;
            z += dz * pull;
        }
        __syncthreads();
    }
    if (i < n) { out[3 * i] = x; out[3 * i + 1] = y; out[3 * i + 2] = z; }
}
