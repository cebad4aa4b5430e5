// arch: 100a
// Tensor memory and the fifth generation of matrix multiply.
typedef unsigned long long u64;
typedef unsigned u32;
extern "C" __global__ void __launch_bounds__(128) tensor_memory(u32* out, u64 a, u64 b, u32 idesc) {
    __shared__ u32 base;
    __shared__ u64 gate;
    u32 slot = (u32)__cvta_generic_to_shared(&base), bar = (u32)__cvta_generic_to_shared(&gate), x[4];
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(slot));
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
    __syncthreads();
    u32 t = base;
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }" ::"r"(t), "l"(a), "l"(b), "r"(idesc), "r"(1));
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(bar));
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%0, %1, %2, %3}, [%4 + 0];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(t));
    asm volatile("tcgen05.wait::ld.sync.aligned;");
    asm volatile("tcgen05.st.sync.aligned.16x32bx2.x2.b32 [%0], 2, {%1, %2};" ::"r"(t), "r"(x[0]), "r"(x[1]));
    asm volatile("tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync;");
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 64;" ::"r"(t));
    out[threadIdx.x] = x[0] + x[1] + x[2] + x[3];
}
extern "C" __global__ void cancel(u32* out) {
    __shared__ alignas(16) uint4 result;
    __shared__ u64 gate;
    u32 r = (u32)__cvta_generic_to_shared(&result), bar = (u32)__cvta_generic_to_shared(&gate), x, y, z, p;
    asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%1];" ::"r"(r), "r"(bar));
    asm volatile("{ .reg .b128 h; .reg .pred q; ld.shared.b128 h, [%4]; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 q, h; selp.u32 %3, 1, 0, q; clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%0, %1, %2, _}, h; }"
        : "=r"(x), "=r"(y), "=r"(z), "=r"(p) : "r"(r));
    out[0] = x + y + z + p;
}
extern "C" __global__ void packed(float2* a, u64* b) {
    u64 x = b[0], y = b[1], z;
    asm("fma.rn.f32x2 %0, %1, %2, %1;" : "=l"(z) : "l"(x), "l"(y));
    asm("add.rn.f32x2 %0, %0, %1;" : "+l"(z) : "l"(y));
    b[threadIdx.x] = z;
}
