// arch: 70 75 90 100
// options: --device-int128
// Integer arithmetic of every width, carries, bit fields, SIMD in a word.
typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void widths(signed char* a, short* b, int* c, long long* d, unsigned char* e, unsigned short* f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = a[i] * 3 - b[i];
    b[i] = b[i] / 7 + a[i] % 5;
    c[i] = c[i] / (c[i + 1] | 1) + c[i] % (b[i] | 1) + (c[i] >> 3) + (c[i] << b[i]);
    d[i] = d[i] * d[i + 1] / (d[i + 2] | 1) - d[i] % 1000003 + (d[i] >> c[i]);
    e[i] = e[i] * e[i + 1] >> 8;
    f[i] = min(f[i], f[i + 1]) ^ max(f[i + 2], f[i + 3]);
}

extern "C" __global__ void wide(u64* lo, u64* hi, const u64* a, const u64* b) {
    int i = threadIdx.x;
    unsigned __int128 p = (unsigned __int128)a[i] * b[i] + a[i + 1];
    unsigned __int128 q = p / (b[i] | 1);
    lo[i] = (u64)(p ^ q);
    hi[i] = (u64)(p >> 64) + __umul64hi(a[i], b[i]) + __mul64hi((long long)a[i], 5);
}

extern "C" __global__ void carry(u32* r, const u32* a, const u32* b) {
    u32 x, y, z;
    asm("add.cc.u32 %0, %3, %6;\n\taddc.cc.u32 %1, %4, %7;\n\taddc.u32 %2, %5, 0;"
        : "=&r"(x), "=&r"(y), "=&r"(z) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(b[0]), "r"(b[1]));
    asm("mad.lo.cc.u32 %0, %1, %2, %0;\n\tmadc.hi.u32 %3, %1, %2, 0;" : "+r"(x), "+r"(y), "+r"(z), "+r"(z));
    asm("sub.cc.u32 %0, %0, %1;\n\tsubc.u32 %1, %1, %2;" : "+r"(x), "+r"(y) : "r"(z));
    r[threadIdx.x] = x + y + z;
}

extern "C" __global__ void bits(u32* r, const u32* a, u64* w) {
    int i = threadIdx.x;
    u32 x = a[i], y = a[i + 1], out = 0;
    out += __popc(x) + __clz(x) + __ffs(x) + __brev(x) + __popcll(w[i]) + __clzll(w[i]) + (u32)__brevll(w[i]);
    out ^= __byte_perm(x, y, 0x5140) + __funnelshift_l(x, y, i) + __funnelshift_rc(x, y, i);
    out += __dp4a((int)x, (int)y, 3) + __dp4a(x, y, 3u) + __dp2a_lo((int)x, (int)y, 1) + __usad(x, y, 4) + __sad(x, y, 1);
    out += __mul24(x, y) + __umul24(x, y) + __umulhi(x, y) + __mulhi(x, y) + __hadd(x, y) + __urhadd(x, y);
    out += (x & y) ^ (~x & out) | (y & out & 0x0F0F0F0F);
    u32 t;
    asm("bfe.u32 %0, %1, 4, 7;" : "=r"(t) : "r"(x));
    out += t;
    asm("bfi.b32 %0, %1, %2, 3, 9;" : "=r"(t) : "r"(x), "r"(y));
    out += t;
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(t) : "r"(y));
    out += t;
    asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(t) : "r"(x), "r"(y), "r"(out));
    out += t;
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(t) : "r"(x), "r"(y));
    out += t;
    asm("fns.b32 %0, %1, 0, 2;" : "=r"(t) : "r"(x));
    asm("szext.wrap.u32 %0, %0, 5;" : "+r"(t));
    r[i] = out + t;
}

extern "C" __global__ void simd(u32* r, const u32* a) {
    int i = threadIdx.x;
    u32 x = a[i], y = a[i + 1];
    r[i] = __vadd2(x, y) ^ __vsub4(x, y) ^ __vabsdiffu4(x, y) ^ __vmaxs2(x, y) ^ __vcmpgtu4(x, y) ^ __vavgu4(x, y) ^
           __vaddss2(x, y) ^ __vsetltu2(x, y) ^ __vsadu4(x, y);
    u32 t;
    asm("vadd.u32.s32.u32.add %0, %1.b0, %2.h1, %3;" : "=r"(t) : "r"(x), "r"(y), "r"(x));
    asm("vmad.u32.u32.u32.shr7 %0, %0, %1, %2;" : "+r"(t) : "r"(y), "r"(x));
    asm("vset.u32.u32.lt %0, %0.b1, %1.b3;" : "+r"(t) : "r"(y));
    asm("vabsdiff4.u32.u32.u32.add %0, %0, %1, %2;" : "+r"(t) : "r"(y), "r"(x));
    r[i + 1] = t;
}
