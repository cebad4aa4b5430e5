// arch: 80 90 100
// Matrix fragments: wmma, mma.sync, ldmatrix.
#include <mma.h>
#include <cuda_fp16.h>
using namespace nvcuda;
extern "C" __global__ void fragments(float* d, const half* a, const half* b, int* di, const signed char* ai, const unsigned char* bi) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> ia;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> ib;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> ic;
    wmma::load_matrix_sync(ia, ai, 16);
    wmma::load_matrix_sync(ib, ai, 16);
    wmma::load_matrix_sync(ic, di, 16, wmma::mem_col_major);
    wmma::mma_sync(ic, ia, ib, ic, true);
    wmma::store_matrix_sync(di, ic, 16, wmma::mem_col_major);
}

extern "C" __global__ void mma(float* d, const unsigned* a) {
    __shared__ __align__(16) unsigned tile[512];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    unsigned x[4], y[2], p = (unsigned)__cvta_generic_to_shared(tile) + threadIdx.x * 16;
    float c[4] = {};
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(p));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2+512];" : "=r"(y[0]), "=r"(y[1]) : "r"(p));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %8, %9}, {%0, %1, %2, %3}, %10, 0x0;"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(p));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(x[0]));
#if __CUDA_ARCH__ >= 900
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(p), "r"(x[0]), "r"(x[1]));
#endif
    d[threadIdx.x] = c[0] + c[1] + c[2] + c[3] + x[0];
}
