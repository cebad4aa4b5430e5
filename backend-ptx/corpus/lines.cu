// arch: 70 90
// options: -lineinfo
// Built with line information: inlined locations.
template <class T> __device__ T square(T x) { return x * x; }
template <class T> __device__ T norm(const T* v) { return square(v[0]) + square(v[1]); }
extern "C" __global__ void lines(const float* v, float* out, const double* w, double* more) {
    int i = threadIdx.x;
    out[i] = norm(v + 2 * i);
    if (out[i] > 1.f) more[i] = norm(w + i);
}
