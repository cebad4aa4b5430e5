// arch: 90a
// Clusters, tensor memory access, warp-group matrix multiply.
typedef unsigned long long u64;
struct alignas(64) Map { u64 opaque[16]; };
extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128) cluster(int* r) {
    __shared__ int mine;
    unsigned rank, size, remote, own = (unsigned)__cvta_generic_to_shared(&mine);
    asm volatile("mov.u32 %0, %%cluster_ctarank; mov.u32 %1, %%cluster_nctarank;" : "=r"(rank), "=r"(size));
    mine = rank;
    asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;");
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(own), "r"(rank ^ 1));
    int x;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(x) : "r"(remote));
    asm volatile("fence.mbarrier_init.release.cluster; griddepcontrol.wait; griddepcontrol.launch_dependents;");
    r[threadIdx.x] = x + size;
}
extern "C" __global__ void tensor(const __grid_constant__ Map map, float* out, float* bulk) {
    __shared__ alignas(128) float tile[64 * 32];
    __shared__ u64 gate;
    unsigned t = (unsigned)__cvta_generic_to_shared(tile), b = (unsigned)__cvta_generic_to_shared(&gate);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b));
        asm volatile("fence.proxy.async.shared::cta;");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 8192;" ::"r"(b));
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(t), "l"(&map), "r"(0), "r"(1), "r"(b) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], 512, [%2], %3;" ::"r"(t), "l"(bulk), "r"(b), "l"(0x14F0000000000000ull));
        asm volatile("prefetch.tensormap [%0];" ::"l"(&map));
    }
    asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" ::"r"(b), "r"(0));
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %1, %1}], [%2];" ::"l"(&map), "r"(3), "r"(t));
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], 256;" ::"l"(bulk), "r"(t));
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;");
    unsigned elected;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(elected));
    out[threadIdx.x] = tile[threadIdx.x] + elected;
}
extern "C" __global__ void __launch_bounds__(128) group(float* d, u64 a, u64 b) {
    float c[8] = {};
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    asm volatile("wgmma.fence.sync.aligned;");
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %10, 0;\nwgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16\n{%0, %1, %2, %3, %4, %5, %6, %7},\n %8, %9, p, 1, -1, 0, 1;\n}"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]) : "l"(a), "l"(b), "r"(1));
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;");
    for (int i = 0; i < 8; ++i) d[threadIdx.x * 8 + i] = c[i];
}
