// Compares the model of a kernel with its text as a person reads it.
#include "cost/lanes.h"
#include "input_folder.h"
#include "read_text.h"
#include "report/accesses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <gmock/gmock.h>
#include <map>
#include <set>

namespace warplint {

namespace {

std::string number(double value) {
  std::string text = llvm::formatv("{0:f2}", value).str();
  while (text.back() == '0')
    text.pop_back();
  if (text.back() == '.')
    text.pop_back();
  return text;
}

/// "load 8", "store 4..32", "load 2 ways", "load ? 'col[j]', loaded from
/// memory".
std::string told(const Access &access, const Cost &cost) {
  std::string text = spelling(access.operation);
  if (cost.space == Space::Local || cost.space == Space::Constant ||
      cost.space == Space::Parameter)
    return text + " " + spelling(cost.space);
  if (cost.basis == Basis::Unknown)
    return text + " ? " + cost.why;
  double value = cost.space == Space::Shared ? cost.ways : cost.sectors;
  text += " " + (cost.high > cost.lowWhole
                     ? number(cost.lowWhole) + ".." + number(cost.high)
                     : number(value));
  return cost.space == Space::Shared ? text + " ways" : text;
}

/// By line, in the order of the code. What is the thread's own or an argument
/// is left out.
std::map<unsigned, std::string> toldByLine(const SourceModel &model) {
  std::map<unsigned, std::string> lines;
  for (const Kernel &kernel : model.kernels) {
    std::vector<Cost> all = costs(kernel, kernel.shapes.front().shape);
    for (size_t i = 0; i < all.size(); ++i) {
      const Access &access = kernel.accesses[i];
      if (all[i].space == Space::Local || all[i].space == Space::Parameter)
        continue;
      std::string &line = lines[access.place.line];
      line += (line.empty() ? "" : "; ") + told(access, all[i]);
    }
  }
  return lines;
}

/// Each line of the source ends in `//= what is told of it`; of a line without
/// that nothing may be told.
void expectMarks(llvm::StringRef source, bool withToolkit = false,
                 std::vector<std::string> flags = {}) {
  SourceModel model = readText(source, withToolkit, flags);
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  std::map<unsigned, std::string> lines = toldByLine(model);
  llvm::SmallVector<llvm::StringRef, 64> rows;
  source.split(rows, '\n');
  for (unsigned i = 0; i < rows.size(); ++i) {
    auto [code, mark] = rows[i].split("//= ");
    EXPECT_EQ(lines[i + 1], mark.str()) << code.str();
  }
}

void expectMarksBothWays(llvm::StringRef source) {
  {
    SCOPED_TRACE("with headers of our own");
    expectMarks(source);
  }
  if (hasToolkit()) {
    SCOPED_TRACE("with the toolkit's headers");
    expectMarks(source, true);
  }
}

} // namespace

TEST(ReadSource, FollowsLocalsThroughBranchesAndLoops) {
  expectMarksBothWays(R"(
__global__ void locals(const float *in, float *out, int n) {
  int i = threadIdx.x;
  i += blockIdx.x * blockDim.x;
  in += i;
  for (int k = 0; k < n; ++k) {
    out[2 * i] = in[k * 32]; //= load 4; store 8
    i += 32;
  }
}
__global__ void branches(const float *in, float *out) {
  int i = threadIdx.x;
  if (threadIdx.x < 128) i = 2 * threadIdx.x;
  else i = 4 * threadIdx.x;
  out[i] = 1; //= store 12
}
__global__ void gridStride(const float *in, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[3 * i]; //= load 12; store 4
}
__global__ void byWhile(const float *in, float *out, int n) {
  int i = threadIdx.x;
  while (i < n) {
    out[i] = in[i * 2]; //= load 8; store 4
    i += blockDim.x;
  }
}
__global__ void countingDown(const float *in, float *out, int n) {
  float sum = 0;
  for (int k = n - 1; k >= 0; --k)
    sum += in[k * blockDim.x + threadIdx.x]; //= load 4
  out[threadIdx.x] = sum; //= store 4
}
__global__ void twoCounters(const float *in, float *out, int n) {
  float sum = 0;
  for (int k = 0, j = threadIdx.x; k < n; ++k, j += 64)
    sum += in[j * 2] * in[k]; //= load 8; load 1
  out[threadIdx.x] = sum; //= store 4
}
__global__ void halving(float *d) {
  __shared__ float s[256];
  s[threadIdx.x] = d[threadIdx.x]; //= load 4; store 1 ways
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    __syncthreads();
    if (threadIdx.x < k)
      s[threadIdx.x] += s[threadIdx.x + k]; //= load 1 ways; load 1 ways; store 1 ways
  }
}
__global__ void gotos(float *out, int n) {
  int i = threadIdx.x;
again:
  out[2 * i] = 1; //= store 8
  i += 256;
  if (i < n) goto again;
}
__global__ void listed(float *out) {
  for (int i : {1, 2, 3})
    out[i * 256 + 2 * threadIdx.x] = i; //= store 8
}
)");
}

// Messages name trip counts, and pragmas are compared with them.
TEST(ReadSource, CountsIterationsForAnyExitCondition) {
  const SourceModel model = readText(R"(
__global__ void k(float *a, int n) {
  for (int i = 0; i < 8; ++i) a[i] = 1;
  int j = 0;
  do a[j] = 2; while (++j < 7);
  for (int i = 0;; ++i) { a[i] = 3; if (i == 5) break; a[i] = 4; }
  for (int i = 0; i < 1; ++i) a[i] = 5;
  for (int i = 0; i < n; ++i) a[i] = 6;
})");
  ASSERT_EQ(model.kernels.size(), 1u);
  std::map<unsigned, std::optional<uint64_t>> iterations;
  for (const Loop &loop : model.kernels[0].loops)
    iterations[loop.place.line] = loop.tripCount;
  EXPECT_EQ(iterations,
            (std::map<unsigned, std::optional<uint64_t>>{
                {3, 8}, {5, 7}, {6, 6}, {7, 1}, {8, std::nullopt}}));
}

// The array's own name, and not the symbol that the compiler gives it.
TEST(ReadSource, LoadedValuesOfAStaticArrayHaveItsName) {
  expectMarksBothWays(R"(
#define pop(k) do { k = stack[threadIdx.x][--top]; } while (0)
template <int N> __global__ void walk(float *out, int n) {
  __shared__ char stack[32][N];
  stack[threadIdx.x][0] = n; //= store 2 ways
  for (int top = 1; top;) {
    int k;
    pop(k); //= load 1..2 ways
    out[k] = 1; //= store ? 'stack', loaded from memory
    if (k)
      stack[threadIdx.x][top++] = k + 1; //= store 1..2 ways
  }
}
void launch(float *out, int n) { walk<8><<<1, 32>>>(out, n); }
)");
}

// How many deviations are that small, only the data say.
TEST(ReadSource, CorrectionsToAConstantHaveNoFigure) {
  expectMarksBothWays(R"(
__global__ void deviations(float *s, const float *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    s[i] = sqrtf(v[i]); //= load 4; store 4
    if (s[i] <= 0.005f) //= load 4
      s[i] = 1; //= store ? 's[i]', loaded from memory
  }
}
__global__ void positive(float *s, const float *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && v[i] > 0) //= load 4
    s[i] = 1; //= store 1..4
}
)");
}

TEST(ReadSource, ReadsThroughHelpersLambdasAndOperators) {
  expectMarksBothWays(R"(
__device__ int where(int row, int column, int ld) { return row * ld + column; }
struct Matrix {
  float *data; int ld;
  __device__ float &at(int r, int c) const { return data[r * ld + c]; }
  __device__ float &operator()(int r, int c) const { return data[r * ld + c]; }
  __device__ float *operator[](int r) const { return data + r * ld; }
};
__global__ void members(Matrix m, const float *in, float *out) {
  out[threadIdx.x] = in[where(threadIdx.x, 3, 64)]; //= load 32; store 4
  m.ld = 64;
  m.at(threadIdx.x, 2) = 1; //= store 32
  m(2, threadIdx.x) = 1; //= store 4
  m[threadIdx.x][1] = 1; //= store 32
  auto get = [&](int i) {
    return in[i * 2]; //= load 8
  };
  out[threadIdx.x] = get(threadIdx.x); //= store 4
  auto generic = [=](auto i) {
    return in[i * 3]; //= load 12
  };
  out[threadIdx.x] = generic(threadIdx.x); //= store 4
}
struct Twice {
  const float *p;
  __device__ float operator()(int i) const {
    return p[2 * i]; //= load 8
  }
};
template <class F> __global__ void functor(F f, float *out) {
  out[threadIdx.x] = f(threadIdx.x); //= store 4
}
template __global__ void functor<Twice>(Twice, float *);
class Iter {
  float *p; int s;
public:
  __device__ Iter(float *p, int s) : p(p), s(s) {}
  __device__ float &operator*() { return *p; }
  __device__ Iter &operator++() { p += s; return *this; }
  __device__ Iter operator+(int i) { return Iter(p + i * s, s); }
};
__global__ void iterators(float *p, float *out, int n) {
  Iter it(p + threadIdx.x, 32);
  for (int i = 0; i < n; ++i, ++it)
    *it = 1; //= store 4
  out[threadIdx.x] = *(Iter(p, 2) + threadIdx.x); //= load 8; store 4
}
)");
}

TEST(ReadSource, ReadsStructuresPointersAndCasts) {
  expectMarksBothWays(R"(
struct Params { float *columns[4]; struct { const float *w; } in; };
__global__ void byValue(Params p, int c) {
  p.columns[2][threadIdx.x] = p.columns[c][threadIdx.x * 2]; //= load 8; store 4
  p.columns[1][0] = p.in.w[3 * threadIdx.x]; //= load 12; store 1
}
__global__ void reference(float *d) {
  float &mine = d[threadIdx.x * 8];
  mine = mine + 1; //= load 32; store 32
}
__global__ void advancing(const float *p, float *q, int n) {
  const float *a = p + threadIdx.x, *e = p + n;
  for (; a < e; a += blockDim.x)
    *q++ = *a; //= load 4; store 1
}
__global__ void wide(float *p, float *q) {
  reinterpret_cast<float4 *>(q)[threadIdx.x] = reinterpret_cast<const float4 *>(p)[threadIdx.x]; //= load 16; store 16
}
__device__ float table[64][32][4];
__global__ void many(float (*a)[32], float *out) {
  out[threadIdx.x] = a[threadIdx.x][1]; //= load 32; store 4
  out[threadIdx.x] = table[2][threadIdx.x % 32][1]; //= load 16; store 4
}
#define AT(a, i, j) a[(i) * 16 + (j)]
__global__ void macros(const float *in, float *out) {
  AT(out, 0, threadIdx.x) = AT(in, threadIdx.x, 0); //= load 32; store 4
}
__global__ void dims(float *out) {
  dim3 at(threadIdx.x * 2, 1, 1);
  dim3 size = blockDim;
  out[at.x + size.x] = 1; //= store 8
}
__constant__ float coefficients[64];
struct Tile { float a[32][33]; float2 b[64]; };
__global__ void spaces(float *out) {
  __shared__ Tile t;
  t.a[threadIdx.x % 32][0] = coefficients[threadIdx.x % 64]; //= load constant; store 1 ways
  t.b[threadIdx.x % 64].y = 2; //= store 2 ways
}
__device__ const float weights[64] = {1, 2, 3, 4};
__global__ void constantToClangAlone(float *out) {
  static const float table[64] = {1, 2, 3, 4};
  out[threadIdx.x] = table[threadIdx.x % 64]; //= load 4; store 4
  out[threadIdx.x] = weights[threadIdx.x % 64]; //= load 4; store 4
}
extern __shared__ char raw[];
__global__ void carved(const float *in, int n) {
  float *a = reinterpret_cast<float *>(raw);
  float2 *b = reinterpret_cast<float2 *>(a + 256);
  int *c = (int *)(b + n);
  a[threadIdx.x] = 1; //= store 1 ways
  b[threadIdx.x].x = 1; //= store 2 ways
  c[2 * threadIdx.x] = 3; //= store 2 ways
}
__global__ void __launch_bounds__(256) swizzle(float *out) {
  __shared__ float t[32][32];
  int x = threadIdx.x % 32, y = threadIdx.x / 32;
  t[x][x ^ y] = 1; //= store 1 ways
  t[x][y] = 1; //= store 32 ways
}
struct Base { float *p; };
struct Shifted : Base { int n; };
__device__ Shifted shift(Shifted s, int i) { s.p += i; return s; }
__global__ void returned(Shifted s) {
  *shift(s, 2 * threadIdx.x).p = 1; //= store 8
}
__global__ void copied(char *a, const char *b) {
  float3 *f = (float3 *)a;
  const float4 *g = (const float4 *)b;
  float4 v = g[threadIdx.x]; //= load 16
  ((float4 *)a)[threadIdx.x] = v; //= store 16
}
)");
}

TEST(ReadSource, ReadsArithmeticAndSelects) {
  expectMarksBothWays(R"(
__global__ void arithmetic(const float *in, float *out, unsigned n, unsigned long long m) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long j = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[j * 2]; //= load 8; store 4
  out[i] = in[i / 2]; //= load 2; store 4
  out[i] = in[(i << 1) | 1]; //= load 8; store 4
  out[i] = in[i & 7]; //= load 1; store 4
  out[i] = in[(unsigned long long)i * m]; //= load 4..32; store 4
  out[i] = in[-1 - (int)i + 4096]; //= load 4; store 4
}
__global__ void clamps(const float *in, float *out) {
  int i = threadIdx.x;
  out[i] = in[i % 32 < 16 ? i % 32 : 16]; //= load 3; store 4
  out[i] = in[min(i, 3)]; //= load 1; store 4
  out[max(0, 2 * i)] = 1; //= store 8
}
__global__ void guards(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1; //= store 4
  if (threadIdx.x == 0) out[i] = 1; //= store 1
  if (threadIdx.x % 32 < 16) out[i] = 1; //= store 2
  if (threadIdx.x % 2 == 0) out[2 * i] = 1; //= store 8
  if (threadIdx.x % 32 == 0 || threadIdx.x % 32 == 31) out[i] = 2; //= store 2
  for (int k = 0; k < n; ++k) {
    if (threadIdx.x % 32) continue;
    out[k] = 1; //= store 1
  }
  if (threadIdx.x % 32 >= 8) return;
  out[i] = 4; //= store 1
}
)");
}

TEST(ReadSource, ReadsShufflesAndBallots) {
  expectMarksBothWays(R"(
__global__ void shuffles(const float *in, float *out) {
  int i = threadIdx.x;
  out[i] = in[2 * __shfl_down_sync(~0u, i, 1)]; //= load 8; store 4
  out[i] = in[__shfl_up_sync(~0u, i, 4)]; //= load 4; store 4
  out[i] = in[3 * __shfl_xor_sync(~0u, i, 3)]; //= load 12; store 4
  out[i] = in[__shfl_down_sync(~0u, i, 8, 16)]; //= load 2; store 4
  out[i] = in[8 * __shfl_sync(~0u, i, 5)]; //= load 1; store 4
}
__global__ void votes(const int *key, float *out) {
  bool keep = key[threadIdx.x] & 1; //= load 4
  unsigned mask = __ballot_sync(~0u, keep), lane = threadIdx.x & 31;
  if (keep)
    out[__popc(mask & ((1u << lane) - 1))] = 1; //= store ? 'key[threadIdx.x]', loaded from memory
  out[__popc(__ballot_sync(~0u, lane < 8)) * threadIdx.x] = 1; //= store 32
  if (lane % 4 == 1)
    out[__popc(__activemask() & ((1u << lane) - 1))] = 1; //= store 1
  unsigned below;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  out[__popc(below) * 2] = 1; //= store 8
}
__global__ void bits(float *out) {
  int lane = threadIdx.x & 31;
  out[__ffs(lane | 32) * 8] = 1; //= store 6
  out[__umul24(lane, 2)] = 1; //= store 8
}
)");
}

// Structures are copied in pieces that are larger than their fields.
TEST(ReadSource, ReadsTheFieldsOfStructuresCopiedFromMemory) {
  expectMarksBothWays(R"(
struct Params { int rows, ld; float *data; };
struct __align__(16) Wide { int rows, ld; float *data; int more[4]; };
__global__ void eight(const Params *params) {
  Params p = *params; //= load 1; load 1
  p.data[p.ld + threadIdx.x] = 1; //= store 4..5
  p.data[2 * threadIdx.x] = 1; //= store 8
}
__global__ void sixteen(const Wide *params, float *out) {
  Wide p = *params; //= load 1; load 1
  p.data[p.ld + threadIdx.x] = 1; //= store 4..5
  out[p.more[3] + threadIdx.x] = p.data[4 * threadIdx.x]; //= load 16; store 4..5
}
__global__ void gathered(const Params *params, float *out) {
  Params p = params[threadIdx.x]; //= load 16; load 16
  out[p.rows] = 1; //= store ? 'params[threadIdx.x]', loaded from memory
}
)");
}

TEST(ReadSource, ReadsTablesAndClearedMemory) {
  expectMarksBothWays(R"(
__global__ void table(const float *in, float *out) {
  const int offset[2][2] = {{0, 1}, {64, 65}};
  float sum = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      sum += in[offset[i][j] * 256 + threadIdx.x * 2]; //= load 8
  out[threadIdx.x] = sum; //= store 4
}
__global__ void cleared(float *out) {
  memset(out + 4 * threadIdx.x, 0, 2); //= store 16; store 16
}
__global__ void shifted(float *out, int bits) {
  out[__brev(threadIdx.x) >> (32 - bits)] = 1; //= store 1..32
}
)");
}

TEST(ReadSource, NamesValuesSharedByAWarpOrCluster) {
  if (!hasToolkit())
    GTEST_SKIP() << "no CUDA toolkit: its libraries are not read";
  expectMarks(R"(
#include <cooperative_groups.h>
#include <mma.h>
__global__ void fragments(float *c) {
  using namespace nvcuda::wmma;
  fragment<accumulator, 16, 16, 16, float> sum;
  load_matrix_sync(sum, c, 16, mem_row_major); //= load ? how the lanes share a matrix fragment
  store_matrix_sync(c + 256, sum, 16, mem_row_major); //= store ? how the lanes share a matrix fragment
}
__global__ void clusters(float *out) {
  __shared__ float mine[256];
  auto cluster = cooperative_groups::this_cluster();
  mine[threadIdx.x] = 1; //= store 1 ways
  cluster.sync();
  const float *theirs = cluster.map_shared_rank(mine, 1);
  out[threadIdx.x] = theirs[threadIdx.x]; //= load ? where another block's shared memory is; store 4
}
__global__ void matrixLoad(unsigned address, unsigned *out) {
  unsigned r;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(address)); //= load 1 ways
  out[threadIdx.x] = r; //= store 4
}
)",
              true, {"-std=c++17", "-arch=sm_90"});
}

TEST(ReadSource, ReadsCachedLoadsAndAtomics) {
  if (!hasToolkit())
    GTEST_SKIP() << "no CUDA toolkit: its own headers are not read";
  expectMarks(R"(
#include <cuda_fp16.h>
__global__ void cached(const float *in, float *out) {
  int i = threadIdx.x;
  float v = __ldg(in + 2 * i); //= load 8
  v += __ldcs(in + i) + __ldcg(&in[3 * i]) + __ldlu(in + i); //= load 4; load 12; load 4
  __stcs(out + 2 * i, v); //= store 8
  __stwb(&out[i], v); //= store 4
  float4 w = __ldg(reinterpret_cast<const float4 *>(in) + i); //= load 16
  __stcs(reinterpret_cast<float4 *>(out) + i, w); //= store 16
}
__global__ void atomics(int *a, unsigned *u, unsigned long long *l, float *f, double *d, __half2 *h) {
  int i = threadIdx.x;
  atomicAdd(&a[2 * i], 1); //= atomic 8
  atomicMax(a + i, 1); //= atomic 4
  atomicCAS(&a[i], 1, 2); //= atomic 4
  atomicInc(&u[i], 5u); //= atomic 4
  atomicXor(&l[i], 1ull); //= atomic 8
  atomicAdd_block(&a[i], 1); //= atomic 4
  atomicCAS_system(&a[i], 1, 2); //= atomic 4
  atomicAdd(&f[i], 1.f); //= atomic 4
  atomicAdd(&d[i], 1.); //= atomic 8
  atomicAdd(&h[i], __half2(1, 1)); //= atomic 4
  atomicExch(&f[0], 1.f); //= atomic 1
}
)",
              true);
}

TEST(ReadSource, ReadsLibraries) {
  if (!hasToolkit())
    GTEST_SKIP() << "no CUDA toolkit: its libraries are not read";
  expectMarks(R"(
#include <cooperative_groups.h>
#include <cuda/std/mdspan>
#include <cuda/std/span>
#include <cuda_pipeline.h>
#include <thrust/device_ptr.h>
namespace cg = cooperative_groups;
__global__ void groups(const float *in, float *out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  out[cg::this_grid().thread_rank()] = in[2 * block.thread_rank()]; //= load 8; store 4
  out[tile.meta_group_rank() * tile.size() + tile.thread_rank()] = in[tile.thread_rank()]; //= load 2; store 4
  if (tile.thread_rank() == 0)
    out[threadIdx.x] = in[block.size() * threadIdx.x]; //= load 2; store 2
}
__global__ void spans(cuda::std::span<const float> in, cuda::std::span<float> out) {
  out[threadIdx.x] = in[2 * threadIdx.x]; //= load 8; store 4
}
using Fixed = cuda::std::mdspan<float, cuda::std::extents<int, 64, 64>>;
__global__ void mdspans(Fixed f) {
  f(threadIdx.x % 64, 2) = f(2, threadIdx.x % 64); //= load 4; store 32
}
__global__ void asynchronous(const float *in, float *out) {
  __shared__ float s[1024];
  __pipeline_memcpy_async(&s[threadIdx.x * 4], &in[threadIdx.x * 4], 16); //= load 16; store 1 ways
}
__global__ void pointers(thrust::device_ptr<float> p) {
  p[threadIdx.x] = p[threadIdx.x * 2]; //= load 8; store 4
}
)",
              true, {"-std=c++17"});
}

// An asm statement has no expression that names what it reads. The advice was
// to keep a lambda transposed.
TEST(ReadSource, WhatAssemblyReadsIsNamedByItsObject) {
  const SourceModel model = readText(R"(
__device__ float cached(const float *p) {
  float v;
  asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(p));
  return v;
}
__global__ void k(const float *b, float *out, int pitch, int n) {
  auto loadTile = [&](int i) {
    float v;
    asm volatile("ld.global.cg.f32 %0, [%1];"
                 : "=f"(v)
                 : "l"(b + threadIdx.x * pitch + i));
    return v;
  };
  for (int i = 0; i < n; ++i)
    out[i * 32 + threadIdx.x] = loadTile(i) + cached(&b[i]);
}
)",
                                     false);
  ASSERT_EQ(model.kernels.size(), 1u);
  std::map<unsigned, std::string> loads;
  for (const Access &access : model.kernels[0].accesses)
    if (access.operation == Operation::Load && access.space != Space::Parameter)
      loads[access.place.line] = access.text + " of " + access.object;
  EXPECT_EQ(loads[4], "cached(&b[i]) of cached(&b[i])");
  EXPECT_EQ(loads[10], "b of b");
}

// The block was assumed, and the parent's launch was named as not followed.
TEST(ReadSource, AKernelThatAKernelLaunchesHasItsBlock) {
  if (!hasToolkit())
    GTEST_SKIP() << "no CUDA toolkit: no kernel launches another one";
  const SourceModel model = readText(R"(
__global__ void child(float *a) { a[threadIdx.x] = 1; }
__global__ void parent(float *a, int n) {
  if (threadIdx.x == 0)
    child<<<n / 96, 96>>>(a);
}
int main() { parent<<<1, 32>>>(nullptr, 960); }
)",
                                     true, {"-rdc=true"});
  ASSERT_EQ(model.kernels.size(), 2u);
  const Kernel &child = model.kernels[0], &parent = model.kernels[1];
  ASSERT_EQ(child.name, "child");
  EXPECT_EQ(child.shapes.front().shape.x, 96u);
  EXPECT_THAT(parent.notFollowed, testing::IsEmpty());
  EXPECT_THAT(parent.accesses, testing::IsEmpty());
}

// A functor that a library calls with values, as thrust::transform does, has no
// access of its own, and was lost with its power or its division.
TEST(ReadSource, AFunctorThatOnlyComputesIsTheUsers) {
  InputFolder folder;
  folder.write("lib/each.h",
               "template <class F> __global__ void each(float *a, F f) {\n"
               "  a[threadIdx.x] = f(a[threadIdx.x]);\n}\n"
               "template <class T> __global__ void fill(T *a, T value) {\n"
               "  a[threadIdx.x] = value;\n}\n");
  const SourceModel model = readText(R"(
#include <each.h>
struct Square { __device__ float operator()(float x) const { return x * x; } };
int main() {
  each<<<1, 32>>>((float *)nullptr, Square());
  fill<<<1, 32>>>((float *)nullptr, 1.f);
}
)",
                                     false, {"-isystem", folder.path + "/lib"});
  ASSERT_EQ(model.kernels.size(), 1u);
  EXPECT_EQ(model.kernels[0].name, "each<Square>");
  EXPECT_THAT(model.outline.libraryKernels, testing::SizeIs(1));
}

TEST(ReadSource, NamesUnsupportedConstructs) {
  expectMarksBothWays(R"(
__device__ float tree(const float *p, int i) {
  if (i > 100) return 0;
  return p[i] + tree(p, 2 * i + 1); //= load ? recursion in 'tree'
}
__global__ void recursion(const float *p, float *out) {
  out[threadIdx.x] = tree(p, threadIdx.x); //= store 4
}
__global__ void indirect(float (*f)(const float *, int), const float *p, float *out) {
  out[threadIdx.x] = f(p, threadIdx.x); //= load ? what an indirect call leads to; store 4
}
__device__ int elsewhere(const float *p, int i);
__global__ void noBody(const float *p, float *out) {
  int i = elsewhere(p, threadIdx.x); //= load ? 'elsewhere', which has no body here
  out[i] = 1; //= store ? the result of 'elsewhere'
}
__global__ void copying(char *a, const char *b, int n) {
  memcpy(a + threadIdx.x * n, b + threadIdx.x * n, n); //= load ? how the compiler copies; store ? how the compiler copies
}
__global__ void gather(const int *col, const float *x, float *out) {
  int j = threadIdx.x;
  out[j] = x[col[j]]; //= load 4; load ? 'col[j]', loaded from memory; store 4
}
)");
}

// A structure that holds a thread's own array beside its pointers.
TEST(ReadSource, MembersSurviveWritesToAnAdjacentArray) {
  expectMarksBothWays(R"(
struct Heap {
  float key[4];
  float *list;
  int stride;
};
__global__ void beside(const float *in, float *list, float *out, int n) {
  Heap heap;
  heap.list = list;
  heap.stride = 8;
  for (int k = 0; k < n; ++k)
    heap.key[k & 3] = in[k]; //= load 1
  out[threadIdx.x] = heap.list[heap.stride * threadIdx.x]; //= load 32; store 4
  out[threadIdx.x] = heap.key[n & 3]; //= store 4
}
)");
}

// Marian's gInsert: which of its indexes another store replaces, only the run
// knows. The large value of an unknown argument lies outside of the array, and
// the strides of the output read as exact ones of 32 sectors.
TEST(ReadSource, AStoreToAnUnknownElementMayReplaceAnyOther) {
  expectMarksBothWays(R"(
struct Extents {
  int sizes[3], strides[3];
};
__global__ void insert(const int *in, int *out, Extents from, Extents to,
                       int axis) {
  int dims[3];
  int i = threadIdx.x;
  dims[2] = i % from.sizes[2];
  i /= from.sizes[2];
  dims[1] = i % from.sizes[1];
  dims[0] = i / from.sizes[1];
  dims[axis] = 0;
  const int at = dims[0] * to.strides[0] + dims[1] * to.strides[1] +
                 dims[2] * to.strides[2];
  out[at] = in[threadIdx.x]; //= load 4; store ? what its own array holds
}
)");
}

// A helper that is handed a member array moves within that array.
TEST(ReadSource, MembersSurviveAHelpersWritesToAnAdjacentArray) {
  expectMarksBothWays(R"(
struct Queue {
  int count;
  float key[5];
  float place[2][4];
  float *list;
  int stride;
  __device__ Queue(float *l) : count(0), list(l), stride(8) {}
  static __device__ void iteration(float *k, int n) {
    for (int i = 0; i < n; ++i) {
      float swapped = k[i];
      k[i] = k[4 - i];
      *(k + 4 - i) = swapped;
    }
  }
};
__global__ void handed(const float *in, float *list, float *out, int n) {
  Queue queue(list);
  for (int k = 0; k < n; ++k)
    queue.key[k % 5] = in[k]; //= load 1
  Queue::iteration(queue.key, n);
  Queue::iteration(queue.place[0], n);
  out[threadIdx.x] = queue.list[queue.stride * threadIdx.x]; //= load 32; store 4
  out[threadIdx.x] = queue.key[n % 5]; //= store 4
}
)");
}

// Extents beside a pointer, as an mdspan has them: loops fill, copy and
// multiply them, and the pointer is found all the same.
TEST(ReadSource, PointersBesideLoopedExtentsAreFound) {
  expectMarksBothWays(R"(
template <int Rank> struct Extents {
  long size[Rank]{};
  __device__ Extents() {}
  template <class... Size>
  __device__ Extents(Size... given) : size{long(given)...} {}
};
template <int Rank> struct Mapping {
  Extents<Rank> extents;
  long stride[2][Rank];
  __device__ Mapping() {}
  __device__ Mapping(const Extents<Rank> &e) : extents(e) {
    for (int padded = 0; padded < 2; ++padded) {
      long step = 1;
      for (int r = Rank; r > 0; --r) {
        stride[padded][r - 1] = step;
        step *= extents.size[r - 1];
      }
    }
  }
  __device__ long span() const {
    long all = 1;
    for (int r = 0; r < Rank; ++r)
      all *= extents.size[r];
    return all;
  }
};
template <int Rank> struct Box {
  double *data = nullptr;
  Mapping<Rank> mapping;
  __device__ Box() {}
  __device__ Box(double *d, const Extents<Rank> &e) : data(d), mapping(e) {}
  __device__ double &operator()(long i, long j, long k) const {
    const long index[] = {i, j, k};
    long at = 0;
    for (int r = 0; r < Rank; ++r)
      at += index[r] * mapping.stride[0][r];
    return data[at];
  }
};
struct Work {
  Box<3> from, to;
  int iterations = 0;
  __device__ Work() {}
};
__global__ void sweep(double *in, double *out, int n) {
  Work work;
  work.from = Box<3>(in, Extents<3>(n, 32, 8));
  work.to = Box<3>(out, Extents<3>(n, 8, 32));
  for (long at = threadIdx.x; at < work.from.mapping.span(); at += blockDim.x)
    work.to.data[at] = 2 * work.from.data[at]; //= load 8; store 8
  work.to(blockIdx.x, 1, threadIdx.x) = work.from(blockIdx.x, threadIdx.x, 1); //= load 32; store 8
}
)");
}

// A write to the whole structure as an array may change every member.
TEST(ReadSource, StructuresWrittenByWordAreUnknown) {
  expectMarksBothWays(R"(
struct Parts {
  int key[4];
  int other[4];
  int stride;
};
struct Outer {
  int first;
  Parts parts;
};
__global__ void words(const int *in, const float *list, float *out, int n) {
  Parts parts;
  parts.stride = 8;
  Outer outer;
  outer.parts.stride = 8;
  for (int k = 0; k < n; ++k) {
    ((int *)&parts)[k] = in[k]; //= load 1
    ((int *)&outer.parts)[k] = in[k]; //= load 1
  }
  out[threadIdx.x] = list[parts.stride * threadIdx.x]; //= load ? what its own array 'parts' holds; store 4
  out[threadIdx.x] = list[outer.parts.stride * threadIdx.x]; //= load ? what its own array 'outer' holds; store 4
}
)");
}

TEST(ReadSource, KernelsWithErrorsAreDroppedAndNamed) {
  SourceModel model = readText(R"(
__global__ void good(float *out) { out[threadIdx.x] = 1; }
__global__ void bad(float *out) {
  out[threadIdx.x] = 1;
  out[threadIdx.x] = nowhere;
}
__device__ void brokenHelper(float *out) { out[0] = "text"; }
__global__ void callsBroken(float *out) { brokenHelper(out); }
__global__ void rejected(float *out) {
  out[0] = 1;
  break;
  out[1] = 2;
}
void host() { alsoNowhere(); }
)");
  EXPECT_FALSE(model.outline.errors.empty());
  ASSERT_EQ(model.kernels.size(), 1u);
  EXPECT_EQ(model.kernels[0].name, "good");
  std::string dropped; // each with the error that is its own, if one is
  for (const DroppedKernel &kernel : model.outline.notRead)
    dropped += kernel.name + " at " + std::to_string(kernel.place.line) + ": " +
               std::to_string(kernel.error.line) + "; ";
  EXPECT_EQ(dropped, "bad at 3: 5; callsBroken at 8: 5; rejected at 9: 11; ");
}

// A missing header is what there is to mend; that the template above is wrong,
// no compiler says before somebody uses it.
TEST(ReadSource, TheFatalErrorIsTheFirstError) {
  SourceModel model = readText(R"(
template <typename T> struct Handle {
  int sorted() { return this->nothing; }
};
#include "nowhere.h"
__global__ void never(float *out) { out[threadIdx.x] = 1; }
)");
  ASSERT_EQ(model.outline.errors.size(), 2u);
  EXPECT_EQ(model.outline.errors.front().line, 5u);
}

TEST(ReadSource, KernelsWithErrorsInNamespacesAreDropped) {
  SourceModel model = readText(R"(
namespace outer { namespace {
__global__ void good(float *out) { out[threadIdx.x] = 1; }
__global__ void bad(float *out) {
  out[0] = 1;
  out[1] = nowhere;
}
} }
extern "C" {
__global__ void alsoGood(float *out) { out[threadIdx.x] = 1; }
__global__ void alsoBad(float *out) { const float x = out[0] }
}
)");
  std::string read, dropped;
  for (const Kernel &kernel : model.kernels)
    read += kernel.name + " ";
  for (const DroppedKernel &kernel : model.outline.notRead)
    dropped += std::to_string(kernel.place.line) + " ";
  EXPECT_EQ(read, "outer::good alsoGood ");
  EXPECT_EQ(dropped, "4 11 ");
}

// --- facts that the advice rests on -----------------------------------------

namespace {

/// Calls `expect` with the model of `source` as read with our own headers, and
/// with the toolkit's if there is one.
void withBothHeaders(llvm::StringRef source,
                     llvm::function_ref<void(const SourceModel &)> expect,
                     std::vector<std::string> flags = {}) {
  for (bool withToolkit : {false, true}) {
    if (withToolkit && !hasToolkit())
      continue;
    SCOPED_TRACE(withToolkit ? "the toolkit's headers" : "our own headers");
    SourceModel model = readText(source, withToolkit, flags);
    for (const ParseError &error : model.outline.errors)
      ADD_FAILURE() << "line " << error.line << ": " << error.text;
    expect(model);
  }
}

std::vector<Access> atomicsOf(const SourceModel &model) {
  std::vector<Access> atomics;
  for (const Kernel &kernel : model.kernels)
    for (const Access &access : kernel.accesses)
      if (access.operation == Operation::Atomic)
        atomics.push_back(access);
  return atomics;
}

} // namespace

// Atomics that ptxas combines by itself must not be reported as contended.
TEST(ReadSource, AtomicsThatTheCompilerCombinesAreKnown) {
  withBothHeaders(R"(
__global__ void k(int *a, float *f, unsigned long long *l, int *out) {
  int i = threadIdx.x;
  atomicAdd(&a[0], i);            // combined
  atomicMax(&a[1], i);            // combined
  out[i] = atomicAdd(&a[2], 1);   // combined: each lane's share is known
  out[i] += atomicAdd(&a[3], i);  // not: the old value depends on the others
  atomicAdd(&f[0], 1.f);          // not: no integer
  atomicAdd(&l[0], (unsigned long long)i); // not: 64 bits
  atomicExch(&a[4], i);           // not: no sum
}
)",
                  [](const SourceModel &model) {
                    std::vector<bool> combined, native;
                    for (const Access &atomic : atomicsOf(model)) {
                      combined.push_back(atomic.isCombined);
                      native.push_back(atomic.isNativeAtomic);
                    }
                    EXPECT_EQ(combined,
                              (std::vector<bool>{true, true, true, false, false,
                                                 false, false}));
                    EXPECT_EQ(native, (std::vector<bool>{true, true, true, true,
                                                         false, false, true}));
                  });
}

// A loop with a barrier is an algorithm in steps: what it reads again may have
// been changed by other threads.
TEST(ReadSource, ALoopKnowsItsBarriersAndItsFences) {
  withBothHeaders(
      R"(
__device__ void step() { __syncthreads(); }
__global__ void k(float *a, int n) {
  int t = threadIdx.x;
  for (int i = 0; i < n; ++i) { step(); a[i + t] += 1; }
  for (int i = 0; i < n; ++i) { a[i + t] += 2; __threadfence(); }
  for (int i = 0; i < n; ++i) { a[i + t] += 3; __syncwarp(); }
  for (int i = 0; i < n; ++i) a[i + t] += 4;
  __syncthreads();
  __threadfence();
}
)",
      [](const SourceModel &model) {
        ASSERT_EQ(model.kernels.size(), 1u);
        const std::vector<Loop> &loops = model.kernels[0].loops;
        ASSERT_EQ(loops.size(), 4u);
        std::map<unsigned, std::pair<bool, bool>> byLine;
        for (const Loop &loop : loops)
          byLine[loop.place.line] = {loop.hasBarrier, loop.hasFence};
        EXPECT_EQ(byLine[5], std::pair(true, false));
        EXPECT_EQ(byLine[6], std::pair(false, true));
        EXPECT_EQ(byLine[8], std::pair(false, false));
      });
}

// "make it const" is advice for a variable that nothing changes.
TEST(ReadSource, ACapturedBoundMayBeConstIfNothingChangesIt) {
  const SourceModel model = readText(R"(
template <class F> __global__ void each(F f) { f(threadIdx.x); }
void launch(float *a, int n) {
  int dim = 3;
  int changed = 3;
  changed += n;
  int given = n;
  const int fixed = 3;
  each<<<1, 32>>>([=] __device__(int i) {
    for (int d = 0; d < dim; ++d) a[d * 32 + i] = 1;
    for (int d = 0; d < changed; ++d) a[d * 32 + i] += 1;
    for (int d = 0; d < given; ++d) a[d * 32 + i] += 2;
    for (int d = 0; d < fixed; ++d) a[d * 32 + i] += 3;
  });
}
)",
                                     false, {"--extended-lambda"});
  ASSERT_EQ(model.kernels.size(), 1u);
  std::map<std::string, std::string> captured;
  for (const Loop &loop : model.kernels[0].loops)
    captured[loop.boundText] =
        !loop.boundCaptured
            ? "no"
            : std::to_string(loop.boundCaptured->declared.line) +
                  (loop.boundCaptured->mayBeConst ? " may" : " may not");
  EXPECT_EQ(captured["dim"], "4 may");
  EXPECT_EQ(captured["changed"], "5 may not");
  EXPECT_EQ(captured["given"], "7 may not");
  EXPECT_EQ(captured["fixed"], "no");
}

// A template has code where something instantiates it, and only there.
TEST(ReadSource, KernelTemplatesWithoutAnInstanceAreNamed) {
  SourceModel model = readText(R"(
template <typename T> __global__ void declared(T *a);
template <typename T> __global__ void idle(T *a) { a[threadIdx.x] = 0; }
template <typename T> __global__ void launched(T *a) { a[threadIdx.x] = 0; }
template <typename T> __global__ void given(T *a) { a[threadIdx.x] = 0; }
template __global__ void given<float>(float *);
void launch(float *a) { launched<<<1, 32>>>(a); }
)");
  ASSERT_EQ(model.outline.templates.size(), 1u);
  EXPECT_EQ(model.outline.templates[0].name, "idle");
  EXPECT_EQ(model.outline.templates[0].place.line, 3u);
}

// Such as the value of a key that a search has found.
TEST(ReadSource, WhatComesBeforeABreakIsNoPartOfItsLoop) {
  SourceModel model = readText(R"(
__global__ void search(const int *keys, const int *values, int *out, int n) {
  const int mine = out[threadIdx.x];
  for (int p = 0; p < n; ++p) {
    const int key = keys[(mine + p) & 4095];
    if (key == mine) { out[threadIdx.x] = values[p]; break; }
    if (key == -1) break;
  }
}
)");
  ASSERT_EQ(model.kernels.size(), 1u);
  std::map<std::string, size_t> loopsOf;
  for (const Access &access : model.kernels[0].accesses)
    loopsOf[access.object] = access.loops.size();
  EXPECT_EQ(loopsOf["keys"], 1u);
  EXPECT_EQ(loopsOf["values"], 0u);
}

// nvcc names the load at line 5 by line 7; see Locate.
TEST(ReadSource, AssemblyKnowsItsLastLine) {
  SourceModel model = readText(R"(
template <class T> __device__ float load(const T *p) {
  float v;
  asm volatile(
      "ld.global.f32 %0, [%1];"
      : "=f"(v)
      : "l"(p)
  );
  return v;
}
__global__ void k(const float *in, float *out) {
  float v;
  asm("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(in + 64));
  out[threadIdx.x] = load(in + threadIdx.x) + v;
}
)");
  ASSERT_EQ(model.kernels.size(), 1u);
  std::map<unsigned, unsigned> lastLines;
  for (const Access &access : model.kernels[0].accesses)
    lastLines[access.place.line] = access.lastLine;
  EXPECT_EQ(lastLines,
            (std::map<unsigned, unsigned>{{4, 8}, {13, 0}, {14, 0}}));
}

TEST(ReadSource, AnArrayDeclaredBehindAnEarlyReturnHasItsName) {
  SourceModel model = readText(R"(
__global__ void pick(const float *in, const int *at, float *out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  float own[16];
  for (int k = 0; k < 16; ++k) own[k] = in[k * n + i];
  out[i] = own[at[i]];
}
)");
  ASSERT_EQ(model.kernels.size(), 1u);
  ASSERT_EQ(model.kernels[0].arrays.size(), 1u);
  EXPECT_EQ(model.kernels[0].arrays[0].name, "own");
}

} // namespace warplint
