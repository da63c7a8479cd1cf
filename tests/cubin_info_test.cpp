// The attributes that ptxas writes into a cubin, of real ones.
#include "machine/cubin_info.h"
#include "nvcc.h"
#include <gtest/gtest.h>

using namespace warplint;
using namespace llvm;

namespace {

const char *const source = R"(
extern "C" __global__ void __launch_bounds__(128) bounded(float *a) {
  a[threadIdx.x] = 1;
}
extern "C" __global__ void shared(float *a) {
  __shared__ float tile[256];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = tile[255 - threadIdx.x];
}
extern "C" __global__ void framed(float *a, const int *at, int n) {
  float own[64];
  for (int i = 0; i < 64; ++i)
    own[i] = a[i];
  for (int i = 0; i < n; ++i)
    own[at[i] & 63] += 1;
  a[0] = own[at[0] & 63];
}
)";

/// A cubin, read by this module alone.
struct CubinInfo : testing::Test {
  std::string bytes;
  std::map<std::string, CubinFunction> functions;
  SpillMarks spills;
  bool accelerated = false;

  void read(unsigned number) {
    std::map<std::string, CubinFunction *> byName;
    for (const char *name : {"bounded", "shared", "framed"})
      byName[name] = &(functions[name] = CubinFunction());
    auto elf = CubinElf::create(bytes);
    ASSERT_TRUE(bool(elf)) << toString(elf.takeError());
    auto sections = elf->sections();
    ASSERT_TRUE(bool(sections)) << toString(sections.takeError());
    spills = readInfo(*elf, *sections, number, byName);
    accelerated = isAccelerated(*elf, *sections);
  }
  void compile(const std::string &architecture, unsigned number) {
    const std::string nvcc = nvccForTests();
    if (nvcc.empty())
      GTEST_SKIP() << "NO NVCC: there is no cubin to read";
    bytes = compileForTests(nvcc, source, "-cubin", architecture);
    ASSERT_FALSE(bytes.empty());
    read(number);
  }
  /// Where the section begins in the file, and its size.
  std::pair<uint64_t, uint64_t> section(StringRef name) const {
    auto elf = cantFail(CubinElf::create(bytes));
    for (const CubinSection &one : cantFail(elf.sections()))
      if (sectionName(elf, one) == name)
        return {one.sh_offset, one.sh_size};
    return {0, 0};
  }
};

} // namespace

// Occupancy rests on each of these.
TEST_F(CubinInfo, AKernelHasItsResourcesAndItsLimits) {
  compile("sm_90", 90);
  if (IsSkipped())
    return;
  const CubinFunction &bounded = functions["bounded"];
  ASSERT_TRUE(bounded.maxThreads);
  EXPECT_EQ((*bounded.maxThreads)[0], 128u);
  EXPECT_FALSE(functions["shared"].maxThreads);
  EXPECT_FALSE(bounded.requiredThreads);
  EXPECT_EQ(bounded.stackFrame, 0u);
  EXPECT_EQ(functions["framed"].stackFrame, 256u);
  EXPECT_EQ(functions["framed"].cumulativeStack, 256u);
  for (const auto &[name, function] : functions) {
    EXPECT_GT(function.parameters, 0u) << name;
    EXPECT_FALSE(function.maxRegisters) << name;
  }
}

// The system's own kilobyte is none of the kernel's, and before sm_90 there is
// none.
TEST_F(CubinInfo, SharedMemoryIsTheKernelsOwn) {
  compile("sm_90", 90);
  if (IsSkipped())
    return;
  EXPECT_EQ(functions["shared"].sharedMemory, 1024u);
  EXPECT_EQ(functions["bounded"].sharedMemory, 0u);
  compile("sm_80", 80);
  EXPECT_EQ(functions["shared"].sharedMemory, 1024u);
}

// A local array that is no spill has no mark.
TEST_F(CubinInfo, AnArrayIsNoSpill) {
  compile("sm_90", 90);
  if (IsSkipped())
    return;
  EXPECT_TRUE(spills[&functions["framed"]].empty());
}

// Code for sm_90a runs on no other machine.
TEST_F(CubinInfo, AnArchitectureWithFeaturesOfItsOwnIsToldApart) {
  compile("sm_90", 90);
  if (IsSkipped())
    return;
  EXPECT_FALSE(accelerated);
  compile("sm_90a", 90);
  EXPECT_TRUE(accelerated);
}

// A cubin comes from anywhere: an attribute that is longer than its section
// ends the reading, and what came before stays.
TEST_F(CubinInfo, BrokenAttributesAreSkipped) {
  compile("sm_90", 90);
  if (IsSkipped())
    return;
  const auto [begin, size] = section(".nv.info.bounded");
  ASSERT_GT(size, 8u);
  const std::string whole = bytes;
  for (uint64_t at = 0; at < size; ++at)
    for (char value : {'\0', '\x04', '\xff'}) {
      bytes = whole;
      bytes[begin + at] = value;
      read(90);
      EXPECT_TRUE(!functions["shared"].maxThreads) << at;
      EXPECT_EQ(functions["framed"].stackFrame, 256u)
          << "of another section: " << at;
    }
  // The first attribute claims more bytes than there are.
  bytes = whole;
  bytes[begin] = 4;
  bytes[begin + 2] = bytes[begin + 3] = '\xff';
  read(90);
  EXPECT_FALSE(functions["bounded"].maxThreads);
  EXPECT_EQ(functions["bounded"].parameters, 0u);
}
