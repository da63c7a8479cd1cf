// Tests what of a source is linted if part of it is wrong.
#include "program_runs.h"
#include "resource_sources.h"
#include "run/batch.h"
#include "run/lint.h"
#include <unistd.h>

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

/// The findings of some checks, opinions too.
Outcome checkFor(const std::string &path, const std::string &checks) {
  return runProgram(
      {"check", "--no-judge", "--minor", "--check", checks, path});
}

TEST(Lint, AnErrorInOneKernelLeavesTheOthersLinted) {
  InputFolder folder;
  Outcome outcome = checkOnly(folder.write(
      "a.cu", std::string(strided) +
                  "__global__ void bad(float *a) { a[0] = undeclared; }\n"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("a.cu:1:"), HasSubstr("[strided-global-access]"),
                    HasSubstr("a.cu: read in part: a.cu:2: use of undeclared "
                              "identifier 'undeclared'")));
}

TEST(Lint, AnErrorOutsideKernelsLeavesThemLinted) {
  InputFolder folder;
  Outcome outcome = checkOnly(
      folder.write("a.cu", std::string(clean) + "int main() { oops }\n"));
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, AllOf(StartsWith("no findings in 1 kernel"),
                                 HasSubstr("a.cu: read in part: a.cu:2: ")));
}

// Nobody tunes what prints an array for a person to read, nor code that never
// runs.
TEST(Lint, KernelsThatOnlyPrintOrNeverRunHaveMinorFindings) {
  InputFolder folder;
  auto columns = [](const std::string &name, const std::string &body) {
    return "__global__ void " + name +
           "(float *p, int n) {\n"
           "  for (int i = 0; i < n; ++i) " +
           body + ";\n}\n";
  };
  const std::string path = folder.write(
      "a.cu", "extern \"C\" __device__ int printf(const char *, ...);\n" +
                  columns("show", "printf(\"%f\", p[threadIdx.x * n + i])") +
                  columns("clear", "p[threadIdx.x * n + i] = 0") +
                  columns("unused", "p[threadIdx.x * n + i] = 1") +
                  "void run(float *p, int n) {\n"
                  "  show<<<1, 32>>>(p, n);\n"
                  "  clear<<<n, 256>>>(p, n);\n}\n");
  const Outcome all = checkFor(path, "strided-global-access");
  EXPECT_THAT(all.out,
              AllOf(HasSubstr("'show' writes no memory: it only prints"),
                    HasSubstr("nothing in this source launches 'unused'")));
  const Outcome worthy = runProgram({"check", "--no-judge", "--check",
                                     "strided-global-access", path});
  EXPECT_THAT(worthy.out, AllOf(HasSubstr("in 'clear'"), HasSubstr("2 minor"),
                                Not(HasSubstr("'show'"))));
}

/// "about 82 %" of the only finding.
std::string shareIn(const std::string &statements) {
  InputFolder folder;
  const Outcome outcome = checkFor(
      folder.write("a.cu",
                   "struct alignas(32) Wide { float4 a, b; };\n"
                   "__global__ void k(float *x, Wide *w, int p) {\n"
                   "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
                       statements +
                       "}\nvoid run(float *x, Wide *w, int p) {"
                       "k<<<4096, 256>>>(x, w, p); }\n"),
      "strided-global-access");
  const size_t at = outcome.out.find("about ");
  EXPECT_EQ(outcome.out.find("about ", at + 1), std::string::npos)
      << outcome.out;
  return outcome.out.substr(at, outcome.out.find('%', at) + 1 - at);
}

// A load and a store at one place save what they save apart.
TEST(Lint, TheSpellingOfAStatementDoesNotChangeItsShare) {
  const std::string apart = shareIn("float y = x[i * p];\nx[i * p] = y + 1;\n");
  EXPECT_EQ(shareIn("x[i * p] += 1;\n"), apart);
  EXPECT_EQ(shareIn("x[i * p]++;\n"), apart);
}

// nvcc copies a structure in two halves, which use the same sectors.
TEST(Lint, TheHalvesOfAStructureAreOneAccess) {
  EXPECT_EQ(shareIn("w[i + p] = w[i];\n"),
            shareIn("w[i + p].a = w[i].a, w[i + p].b = w[i].b;\n"));
}

// A helper compares two elements of one array: one cause, and one finding.
TEST(Lint, AnArrayThatAHelperHasTwoNamesForIsOneFinding) {
  InputFolder folder;
  Outcome outcome = checkOnly(folder.write("a.cu", R"(
__device__ void order(unsigned &low, unsigned &high) {
  if (low > high) {
    unsigned t = low;
    low = high;
    high = t;
  }
}
__global__ void sort(unsigned *keys) {
  __shared__ unsigned tile[2048];
  for (int k = 0; k < 2048; k += 32)
    tile[k + threadIdx.x] = keys[k + threadIdx.x];
  __syncthreads();
  for (int turn = 0; turn < 1000; ++turn)
    for (int k = 0; k < 32; ++k)
      order(tile[64 * threadIdx.x + k], tile[64 * threadIdx.x + k + 32]);
  __syncthreads();
  for (int k = 0; k < 2048; k += 32)
    keys[k + threadIdx.x] = tile[k + threadIdx.x];
}
void run(unsigned *keys) { sort<<<1, 32>>>(keys); }
)"));
  EXPECT_THAT(outcome.out, HasSubstr("the same of 'tile' at lines 4, 5, 6"));
  EXPECT_EQ(llvm::StringRef(outcome.out).count("[shared-bank-conflict]"), 1u)
      << outcome.out;
}

// A thread has its row of one array, and a pointer to each part of it: one more
// element in each row is one change, and five findings would be five changes.
TEST(Lint, TheRowsThatPointersHaveOfAnArrayAreOneFinding) {
  InputFolder folder;
  const std::string out = checkOnly(folder.write("a.cu", R"(
__global__ void k(float *out, const float *in, int turns) {
  __shared__ float rows[32][64];
  float *low = rows[threadIdx.x];
  float *high = &rows[threadIdx.x][32];
  for (int i = 0; i < 32; ++i) {
    low[i] = in[i * 32 + threadIdx.x];
    high[i] = in[(i + 32) * 32 + threadIdx.x];
  }
  float sum = 0;
  for (int turn = 0; turn < turns; ++turn)
    for (int i = 0; i < 32; ++i) {
      const float t = low[i];
      low[i] = high[31 - i] + sum;
      high[31 - i] = t;
      sum += t;
    }
  out[blockIdx.x * 32 + threadIdx.x] = sum + low[0] + high[0];
}
void run(float *a, int n) { k<<<4096, 32>>>(a, a, n); }
)"))
                              .out;
  EXPECT_EQ(llvm::StringRef(out).count("[shared-bank-conflict]"), 1u) << out;
  EXPECT_THAT(out, HasSubstr("the same of 'rows' at lines"));
  EXPECT_THAT(out, HasSubstr("give the last extent of 'rows' 65 elements"));
}

// Two arrays are in memory because of one loop.
TEST(Lint, TheArraysOfOneLoopAreOneFinding) {
  InputFolder folder;
  const std::string out = checkFor(folder.write("a.cu", R"(
__global__ void k(const float *in, float *out, int beads) {
  float position[100], velocity[100];
  for (int i = 0; i < beads; ++i) {
    position[i] = in[i];
    velocity[i] = in[i + beads];
  }
  for (int i = 0; i < 100; ++i)
    out[i] = position[99 - i] * velocity[i];
}
void run(const float *in, float *out, int n) { k<<<1000, 128>>>(in, out, n); }
)"),
                                   "dynamic-local-array")
                              .out;
  EXPECT_EQ(llvm::StringRef(out).count("[dynamic-local-array]"), 1u) << out;
  EXPECT_THAT(out, HasSubstr("the same change ends it for '"));
}

// One declaration has the extent of each instance: what is added is good for
// both, 33 elements are not.
TEST(Lint, ThePadOfATemplateIsNoNumberOfOneInstance) {
  InputFolder folder;
  const std::string out = checkFor(folder.write("a.cu", R"(
template <int rows> __global__ void turn(const float *in, float *out) {
  __shared__ float tile[rows][rows];
  for (int k = 0; k < rows; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = in[(threadIdx.y + k) * rows + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < rows; k += 8)
    out[(threadIdx.y + k) * rows + threadIdx.x] = tile[threadIdx.x][threadIdx.y + k];
}
void run(const float *in, float *out) {
  turn<32><<<1000, dim3(32, 8)>>>(in, out);
  turn<64><<<1000, dim3(64, 8)>>>(in, out);
}
)"),
                                   "shared-bank-conflict")
                              .out;
  EXPECT_THAT(out, HasSubstr("fix: add 1 element to the last extent of 'tile': "));
}

// Three arrays that a loop allocates are one change of the program.
TEST(Lint, WhatALoopAllocatesIsOneFinding) {
  InputFolder folder;
  Outcome outcome = checkFor(folder.write("a.cu", R"(
extern "C" int cudaMalloc(void **p, size_t bytes);
extern "C" int cudaFree(void *p);
__global__ void step(float *a, float *b, float *c) {
  a[threadIdx.x] = b[threadIdx.x] + c[threadIdx.x];
}
void run(int steps) {
  for (int i = 0; i < steps; ++i) {
    float *a, *b, *c;
    cudaMalloc((void **)&a, 4096);
    cudaMalloc((void **)&b, 4096);
    cudaMalloc((void **)&c, 4096);
    step<<<1000, 256>>>(a, b, c);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
  }
}
)"),
                             "costly-copy");
  EXPECT_EQ(llvm::StringRef(outcome.out).count("[costly-copy]"), 1u)
      << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("fix: allocate 'a' and 2 more once"));
}

// No constant takes the place of what differs between threads.
TEST(Lint, ADivisorOfEachThreadIsNoTemplateArgument) {
  InputFolder folder;
  Outcome outcome = checkOnly(folder.write("a.cu", R"(
__global__ void k(const unsigned *in, unsigned *out, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned n = in[i], x = i;
  for (int j = 0; j < steps; ++j)
    x = x * x % n;
  out[i] = x;
}
void run(unsigned *a, int n) { k<<<8000, 256>>>(a, a, n); }
)"));
  EXPECT_THAT(outcome.out, HasSubstr("fix: compute the magic number of 'n'"));
}

// Registers hold neither of them, whatever is known of their indexes.
TEST(Lint, ALongLocalArrayHasNoRemedyInRegisters) {
  InputFolder folder;
  Outcome outcome = checkFor(folder.write("a.cu", R"(
__global__ void k(const unsigned char *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool seen[256] = {};
  float path[500];
  for (int j = 0; j < n; ++j) {
    seen[in[j * 4096 + i]] = true;
    path[j] = j * out[i];
  }
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sum += path[n - j] + seen[j];
  out[i] = sum;
}
void run(unsigned char *a, float *b, int n) { k<<<16, 256>>>(a, b, n); }
)"),
                             "dynamic-local-array");
  EXPECT_THAT(outcome.out, HasSubstr("warning: index of 'path'"));
  EXPECT_THAT(outcome.out, HasSubstr("warning: index of 'seen'"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("'#pragma unroll' and select")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("a template parameter")));
}

// The compiler keeps both sums in registers, so their stride costs nothing.
TEST(Lint, AStoreThatLeavesItsLoopHasNoShareOfEachIteration) {
  NEEDS_NVCC("what a moved store costs");
  InputFolder folder;
  folder.write("a.cu", R"(
struct Sum { double x, y, z, w; };
__global__ void k(Sum *sums) {
  __shared__ double s[128];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int j = 0; j < 100; ++j) {
    sums[threadIdx.x].x += s[j];
    sums[threadIdx.x].y += s[j] * s[threadIdx.x];
  }
}
void run(Sum *sums) { k<<<1000, 128>>>(sums); }
)");
  const std::string shown = runProgram({"check", "--minor", folder.path}).out;
  EXPECT_THAT(shown, HasSubstr("strided-global-access"));
  EXPECT_THAT(shown,
              Not(testing::ContainsRegex("about [2-9][0-9] % of its time")));
}

// A program that tries sizes has the small one on purpose.
TEST(Lint, ASmallBlockAmongLargerOnesIsAnOpinion) {
  InputFolder folder;
  const char *const kernel =
      "__global__ void k(float *a) {\n"
      "  a[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;\n"
      "}\n"
      "void run(float *a, int size) { k<<<1 << 20, size>>>(a); }\n";
  const auto level = [&](const std::string &calls) {
    return checkFor(folder.write("a.cu", kernel + ("void all(float *a) { " +
                                                   calls + " }\n")),
                    "partial-warp-block")
        .out;
  };
  EXPECT_THAT(level("run(a, 32);"), HasSubstr("warning: blocks of 32"));
  EXPECT_THAT(level("run(a, 32); run(a, 256);"),
              HasSubstr("note: blocks of 32"));
}

// HugeCTR's launch for halves alone was a finding of the instance for floats,
// 74 % of its time.
TEST(Lint, AnInstanceWhoseLaunchNeverRunsIsMinor) {
  InputFolder folder;
  const auto report = [&](const std::string &condition) {
    return checkFor(
               folder.write(
                   "a.cu",
                   "template <class T, class U> constexpr bool same = false;\n"
                   "template <class T> constexpr bool same<T, T> = true;\n"
                   "template <class T, int N> __global__ void k(T *a, int n) "
                   "{\n"
                   "  int i = (blockIdx.x * blockDim.x + threadIdx.x) * N;\n"
                   "  for (int j = 0; j < N; ++j) a[i + j] = n;\n"
                   "}\n"
                   "template <class T> void run(T *a, int n) {\n"
                   "  if (" +
                       condition +
                       ") k<T, 64><<<4096, 256>>>(a, n);\n"
                       "  else k<T, 1><<<4096, 256>>>(a, n);\n"
                       "}\n"
                       "template void run(float *, int);\n"),
               "strided-global-access")
        .out;
  };
  const std::string note = "nothing in this source launches 'k<float, 64>'";
  for (const char *never :
       {"n % 64 == 0 && same<T, double>", "!same<T, float> || same<T, double>"})
    EXPECT_THAT(report(never), HasSubstr(note)) << never;
  for (const char *sometimes :
       {"n % 64 == 0 && same<T, float>", "n % 64 == 0 || same<T, double>",
        "false && same<T, float>" /* a switch of the source */})
    EXPECT_THAT(report(sometimes), Not(HasSubstr(note))) << sometimes;
  EXPECT_THAT(checkFor(folder.write("b.cu", R"(
template <int N> __global__ void k(float *a, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * N;
  for (int j = 0; j < N; ++j) a[i + j] = n;
}
void run(float *a, int n) {
  const bool wide = false;
  if (wide) k<64><<<4096, 256>>>(a, n);
  else k<1><<<4096, 256>>>(a, n);
}
)"),
                       "strided-global-access")
                  .out,
              Not(HasSubstr("nothing in this source")))
      << "a switch of the source";
}

// LightSeq launches two instances of a softmax with blocks of one warp: eight
// findings were told of one choice, in two files.
TEST(Lint, TheBlockThatInstancesOfOneTemplateHaveIsOneFinding) {
  InputFolder folder;
  const std::string out =
      checkFor(folder.write("a.cu",
                            "template <int n> __global__ void k(float *a) {\n"
                            "  a[blockIdx.x * blockDim.x + threadIdx.x] = n;\n"
                            "}\n"
                            "void run(float *a, int blocks) {\n"
                            "  k<1><<<blocks, 32>>>(a);\n"
                            "  k<2><<<blocks, 32>>>(a);\n"
                            "  k<3><<<blocks, 16>>>(a);\n"
                            "}\n"),
               "partial-warp-block")
          .out;
  EXPECT_THAT(out, HasSubstr("the same at line 6"));
  EXPECT_THAT(out, HasSubstr("blocks of 16 threads"));
  EXPECT_THAT(out, HasSubstr("2 warnings"));
}

// Larger blocks are fewer, and leave SMs idle that one-thread blocks use.
TEST(Lint, LargerBlocksAreAdvisedWhereTheyReachAllSms) {
  InputFolder folder;
  const auto report = [&](const std::string &grid) {
    return checkFor(
               folder.write("a.cu", "__global__ void k(float *a, int n) {\n"
                                    "  for (int i = 1; i < n; ++i)\n"
                                    "    a[blockIdx.x * n + i] += 1;\n"
                                    "}\n"
                                    "void run(float *a, int n, int rows) {\n"
                                    "  k<<<" +
                                        grid +
                                        ", 1>>>(a, n);\n"
                                        "}\n"),
               "partial-warp-block")
        .out;
  };
  EXPECT_THAT(report("rows"),
              HasSubstr("128 or more if that leaves a block for each SM"));
  EXPECT_THAT(report("1 << 20"), HasSubstr("threads, 128 or more: each"));
  EXPECT_THAT(report("8192"), HasSubstr("launch a multiple of 32 threads: each "
                                        "thread can do what a block does now, "
                                        "or they can share its loops\n"));
  EXPECT_THAT(report("3072"), Not(HasSubstr("blocks of 1 thread")));
}

// Until the SMs hold no more blocks, their size limits nothing.
TEST(Lint, BlocksOfOneWarpAreFoundWhereTheyFillTheirSlots) {
  InputFolder folder;
  const auto report = [&](const std::string &grid) {
    return checkFor(
               folder.write(
                   "a.cu",
                   "__global__ void k(float *a) {\n"
                   "  a[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;\n"
                   "}\n"
                   "void run(float *a, int blocks) { k<<<" +
                       grid + ", 32>>>(a); }\n"),
               "partial-warp-block")
        .out;
  };
  EXPECT_THAT(report("blocks"), HasSubstr("blocks of 32 threads"));
  EXPECT_THAT(report("5000"), HasSubstr("blocks of 32 threads"));
  EXPECT_THAT(report("4000"), Not(HasSubstr("blocks of 32 threads")));
}

// A product rounds differently, which a program's own test may not expect.
TEST(Lint, AReciprocalIsSaidToRoundDifferently) {
  InputFolder folder;
  EXPECT_THAT(
      checkFor(folder.write("a.cu",
                            "__global__ void k(const float *in, float *out, "
                            "float by, int n) {\n"
                            "  float sum = 0;\n"
                            "  for (int i = 0; i < n; ++i)\n"
                            "    sum += in[i * 256 + threadIdx.x] / by;\n"
                            "  out[threadIdx.x] = sum;\n"
                            "}\n"),
               "costly-division")
          .out,
      HasSubstr("fix: compute 1.0f / by before the loop, and multiply by it: "
                "the last bit may differ"));
}

// Without a loop around the histograms it is one of the PTX; with one, all that
// is left of it is in that loop, and unrolled.
TEST(Lint, WorkOfOneThreadInALoopOverTheGridIsJudged) {
  NEEDS_NVCC("what is left of a loop of one thread");
  InputFolder folder;
  const std::string path = folder.write("a.cu", R"(
__global__ void orient(const float *in, float *out, int n) {
  __shared__ float hist[64];
  const int tx = threadIdx.x;
  for (int bx = blockIdx.x; bx < n; bx += gridDim.x) {
    if (tx < 64) hist[tx] = in[bx * 64 + tx];
    __syncthreads();
    if (tx == 0) {
      float m = 0.0f;
      for (int i = 0; i < 64; i++) m = m * 0.5f + hist[i];
      out[bx] = m;
    }
    __syncthreads();
  }
}
void run(const float *in, float *out, int n) { orient<<<512, 128>>>(in, out, n); }
)");
  EXPECT_THAT(runProgram({"check", "--arch", "sm_90", "--check",
                          "single-lane-work", path})
                  .out,
              HasSubstr("accesses of its lines for one lane: confirmed"));
}

// OpenPCDet's `sum + crossings[count]` was "index in 'b.x'", of an operator.
TEST(Lint, AnIndexIsNotNamedByTheFunctionThatGetsTheElement) {
  InputFolder folder;
  const Outcome outcome = checkFor(folder.write("a.cu", R"(
struct Point {
  float x, y;
  __device__ Point operator+(const Point &b) const {
    return {x + b.x, y + b.y};
  }
};
__global__ void k(const float *m, float *out) {
  Point crossings[16], sum = {0, 0};
  int count = 0;
  for (int i = 0; i < 16; ++i) {
    crossings[count].x = m[i * 256 + threadIdx.x];
    crossings[count].y = m[i * 512 + threadIdx.x];
    if (crossings[count].x > 0) {
      sum = sum + crossings[count];
      ++count;
    }
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum.x + sum.y;
}
void run(float *m) { k<<<4096, 256>>>(m, m); }
)"),
                                   "dynamic-local-array");
  EXPECT_THAT(outcome.out, HasSubstr("index of 'crossings' depends on a "
                                     "comparison of floats, so"));
}

// "fcmp ogt 32" is no word of anybody's source.
TEST(Lint, APivotThatIsFoundIsNamedByWhereItStands) {
  InputFolder folder;
  const Outcome outcome = checkFor(folder.write("a.cu", R"(
__global__ void lu(float *m) {
  float A[6][6];
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      A[i][j] = m[(i * 6 + j) * 256 + threadIdx.x];
  for (int k = 0; k < 6; ++k) {
    int pivot = k;
    for (int i = k + 1; i < 6; ++i)
      if (A[i][k] > A[pivot][k])
        pivot = i;
    m[k * 256 + threadIdx.x] = A[pivot][k];
  }
}
void run(float *m) { lu<<<4096, 256>>>(m); }
)"),
                                   "dynamic-local-array");
  EXPECT_THAT(outcome.out, HasSubstr("index in 'A[pivot][k]' depends on a "
                                     "comparison of floats, so"));
}

// TensorRT's nmsKernel2 leaves a loop over a template's constant from a loop
// inside: "whose bound 'TSIZE' is not known at compile time" was wrong.
TEST(Lint, ABoundThatIsATemplatesConstantIsKnown) {
  InputFolder folder;
  const auto report = [&](const std::string &bound, const std::string &inner) {
    return checkFor(
               folder.write(
                   "a.cu",
                   "template <int SIZE> __global__ void k(const float *in,\n"
                   "    float *out, int n, int m) {\n"
                   "  float t[SIZE];\n"
                   "  for (int i = 0; i < SIZE; ++i) t[i] = in[i * 256 + n];\n"
                   "  for (int i = 0; i < " +
                       bound +
                       "; i++)\n"
                       "    for (int j = 0; j < 256; j++) {\n"
                       "      if (i * 256 + j >= n) break;\n"
                       "      __syncthreads();\n"
                       "      if (threadIdx.x == j) out[j] = t[i];\n"
                       "      __syncthreads();\n"
                       "      if (" +
                       inner +
                       ") return;\n"
                       "    }\n"
                       "}\n"
                       "void run(float *a, int n) {\n"
                       "  k<13><<<8, 256>>>(a, a, n, n);\n}\n"),
               "dynamic-local-array")
        .out;
  };
  EXPECT_THAT(report("SIZE", "out[i] > 1"),
              HasSubstr("line 5, whose number of iterations is not known"));
  EXPECT_THAT(report("m", "i < 4 && out[i] > 1"),
              HasSubstr("line 5, whose bound 'm' is not known"));
}

// "whose bound '0' is not known", and "a condition on '0'", are no help.
TEST(Lint, AConstantIsNoUnknownBoundOfALoopThatEndsEarly) {
  InputFolder folder;
  const Outcome outcome = checkFor(folder.write("a.cu", R"(
__global__ void k(const float *in, const int *size, float *out) {
  int at[10];
  for (int i = 0; i < 10; ++i) at[i] = size[i];
  bool more;
  do {
    out[at[0]] = in[at[1]];
    more = false;
    for (int i = 9; i >= 0; --i) {
      if (at[i] == size[i]) at[i] = 0;
      else { ++at[i]; more = true; break; }
    }
  } while (more);
}
void run(float *m, int *s) { k<<<4096, 256>>>(m, s, m); }
)"),
                                   "dynamic-local-array");
  EXPECT_THAT(outcome.out,
              HasSubstr("index of 'at' is counted by the loop at line 9, whose "
                        "number of iterations is not known at compile time"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("'0'")));
}

// A host that pads the length would look for a hang in vain, and a pipeline
// that fails on what holds always would stop.
TEST(Lint, ABarrierUpToALengthIsConfirmedIfNobodyPadsIt) {
  NEEDS_NVCC("what a barrier's confirmation rests on");
  InputFolder folder;
  const auto report = [&](const std::string &loop) {
    return runProgram({"check", "--arch", "sm_90", "--check",
                       "sync-in-divergent-branch",
                       folder.write("a.cu", R"(
__constant__ int length;
__global__ void k(const int *in, float *out, int n) {
  __shared__ float c[256];
  c[threadIdx.x] = threadIdx.x;
  __syncthreads();
  )" + loop + R"( {
    c[in[threadIdx.x] & 255] += 2;
    __syncthreads();
  }
  out[threadIdx.x] = c[threadIdx.x];
}
void run(const int *in, float *out, int n) { k<<<1, 64>>>(in, out, n); }
)")})
        .out;
  };
  EXPECT_THAT(report("for (unsigned r = threadIdx.x; r < length; r += 64)"),
              HasSubstr("confirmed if 'length' is not padded to whole blocks"));
  EXPECT_THAT(report("for (int r = threadIdx.x; r < n; r += 64)"),
              HasSubstr("confirmed if 'n' is not padded to whole blocks"));
  EXPECT_THAT(report("if (in[threadIdx.x] > 0)"),
              HasSubstr("confirmed if 'in[threadIdx.x]' differs between "
                        "threads of a block"));
  EXPECT_THAT(report("if (threadIdx.x < 40)"), Not(HasSubstr("confirmed if")));
}

// '__device__' cannot be written before a member.
TEST(Lint, AMemberLeavesConstantMemoryWithoutItsStructure) {
  InputFolder folder;
  const std::string out = checkFor(folder.write("a.cu", R"(
struct Tables { float gauss[64]; int n; };
struct Entry { float weight; int n; };
__constant__ Tables tables;
__constant__ Entry entries[64];
__global__ void k(float *out) {
  int i = threadIdx.x;
  out[i] = tables.gauss[i & 31] * tables.n + entries[i & 31].weight;
}
void run(float *out) { k<<<64, 256>>>(out); }
)"),
                                   "divergent-constant")
                              .out;
  EXPECT_THAT(out, HasSubstr("fix: move 'gauss' out of 'tables' into a "
                             "'__device__' variable"));
  EXPECT_THAT(out, HasSubstr("fix: declare 'entries' '__device__' in place"));
}

// A sum is made by one thread, a histogram in shared memory, and places in a
// list by one lane; of other updates nobody knows.
TEST(Lint, ContendedAtomicsSayWhatToDoInstead) {
  InputFolder folder;
  const auto report = [&](const std::string &update,
                          const std::string &threads = "256") {
    return checkFor(folder.write("a.cu",
                                 "__global__ void k(const float *in, const "
                                 "unsigned char *key, float *sum,\n"
                                 "                  int *bins, int *list) {\n"
                                 "  int i = blockIdx.x * blockDim.x + "
                                 "threadIdx.x;\n  " +
                                     update +
                                     "\n}\n"
                                     "void run(const float *in, const unsigned "
                                     "char *key, float *sum,\n"
                                     "         int *bins, int *list) {\n"
                                     "  k<<<1 << 20, " +
                                     threads +
                                     ">>>(in, key, sum, bins, list);\n"
                                     "}\n"),
                    "contended-atomic")
        .out;
  };
  EXPECT_THAT(report("atomicAdd(sum, in[i]);"),
              AllOf(HasSubstr("fix: add up the values of a block by shuffles "
                              "and shared memory, and let one thread update "
                              "'sum'"),
                    Not(HasSubstr("seldom holds"))));
  // LightSeq's 'if (v != 0) atomicAdd(...)' was told with 96 % of the time.
  EXPECT_THAT(
      report("if (in[i] > 0) atomicAdd(sum, in[i]);"),
      AllOf(HasSubstr("shared memory, 0 where the condition fails, and"),
            HasSubstr("; less where its condition on data seldom "
                      "holds")));
  EXPECT_THAT(report("atomicAdd(&bins[key[i]], 1);"),
              HasSubstr("fix: let each block add to a copy in shared memory, "
                        "and the copy to 'bins' once at its end"));
  EXPECT_THAT(report("list[atomicAdd(bins, 1)] = i;"),
              HasSubstr("fix: let one lane add what its warp adds"));
  EXPECT_THAT(report("atomicAdd(&sum[i / *bins], in[i]);"),
              AllOf(HasSubstr("up to 32 lanes of a warp update one address"),
                    HasSubstr("fix: add up the values of a warp that go to one "
                              "address, and let one lane update")))
      << "a block has many rows";
  EXPECT_THAT(report("atomicExch(bins, i);"),
              AllOf(HasSubstr("update one address"), Not(HasSubstr("fix:"))));
  // The last of the 32 warps has 8 lanes: the mean, 31.25, is no number of
  // lanes.
  EXPECT_THAT(report("atomicAdd(sum + i % 500, in[i]);", "1000"),
              HasSubstr("up to 32 lanes of a warp update 32 addresses"));
  // What the lanes add up once serves both.
  const std::string both =
      report("if (in[i] > 0) { atomicAdd(sum, in[i]); "
             "atomicAdd((float *)list, in[i]); }");
  EXPECT_EQ(llvm::StringRef(both).count("[contended-atomic]"), 1u) << both;
  EXPECT_THAT(both, HasSubstr("the same change ends it for '"));
}

// A sum by shuffles with an atomic of each warp takes 29 times as long as one
// of each block in a grid of 65536 (H200); in a small grid it is nothing.
TEST(Lint, AnAtomicOfEachWarpIsFoundInALargeGrid) {
  InputFolder folder;
  const auto report = [&](const std::string &before, const std::string &grid) {
    return checkFor(folder.write("a.cu", R"(
__global__ void sum(const float *in, float *total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] : 0;
)" + before + R"(
  for (int k = 16; k; k >>= 1)
    v += __shfl_down_sync(~0u, v, k);
  if (threadIdx.x % 32 == 0)
    atomicAdd(total, v);
}
void run(const float *in, float *total, int n, int blocks) {
  sum<<<)" + grid + R"(, 256>>>(in, total, n);
}
)"),
                    "contended-atomic")
        .out;
  };
  EXPECT_THAT(report("", "65536"),
              AllOf(HasSubstr("one lane of each warp updates one address, "
                              "'total', the same in all blocks"),
                    HasSubstr("fix: add up the values of a block by")));
  EXPECT_THAT(report("", "64"), Not(HasSubstr("[contended-atomic]")));
  EXPECT_THAT(report("", "blocks"), Not(HasSubstr("[contended-atomic]")));
  EXPECT_THAT(report("for (int k = 0; k < n; ++k) v = v * 0.5f + in[k];",
                     "65536"),
              Not(HasSubstr("[contended-atomic]")));
}

// Red and black cells of a solver: the warp waits for half of its lanes, with
// or without a load in the loop (1.9 times as long, H200).
TEST(Lint, LanesWithoutWorkAreFoundBesideALoopOfArithmetic) {
  InputFolder folder;
  const auto report = [&](const std::string &work) {
    return checkFor(folder.write("a.cu", R"(
__global__ void sweep(float *a, int w) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float v = a[y * w + x];
  if ((x + y) & 1)
    )" + work + R"(
  a[y * w + x] = v;
}
void run(float *a) { sweep<<<dim3(128, 512), dim3(32, 8)>>>(a, 4096); }
)"),
                    "divergent-branch")
        .out;
  };
  EXPECT_THAT(report("for (int k = 0; k < 1000; ++k) v = v * 1.01f + 0.5f;"),
              HasSubstr("16 of the 32 lanes of a warp have work here"));
  EXPECT_THAT(report("v = v * 1.01f + 0.5f;"),
              Not(HasSubstr("[divergent-branch]")));
}

// A run with more checks ends with the exit code of one with fewer, or worse.
TEST(Lint, AnOpinionThatStandsForAWarningIsAWarning) {
  InputFolder folder;
  const std::string source = folder.write("a.cu", R"(
__global__ void sum(const float *in, float *out) {
  __shared__ float part[256];
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int k = 1; k < 256; k <<= 1) {
    int x = 2 * k * t;
    if (x < 256)
      part[x] += part[x + k];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = part[0];
}
void run(const float *in, float *out) { sum<<<1024, 256>>>(in, out); }
)");
  EXPECT_THAT(checkFor(source, "shared-bank-conflict").out,
              HasSubstr("warning: "));
  EXPECT_THAT(
      checkFor(source, "shared-bank-conflict,shared-tree-reduction").out,
      AllOf(HasSubstr("warning: a tree in shared memory"),
            Not(HasSubstr("[shared-bank-conflict]"))));
  EXPECT_THAT(checkFor(source, "shared-tree-reduction").out,
              HasSubstr("note: a tree in shared memory"));
}

// A constant that is named as what is unknown sends the reader to the wrong end
// of the loop.
TEST(Lint, AnUnrollThatTheThreadsBeginningStopsNamesTheBeginning) {
  InputFolder folder;
  const std::string report = checkFor(folder.write("a.cu", R"(
__global__ void k(const float *in, float *out) {
  constexpr int size = 500;
  __shared__ float tile[size];
#pragma unroll
  for (int k = threadIdx.x; k < size; k += 128)
    tile[k] = in[k];
  __syncthreads();
  out[threadIdx.x] = tile[size - 1 - threadIdx.x];
}
void run(const float *in, float *out) { k<<<1, 128>>>(in, out); }
)"),
                                      "ignored-unroll")
                                 .out;
  EXPECT_THAT(report,
              AllOf(HasSubstr("begins at an index of the thread"),
                    HasSubstr("fix: count the iterations from a constant"),
                    Not(HasSubstr("'size'"))));
}

// Where each thread has a loop of its own, more elements are not what is
// missing.
TEST(Lint, ASmallGridNamesTheLoopThatMoreThreadsCanShare) {
  InputFolder folder;
  const auto report = [&](const std::string &loop) {
    return checkFor(
               folder.write("a.cu",
                            "__global__ void k(const float *in, float *out) {\n"
                            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "  float sum = 0;\n"
                            "  for (" +
                                loop +
                                ")\n"
                                "    sum += in[k * 4096 + i];\n"
                                "  out[i] = sum;\n"
                                "}\n"
                                "void run(const float *in, float *out) {\n"
                                "  k<<<16, 256>>>(in, out);\n"
                                "}\n"),
               "small-grid")
        .out;
  };
  EXPECT_THAT(report("int k = 0; k < 4096; ++k"),
              HasSubstr("fix: let more threads share the iterations of the "
                        "loop at line 4, if these do not need each other"));
  EXPECT_THAT(report("int k = threadIdx.x; k < 1 << 20; k += blockDim.x"),
              HasSubstr("fix: let the grid cover the elements"));
  EXPECT_THAT(report("int k = i; k < 1 << 24; k += blockDim.x * gridDim.x"),
              HasSubstr("fix: launch more blocks: the loop at line 4 steps by "
                        "the whole grid"));
}

// Of 'argc > 1 ? atoi(argv[1]) : 200000' the default says how long it takes.
TEST(Lint, ALastWaveIsFoundByTheCommandLinesDefault) {
  NEEDS_NVCC("the last wave of a launch");
  InputFolder folder;
  const std::string source = folder.write("a.cu", R"(
int atoi(const char *);
__global__ __launch_bounds__(1024, 2) void draw(float *out, int draws) {
  float sum = threadIdx.x;
  for (int i = 0; i < draws; ++i)
    sum = sum * 0.9999f + 0.0001f;
  out[blockIdx.x * 1024 + threadIdx.x] = sum;
}
int main(int argc, char **argv) {
  float *out;
  cudaMalloc(&out, 272 * 1024 * sizeof(float));
  draw<<<272, 1024>>>(out, argc > 1 ? atoi(argv[1]) : 200000);
}
)");
  EXPECT_THAT(runProgram({"check", "--arch", "sm_90", source}).out,
              HasSubstr("272 blocks of 'draw' where 264 fit on the GPU at "
                        "once"));
}

// What a thread reads from the tile serves four results already.
TEST(Lint, ATileOfEachThreadIsNotFineGrained) {
  InputFolder folder;
  const auto report = [&](const std::string &results) {
    return checkFor(folder.write("a.cu", R"(
__global__ void k(const float *a, const float *b, float *out, int n) {
  __shared__ float rows[32][33], columns[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  float sum[4] = {};
  for (int k = 0; k < n; k += 32) {
    rows[y][x] = a[(blockIdx.y * 32 + y) * n + k + x];
    columns[y][x] = b[(k + y) * n + blockIdx.x * 32 + x];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      for (int i = 0; i < )" + results + R"(; ++i)
        sum[i] += rows[(y + i) % 32][j] * columns[j][x];
    __syncthreads();
  }
  out[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x] =
      sum[0] + sum[1] + sum[2] + sum[3];
}
void run(const float *a, float *o, int n) {
  k<<<dim3(100, 100), dim3(32, 32)>>>(a, a, o, n);
}
)"),
                    "fine-grained-tile")
        .out;
  };
  EXPECT_THAT(report("1"), HasSubstr("[fine-grained-tile]"));
  EXPECT_THAT(report("4"), Not(HasSubstr("[fine-grained-tile]")));
}

// A method has no other name for its object than those of the members.
TEST(Lint, WhatAMethodStoresHasTheNameOfItsObject) {
  InputFolder folder;
  Outcome outcome = checkFor(folder.write("a.cu", R"(
struct Pixel {
  unsigned char b, g, r, a;
  __device__ void set(unsigned char v) { b = v; g = v; r = v; a = v; }
};
__global__ void k(Pixel *pixels, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  pixels[i].set(in[i]);
}
void run(Pixel *p, float *in) { k<<<8000, 256>>>(p, in); }
)"),
                             "narrow-access");
  EXPECT_THAT(outcome.out, HasSubstr("fix: access 'pixels' by 4"));
}

// One instance stores a number, and the other one copies a structure.
TEST(Lint, ACopyInATemplateLoadsItsRightSide) {
  InputFolder folder;
  Outcome outcome = runProgram({"accesses", folder.write("a.cu", R"(
typedef struct { unsigned char x, y; } Pair;
template <class T> __global__ void copy(T *out, const T *in) {
  out[threadIdx.x] = in[threadIdx.x];
}
void run(Pair *a, char *b) {
  copy<<<1, 32>>>(a, a);
  copy<<<1, 32>>>(b, b);
}
)")});
  llvm::StringRef text = outcome.out;
  EXPECT_EQ(text.count("load     1 bytes  in[threadIdx.x]"), 3u) << outcome.out;
  EXPECT_EQ(text.count("store    1 bytes  out[threadIdx.x]"), 3u)
      << outcome.out;
}

// A maximum is no sum.
TEST(Lint, ALoopThatWaitsForEachLoadHasAResult) {
  InputFolder folder;
  Outcome outcome = checkFor(folder.write("a.cu", R"(
__global__ void k(const float *in, float *out, unsigned n) {
  float most = in[0];
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
    most = fmaxf(most, in[i]);
  out[threadIdx.x] = most;
}
void run(float *a, unsigned n) { k<<<100, 256>>>(a, a, n); }
)"),
                             "serial-accumulation");
  EXPECT_THAT(outcome.out, HasSubstr("('in[i]'), which one result continues "
                                     "with"));
}

// 't % (2 * s)' goes with the steps of the reduction, whose cure has none.
TEST(Lint, ADivisionInATreeReductionIsPartOfIt) {
  InputFolder folder;
  const Outcome outcome = checkFor(folder.write("a.cu", R"(
__global__ void sum(const float *in, float *out) {
  __shared__ float part[256];
  unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0)
      part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = part[0];
}
void run(const float *in, float *out) { sum<<<1024, 256>>>(in, out); }
)"),
                                   "shared-tree-reduction,costly-division");
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("[shared-tree-reduction]"),
                                 Not(HasSubstr("[costly-division]"))));
}

// One change of the index ends them all: six findings would say it six times.
TEST(Lint, DivisionsThatTakeAnIndexApartAreOneFinding) {
  InputFolder folder;
  Outcome outcome = checkOnly(folder.write("a.cu", R"(
__global__ void sum(int *out, int n, int width, int height, int depth) {
  int total = 0;
  for (int i = threadIdx.x; i < n; i += 32)
    total += i % width + 3 * ((i / width) % height) ^ 5 * ((i / depth) % 9);
  out[threadIdx.x] = total;
}
void run(int *out, int w, int h, int d) {
  sum<<<1000, 32>>>(out, 1 << 20, w, h, d);
}
)"));
  EXPECT_EQ(llvm::StringRef(outcome.out).count("[costly-division]"), 1u)
      << outcome.out;
}

// 10,000 sources took 3 GiB: expressions hold what was evaluated of them.
// A number of 16 bits in a structure: one type to change, wherever its operator
// is inlined.
TEST(Lint, ANarrowMemberIsOneFindingForAllCallsOfItsOperator) {
  InputFolder folder;
  Outcome outcome = checkFor(folder.write("a.cu", R"(
struct Fixed {
  short value;
  __device__ Fixed operator*(Fixed o) const {
    return {short(value * o.value >> 14)};
  }
};
__global__ void k(short *out, int n, Fixed p, Fixed q) {
  Fixed x{short(threadIdx.x)}, y{short(blockIdx.x)};
  for (int i = 0; i < n; ++i) {
    x = x * p;
    y = y * q;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x.value + y.value;
}
)"),
                             "narrow-integer-arithmetic");
  EXPECT_EQ(llvm::StringRef(outcome.out).count("[narrow-integer-arithmetic]"),
            1u)
      << outcome.out;
}

TEST(Lint, ModelsThatTheCacheHasDoNotStayInMemory) {
  InputFolder folder;
  Options options;
  options.command = CommandName::Check;
  options.compiling.judge = false;
  options.cache.folder = folder / "cache";
  options.sources.paths = {folder.write("a.cu", strided)};
  usleep(15'000); // files that change during a run are not stored
  auto findingsIn = [&](bool keepsModels, unsigned kernels) {
    auto batch = readBatch(options, Want::Outlines);
    EXPECT_TRUE(bool(batch));
    const auto see = [](const CompiledSource &,
                        const std::vector<CostedKernel> &) {};
    Outcomes outcomes =
        lint(*batch, options, {.see = see, .keepsModels = keepsModels});
    EXPECT_EQ(batch->sources[0].model.kernels.size(), kernels);
    EXPECT_EQ(batch->sources[0].hasModel, keepsModels);
    return outcomes.sources.at(0).linted.findings.size();
  };
  EXPECT_EQ(findingsIn(/*keepsModels=*/false, 0), 1u) << "read and forgotten";
  EXPECT_EQ(findingsIn(/*keepsModels=*/false, 0), 1u) << "recalled";
  EXPECT_EQ(findingsIn(/*keepsModels=*/true, 1), 1u) << "recalled and kept";
  auto batch = readBatch(options, Want::Outlines);
  ASSERT_TRUE(bool(batch));
  EXPECT_FALSE(batch->sources[0].hasModel);
  Store(options.cache.folder).clear();
  EXPECT_EQ(lint(*batch, options, {}).sources.at(0).linted.findings.size(), 1u)
      << "lost by the cache and read again";
}

} // namespace
