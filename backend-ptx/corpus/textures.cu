// arch: 70 90
// Texture and surface objects.
extern "C" __global__ void textures(float4* r, cudaTextureObject_t t, cudaTextureObject_t a, cudaSurfaceObject_t s, int n) {
    float x = threadIdx.x * 0.5f;
    float4 v = tex1D<float4>(t, x);
    v.x += tex2D<float>(t, x, x) + tex3D<float>(t, x, 1.f, 2.f) + tex2DLod<float>(t, x, x, 1.f) + tex1Dfetch<float>(t, n);
    v.y += tex2DLayered<float>(a, x, x, n) + texCubemap<float>(t, x, x, x) + tex2DGrad<float>(t, x, x, make_float2(1, 1), make_float2(2, 2));
    float4 g = tex2Dgather<float4>(t, x, x, 2);
    v.z += g.y + tex2D<unsigned char>(t, x, x) + surf2Dread<float>(s, n * 4, n) + surf1Dread<short>(s, n);
    surf2Dwrite(v, s, n * 16, n, cudaBoundaryModeClamp);
    surf3Dwrite(make_int2(n, n), s, n * 8, n, n, cudaBoundaryModeZero);
    int width;
    asm("txq.width.b32 %0, [%1];" : "=r"(width) : "l"(t));
    asm("suq.height.b32 %0, [%1];" : "+r"(width) : "l"(s));
    asm volatile("sured.b.add.2d.u32.trap [%0, {%1, %2}], %3;" ::"l"(s), "r"(n), "r"(n), "r"(width));
    r[n] = v;
}
