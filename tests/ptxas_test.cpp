// Reports as ptxas wrote them: those of CUDA 13.0 were recorded for these
// tests, the older ones are from public build logs.
#include "machine/ptxas.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace warplint;

namespace {

std::string describe(const Usage &usage) {
  std::string text = usage.kernel + " " + usage.architecture + " r" +
                     std::to_string(usage.registers) + " f" +
                     std::to_string(usage.stackFrame) + " s" +
                     std::to_string(usage.spillStores) + "/" +
                     std::to_string(usage.spillLoads) + " m" +
                     std::to_string(usage.sharedMemory);
  if (usage.barriers)
    text += " b" + std::to_string(*usage.barriers);
  return text;
}

/// One line per usage, and "cut off" if the report says so.
std::string read(llvm::StringRef text) {
  PtxasReport report = readPtxas(text);
  std::string result;
  for (const Usage &usage : report.usages)
    result += describe(usage) + "\n";
  if (report.cutOff)
    result += "cut off\n";
  return result;
}

// nvcc 13.0 -gencode ... sm_75, sm_80, sm_90: constant memory is not reported
// for sm_90, `helper` is no kernel.
const char *const cuda13 = R"(
a.cu(11): warning #177-D: variable "x" was declared but never referenced
  __attribute__((global)) void unused_warn(float*o){ int x; o[0]=1; }
                                                         ^

Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"

ptxas info    : 4004 bytes gmem, 400 bytes cmem[3], 24 bytes cmem[4]
ptxas info    : Compiling entry function '_Z5callhPfi' for 'sm_80'
ptxas info    : Function properties for _Z5callhPfi
    64 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 64 bytes cumulative stack size, 364 bytes cmem[0]
ptxas info    : Compile time = 2.393 ms
ptxas info    : Function properties for _Z6helperPfi
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Compiling entry function '_Z2shPf' for 'sm_80'
ptxas info    : Function properties for _Z2shPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 14 registers, used 1 barriers, 4224 bytes smem, 360 bytes cmem[0]
ptxas info    : Compile time = 0.967 ms
ptxas info    : 4004 bytes gmem
ptxas info    : Compiling entry function '_Z2shPf' for 'sm_90'
ptxas info    : Function properties for _Z2shPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 14 registers, used 1 barriers, 4224 bytes smem
ptxas info    : Compile time = 1.223 ms
ptxas info    : Compiling entry function '_Z2tkILi64EEvPfPKii' for 'sm_90'
ptxas info    : Function properties for _Z2tkILi64EEvPfPKii
    256 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 256 bytes cumulative stack size
ptxas info    : Compile time = 14.973 ms
)";

TEST(Ptxas, ReadsSeveralArchitecturesOfCuda13) {
  EXPECT_EQ(read(cuda13), "_Z5callhPfi sm_80 r32 f64 s0/0 m0 b0\n"
                          "_Z2shPf sm_80 r14 f0 s0/0 m4224 b1\n"
                          "_Z2shPf sm_90 r14 f0 s0/0 m4224 b1\n"
                          "_Z2tkILi64EEvPfPKii sm_90 r32 f256 s0/0 m0 b0\n");
}

// nvcc 13.0 -rdc=true -maxrregcount 16 -Xptxas -v,-warn-spills,-warn-lmem-usage
TEST(Ptxas, DeviceFunctionsAndWarningsAreNoKernels) {
  EXPECT_EQ(read(R"(
ptxas warning : For profile sm_80 adjusting per thread register count of 16 to lower bound of 24
ptxas info    : Overriding maximum register limit 256 for '_Z5callhPfi' with  24 of maxrregcount option
ptxas warning : Registers are spilled to local memory in function '_Z5callhPfi', 12 bytes spill stores, 16 bytes spill loads
ptxas warning : Local memory used for function '_Z6helperPfi$1', size of stack frame: 72 bytes
ptxas info    : 4004 bytes gmem, 400 bytes cmem[3]
ptxas info    : Function properties for _Z6helperPfi$1
    72 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Compile time = 2.742 ms
ptxas info    : Compiling entry function '_Z5callhPfi' for 'sm_80'
ptxas info    : Function properties for _Z5callhPfi
    0 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 24 registers, used 0 barriers, 364 bytes cmem[0]
ptxas info    : Compile time = 0.869 ms
ptxas info    : Function properties for _Z6helperPfi
    72 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Compile time = 1.954 ms
)"),
            "_Z5callhPfi sm_80 r24 f0 s12/16 m0 b0\n");
}

// CUDA 8 (kmcuda, Galois): no barriers, device functions of the runtime.
TEST(Ptxas, ReadsCuda8) {
  EXPECT_EQ(read(R"(
ptxas info    : 1003 bytes gmem
ptxas info    : Function properties for _ZN14ComponentSpace4findEjb
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Compiling entry function '_ZN4mgpu12KernelReduceEv' for 'sm_35'
ptxas info    : Function properties for _ZN4mgpu12KernelReduceEv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 22 registers, 360 bytes cmem[0]
ptxas info    : Function properties for cudaGetDevice
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Compiling entry function '_Z25knn_calc' for 'sm_61'
ptxas info    : Function properties for _Z25knn_calc
    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 27 registers, 32768 bytes smem, 376 bytes cmem[0], 36 bytes cmem[2]
)"),
            "_ZN4mgpu12KernelReduceEv sm_35 r22 f0 s0/0 m0\n"
            "_Z25knn_calc sm_61 r27 f16 s0/0 m32768\n");
}

// CUDA 9.1 in Visual Studio (ccminer): each line has its project's number, and
// the properties of what a kernel calls stand inside its block.
TEST(Ptxas, ReadsCuda9InVisualStudio) {
  EXPECT_EQ(
      read("1>  ptxas info    : Compiling entry function '_Z14digit_last' for "
           "'sm_30'\r\n"
           "1>  ptxas info    : Function properties for _Z14digit_last\r\n"
           "1>      696 bytes stack frame, 800 bytes spill stores, 1872 bytes "
           "spill loads\r\n"
           "1>  ptxas info    : Function properties for __uAtomicAdd\r\n"
           "1>      8 bytes stack frame, 8 bytes spill stores, 8 bytes spill "
           "loads\r\n"
           "1>  ptxas info    : Used 63 registers, 712 bytes cumulative stack "
           "size, 8192 bytes smem, 324 bytes cmem[0], 4 bytes cmem[2]\r\n"),
      "_Z14digit_last sm_30 r63 f696 s800/1872 m8192\n");
}

TEST(Ptxas, ProjectsOfVisualStudioAreKeptApart) {
  EXPECT_EQ(
      read("1>ptxas info    : Compiling entry function 'a' for 'sm_60'\n"
           "2>ptxas info    : Compiling entry function 'b' for 'sm_60'\n"
           "1>ptxas info    : Function properties for a\n"
           "2>ptxas info    : Function properties for b\n"
           "2>    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
           "loads\n"
           "1>    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
           "loads\n"
           "2>ptxas info    : Used 20 registers, 328 bytes cmem[0]\n"
           "1>ptxas info    : Used 10 registers, 328 bytes cmem[0]\n"),
      "a sm_60 r10 f16 s0/0 m0\nb sm_60 r20 f8 s0/0 m0\n");
}

// CUDA 10 and 11 (SMFFT on sm_70, CudaMiner on sm_80): textures, make's noise.
TEST(Ptxas, ReadsCuda10And11) {
  EXPECT_EQ(read(R"(
make[2]: Entering directory '/src'
/usr/local/cuda/bin/nvcc -c --ptxas-options=-v salsa_kernel.cu
ptxas info    : 0 bytes gmem, 32768 bytes cmem[3]
ptxas info    : Compiling entry function '_Z18SMFFT_DIT_multiple' for 'sm_70'
ptxas info    : Function properties for _Z18SMFFT_DIT_multiple
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, 4224 bytes smem, 368 bytes cmem[0]
    ptxas info    : Compiling entry function '_Z32fermi_scrypt' for 'sm_80'
    ptxas info    : Function properties for _Z32fermi_scrypt
        160 bytes stack frame, 384 bytes spill stores, 384 bytes spill loads
    ptxas info    : Used 64 registers, 372 bytes cmem[0], 1 textures
make[2]: Leaving directory '/src'
)"),
            "_Z18SMFFT_DIT_multiple sm_70 r40 f0 s0/0 m4224\n"
            "_Z32fermi_scrypt sm_80 r64 f160 s384/384 m0\n");
}

// CUDA 12 for sm_90a: remarks between the lines of a block.
TEST(Ptxas, ReadsCuda12WithRemarks) {
  EXPECT_EQ(read(R"(
ptxas info    : (C7511) Potential Performance Loss: wgmma.mma_async instructions are serialized due to insufficient register resources for the wgmma pipeline in the function 'gemm'
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'gemm' for 'sm_90a'
ptxas info    : (C7510) Potential Performance Loss: 'setmaxnreg' ignored to maintain minimum register requirements.
ptxas info    : Function properties for gemm
    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 168 registers, used 16 barriers, 8 bytes cumulative stack size
)"),
            "gemm sm_90a r168 f8 s4/4 m0 b16\n");
}

// The resource line of a slide or a narrow terminal is wrapped behind a comma.
TEST(Ptxas, JoinsWrappedLines) {
  EXPECT_EQ(
      read("ptxas info    : Compiling entry function '[verbose Kokkos mangled "
           "name]' for 'sm_89'\n"
           "ptxas info    : Function properties for [verbose Kokkos mangled "
           "name]\n"
           "    24 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
           "loads\n"
           "ptxas info    : Used 28 registers, used 1 barriers, 24 bytes "
           "cumulative stack size, \n"
           "                    2048 bytes smem,\n"
           "                    512 bytes cmem[0]\n"
           "ptxas info    : Compile time = 5.300 ms\n"),
      "[verbose Kokkos mangled name] sm_89 r28 f24 s0/0 m2048 b1\n");
}

TEST(Ptxas, APartialBlockNamesNoKernel) {
  EXPECT_EQ(read("    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
                 "loads\n"
                 "ptxas info    : Used 24 registers, used 0 barriers, 512 "
                 "bytes cmem[0]\n"),
            "cut off\n");
}

TEST(Ptxas, TheArchitectureNeedsTheFirstLine) {
  EXPECT_EQ(read("ptxas info    : Function properties for k\n"
                 "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
                 "loads\n"
                 "ptxas info    : Used 24 registers, 332 bytes cmem[0]\n"),
            "k  r24 f8 s0/0 m0\n");
}

TEST(Ptxas, DemangledNamesAreReadWhole) {
  EXPECT_EQ(
      read("ptxas info : Compiling entry function 'search(octree, int*, "
           "double)::{lambda()#1}' for 'sm_20'\n"
           "ptxas info : Function properties for search(octree, int*, "
           "double)::{lambda()#1}\n"
           "72 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
           "ptxas info : Used 46 registers, 32+16 bytes smem, 176 bytes "
           "cmem[0], 16 bytes cmem[14]\n"),
      "search(octree, int*, double)::{lambda()#1} sm_20 r46 f72 s0/0 m48\n");
}

TEST(Ptxas, LmemOfOldReleasesIsTheFrame) {
  EXPECT_EQ(read("ptxas info    : Compiling entry function 'k' for 'sm_13'\n"
                 "ptxas info    : Used 63 registers, 36+0 bytes lmem, 64 bytes "
                 "cmem[0], 4 bytes cmem[14], 276 bytes cmem[16]\n"),
            "k sm_13 r63 f36 s0/0 m0\n");
}

TEST(Ptxas, ReadsThroughColoursPrefixesAndTimestamps) {
  EXPECT_EQ(read("\x1b[1m[1/3]\x1b[0m ptxas info    : Compiling entry function "
                 "'k' for 'sm_80'\r\n"
                 "#12 3.456 ptxas info    : Function properties for k\r\n"
                 "2024-05-01T10:00:00.123Z     16 bytes stack frame, 4 bytes "
                 "spill stores, 8 bytes spill loads\r\n"
                 "[2/3] \x1b[32mptxas info    : Used 8 registers, used 0 "
                 "barriers, 360 bytes cmem[0]\x1b[0m\r\n"),
            "k sm_80 r8 f16 s4/8 m0 b0\n");
}

TEST(Ptxas, TheSameKernelOfTwoSourcesIsListedTwice) {
  std::string block =
      "ptxas info    : Compiling entry function 'k' for 'sm_80'\n"
      "ptxas info    : Function properties for k\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n";
  EXPECT_EQ(read(block + "ptxas info    : Used 8 registers\n" + block +
                 "ptxas info    : Used 9 registers\n"),
            "k sm_80 r8 f0 s0/0 m0\nk sm_80 r9 f0 s0/0 m0\n");
}

TEST(Ptxas, NvlinksReportIsIgnored) {
  EXPECT_EQ(
      read("nvlink info    : 0 bytes gmem\n"
           "nvlink info    : Function properties for '_Z1kPf':\n"
           "nvlink info    : used 8 registers, 0 stack, 0 bytes smem, 328 "
           "bytes cmem[0], 0 bytes lmem\n"),
      "");
}

// Two sources compiled side by side: the frames have names, so they are right;
// the resource lines have none, so nobody gets them until the blocks part.
TEST(Ptxas, MixedResourceLinesBelongToNoKernel) {
  EXPECT_EQ(
      read("ptxas info    : Compiling entry function 'a' for 'sm_80'\n"
           "ptxas info    : Compiling entry function 'b' for 'sm_80'\n"
           "ptxas info    : Function properties for b\n"
           "    64 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
           "loads\n"
           "ptxas info    : Function properties for a\n"
           "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
           "loads\n"
           "ptxas info    : Used 8 registers, used 0 barriers, 360 bytes "
           "cmem[0]\n"
           "ptxas info    : Used 40 registers, used 0 barriers, 372 bytes "
           "cmem[0]\n"
           "ptxas info    : Compiling entry function 'c' for 'sm_80'\n"
           "ptxas info    : Function properties for c\n"
           "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
           "loads\n"
           "ptxas info    : Used 12 registers, used 0 barriers, 360 bytes "
           "cmem[0]\n"),
      "a sm_80 r0 f0 s0/0 m0\n"
      "b sm_80 r0 f64 s0/0 m0\n"
      "c sm_80 r12 f0 s0/0 m0 b0\n"
      "cut off\n");
}

// A block that is only begun while another one ends cannot own its last line.
TEST(Ptxas, DistinctInterleavedBlocksAreRead) {
  EXPECT_EQ(
      read("ptxas info    : Compiling entry function 'k' for 'sm_80'\n"
           "ptxas info    : Function properties for k\n"
           "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
           "loads\n"
           "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
           "ptxas info    : Used 8 registers, used 0 barriers, 360 bytes "
           "cmem[0]\n"
           "ptxas info    : Function properties for k\n"
           "    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
           "loads\n"
           "ptxas info    : Used 9 registers, used 0 barriers\n"),
      "k sm_80 r8 f8 s0/0 m0 b0\nk sm_90 r9 f16 s0/0 m0 b0\n");
}

TEST(Ptxas, TwoMessagesOnOneLineAreSplit) {
  EXPECT_EQ(
      read("ptxas info    : Compiling entry function 'k' for 'sm_80'ptxas info "
           "   : Function properties for k\n"
           "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
           "loads\n"
           "ptxas info    : Used 8 registers, used 0 barriers\n"),
      "k sm_80 r8 f8 s0/0 m0 b0\n");
}

// Some people grep for "ptxas info": the frames are gone, and 0 would be a lie.
TEST(Ptxas, AMissingFrameIsNotAnEmptyFrame) {
  EXPECT_EQ(read("ptxas info    : Compiling entry function 'k' for 'sm_80'\n"
                 "ptxas info    : Function properties for k\n"
                 "ptxas info    : Used 8 registers, used 0 barriers\n"),
            "cut off\n");
}

TEST(Ptxas, AFailureEndsItsBlock) {
  EXPECT_EQ(read("ptxas info    : Compiling entry function 'big' for 'sm_80'\n"
                 "ptxas error   : Entry function 'big' uses too much shared "
                 "data (0x61a80 bytes, 0xc000 max)\n"
                 "ptxas info    : Compiling entry function 'k' for 'sm_80'\n"
                 "ptxas info    : Function properties for k\n"
                 "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
                 "loads\n"
                 "ptxas info    : Used 8 registers, used 0 barriers\n"),
            "k sm_80 r8 f0 s0/0 m0 b0\ncut off\n");
}

// Wherever the text ends, no kernel may look better than it is: it is either
// missing, or has its frame; and the reader says so unless only whole blocks
// are left.
TEST(Ptxas, TruncatedTextIsNeverClean) {
  const llvm::StringRef block =
      "ptxas info    : Compiling entry function 'k' for 'sm_80'\n"
      "ptxas info    : Function properties for k\n"
      "    64 bytes stack frame, 32 bytes spill stores, 16 bytes spill loads\n"
      "ptxas info    : Used 28 registers, used 1 barriers, 64 bytes cumulative "
      "stack size, 4096 bytes smem, 512 bytes cmem[0]\n";
  for (size_t length = 1; length < block.size(); ++length) {
    llvm::StringRef text = block.take_front(length);
    PtxasReport report = readPtxas(text);
    EXPECT_TRUE(report.cutOff) << text.str();
    for (const Usage &usage : report.usages) {
      EXPECT_EQ(usage.stackFrame, 64u) << text.str();
      EXPECT_EQ(usage.spillStores, 32u) << text.str();
      EXPECT_EQ(usage.spillLoads, 16u) << text.str();
      EXPECT_EQ(usage.registers, 0u) << text.str(); // not known
    }
  }
  EXPECT_FALSE(readPtxas(block).cutOff);
}

// The same of a whole report: what is there is right, and what is not there is
// missed, unless the text ends where a compiler might have ended it.
TEST(Ptxas, EveryPrefixOfALogIsRightOrIncomplete) {
  const llvm::StringRef whole = cuda13;
  const std::vector<Usage> all = readPtxas(whole).usages;
  for (size_t length = 0; length <= whole.size(); ++length) {
    llvm::StringRef text = whole.take_front(length);
    PtxasReport report = readPtxas(text);
    ASSERT_LE(report.usages.size(), all.size());
    for (size_t i = 0; i < report.usages.size(); ++i) {
      const Usage &usage = report.usages[i];
      EXPECT_EQ(usage.kernel, all[i].kernel) << length;
      EXPECT_EQ(usage.stackFrame, all[i].stackFrame) << length;
      EXPECT_EQ(usage.spillStores, all[i].spillStores) << length;
      EXPECT_TRUE(report.cutOff || describe(usage) == describe(all[i]))
          << length;
    }
    size_t begun = text.count("Compiling entry function");
    EXPECT_TRUE(report.cutOff || report.usages.size() == begun) << length;
  }
}

// Several compilations write to one terminal, line by line, as they come.
TEST(Ptxas, AnyMixOfLinesIsRightOrIncomplete) {
  const std::vector<std::string> streams = {
      cuda13,
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Z5far_bPfPKfi' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z5far_bPfPKfi\n"
      "    96 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 30 registers, used 0 barriers, 96 bytes cumulative "
      "stack size\n"
      "ptxas info    : Compile time = 116.884 ms\n"
      "ptxas info    : Function properties for _Z8helper_bPKfi\n"
      "    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n",
      "ptxas info    : Compiling entry function '_Z5sum_bILi64EEvPfPKf' for "
      "'sm_80'\n"
      "ptxas info    : Function properties for _Z5sum_bILi64EEvPfPKf\n"
      "    0 bytes stack frame, 16 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 70 registers, used 1 barriers, 256 bytes smem, 368 "
      "bytes cmem[0]\n"};
  std::set<std::string> right;
  std::vector<std::vector<std::string>> lines(streams.size());
  for (size_t i = 0; i < streams.size(); ++i) {
    for (const Usage &usage : readPtxas(streams[i]).usages)
      right.insert(describe(usage));
    llvm::SmallVector<llvm::StringRef> split;
    llvm::StringRef(streams[i]).split(split, '\n', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef line : split)
      lines[i].push_back(line.str() + "\n");
  }
  std::mt19937 random(1);
  unsigned wholeOnes = 0;
  for (unsigned iteration = 0; iteration < 3000; ++iteration) {
    std::vector<size_t> next(lines.size());
    std::string text;
    // Mostly in runs, as pipes give them; now and then line by line.
    const unsigned longest = iteration % 3 ? 12 : 1;
    for (bool any = true; any;) {
      any = false;
      size_t i = random() % lines.size();
      for (unsigned run = 1 + random() % longest;
           run && next[i] < lines[i].size(); --run)
        text += lines[i][next[i]++];
      for (size_t s = 0; s < lines.size(); ++s)
        any |= next[s] < lines[s].size();
    }
    PtxasReport report = readPtxas(text);
    if (!report.cutOff) {
      ++wholeOnes;
      EXPECT_EQ(report.usages.size(), right.size()) << text;
    }
    for (Usage usage : report.usages)
      EXPECT_TRUE(right.count(describe(usage)) || !usage.registers)
          << describe(usage) << "\n"
          << text;
  }
  EXPECT_GT(wholeOnes, 100u); // or the test would say nothing
}

// CUDA 10 for several architectures (solana-perf-libs): device functions stand
// behind the kernel that calls them, with spills of their own.
TEST(Ptxas, ReadsCuda10WithDeviceFunctions) {
  const llvm::StringRef text = R"(
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z25chacha_ctr_encrypt_kernelPKhPhmS0_S1_jS1_Pjjj' for 'sm_70'
ptxas info    : Function properties for _Z25chacha_ctr_encrypt_kernelPKhPhmS0_S1_jS1_Pjjj
    64 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, 424 bytes cmem[0]
ptxas info    : Function properties for _Z27chacha20_ctr_encrypt_devicePKhPhmS0_S0_j
    88 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z17poh_verify_kernelPhPmm' for 'sm_37'
ptxas info    : Function properties for _Z17poh_verify_kernelPhPmm
    112 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 72 registers, 344 bytes cmem[0]
)";
  EXPECT_EQ(read(text),
            "_Z25chacha_ctr_encrypt_kernelPKhPhmS0_S1_jS1_Pjjj sm_70 r40 f64 "
            "s0/0 m0\n_Z17poh_verify_kernelPhPmm sm_37 r72 f112 s0/0 m0\n");
  PtxasReport report = readPtxas(text);
  ASSERT_EQ(report.functions.size(), 1u);
  EXPECT_EQ(report.functions[0].name,
            "_Z27chacha20_ctr_encrypt_devicePKhPhmS0_S0_j");
  EXPECT_EQ(report.functions[0].stackFrame, 88u);
  EXPECT_EQ(report.functions[0].spillStores, 4u);
}

// CUDA 11 (AutoDock-GPU): the command in front, fast math.
TEST(Ptxas, ReadsCuda11AfterItsCommand) {
  EXPECT_EQ(read(R"(
nvcc -DN256WI  -use_fast_math --ptxas-options="-v" -gencode arch=compute_52,code=sm_52 -std=c++11 -I./common -c ./cuda/kernels.cu
ptxas info    : 0 bytes gmem, 280 bytes cmem[3]
ptxas info    : Compiling entry function '_Z27gpu_gradient_minAdam_kernelPfS_' for 'sm_52'
ptxas info    : Function properties for _Z27gpu_gradient_minAdam_kernelPfS_
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 64 registers, 16 bytes smem, 336 bytes cmem[0], 112 bytes cmem[2]
)"),
            "_Z27gpu_gradient_minAdam_kernelPfS_ sm_52 r64 f0 s0/0 m16\n");
}

// CUDA 12.8 and 13.0 by way of pip, which indents (flash attention).
TEST(Ptxas, ReadsOutputIndentedByPip) {
  EXPECT_EQ(read(R"(
      ptxas info    : Used 168 registers, used 16 barriers, 16 bytes cumulative stack size
      ptxas info    : Compile time = 394.555 ms
      ptxas info    : Compiling entry function 'fwd' for 'sm_90a'
      ptxas info    : Function properties for fwd
          64 bytes stack frame, 144 bytes spill stores, 168 bytes spill loads
      ptxas info    : Used 168 registers, used 16 barriers, 64 bytes cumulative stack size
      ptxas info    : Compile time = 448.364 ms
)"),
            "fwd sm_90a r168 f64 s144/168 m0 b16\ncut off\n");
}

// A formatter, a mail or a narrow page broke the lines where they may not be
// broken: nothing of it is a number, and nothing is clean.
TEST(Ptxas, BrokenLinesAreRejected) {
  for (llvm::StringRef text : {R"(
    ptxas info    : Compiling entry function '_Z17online_softmax_v3ILi256ELi4096EEvPfS0_ii' for
    'sm_89' ptxas info    : Function properties for _Z17online_softmax_v3ILi256ELi4096EEvPfS0_ii 64
    bytes stack frame, 0 bytes spill stores, 0 bytes spill loads ptxas info    : Used 38 registers,
    used 1 barriers, 64 bytes cumulative stack size, 72 bytes smem, 376 bytes cmem[0] ptxas info :
    Compile time = 48.895 ms
)",
                               R"(
ptxas info  : Function properties for main_kernel
              1128 bytes stack frame, 3172 bytes spill stores,
              3380 bytes spill loads
ptxas info  : Used 168 registers, used 5 barriers,
              1128 bytes cumulative stack size, 1024 bytes smem
)",
                               R"(
ptxas info    : Compiling entry function 'my_kernel' for 'sm_80'
ptxas info    : Used 32 registers, 8 bytes spill stores, 376 bytes cmem[0]
)",
                               R"(
ptxas info    : Used 96 registers, used 1 barriers, 73728 bytes smem
                 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
)"})
    EXPECT_EQ(read(text), "cut off\n") << text.str();
}

TEST(Ptxas, TextWithoutAReportGivesNone) {
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("\n\n"), "");
  EXPECT_EQ(read("nvcc fatal   : Unsupported gpu architecture 'sm_35'\n"), "");
  EXPECT_EQ(read(llvm::StringRef("\0\xff\x1b[", 4)), "");
}

} // namespace
