// How many cycles of an SM integer instructions of a warp take: the ground for
// linter/model/pipe_counts.cpp, linter/ir/integer_joins.h and the ALU in
// linter/cost/throughput.cpp.
//
// One H200 at 1.98 GHz, CUDA 13.0:
//   LOP3 0.52, PRMT 0.52, LEA 0.52, IMAD 0.51, IDP.4A 0.51, IMAD.HI 1.02
//   two of SHF.R, SHF.L.W, VIMNMX, LOP3, IADD3, IADD3.X: 1.02 to 1.03
//   ISETP, LOP3, IADD3: 1.53     IMAD.SHL, LOP3: 0.59     IMAD, LOP3: 0.55
//   IMAD, LOP3, LOP3: 1.03       IMAD.WIDE, two LOP3 or IADD3: 1.59
//   POPC, FLO, BREV beside a sum: 2.10     F2I: 2.01     I2FP, FADD: 0.58
//   FMNMX, FADD: 0.58     FSETP, FMUL, FADD: 0.79     FFMA: 0.30
#include "program.h"

namespace {

constexpr int threads = 256, blocks = 8 * 132, steps = 4096, chains = 4;

template <class Step>
__global__ void repeat(unsigned *out, unsigned a, unsigned b, Step step) {
  unsigned x[chains];
#pragma unroll
  for (int c = 0; c < chains; ++c)
    x[c] = threadIdx.x * 2654435761u + c;
#pragma unroll 8
  for (int i = 0; i < steps; ++i)
#pragma unroll
    for (int c = 0; c < chains; ++c)
      x[c] = step(x[c], a, b);
  unsigned sum = 0;
#pragma unroll
  for (int c = 0; c < chains; ++c)
    sum ^= x[c];
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

template <class Step> void print(const char *name, unsigned *out, Step step) {
  constexpr double gigahertz = 1.98, multiprocessors = 132;
  const float us = program::leastMicroseconds([&] {
    repeat<<<blocks, threads>>>(out, 0x9e3779b9u, 77u, step);
  });
  std::printf("%s: %.3f\n", name,
              us * 1e3 * gigahertz * multiprocessors /
                  (double(blocks) * threads / 32 * steps * chains));
}

} // namespace

int main() {
  unsigned *out;
  TWIN_CHECK(cudaMalloc(&out, sizeof(unsigned) * blocks * threads));
#define STEP [] __device__(unsigned x, unsigned a, unsigned b) -> unsigned
  print("and, xor", out, STEP { return (x ^ a) & (x ^ b); });
  print("add", out, STEP { return x + a; });
  print("add of three", out, STEP { return x + a + __funnelshift_l(x, x, 3); });
  print("shift right and xor", out, STEP { return x ^ (x >> 7); });
  print("shift left and xor", out, STEP { return x ^ (x << 7); });
  print("shift left and add", out, STEP { return a + (x << 7); });
  print("rotation", out, STEP { return __funnelshift_l(x, x, 7) ^ a; });
  print("minimum and xor", out, STEP { return min(x, a) ^ b; });
  print("select", out, STEP { return x > a ? b - x : x ^ a; });
  print("byte_perm", out, STEP { return __byte_perm(x, a, 0x2143); });
  print("popc and add", out, STEP { return __popc(x) + a; });
  print("clz and add", out, STEP { return __clz(x) + a; });
  print("brev and add", out, STEP { return __brev(x) + a; });
  print("product", out, STEP { return x * a + b; });
  print("upper half of a product", out, STEP { return __umulhi(x, a) + b; });
  print("product of 64 bits", out, STEP {
    unsigned long long p = (unsigned long long)x * a + b;
    return unsigned(p >> 32) ^ unsigned(p);
  });
  print("product and xor", out, STEP { return (x * a) ^ b; });
  print("product, xor, xor", out, STEP { return ((x * a) ^ b) & (x ^ a); });
  print("dp4a", out, STEP { return __dp4a(x, a, b); });
  print("float minimum and sum", out, STEP {
    return __float_as_uint(fminf(__uint_as_float(x), __uint_as_float(a)) + 1.5f);
  });
  print("float select", out, STEP {
    float f = __uint_as_float(x);
    return __float_as_uint(f > __uint_as_float(a) ? f * 0.5f : f + 1.0f);
  });
  print("float product", out, STEP {
    return __float_as_uint(__uint_as_float(x) * 0.999f + 0.5f);
  });
  print("integer to float", out, STEP {
    return __float_as_uint(float(int(x)) + 0.5f);
  });
  print("float to integer", out, STEP {
    return unsigned(int(__uint_as_float(x)));
  });
  print("sum of 64 bits", out, STEP {
    unsigned long long p = (unsigned long long)x << 32 | a;
    p += (unsigned long long)b << 32 | x;
    return unsigned(p >> 32);
  });
  TWIN_CHECK(cudaDeviceSynchronize());
}
