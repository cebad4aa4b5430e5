// arch: 70 90
// Parameters of every shape, launch bounds, names.
struct Small { char c; short s; };
struct alignas(32) Large { double d[5]; float f; Small s[3]; };
namespace outer { namespace { template <class T> __global__ void __maxnreg__(48) hidden(T* p, T v) { *p = v; } } }
template __global__ void outer::hidden<double>(double*, double);
extern "C" __global__ void none() {}
extern "C" __global__ void many(bool a, char b, short c, int d, long e, float f, double g, void* h, Small i, Large j, int3 k, float4 l) {
    *(float*)h = a + b + c + d + e + f + g + i.s + j.d[3] + j.s[b & 1].c + k.y + l.w;
}
extern "C" __global__ void constant_large(const __grid_constant__ Large j, Large* out, int n) {
    *out = j;
    out[1].d[0] = *(&j.d[0] + n);
}
extern "C" __global__ void __launch_bounds__(256) bounded(int* p) { p[threadIdx.y] = gridDim.z + blockDim.y + blockIdx.y; }
extern "C" __global__ void __launch_bounds__(256, 2) bounded_two(int* p) { p[threadIdx.z] = gridDim.y; }
struct Huge { int v[1000]; };
extern "C" __global__ void huge(Huge h, int* out) { out[threadIdx.x] = h.v[threadIdx.x] + h.v[999]; }
__device__ __noinline__ Small pass(Small a, Large b, float2 c) { a.s += (short)(b.d[1] + c.y); return a; }
extern "C" __global__ void passes(Small* p, Large* q, float2 c) { p[0] = pass(p[1], q[0], c); }
