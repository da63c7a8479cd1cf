#include "compiled/cubin.h"
#include "nvcc.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"
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
  auto read = readLocalInstructions(MemoryBufferRef(bytes, "x.cubin"));
  return read ? "" : toString(read.takeError());
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
  auto read = readLocalInstructions(MemoryBufferRef(bytes, "x.cubin"));
  ASSERT_TRUE(!!read) << toString(read.takeError());
  ASSERT_EQ(read->size(), 3u);
  EXPECT_TRUE(read->at("_Z5cleanPf").empty());
  for (const char *kernel :
       {"_Z5countILi64EEvPfPKii", "_Z5countILi8EEvPfPKii"}) {
    unsigned loads = 0, stores = 0;
    for (const LocalInstruction &local : read->at(kernel)) {
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
TEST_P(Cubin, SaysHowWideSharedAccessesAre) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: cubins are not tested at all";
  std::string bytes = compileForTests(nvcc, R"(
template <class T> __global__ void turn(const T *in, T *out) {
  __shared__ T s[256];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[255 - threadIdx.x];
}
template __global__ void turn(const unsigned char *, unsigned char *);
template __global__ void turn(const short *, short *);
template __global__ void turn(const float *, float *);
template __global__ void turn(const double *, double *);
template __global__ void turn(const float4 *, float4 *);
)",
                                      "-cubin", GetParam());
  auto read = readSharedInstructions(MemoryBufferRef(bytes, "x.cubin"));
  ASSERT_TRUE(!!read) << toString(read.takeError());
  for (auto [kernel, width] : {std::pair("_Z4turnIhEvPKT_PS0_", 1u),
                               {"_Z4turnIsEvPKT_PS0_", 2u},
                               {"_Z4turnIfEvPKT_PS0_", 4u},
                               {"_Z4turnIdEvPKT_PS0_", 8u},
                               {"_Z4turnI6float4EvPKT_PS1_", 16u}}) {
    ASSERT_TRUE(read->count(kernel)) << kernel;
    const auto &shared = read->at(kernel);
    ASSERT_EQ(shared.size(), 2u) << kernel;
    EXPECT_TRUE(shared[0].isStore) << kernel;
    EXPECT_EQ(shared[0].line, 4u) << kernel;
    EXPECT_FALSE(shared[1].isStore) << kernel;
    EXPECT_EQ(shared[1].line, 6u) << kernel;
    for (const SharedInstruction &instruction : shared)
      EXPECT_EQ(instruction.bytes, width) << kernel;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, Cubin,
                         testing::Values("sm_75", "sm_80", "sm_86", "sm_89",
                                         "sm_90", "sm_90a", "sm_100",
                                         "sm_120"));

TEST(CubinFile, WithoutLineinfoTheInstructionsAreStillThere) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: cubins are not tested at all";
  std::string bytes =
      compileForTests(nvcc, source, "-cubin", "sm_80", /*lineinfo=*/false);
  auto read = readLocalInstructions(MemoryBufferRef(bytes, "x.cubin"));
  ASSERT_TRUE(!!read) << toString(read.takeError());
  const auto &locals = read->at("_Z5countILi64EEvPfPKii");
  ASSERT_FALSE(locals.empty());
  EXPECT_EQ(locals.front().line, 0u);
  EXPECT_EQ(locals.front().file, "");
}

// A full disk or a killed nvcc leaves a part of a file.
TEST(CubinFile, DamageIsAnErrorAndNeverACrash) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: damaged cubins are not tested";
  std::string whole = compileForTests(nvcc, source, "-cubin", "sm_90");
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

TEST(CubinFile, OldMachineCodeIsSaidToBeUnread) {
  EXPECT_EQ(error(head(0x00230523, 7)),
            "the machine code of sm_35 is not read, only that of sm_70 and "
            "later");
  EXPECT_EQ(error(head(0x003d053d, 7)),
            "the machine code of sm_61 is not read, only that of sm_70 and "
            "later");
  EXPECT_EQ(error(head(0x00500550, 7)), "");
  EXPECT_EQ(error(head(0x09005a04, 8)), "");
}

TEST(CubinFile, OtherFilesAreSaidToBeNone) {
  EXPECT_EQ(error(""), "'x.cubin' is no cubin");
  EXPECT_EQ(error("__global__ void k() {}"), "'x.cubin' is no cubin");
  std::string host = head(0, 0);
  host[18] = 62; // x86-64
  EXPECT_EQ(error(host), "'x.cubin' holds no 64-bit CUDA machine code");
}

} // namespace
