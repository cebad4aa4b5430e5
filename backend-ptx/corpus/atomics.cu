// arch: 70 80 90
// Atomics, reductions, scopes and fences.
typedef unsigned long long u64;
extern "C" __global__ void atomics(int* i, unsigned* u, u64* w, float* f, double* d) {
    __shared__ int s[4];
    __shared__ u64 t;
    int k = threadIdx.x & 3;
    i[1] = atomicAdd(&i[0], 1) + atomicSub(&s[k], 2) + atomicMin(&i[2], k) + atomicMax(&i[3], k) + atomicExch(&s[0], k);
    u[1] = atomicInc(&u[0], 7) + atomicDec(&u[2], 9) + atomicAnd(&u[3], 5) + atomicOr(&u[4], 6) + atomicXor(&u[5], 3) + atomicCAS(&u[6], 1, 2);
    w[1] = atomicAdd(&w[0], 1) + atomicCAS(&t, 1, 2) + atomicMax(&w[2], 4) + atomicExch(&w[3], 5) + atomicAnd(&w[4], 6);
    f[1] = atomicAdd(&f[0], 1.5f) + atomicExch(&f[2], 2.f);
    d[1] = atomicAdd(&d[0], 1.5);
    atomicAdd(&i[5], 3);
    atomicOr(&u[9], 1);
    atomicAdd_block(&i[6], 1);
    atomicAdd_system(&i[7], 1);
    unsigned short h;
    asm volatile("atom.global.cas.b16 %0, [%1], 3, 4;" : "=h"(h) : "l"(i));
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1+4], %2;" : "=r"(u[7]) : "l"(u), "r"(k));
    asm volatile("red.relaxed.sys.global.add.u64 [%0], %1;" ::"l"(w), "l"(w[5]));
    asm volatile("fence.acq_rel.gpu; fence.sc.sys; membar.gl;");
    u[8] = h;
    __threadfence();
    __threadfence_block();
    __threadfence_system();
    asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(u));
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(k) : "l"(u));
    asm volatile("st.relaxed.cta.shared.u32 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(s)), "r"(k));
}
