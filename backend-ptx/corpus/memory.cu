// arch: 75 80 90
// Every state space, vectors, cache operators, volatile, initialised variables, addresses in initialisers.
__constant__ float table[16] = {1.f, 2.5f, -3.f, 0x1p-20f};
__constant__ double wide_table[4] = {1.0, 0.1, -0.0, 1e300};
__device__ int counter = 7;
__device__ volatile int flag;
__device__ int* pointer = &counter + 1;
__device__ const char text[] = "a \"text\"; // {not a comment}\n";
__device__ short grid[3][2] = {{1, -2}, {3}, {5, 6}};
__managed__ int shared_by_host = 3;
struct __align__(16) Record { int a; float b; double c; const char* name; };
__device__ Record records[2] = {{1, 2.f, 3.0, text}, {4, 5.f, 6.0, text + 2}};
extern __shared__ float4 dynamic[];

extern "C" __global__ void spaces(float* out, const float* __restrict__ in, int n) {
    __shared__ float tile[33][32];
    __shared__ double more[8];
    float stack[40];
    int i = threadIdx.x;
    for (int k = 0; k < 40; ++k) stack[k] = in[k * n];
    tile[i][i & 31] = in[i] + table[i & 15];
    more[i & 7] = wide_table[n & 3];
    dynamic[i] = reinterpret_cast<const float4*>(in)[i];
    __syncthreads();
    out[i] = tile[i & 31][i] + stack[n % 40] + (float)more[n & 7] + dynamic[i ^ 1].z + grid[n % 3][1] + text[n % 30];
    counter += *pointer + flag + shared_by_host + records[n & 1].a + records[1].name[n];
    flag = n;
}

extern "C" __global__ void caches(float* p, const float4* q, int2* v, double2* w, char4* c, longlong2* l) {
    int i = threadIdx.x;
    float4 a = __ldg(&q[i]);
    float4 b = __ldcs(&q[i + 1]);
    float4 d = __ldcg(&q[i + 2]);
    __stcs(&p[i], a.x + b.y);
    __stwt(&p[i + 1], d.z + __ldcv(&p[i + 2]) + __ldlu(&p[i + 3]) + __ldca(&p[i + 4]));
    v[i] = make_int2(v[i + 1].y, v[i + 1].x);
    w[i] = w[i + 1];
    c[i] = c[i + 3];
    l[i] = l[i + 1];
    asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(a.x), "=f"(a.y), "=f"(a.z), "=f"(a.w) : "l"(q));
    p[i + 9] = a.x + a.w;
}

extern "C" __global__ void generic(float* a, int n) {
    __shared__ float s[64];
    float l[8] = {};
    float* p = n > 3 ? a : n > 2 ? s : l;
    p[n] = 1.f;
    if (__isShared(p)) a[1] = 2.f;
    if (__isGlobal(p)) a[2] = (float)(size_t)__cvta_generic_to_global(p);
    a[3] = l[n & 7] + s[n] + (float)__cvta_generic_to_shared(s);
}
