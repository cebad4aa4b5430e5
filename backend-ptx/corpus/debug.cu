// arch: 70 90
// options: -G
// Built with debug information: sections, locations, unoptimised code.
struct Point { float x, y; };
__device__ __noinline__ float length2(const Point& p) { return p.x * p.x + p.y * p.y; }
__device__ int total;
extern "C" __global__ void debugged(Point* points, float* out, int n) {
    __shared__ float sums[32];
    int i = threadIdx.x;
    float sum = 0.f;
    for (int k = i; k < n; k += blockDim.x) sum += length2(points[k]);
    sums[i & 31] = sum;
    __syncthreads();
    if (i == 0) {
        atomicAdd(&total, 1);
        out[blockIdx.x] = sums[0] + sums[1];
    }
}
