// arch: 70 90
// Inline assembly that opens scopes, declares registers and labels again, and is laid out oddly.
extern "C" __global__ void scopes(int* r, int n) {
    int x = r[threadIdx.x];
    asm volatile("{ .reg .b32 t, u; .reg .pred p;\n mov.b32 t, %0; { .reg .f32 t; mov.f32 t, 0f3F800000; cvt.rni.s32.f32 u, t; } add.s32 %0, t, u; }" : "+r"(x));
    asm volatile("{ .reg .b32 t<4>; mov.b32 t0, %0; mov.b32 t3 , t0 ; add.s32 %0,t3,1; }" : "+r"(x));
    asm volatile("{\n\t.reg .pred p;setp.ne.b32 p,%0,0;\n\t@ p bra $loop;\n\t@ ! p bra $done;\n$loop:sub.s32 %0 , %0 , 1 ;setp.gt.s32 p,%0,5;@p bra $loop;\n$done:\n}" : "+r"(x));
    asm volatile("{ .reg .b64 w; mov.b64 w, {%0, %0}; mov.b64 {%0, _}, w; }" : "+r"(x));
    asm volatile("{ .local .align 8 .b8 buffer[16]; .reg .b64 a; mov.u64 a, buffer; st.local.u32 [buffer+4], %0; ld.local.u32 %0, [a+4*1]; }" : "+r"(x));
    asm volatile("mov.b32 %0, (3 + 4) * 5 - 6 / 2;" : "=r"(n));
    r[threadIdx.x] = x + n;
}
