// arch: 70 80 90 100
// Warp operations and cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void lanes(int* r, float* f, double* d) {
    int i = threadIdx.x, x = r[i];
    unsigned mask = __activemask();
    x += __shfl_sync(mask, x, 3) + __shfl_up_sync(~0u, x, 1) + __shfl_down_sync(~0u, x, 2) + __shfl_xor_sync(~0u, x, 4, 8);
    x += __any_sync(~0u, x > 2) + __all_sync(~0u, x > 3) + __ballot_sync(~0u, x & 1) + __uni_sync(~0u, x == 1);
    int equal;
    x += __match_any_sync(~0u, x) + __match_all_sync(~0u, x, &equal) + equal;
    __syncwarp();
    __syncwarp(0xFF);
#if __CUDA_ARCH__ >= 800
    x += __reduce_add_sync(~0u, x) + __reduce_min_sync(~0u, x) + __reduce_xor_sync(~0u, (unsigned)x);
#endif
    d[i] = __shfl_xor_sync(~0u, d[i], 1);
    f[i] = __shfl_sync(~0u, f[i], 0);
    unsigned lane, lt;
    asm("mov.u32 %0, %%laneid; mov.u32 %1, %%lanemask_lt;" : "=r"(lane), "=r"(lt));
    asm volatile("nanosleep.u32 20;");
    long long c = clock64();
    r[i] = x + lane + lt + warpSize + (int)c + (int)clock();
}

extern "C" __global__ void groups(int* r) {
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int x = cg::reduce(tile, r[block.thread_rank()], cg::plus<int>());
    auto active = cg::coalesced_threads();
    if (x > 3) r[0] = active.shfl(x, 0) + tile.any(x);
    block.sync();
    cg::this_grid().sync();
    r[1] = cg::this_grid().thread_rank();
}
