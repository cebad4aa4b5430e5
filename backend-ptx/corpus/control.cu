// arch: 70 90 100
// Branches, switches, calls of every kind, recursion, printf, assert, early exits.
extern "C" __device__ void __assertfail(const char*, const char*, unsigned, const char*, size_t);
struct Shape { __device__ virtual float area(float s) const { return s; } __device__ virtual ~Shape() {} };
struct Circle : Shape { float r; __device__ float area(float s) const override { return r * r * s; } };
__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int thrice(int x) { return 3 * x + threadIdx.x; }
__device__ int (*const functions[2])(int) = {twice, thrice};
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
struct Big { int v[9]; double d; };
__device__ __noinline__ Big make(int n, Big b) { b.v[n & 7] = n; b.d *= 2; return b; }

extern "C" __global__ void choose(int* r, int n) {
    int x = r[threadIdx.x];
    switch (n) {
        case 0: x = x * 3; break;
        case 1: x = x ^ 12345; break;
        case 2: x = __popc(x); break;
        case 3: x = x / 7; break;
        case 4: x = fib(x & 7); break;
        case 5: return;
        case 6: x += clock(); [[fallthrough]];
        case 7: x -= 3; break;
        case 8: asm volatile("exit;");
        default: asm volatile("trap;");
    }
    for (int i = 0; i < n; ++i) {
        if (x & 1) continue;
        if (x > 1000) break;
        x = x * 5 + i;
        while (x & 2) x >>= 1;
    }
    r[threadIdx.x] = x;
}

extern "C" __global__ void calls(int* r, Shape* s, int n, Big b) {
    if (threadIdx.x >= n) return;
    r[0] = functions[n & 1](r[1]) + (int)s->area(2.f);
    Circle c;
    c.r = n;
    Shape* p = n > 3 ? s : &c;
    r[1] = (int)p->area(1.f) + make(n, b).v[2];
    printf("%d of %f\n", n, (double)r[2]);
    if (n == 7) __assertfail("n", "control.cu", 3, "calls", 1);
    int* m = (int*)malloc(16);
    m[n & 3] = 3;
    r[3] = m[0];
    free(m);
}

template <int N> __global__ void __launch_bounds__(128, 4) unrolled(float* a) {
#pragma unroll
    for (int i = 0; i < N; ++i) a[i] = a[i + 1] * i;
#pragma unroll 1
    for (int i = 0; i < N; ++i) a[i * 2] += a[i];
}
template __global__ void unrolled<4>(float*);
template __global__ void unrolled<17>(float*);
