// The `fix:` lines of findings: they name what the program has.
#include "program_runs.h"
#include "llvm/Support/FormatVariadic.h"

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

struct Remedies : testing::Test {
  InputFolder folder;
  std::string reportOn(const std::string &text) {
    const std::string file = folder.write("a.cu", text);
    return runProgram(
               {"check", "--all", "--minor", "--no-judge", "--no-cache", file})
        .out;
  }
};

} // namespace

// 'cudaMemcpyAsync' takes no symbol.
TEST_F(Remedies, ACopyHasTheAsynchronousFormOfItsOwnName) {
  const std::string out = reportOn(
      "#include <cuda_runtime.h>\n"
      "__constant__ float table[64];\n"
      "__global__ void k(float *x) { x[threadIdx.x] *= table[threadIdx.x]; }\n"
      "void run(float *x, const float *h, int n) {\n"
      "  for (int i = 0; i < n; ++i) {\n"
      "    cudaMemcpyToSymbol(table, h + i * 64, sizeof(table));\n"
      "    k<<<1, 64>>>(x);\n"
      "  }\n"
      "}\n");
  EXPECT_THAT(out, HasSubstr("or with cudaMemcpyToSymbolAsync from pinned"));
}

TEST_F(Remedies, TwoLoopsWithOneBoundNeedOneTemplateParameter) {
  const std::string out = reportOn(
      "__global__ void k(float *__restrict__ x, const float *__restrict__ a,\n"
      "                  int size, int n) {\n"
      "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  for (int k = 0; k < n; ++k)\n"
      "    for (int i = 0; i < size; ++i)\n"
      "      for (int j = 0; j < size; ++j)\n"
      "        x[(row * size + i) * size + j] = a[(k * size + i) * size + j];\n"
      "}\n"
      "void run(float *a, int n) { k<<<16, 256>>>(a, a, n, n); }\n");
  EXPECT_THAT(out, HasSubstr("make 'size' a template parameter of the kernel, "
                             "and keep 'x["));
}

// 'if 'd' is small, make 'd' ..., and make 'rows' ...' asked for an array of d
// times rows elements and spoke of d alone.
TEST_F(Remedies, AllBoundsOfALocalArrayAreToBeSmall) {
  const std::string out = reportOn(
      "__global__ void k(float *__restrict__ x, const float *__restrict__ a,\n"
      "                  int rows, int d, int n) {\n"
      "  int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  for (int k = 0; k < n; ++k)\n"
      "    for (int i = 0; i < rows; ++i)\n"
      "      for (int j = 0; j < d; ++j)\n"
      "        x[(t * rows + i) * d + j] = a[(k * rows + i) * d + j];\n"
      "}\n"
      "void run(float *a, int n) { k<<<16, 256>>>(a, a, n, n, n); }\n");
  EXPECT_THAT(out, HasSubstr("fix: if 'd' and 'rows' are small, make 'd' a "
                             "template parameter of the kernel, make 'rows' a "
                             "template parameter of the kernel, and keep 'x["));
}

// A minimum and a maximum have the remedy of a sum: one thread of the block
// updates. The six sides of a box in warp's volumes were six findings.
TEST_F(Remedies, AtomicsOfAllThreadsUnderOneConditionAreOneFinding) {
  const std::string out =
      reportOn("__global__ void k(int *a, int *b, int *c, const int *x, const "
               "int *y, int n) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  if (i >= n) return;\n"
               "  atomicMin(a, x[i]);\n"
               "  atomicMin(b, y[i]);\n"
               "  atomicMax(c, x[i]);\n"
               "}\n"
               "void run(int *a, int *x, int n) {\n"
               "  k<<<n / 256, 256>>>(a, a + 1, a + 2, x, x, n);\n"
               "}\n");
  EXPECT_THAT(out, HasSubstr("[contended-atomic]"));
  EXPECT_THAT(out, HasSubstr("the same at lines 5, 6"));
}

// 'the same change ends it for 'low'' stood at a store to 'lock', since no
// reduction by the block replaces an exchange.
TEST_F(Remedies, AnExchangeIsNoPartOfAReduction) {
  const std::string out =
      reportOn("__global__ void k(int *low, int *lock, const int *x) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  atomicMin(low, x[i]);\n"
               "  atomicExch(lock, 0);\n"
               "}\n"
               "void run(int *a, int n) {\n"
               "  k<<<n / 256, 256>>>(a, a + 1, a + 2);\n"
               "}\n");
  EXPECT_THAT(out, AllOf(HasSubstr("'lock', the same in all blocks"),
                         HasSubstr("'low', the same in all blocks"),
                         Not(HasSubstr("the same change"))));
}

// The transpositions of LeetCUDA: 'out' is a matrix, and other rows of the
// block write between what a warp writes, so there are no arrays to make of it.
TEST_F(Remedies, WhatOtherThreadsWriteBetweenLanesIsNoStructure) {
  const std::string out =
      reportOn("__global__ void k(const float *in, float *out, int rows) {\n"
               "  const int x = threadIdx.x, y = threadIdx.y;\n"
               "  const int row = blockIdx.x * 16 + y % 4 * 4;\n"
               "  out[row * rows + blockIdx.y * 64 + x * 4 + y / 4] =\n"
               "      in[(blockIdx.x * 16 + y) * rows + x];\n"
               "}\n"
               "void run(float *a, int n) {\n"
               "  k<<<dim3(n / 16, n / 64), dim3(16, 16)>>>(a, a, n);\n"
               "}\n");
  EXPECT_THAT(out, HasSubstr("let neighbouring lanes differ in the quotient"));
  EXPECT_THAT(out, Not(HasSubstr("arrays")));
}

// Each block takes one of three channels, and no thread of it the others: lanes
// cannot differ in a remainder that is one number for the block.
TEST_F(Remedies, ARemainderOfBlocksSaysNothingOfOtherThreads) {
  const std::string out =
      reportOn("__global__ void k(const float *in, float *out, int n) {\n"
               "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  const int c = blockIdx.y % 3;\n"
               "  out[c * n + i] = in[3 * i + c];\n"
               "}\n"
               "void run(float *a, int n) {\n"
               "  k<<<dim3(n / 256, 3), 256>>>(a, a, n);\n"
               "}\n");
  EXPECT_THAT(out, HasSubstr("'in' as 3 arrays, one for each of the 3 parts"));
  EXPECT_THAT(out, Not(HasSubstr("quotient")));
}

// The elements of a structure have no numbers.
TEST_F(Remedies, OnlyAnArrayIsLoopedOver) {
  const std::string out = reportOn(
      "struct Masks { unsigned word[6]; int first; };\n"
      "__global__ void k(const int *at, const unsigned *in, unsigned *out) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  Masks masks;\n"
      "  for (int j = 0; j < 6; ++j) masks.word[j] = in[i * 6 + j];\n"
      "  for (int j = 0; j < i; ++j) {\n"
      "    masks.first = at[j];\n"
      "    out[i] += masks.word[masks.first];\n"
      "  }\n"
      "}\n"
      "__global__ void plain(const int *at, const unsigned *in,\n"
      "                      unsigned *out) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  unsigned words[6];\n"
      "  for (int j = 0; j < 6; ++j) words[j] = in[i * 6 + j];\n"
      "  for (int j = 0; j < i; ++j) out[i] += words[at[j]];\n"
      "}\n");
  EXPECT_THAT(out, HasSubstr("index of 'masks'"));
  EXPECT_THAT(out, Not(HasSubstr("loop over the elements of 'masks'")));
  EXPECT_THAT(out, HasSubstr("fix: loop over the elements of 'words'"));
}

// The member that holds the pointer is the class's own affair.
TEST_F(Remedies, APointerInAClassIsNamedByTheObject) {
  const std::string out = reportOn(
      "struct Rows {\n"
      "  __device__ float &at(int i) const { return data_[i]; }\n"
      "  float *data_;\n"
      "};\n"
      "struct Bank { const float *taps; };\n"
      "__global__ void k(Rows rows, Bank bank, float *out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  for (int j = 0; j < n; ++j)\n"
      "    out[i + j * 4096] = rows.at(i + j * 4096) * bank.taps[i + j * "
      "4096];\n"
      "}\n"
      "void run(Rows r, Bank b, float *o) { k<<<16, 256>>>(r, b, o, 900); }\n");
  EXPECT_THAT(out, HasSubstr("[missing-restrict]"));
  EXPECT_THAT(out, Not(HasSubstr("'data_'")));
  EXPECT_THAT(out, HasSubstr("through local pointers declared"));
}

// '1.0f / a * b' is another number.
TEST_F(Remedies, ADivisorOfSeveralFactorsIsPutInParentheses) {
  auto dividingBy = [&](const std::string &divisor) {
    return reportOn("__global__ void k(float *x, float a, const float *v, int "
                    "n) {\n"
                    "  float sum = 0;\n"
                    "  for (int i = 0; i < n; ++i)\n"
                    "    sum += x[i * 32] / " +
                    divisor +
                    ";\n"
                    "  x[threadIdx.x] = sum;\n"
                    "}\n");
  };
  EXPECT_THAT(dividingBy("(a * 2.5f)"),
              HasSubstr("fix: compute 1.0f / (a * 2.5f) before the loop"));
  EXPECT_THAT(dividingBy("a"), HasSubstr("fix: compute 1.0f / a before"));
}

// The condition that ends before the first barrier ends before all of them.
TEST_F(Remedies, BarriersBehindOneConditionHaveOneRemedy) {
  const std::string out =
      reportOn("__global__ void k(float *x) {\n"
               "  __shared__ float s[256];\n"
               "  s[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];\n"
               "  if (threadIdx.x < 128) {\n"
               "    __syncthreads();\n"
               "    float other = s[threadIdx.x + 128];\n"
               "    __syncthreads();\n"
               "    s[threadIdx.x] += other;\n"
               "  }\n"
               "  x[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x];\n"
               "}\n"
               "void run(float *x) { k<<<64, 256>>>(x); }\n");
  const size_t first = out.find("[sync-in-divergent-branch]");
  ASSERT_NE(first, std::string::npos) << out;
  EXPECT_EQ(out.find("[sync-in-divergent-branch]", first + 1),
            std::string::npos)
      << out;
  EXPECT_THAT(out, HasSubstr("line 7"));
}

// A template that halves its threads and calls itself has one barrier.
TEST_F(Remedies, ABarrierInATemplateThatCallsItselfIsToldOnce) {
  const std::string out =
      reportOn("template <int n> struct Sum {\n"
               "  static __device__ void of(float *s) {\n"
               "    __syncthreads();\n"
               "    if (threadIdx.x < n) {\n"
               "      s[threadIdx.x] += s[threadIdx.x + n];\n"
               "      Sum<n / 2>::of(s);\n"
               "    }\n"
               "  }\n"
               "};\n"
               "template <> struct Sum<0> {\n"
               "  static __device__ void of(float *) {}\n"
               "};\n"
               "__global__ void k(float *x) {\n"
               "  __shared__ float s[256];\n"
               "  s[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];\n"
               "  Sum<128>::of(s);\n"
               "  x[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x];\n"
               "}\n"
               "void run(float *x) { k<<<64, 256>>>(x); }\n");
  EXPECT_EQ(llvm::StringRef(out).count("[sync-in-divergent-branch]"), 1u) << out;
  EXPECT_THAT(out, HasSubstr("only 128 of the 256 threads of a block reach"));
}

// Copies of a loop that steps by the block have a test between them, which no
// load passes: '#pragma unroll 4' gains 1.01x there, four loads by hand 2.6x.
TEST_F(Remedies, APragmaIsNamedWhereTheCompilerCanCountTheIterations) {
  auto sumBy = [&](const std::string &step) {
    return reportOn("__global__ void k(const float *in, float *out, int n) {\n"
                    "  float sum = 0;\n"
                    "#pragma unroll 1\n"
                    "  for (int i = threadIdx.x; i < n; i += " +
                    step +
                    ")\n"
                    "    sum += in[blockIdx.x * n + i];\n"
                    "  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;\n"
                    "}\n"
                    "void run(float *x, int n) { k<<<64, 256>>>(x, x, n); }\n");
  };
  EXPECT_THAT(sumBy("256"), HasSubstr("at once: '#pragma unroll 4' instead"));
  EXPECT_THAT(sumBy("int(blockDim.x)"),
              HasSubstr("at once: '#pragma unroll 4' instead"));
  EXPECT_THAT(sumBy("blockDim.x"),
              HasSubstr("at once: a counter and a step of type 'int'"));
}

// 45 comparisons took 6 times as long as the load that they were to replace.
TEST_F(Remedies, NoLongArrayIsSearchedForItsIndex) {
  auto arrayOf = [&](const std::string &length) {
    return reportOn("__global__ void k(const int *at, const int *in, int *out,"
                    " int n) {\n"
                    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                    "  int words[" +
                    length +
                    "];\n"
                    "  for (int j = 0; j < " +
                    length +
                    "; ++j) words[j] = in[i + j * 4096];\n"
                    "  int sum = 0;\n"
                    "  for (int j = 0; j < n; ++j) sum += words[at[j]];\n"
                    "  out[i] = sum;\n"
                    "}\n");
  };
  EXPECT_THAT(arrayOf("16"), HasSubstr("fix: loop over the elements"));
  EXPECT_THAT(arrayOf("45"), HasSubstr("index of 'words'"));
  EXPECT_THAT(arrayOf("45"), Not(HasSubstr("fix: loop over the elements")));
}

// '__restrict__' lets no load pass a store to the same array (1.03x measured).
TEST_F(Remedies, ALoadThatWaitsForItsOwnArrayGainsNothingByAPromise) {
  auto reportOf = [&](const std::string &statement) {
    return reportOn(
        "__global__ void k(float *a, const float *b, float *c, int n,\n"
        "                  int step) {\n"
        "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;\n"
        "       i += step)\n"
        "    " +
        statement +
        "\n"
        "}\n"
        "void run(float *a, float *b, float *c, int n, int step) {\n"
        "  k<<<4096, 256>>>(a, b, c, n, step);\n"
        "}\n");
  };
  EXPECT_THAT(reportOf("c[i] = b[i];"), HasSubstr("missing-restrict"));
  EXPECT_THAT(reportOf("c[i] = b[i];"), Not(HasSubstr("about 0 % of")));
  EXPECT_THAT(reportOf("a[i] *= b[i];"), HasSubstr("about 0 % of its time"));
}

// HeCBench's vote: 35 times as fast (H200), for the loop is left with nothing
// to load. Another store in the loop would keep it there.
TEST_F(Remedies, AStoreThatLeavesTakesALoadThatItKeptAlong) {
  auto reportOf = [&](const std::string &statement) {
    const std::string file = folder.write(
        "a.cu",
        "__global__ void k(const int *in, int *out, int *log, int n) {\n"
        "  int i = threadIdx.x;\n"
        "  for (int j = 0; j < n; ++j) {\n"
        "    out[i] = __any_sync(~0u, in[i]);\n"
        "    " +
            statement +
            "\n"
            "  }\n"
            "}\n"
            "void run(int *a, int n) { k<<<1, 128>>>(a, a, a, n); }\n");
    return runProgram({"check", "--minor", "--no-judge", "--no-cache",
                       "--check", "repeated-global-write", file})
        .out;
  };
  EXPECT_THAT(reportOf(""), testing::ContainsRegex("about [6-9]. % of its"));
  EXPECT_THAT(reportOf("log[j * 128 + i] = j;"),
              testing::ContainsRegex("about [0-4]?. % of its"));
}

// A length that each thread has loaded is no template argument.
TEST_F(Remedies, ABoundThatDataDecideIsNoTemplateParameter) {
  const std::string out = reportOn(
      "__global__ void k(const int *lengths, const float *in, float *out) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  int length = lengths[i];\n"
      "  float own[8];\n"
      "  for (int j = 0; j < length; ++j) own[j] = in[i + j * 4096];\n"
      "  float sum = 0;\n"
      "  for (int j = 0; j < length; ++j) sum += own[j] * own[0];\n"
      "  out[i] = sum;\n"
      "}\n"
      "void run(int *l, float *a) { k<<<64, 256>>>(l, a, a); }\n");
  EXPECT_THAT(out, HasSubstr("index of 'own'"));
  EXPECT_THAT(out, Not(HasSubstr("template parameter")));
  EXPECT_THAT(out, HasSubstr("fix: loop over the whole array under '#pragma "
                             "unroll', with a condition on 'length'"));
}

// The moduli of a number-theoretic kernel are a table: none is a constant.
TEST_F(Remedies, ADivisorOfATableIsNoTemplateArgument) {
  auto dividedBy = [&](const std::string &divisor) {
    return reportOn(
        "__constant__ unsigned primes[64];\n"
        "__global__ void k(unsigned *to, const unsigned *from, int count,\n"
        "                  int words, int n, unsigned q) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  for (int p = 0; p < count; ++p) {\n"
        "    unsigned rest = 0;\n"
        "    for (int w = 0; w < words; ++w)\n"
        "      rest = (from[w * n + i] + rest) % " +
        divisor +
        ";\n"
        "    to[p * n + i] = rest;\n"
        "  }\n"
        "}\n");
  };
  EXPECT_THAT(dividedBy("primes[p]"),
              HasSubstr("fix: compute the magic number of 'primes[p]' once"));
  EXPECT_THAT(dividedBy("q"), HasSubstr("make 'q' a template argument"));
}

// One loop is one place to change, whatever it stores.
TEST_F(Remedies, StoresOfOneLoopAreOneFinding) {
  const std::string out =
      reportOn("struct Parts { float x[4096], y[4096], z[4096]; };\n"
               "__global__ void k(Parts *to, const Parts *from, int n) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  for (int j = 0; j < n; ++j) {\n"
               "    to->x[i] += from->x[j];\n"
               "    to->y[i] += from->y[j];\n"
               "    to->z[i] += from->z[j];\n"
               "  }\n"
               "}\n"
               "void run(Parts *a, int n) { k<<<16, 256>>>(a, a, n); }\n");
  const llvm::StringRef text = out;
  EXPECT_EQ(text.count("[repeated-global-write]"), 1u);
  EXPECT_THAT(out, HasSubstr("the same at lines "));
}

// Three findings of one voxel's size (PCL's ray caster).
TEST_F(Remedies, DivisionsByTheComponentsOfAVectorAreOneFinding) {
  const std::string out = reportOn(
      "__global__ void k(float *x, float3 cell, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  float a = x[i], b = x[i + 1], c = x[i + 2], sum = 0;\n"
      "  for (int j = 0; j < n; ++j) {\n"
      "    sum += a / cell.x;\n"
      "    sum *= b / cell.y;\n"
      "    sum += c / cell.z;\n"
      "    a += sum; b -= sum; c += a;\n"
      "  }\n"
      "  x[i] = sum;\n"
      "}\n"
      "void run(float *x, int n) { k<<<16, 256>>>(x, {1, 2, 3}, n); }\n");
  const llvm::StringRef text = out;
  EXPECT_EQ(text.count("[costly-division]"), 1u) << out;
  EXPECT_THAT(out, HasSubstr("the same at lines "));
}

// A bitonic sort has the exponent of '1 << k': no loop need count it.
TEST_F(Remedies, AShiftedDivisorHasItsExponentAtHand) {
  const auto report = [&](const std::string &step) {
    return reportOn("__global__ void k(float *x, int n) {\n"
                    "  __shared__ float s[256];\n"
                    "  s[threadIdx.x] = x[threadIdx.x];\n"
                    "  " +
                    step +
                    "\n    __syncthreads();\n"
                    "    int segment = threadIdx.x / length;\n"
                    "    s[segment * length] += s[threadIdx.x];\n"
                    "  }\n"
                    "  x[threadIdx.x] = s[threadIdx.x];\n"
                    "}\n"
                    "void run(float *x, int n) { k<<<4096, 256>>>(x, n); }\n");
  };
  EXPECT_THAT(report("for (int d = n; d > 0; --d) { int length = 1 << d;"),
              HasSubstr("fix: shift by the exponent of 'length', which the "
                        "shifts that make it give"));
  EXPECT_THAT(report("for (int length = 1; length < n; length *= 2) {"),
              HasSubstr("fix: shift by the logarithm of 'length', which a loop "
                        "can count"));
}

// The condition is the guard of a return: nothing ends before the barrier.
TEST_F(Remedies, ThreadsThatReturnSkipTheWorkInstead) {
  const std::string out = reportOn("__global__ void k(float *x) {\n"
                                   "  __shared__ float s[64];\n"
                                   "  if (threadIdx.x >= 50) return;\n"
                                   "  s[threadIdx.x] = x[threadIdx.x];\n"
                                   "  __syncthreads();\n"
                                   "  x[threadIdx.x] = s[49 - threadIdx.x];\n"
                                   "}\n"
                                   "void run(float *x) { k<<<1, 64>>>(x); }\n");
  EXPECT_THAT(out, HasSubstr("fix: let the threads that return skip the loads "
                             "and stores, not the barrier"));
}

// Nobody keeps a structure of 40 members as 40 arrays.
TEST_F(Remedies, AMemberOfALargeStructureGetsAnArrayOfItsOwn) {
  const std::string out =
      reportOn("struct Cell { float state[39]; float mass; };\n"
               "__global__ void k(const Cell *cells, float *out) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  out[i] = cells[i].mass;\n"
               "}\n"
               "void run(Cell *c, float *a) { k<<<4096, 256>>>(c, a); }\n");
  EXPECT_THAT(out, HasSubstr("fix: keep 'mass' of all elements of 'cells' side "
                             "by side, in an array of its own"));
}

// Nobody cuts 'pos' and 'kind' into parts of 2 bytes; the member of a member is
// one of the same array.
TEST_F(Remedies, TheMembersThatAKernelUsesAreNamed) {
  const std::string out =
      reportOn("struct Body { float3 pos; float mass; int id; short kind; };\n"
               "__global__ void k(const Body *b, float *out) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  float mass = b[i].mass;\n"
               "  float y = b[i].pos.y;\n"
               "  out[i] = mass * y + b[i].kind;\n"
               "}\n"
               "void run(Body *c, float *a) { k<<<4096, 256>>>(c, a); }\n");
  EXPECT_EQ(llvm::StringRef(out).count("[strided-global-access]"), 1u) << out;
  EXPECT_THAT(out, HasSubstr("fix: keep 'mass', 'pos.y' and 'kind' of all "
                             "elements of 'b' side by side, each in an array "
                             "of its own"));
}

// Lanes use all of the table, one after the other.
TEST_F(Remedies, AMaskMakesNoElements) {
  const std::string out =
      reportOn("__global__ void k(const float *table, float *out) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  out[i] = table[i * 7 & 0xFFFFFF];\n"
               "}\n"
               "void run(float *a, float *b) { k<<<65536, 256>>>(a, b); }\n");
  EXPECT_THAT(out, HasSubstr("[strided-global-access]"));
  EXPECT_THAT(out, Not(HasSubstr("fix: "))) << out;
}

// The distance of two arrays is no number of elements.
TEST_F(Remedies, LanesOfTwoArraysAreNoDistanceApart) {
  const std::string out = reportOn(
      "__global__ void k(const float *a, const float *b, float *out) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  const float *p = threadIdx.x & 1 ? a : b;\n"
      "  out[i] = p[i];\n"
      "}\n"
      "void run(float *a, float *b, float *c) {\n"
      "  k<<<65536, 256>>>(a, b, c);\n"
      "}\n");
  EXPECT_THAT(out, HasSubstr("lane 1 reads another array than lane 0: 8 "
                             "sectors where 4 hold the bytes used"));
}

// A real and an imaginary part are two loads of one element.
TEST_F(Remedies, PartsOfOneElementAreLoadedAtOnce) {
  std::string text =
      "__global__ void k(const double *in, double *out) {\n"
      "  __shared__ double tile[2048];\n"
      "  int lane = threadIdx.x % 16, row = 512 * (threadIdx.x / 16);\n"
      "  int i = 2048 * blockIdx.x + row + 2 * lane;\n";
  for (unsigned at = 0; at < 512; at += 32)
    text += llvm::formatv("  tile[row + {0} + lane] = in[i + {0}];\n"
                          "  tile[row + {1} + lane] = in[i + {2}];\n",
                          at, at + 16, at + 1)
                .str();
  const std::string out =
      reportOn(text + "  __syncthreads();\n"
                      "  out[2048 * blockIdx.x + threadIdx.x] = "
                      "tile[2047 - threadIdx.x] * tile[threadIdx.x];\n"
                      "}\n"
                      "void run(double *a) { k<<<4096, 64>>>(a, a); }\n");
  EXPECT_THAT(out, Not(HasSubstr("[uncoalesced-tile-load]")));
  EXPECT_THAT(out, HasSubstr("fix: let each thread load its 2 neighbouring "
                             "elements of 'in' at once, as a vector of 16 "
                             "bytes"));
}

// Which tokens there are does not make the elements of a ring known.
TEST_F(Remedies, TheLengthOfALoopOverARingIsNoTemplateParameter) {
  const std::string out = reportOn(
      "__global__ void k(const float *in, float *out, int tokens) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  float last[15] = {};\n"
      "  for (int t = 0; t < tokens; ++t) {\n"
      "    last[t % 15] = in[t * 4096 + i];\n"
      "    float sum = 0;\n"
      "    for (int j = 0; j < 15; ++j) sum += last[(t + j) % 15] * j;\n"
      "    out[t * 4096 + i] = sum;\n"
      "  }\n"
      "}\n"
      "void run(float *a, int n) { k<<<16, 256>>>(a, a, n); }\n");
  EXPECT_THAT(out, HasSubstr("index of 'last'"));
  EXPECT_THAT(out, Not(HasSubstr("template parameter")));
}

// Nothing loads a tile of what a loop stores.
TEST_F(Remedies, ATileOfStoresIsWritten) {
  const std::string out = reportOn(
      "__global__ void k(const float *in, float *out) {\n"
      "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  for (int j = 0; j < 4096; ++j)\n"
      "    out[row * 4096 + j] = in[row] * j;\n"
      "}\n"
      "void run(const float *a, float *b) { k<<<64, 256>>>(a, b); }\n");
  EXPECT_THAT(out, HasSubstr("or collect tiles of 'out' in shared memory, and "
                             "write them so"));
}

// An argument is copied to shared memory once, with all of its tables.
TEST_F(Remedies, TablesOfOneArgumentAreCopiedTogether) {
  const std::string out = reportOn(
      "struct Tables { float inner[16], outer[16]; };\n"
      "__global__ void k(const int *type, float *out, Tables tables, int n) {\n"
      "  int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  float sum = 0;\n"
      "  for (int i = 0; i < n; ++i) {\n"
      "    int of = type[t + i * n] & 15;\n"
      "    sum += tables.inner[of] * tables.outer[of];\n"
      "  }\n"
      "  out[t] = sum;\n"
      "}\n"
      "void run(Tables t, int *a, float *b) { k<<<64, 256>>>(a, b, t, 99); }\n");
  EXPECT_THAT(out, HasSubstr("copy the members of 'tables' that loaded data "
                             "index into shared memory"));
  EXPECT_THAT(out, HasSubstr("ends it for 'tables.outer' as well"));
  EXPECT_THAT(out, Not(HasSubstr("address of 'tables.outer")));
}

// Only few values make a template parameter of a length.
TEST_F(Remedies, APragmaOnALongLoopGetsANumber) {
  const std::string out =
      reportOn("__global__ void k(const float *in, float *out, int n) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  float sum = 0;\n"
               "#pragma unroll\n"
               "  for (int j = 0; j < n; ++j) sum += in[j * 4096 + i];\n"
               "  out[i] = sum;\n"
               "}\n"
               "void run(float *a, int n) { k<<<64, 256>>>(a, a, n); }\n");
  EXPECT_THAT(out, HasSubstr("fix: take the pragma away, or give it a number; "
                             "if 'n' has few values, make 'n' a template "
                             "parameter of the kernel"));
}

// Of two doubles in one sum, either alone keeps it on the FP64 pipe.
TEST_F(Remedies, AllDoublesOfOneComputationAreNamed) {
  const auto report = [&](const std::string &value) {
    return reportOn("__global__ void k(float *v, double scale, int n) {\n"
                    "  float x = v[threadIdx.x], y = x;\n"
                    "  for (int k = 0; k < n; ++k) x = " +
                    value + ";\n  v[threadIdx.x] = x;\n}\n");
  };
  EXPECT_THAT(report("0.9 * x + 0.1 * y"),
              HasSubstr("fix: write '0.9f' and '0.1f'\n"));
  EXPECT_THAT(report("0.9 * x"), HasSubstr("fix: write '0.9f'\n"));
  EXPECT_THAT(report("0.9 * x * scale"),
              HasSubstr("fix: write '0.9f', and make 'scale' a float, or "
                        "convert it to one first"));
}

// Eight bits of a key that is rotated: an int alone computes another number.
TEST_F(Remedies, AnIntKeepsTheBitsThatItsNarrowTypeDropped) {
  const auto report = [&](const std::string &loop) {
    return reportOn("__global__ void k(unsigned char *p, unsigned char n) {\n"
                    "  unsigned char v = p[threadIdx.x];\n"
                    "  float sum = 0;\n  " +
                    loop + "\n  p[threadIdx.x] = v + int(sum);\n}\n");
  };
  EXPECT_THAT(
      report("for (int k = 0; k < 1000; ++k) v = v << 5 | v >> 3;"),
      HasSubstr("an 'int', and cut it off to 8 bits where it may wrap"));
  EXPECT_THAT(
      report("for (unsigned char k = 0; k < n; ++k) sum = sum * 2 + 1;"),
      HasSubstr("an 'int'\n"));
}
