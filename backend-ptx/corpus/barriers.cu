// arch: 70 80 90
// Block barriers of every kind, named and counted, mbarriers, asynchronous copies.
typedef unsigned long long u64;
extern "C" __global__ void barriers(int* r, int n) {
    int x = r[threadIdx.x];
    __syncthreads();
    x += __syncthreads_count(x > 1) + __syncthreads_and(x > 2) + __syncthreads_or(x > 3);
    if (threadIdx.x < 64) asm volatile("bar.sync 1, 64;");
    else asm volatile("bar.arrive 2, 128;");
    asm volatile("barrier.sync %0;" ::"r"(n));
    asm volatile("barrier.sync.aligned 3, 96;");
    asm volatile("{ .reg .pred p; setp.gt.s32 p, %0, 2; barrier.red.popc.u32 %0, 4, p; barrier.red.or.pred p, 5, 64, !p; selp.s32 %0, 1, 0, p; }" : "+r"(x));
    r[threadIdx.x] = x;
}
#if __CUDA_ARCH__ >= 800
extern "C" __global__ void copies(float4* out, const float4* in) {
    __shared__ float4 buffer[2][64];
    __shared__ u64 gate;
    unsigned b = (unsigned)__cvta_generic_to_shared(&gate), t = (unsigned)__cvta_generic_to_shared(buffer[0]) + threadIdx.x * 16;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(b));
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(t), "l"(in + threadIdx.x));
    asm volatile("cp.async.cg.shared.global.L2::128B [%0 + 1024], [%1], 16, %2;" ::"r"(t), "l"(in + 64), "r"(8));
    asm volatile("cp.async.commit_group; cp.async.wait_group 0; cp.async.wait_all;");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(b));
    u64 token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(b));
    asm volatile("{\n .reg .pred complete;\nwait:\n mbarrier.test_wait.shared.b64 complete, [%0], %1;\n @!complete bra wait;\n}" ::"r"(b), "l"(token));
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(b));
    out[threadIdx.x] = buffer[0][threadIdx.x ^ 1];
}
#endif
