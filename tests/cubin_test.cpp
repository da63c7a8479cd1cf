#include "machine/cubin.h"
#include "machine/ptxas.h"
#include "nvcc.h"
#include "test_paths.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace warplint;
using namespace llvm;

namespace {

const char *const source = R"(template <int N>
__global__ void count(float *out, const int *bins, int n) {
  int counts[N] = {};
  for (int i = 0; i < n; ++i)
    counts[bins[i]]++;
  for (int i = 0; i < N; ++i)
    out[threadIdx.x * N + i] = counts[i];
}
template __global__ void count<64>(float *, const int *, int);
__global__ void clean(float *out) { out[threadIdx.x] = 1; }
template __global__ void count<8>(float *, const int *, int);
)";

std::string error(StringRef bytes) {
  auto read = readCubin(MemoryBufferRef(bytes, "x.cubin"));
  return read ? "" : toString(read.takeError());
}

/// Empty, with a failure, if it cannot be read.
CubinReport read(StringRef bytes) {
  auto report = readCubin(MemoryBufferRef(bytes, "x.cubin"));
  if (report)
    return std::move(*report);
  ADD_FAILURE() << toString(report.takeError());
  return {};
}

const CubinFunction &find(const CubinReport &report, StringRef name) {
  for (const CubinFunction &function : report.functions)
    if (function.name == name)
      return function;
  ADD_FAILURE() << name.str() << " is not there";
  static const CubinFunction none;
  return none;
}

class Cubin : public testing::TestWithParam<const char *> {};

// Every architecture that nvcc 13 knows is encoded alike; were one not, its
// local arrays would all be refuted.
TEST_P(Cubin, FindsTheLinesOfEachKernel) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: cubins are not tested at all";
  std::string bytes = compileForTests(nvcc, source, "-cubin", GetParam());
  ASSERT_FALSE(bytes.empty()) << GetParam();
  CubinReport report = read(bytes);
  EXPECT_EQ(report.architecture, GetParam());
  ASSERT_EQ(report.functions.size(), 3u);
  EXPECT_TRUE(find(report, "_Z5cleanPf").locals.empty());
  for (const char *kernel :
       {"_Z5countILi64EEvPfPKii", "_Z5countILi8EEvPfPKii"}) {
    unsigned loads = 0, stores = 0;
    for (const LocalInstruction &local : find(report, kernel).locals) {
      ++(local.isStore ? stores : loads);
      EXPECT_TRUE(StringRef(local.file).ends_with("/source.cu")) << local.file;
      EXPECT_GE(local.line, 3u);
      EXPECT_LE(local.line, 7u);
    }
    EXPECT_GT(loads, 0u) << kernel;
    EXPECT_GT(stores, 0u) << kernel;
  }
}

// Two loads that ptxas makes one are no bank conflict, four that it leaves
// alone may be: what is 8 bytes wide must not be read as 4, nor the other way
// round.
TEST_P(Cubin, ReadsTheWidthOfSharedAccesses) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: cubins are not tested at all";
  std::string bytes = compileForTests(nvcc, R"(
template <class T> __global__ void reverse(const T *in, T *out) {
  __shared__ T s[256];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[255 - threadIdx.x];
}
template __global__ void reverse(const unsigned char *, unsigned char *);
template __global__ void reverse(const short *, short *);
template __global__ void reverse(const float *, float *);
template __global__ void reverse(const double *, double *);
template __global__ void reverse(const float4 *, float4 *);
)",
                                      "-cubin", GetParam());
  CubinReport report = read(bytes);
  for (auto [kernel, width] : {std::pair("_Z7reverseIhEvPKT_PS0_", 1u),
                               {"_Z7reverseIsEvPKT_PS0_", 2u},
                               {"_Z7reverseIfEvPKT_PS0_", 4u},
                               {"_Z7reverseIdEvPKT_PS0_", 8u},
                               {"_Z7reverseI6float4EvPKT_PS1_", 16u}}) {
    const auto &shared = find(report, kernel).shared;
    ASSERT_EQ(shared.size(), 2u) << kernel;
    EXPECT_TRUE(shared[0].isStore) << kernel;
    EXPECT_EQ(shared[0].line, 4u) << kernel;
    EXPECT_FALSE(shared[1].isStore) << kernel;
    EXPECT_EQ(shared[1].line, 6u) << kernel;
    for (const SharedInstruction &instruction : shared)
      EXPECT_EQ(instruction.bytes, width) << kernel;
  }
}

// A frame is shared out by what its instructions move where: an offset or a
// width that is misread gives an array's bytes to the spills.
TEST_P(Cubin, ReadsTheFrameOffsetAndWidthOfLocalAccesses) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: cubins are not tested at all";
  // Volatile: ptxas may join or drop none, and each is at a place of its own.
  std::string bytes = compileForTests(nvcc, R"(
__global__ void place(int n, int *out) {
  volatile double d[4];
  d[1] = n;
  volatile char c[8];
  c[3] = n;
  volatile short s[8];
  s[5] = n;
  volatile int i[4];
  i[n] = 1;
  *out = d[n] + c[n] + s[n];
}
)",
                                      "-cubin", GetParam());
  CubinReport report = read(bytes);
  const CubinFunction &place = find(report, "_Z5placeiPi");
  ASSERT_TRUE(place.stackFrame);
  std::map<unsigned, unsigned> byLine; // to bytes
  std::map<unsigned, int> offsets;
  for (const LocalInstruction &local : place.locals)
    if (local.isStore) {
      byLine[local.line] = local.bytes;
      EXPECT_EQ(local.frameOffset.has_value(), local.line != 10) << local.line;
      if (local.frameOffset) {
        offsets[local.line] = *local.frameOffset;
        EXPECT_GE(*local.frameOffset, 0);
        EXPECT_LE(*local.frameOffset + local.bytes, *place.stackFrame);
        EXPECT_EQ(*local.frameOffset % local.bytes, 0u);
      }
    } else {
      EXPECT_FALSE(local.frameOffset) << local.line;
    }
  EXPECT_EQ(byLine,
            (std::map<unsigned, unsigned>{{4, 8}, {6, 1}, {8, 2}, {10, 4}}));
  EXPECT_EQ(offsets[4] % 32, 8) << "the second of four doubles";
}

// A launch that is said to fit and does not is no help: these are the numbers
// ptxas prints, without its report.
TEST_P(Cubin, ReadsTheResourcesThatALaunchReserves) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: cubins are not tested at all";
  auto scratch = Scratch::create();
  ASSERT_TRUE(!!scratch) << toString(scratch.takeError());
  writeFile(scratch->path("source.cu"), R"(
__global__ void __launch_bounds__(96) bounded(int *out, int n) {
  __shared__ int s[96];
  int t[40];
  s[threadIdx.x] = n;
  __syncthreads();
  for (int i = 0; i < n; ++i)
    t[out[i]] = s[i];
  asm volatile("bar.sync 3;");
  *out = t[n];
}
__global__ void __launch_bounds__(1024) spilled(double *out) {
  double v[80];
#pragma unroll
  for (int i = 0; i < 80; ++i)
    v[i] = out[i];
#pragma unroll
  for (int i = 0; i < 80; ++i)
    out[i] = v[i] * v[79 - i] + v[(i + 40) % 80];
}
__global__ void dynamic(int *out) {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
  __syncthreads();
  *out = s[0];
}
)");
  auto exit = scratch->run({nvcc, "-cubin", "-Xptxas", "-v", "-w", "-arch",
                            GetParam(), "source.cu", "-o", "result"},
                           scratch->folder().str(), "output",
                           std::chrono::seconds(1000));
  ASSERT_TRUE(!!exit) << toString(exit.takeError());
  PtxasReport said = readPtxas(readFile(scratch->path("output")));
  ASSERT_EQ(said.usages.size(), 3u);
  CubinReport report = read(readFile(scratch->path("result")));
  for (const Usage &usage : said.usages) {
    SCOPED_TRACE(usage.kernel);
    const CubinFunction &function = find(report, usage.kernel);
    EXPECT_EQ(report.architecture, usage.architecture);
    EXPECT_TRUE(function.isKernel);
    EXPECT_EQ(function.registers, usage.registers);
    EXPECT_EQ(function.stackFrame, usage.stackFrame);
    EXPECT_EQ(function.cumulativeStack, usage.stackFrame);
    EXPECT_EQ(function.sharedMemory, usage.sharedMemory);
    EXPECT_EQ(function.barriers, usage.barriers);
  }
  using Threads = std::array<unsigned, 3>;
  EXPECT_EQ(find(report, "_Z7boundedPii").maxThreads, (Threads{96, 1, 1}));
  EXPECT_EQ(find(report, "_Z7boundedPii").barriers, 4u);
  EXPECT_EQ(find(report, "_Z7boundedPii").sharedMemory, 384u);
  EXPECT_FALSE(find(report, "_Z7dynamicPi").maxThreads);
  EXPECT_FALSE(find(report, "_Z7dynamicPi").requiredThreads);
  EXPECT_FALSE(find(report, "_Z7dynamicPi").maxRegisters);
}

INSTANTIATE_TEST_SUITE_P(Architectures, Cubin,
                         testing::Values("sm_75", "sm_80", "sm_86", "sm_89",
                                         "sm_90", "sm_90a", "sm_100",
                                         "sm_120"));

TEST(CubinFile, RelocatableCodeKeepsItsFunctions) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: cubins are not tested at all";
  auto scratch = Scratch::create();
  ASSERT_TRUE(!!scratch) << toString(scratch.takeError());
  writeFile(scratch->path("source.cu"), R"(
__device__ int chain(const int *in, int n) {
  int t[40];
  for (int i = 0; i < n; ++i)
    t[in[i]] = i;
  return n ? chain(in + n, t[n]) + t[n + 1] : 0;
}
__global__ void __block_size__((32, 2, 1)) start(int *out) {
  *out = chain(out, 3);
}
__global__ void __maxnreg__(40) most(int *out) { *out = 1; }
)");
  auto exit = scratch->run({nvcc, "-cubin", "-rdc=true", "-w", "-arch=sm_90",
                            "source.cu", "-o", "result"},
                           scratch->folder().str(), "output",
                           std::chrono::seconds(1000));
  ASSERT_TRUE(!!exit) << toString(exit.takeError());
  CubinReport report = read(readFile(scratch->path("result")));
  EXPECT_TRUE(report.isRelocatable);
  const CubinFunction &chain = find(report, "_Z5chainPKii");
  EXPECT_FALSE(chain.isKernel);
  EXPECT_GE(chain.stackFrame.value_or(0), 160u);
  EXPECT_FALSE(chain.locals.empty());
  const CubinFunction &start = find(report, "_Z5startPi");
  EXPECT_TRUE(start.isKernel);
  EXPECT_FALSE(start.cumulativeStack) << "it calls what recurses";
  EXPECT_EQ(start.requiredThreads, (std::array<unsigned, 3>{32, 2, 1}));
  EXPECT_FALSE(start.maxRegisters);
  EXPECT_EQ(find(report, "_Z4mostPi").maxRegisters, 40u);
}

/// A small one of those that the fuzzer starts from: they are there without an
/// nvcc, too.
std::string committed(StringRef name) {
  return readFile((WARPLINT_SOURCE_DIR "/fuzz/corpus/cubin/" + name).str());
}

TEST(CubinFile, CommittedCubinsAreReadWithoutNvcc) {
  CubinReport report = read(committed("sm_90a.cubin"));
  EXPECT_EQ(report.architecture, "sm_90a");
  ASSERT_EQ(report.functions.size(), 1u);
  const CubinFunction &k = report.functions.front();
  EXPECT_EQ(k.name, "_Z1kPKiPii");
  EXPECT_EQ(k.stackFrame, 160u);
  EXPECT_EQ(k.sharedMemory, 512u);
  EXPECT_EQ(k.barriers, 1u);
  EXPECT_EQ(k.maxThreads, (std::array<unsigned, 3>{128, 1, 1}));
  EXPECT_EQ(k.locals.size(), 2u);
  EXPECT_EQ(k.shared.size(), 2u);
}

// CUDA 12 and earlier, sm_90 and earlier: the section's header has what CUDA 13
// has among the attributes.
TEST(CubinFile, AttributesOfOlderReleasesAreRead) {
  CubinReport report = read(committed("cuda11.cubin"));
  EXPECT_EQ(report.architecture, "sm_70");
  const CubinFunction &sh = find(report, "sh");
  EXPECT_TRUE(sh.isKernel);
  EXPECT_EQ(sh.registers, 10u);
  EXPECT_EQ(sh.stackFrame, 80u);
  EXPECT_EQ(sh.sharedMemory, 1000u);
  EXPECT_EQ(sh.barriers, 1u);
  const CubinFunction &req = find(report, "req");
  EXPECT_EQ(req.barriers, 3u);
  EXPECT_EQ(req.requiredThreads, (std::array<unsigned, 3>{32, 4, 2}));
  EXPECT_EQ(req.maxRegisters, 77u);
}

TEST(CubinFile, InstructionsAreReadWithoutLineInfo) {
  CubinReport report = read(committed("no-lines.cubin"));
  ASSERT_EQ(report.functions.size(), 1u);
  const auto &locals = report.functions.front().locals;
  ASSERT_FALSE(locals.empty());
  EXPECT_EQ(locals.front().line, 0u);
  EXPECT_EQ(locals.front().file, "");
}

// A full disk or a killed nvcc leaves a part of a file.
TEST(CubinFile, DamagedCubinsAreErrorsAndNeverCrash) {
  std::string whole = committed("sm_90a.cubin");
  ASSERT_FALSE(whole.empty());
  // Behind the table of sections only what a loader wants may be missing.
  size_t end = support::endian::read64le(&whole[40]) +
               support::endian::read16le(&whole[60]) * 64;
  for (size_t length = 0; length < end; length += 97)
    EXPECT_NE(error(StringRef(whole).take_front(length)), "") << length;
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    std::string broken = whole;
    for (int i = 0; i < 1 + round % 50; ++i)
      broken[random() % (round % 2 ? broken.size() : 4096)] = char(random());
    (void)error(broken);
  }
}

/// The head of a cubin of CUDA 11 (ABI 7) without any section.
std::string head(unsigned flags, unsigned abi) {
  std::string bytes(64, '\0');
  bytes.replace(0, 9,
                std::string("\x7f"
                            "ELF\2\1\1\x33",
                            8) +
                    char(abi));
  bytes[16] = 2;         // executable
  bytes[18] = char(190); // EM_CUDA
  bytes[20] = 1;         // version
  support::endian::write32le(&bytes[48], flags);
  bytes[52] = 64; // size of this head
  bytes[58] = 64; // size of a section's
  return bytes;
}

TEST(CubinFile, UnsupportedMachineCodeIsReported) {
  EXPECT_EQ(error(head(0x00230523, 7)),
            "the machine code of sm_35 is not read, only that of sm_70 and "
            "later");
  EXPECT_EQ(error(head(0x003d053d, 7)),
            "the machine code of sm_61 is not read, only that of sm_70 and "
            "later");
  EXPECT_EQ(error(head(0x00500550, 7)), "");
  EXPECT_EQ(error(head(0x09005a04, 8)), "");
}

TEST(CubinFile, OtherFilesAreRejected) {
  EXPECT_EQ(error(""), "'x.cubin' is no cubin");
  EXPECT_EQ(error("__global__ void k() {}"), "'x.cubin' is no cubin");
  std::string host = head(0, 0);
  host[18] = 62; // x86-64
  EXPECT_EQ(error(host), "'x.cubin' holds no 64-bit CUDA machine code");
}

} // namespace
