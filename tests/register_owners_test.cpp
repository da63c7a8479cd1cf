// Who holds the registers of a kernel, by the real nvcc and nvdisasm.
#include "register_sources.h"
#include "llvm/Support/JSON.h"

using namespace warplint;
using testing::HasSubstr;

namespace {

TEST(RegisterOwners, NamesWhoHoldsThem) {
  NEEDS_NVDISASM;
  InputFolder folder;
  const std::string file = folder.write("a.cu", crowded);
  const Outcome run =
      runProgram({"registers", file, "--kernel", "product", "--arch", "sm_90"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("variable 'sum[8][8]'"));
  EXPECT_THAT(run.out, HasSubstr("address into 'a'"));
  EXPECT_THAT(run.out, HasSubstr("elements of 'sum[8][8]' hold 6"));
  EXPECT_THAT(run.out, testing::Not(HasSubstr("tight")));
}

// A sum that is not the peak's would be a claim about registers that nobody
// holds.
TEST(RegisterOwners, OwnersAddUpToThePeak) {
  NEEDS_NVDISASM;
  InputFolder folder;
  const std::string file = folder.write("a.cu", crowded);
  const Outcome run = runProgram(
      {"registers", file, "--arch", "sm_80,sm_90,sm_120", "--format", "json"});
  auto rows = llvm::json::parse(run.out);
  ASSERT_TRUE(bool(rows)) << llvm::toString(rows.takeError());
  EXPECT_EQ(rows->getAsArray()->size(), 6u);
  for (const llvm::json::Value &row : *rows->getAsArray()) {
    const llvm::json::Object &object = *row.getAsObject();
    int64_t sum = 0;
    for (const llvm::json::Value &owner : *object.getArray("owners"))
      sum += *owner.getAsObject()->getInteger("registers");
    EXPECT_EQ(sum, *object.getInteger("live"));
    EXPECT_LE(sum, *object.getInteger("registers"));
    EXPECT_GE(10 * *object.getInteger("named"), 9 * sum);
  }
}

TEST(RegisterOwners, NamesWhatIsSpilled) {
  NEEDS_NVDISASM;
  InputFolder folder;
  const std::string file = folder.write("a.cu", crowded);
  const Outcome run =
      runProgram({"registers", file, "--kernel", "tight", "--arch", "sm_90"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("is spilled: "));
  EXPECT_THAT(run.out, HasSubstr("in a loop"));
  EXPECT_THAT(run.out, HasSubstr("tried without its limits: "));
  const Outcome check = runProgram(
      {"check", file, "--check", "register-spill", "--arch", "sm_90"});
  EXPECT_THAT(check.out, HasSubstr("is spilled: "));
}

/// What `registers` says of the kernels of a source.
std::string registersIn(const char *source) {
  InputFolder folder;
  const Outcome run = runProgram(
      {"registers", folder.write("a.cu", source), "--arch", "sm_90"});
  EXPECT_EQ(run.code, 0) << run.err;
  return run.out;
}

// ptxas turns short branches into guarded instructions, and keeps a register
// for what they write from the kernel's start.
TEST(RegisterOwners, NamesWhatAGuardedInstructionWillWrite) {
  NEEDS_NVDISASM;
  const std::string out = registersIn(R"(
__global__ void boundary(const int *listX, const int *listY, const int *listZ,
                         double *x, double *y, double *z, int n, int freeX,
                         int freeY, int freeZ) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (freeX == 0)
    x[listX[i]] = 0;
  if (freeY == 0)
    y[listY[i]] = 0;
  if (freeZ == 0)
    z[listZ[i]] = 0;
}
)");
  EXPECT_THAT(out, HasSubstr("parameter 'listX'"));
  EXPECT_THAT(out, HasSubstr("parameter 'listY'"));
  EXPECT_THAT(out, testing::Not(HasSubstr("unnamed")));
}

// The PTX has an array of the frame; ptxas selects among registers by the
// index.
TEST(RegisterOwners, NamesAnArrayThatPtxasKeepsInRegisters) {
  NEEDS_NVDISASM;
  const std::string out = registersIn(R"(
__global__ void nearest(const int *x, int *out, int n, int radius) {
  int best[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 8; ++k)
    best[k] = radius;
  for (int j = 0; j < n; ++j) {
    int distance = x[j] * x[j];
    int k = distance & 7;
    if (distance < best[k]) {
      out[i * 8 + k] = j;
      best[k] = distance;
    }
  }
}
)");
  EXPECT_THAT(out, HasSubstr("elements of 'best[8]' hold "));
  EXPECT_THAT(out, testing::Not(HasSubstr("__local_depot")));
}

// `.loc 1 0`: what the compiler moved out of a loop belongs to its use.
TEST(RegisterOwners, NamesWhatIsMovedOutOfALoopOfAMacro) {
  NEEDS_NVDISASM;
  const std::string out = registersIn(R"(
#define KERNEL_LOOP(i, n) \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); \
       i += blockDim.x * gridDim.x)
template <class T>
__global__ void mask(int N, int M, int B, const T *in, T fill, T *out) {
  if (B >= 0) {
    KERNEL_LOOP(index, B * N * M) {
      int k = index % M;
      int j = (index - k) / M % N;
      out[index] = k >= j ? fill : in[index];
    }
  } else {
    KERNEL_LOOP(index, N * M) {
      int i = index / M;
      int j = index % M;
      out[index] = i <= j ? fill : in[index];
    }
  }
}
template __global__ void mask<int>(int, int, int, const int *, int, int *);
)");
  EXPECT_THAT(out, HasSubstr("`KERNEL_LOOP(index, B * N * M)`"));
  EXPECT_THAT(out, testing::Not(HasSubstr("unnamed")));
}

// Values that are not needed at once share bytes of the frame: each has its own
// lines.
TEST(RegisterOwners, TellsApartWhatSharesAWordOfTheFrame) {
  NEEDS_NVDISASM;
  const std::string out = registersIn(R"(
__global__ void __maxnreg__(32)
phases(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float early[40], late[40];
#pragma unroll
  for (int k = 0; k < 40; ++k)
    early[k] = a[k * n + i];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 40; ++k)
    c[k * n + i] = early[k] * early[39 - k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 40; ++k)
    late[k] = b[k * n + i];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 40; ++k)
    c[k * n + i] = late[k] * late[39 - k];
}
)");
  auto linesOf = [&](llvm::StringRef name) {
    const auto line = llvm::StringRef(out).split(name).second.split('\n').first;
    return line.split("stored at").second.str();
  };
  const std::string early = linesOf("variable 'early[40]' is spilled");
  const std::string late = linesOf("variable 'late[40]' is spilled");
  EXPECT_THAT(early, testing::ContainsRegex("loaded at line.* 12")) << out;
  EXPECT_THAT(early, testing::Not(testing::ContainsRegex("16|20")));
  EXPECT_THAT(late, HasSubstr("loaded at line 20,")) << out;
}

} // namespace
