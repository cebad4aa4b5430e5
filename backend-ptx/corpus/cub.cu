// arch: 70 90
// Library algorithms: block sort, scan, reduction, look-back.
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
extern "C" __global__ void sort(int* data) {
    using Sort = cub::BlockRadixSort<int, 128, 4>;
    __shared__ Sort::TempStorage storage;
    int keys[4];
    for (int i = 0; i < 4; ++i) keys[i] = data[threadIdx.x * 4 + i];
    Sort(storage).Sort(keys);
    for (int i = 0; i < 4; ++i) data[threadIdx.x * 4 + i] = keys[i];
}
extern "C" __global__ void scan(double* data) {
    using Scan = cub::BlockScan<double, 256>;
    using Reduce = cub::BlockReduce<double, 256>;
    __shared__ union { Scan::TempStorage scan; Reduce::TempStorage reduce; } storage;
    double x = data[threadIdx.x], total;
    Scan(storage.scan).ExclusiveSum(x, x, total);
    __syncthreads();
    double most = Reduce(storage.reduce).Reduce(x, [](double a, double b) { return a > b ? a : b; });
    data[threadIdx.x] = x + total + most;
}
