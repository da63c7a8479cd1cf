// Reports as ptxas wrote them: those of CUDA 13.0 were recorded for these
// tests, the older ones are from public build logs.
#include "compiled/ptxas.h"
#include "gtest/gtest.h"

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
TEST(Ptxas, RelocatableDeviceFunctionsAndWarningsAreNoKernels) {
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

TEST(Ptxas, VisualStudiosProjectsAreKeptApart) {
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

TEST(Ptxas, TheEndOfABlockAloneNamesNoKernel) {
  EXPECT_EQ(read("    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
                 "loads\n"
                 "ptxas info    : Used 24 registers, used 0 barriers, 512 "
                 "bytes cmem[0]\n"),
            "cut off\n");
}

TEST(Ptxas, WithoutTheFirstLineTheArchitectureIsNotKnown) {
  EXPECT_EQ(read("ptxas info    : Function properties for k\n"
                 "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
                 "loads\n"
                 "ptxas info    : Used 24 registers, 332 bytes cmem[0]\n"),
            "k  r24 f8 s0/0 m0\n");
}

TEST(Ptxas, DemangledNamesAreWhole) {
  EXPECT_EQ(
      read("ptxas info : Compiling entry function 'search(octree, int*, "
           "double)::{lambda()#1}' for 'sm_20'\n"
           "ptxas info : Function properties for search(octree, int*, "
           "double)::{lambda()#1}\n"
           "72 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
           "ptxas info : Used 46 registers, 32+16 bytes smem, 176 bytes "
           "cmem[0], 16 bytes cmem[14]"),
      "search(octree, int*, double)::{lambda()#1} sm_20 r46 f72 s0/0 m48\n");
}

TEST(Ptxas, OldReleasesCallTheFrameLocalMemory) {
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

TEST(Ptxas, TheSameKernelOfTwoSourcesStandsTwice) {
  std::string block =
      "ptxas info    : Compiling entry function 'k' for 'sm_80'\n"
      "ptxas info    : Function properties for k\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n";
  EXPECT_EQ(read(block + "ptxas info    : Used 8 registers\n" + block +
                 "ptxas info    : Used 9 registers\n"),
            "k sm_80 r8 f0 s0/0 m0\nk sm_80 r9 f0 s0/0 m0\n");
}

TEST(Ptxas, TheLinkersReportIsNotPtxas) {
  EXPECT_EQ(
      read("nvlink info    : 0 bytes gmem\n"
           "nvlink info    : Function properties for '_Z1kPf':\n"
           "nvlink info    : used 8 registers, 0 stack, 0 bytes smem, 328 "
           "bytes cmem[0], 0 bytes lmem\n"),
      "");
}

// Two sources compiled side by side: the frames have names, so they are right;
// the resource lines have none, so nobody gets them until the blocks part.
TEST(Ptxas, MixedResourceLinesAreNobodys) {
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
TEST(Ptxas, InterleavedBlocksThatCanBeToldApartAreRead) {
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

TEST(Ptxas, TwoMessagesOnOneLineAreTakenApart) {
  EXPECT_EQ(
      read("ptxas info    : Compiling entry function 'k' for 'sm_80'ptxas info "
           "   : Function properties for k\n"
           "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
           "loads\n"
           "ptxas info    : Used 8 registers, used 0 barriers\n"),
      "k sm_80 r8 f8 s0/0 m0 b0\n");
}

// Some people grep for "ptxas info": the frames are gone, and 0 would be a lie.
TEST(Ptxas, ALostFrameIsNotAnEmptyFrame) {
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
TEST(Ptxas, CutOffTextIsNeverClean) {
  const llvm::StringRef block =
      "ptxas info    : Compiling entry function 'k' for 'sm_80'\n"
      "ptxas info    : Function properties for k\n"
      "    64 bytes stack frame, 32 bytes spill stores, 16 bytes spill loads\n"
      "ptxas info    : Used 28 registers, used 1 barriers, 64 bytes cumulative "
      "stack size, 4096 bytes smem, 512 bytes cmem[0]\n";
  for (size_t length = 1; length < block.size() - 1; ++length) {
    llvm::StringRef text = block.take_front(length);
    PtxasReport report = readPtxas(text);
    // Between two items a shorter list is as good as a whole one.
    bool isWholeList = text.ends_with("registers") ||
                       text.ends_with("barriers") || text.ends_with("size") ||
                       text.ends_with("smem");
    EXPECT_EQ(report.cutOff, !isWholeList) << text.str();
    for (const Usage &usage : report.usages) {
      EXPECT_EQ(usage.stackFrame, 64u) << text.str();
      EXPECT_EQ(usage.spillStores, 32u) << text.str();
      EXPECT_EQ(usage.spillLoads, 16u) << text.str();
      EXPECT_TRUE(usage.registers == 28 || usage.registers == 0) << text.str();
    }
  }
  EXPECT_FALSE(readPtxas(block).cutOff);
  EXPECT_FALSE(readPtxas(block.rtrim()).cutOff);
}

TEST(Ptxas, NoReportIsNoReport) {
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("\n\n"), "");
  EXPECT_EQ(read("nvcc fatal   : Unsupported gpu architecture 'sm_35'\n"), "");
  EXPECT_EQ(read(llvm::StringRef("\0\xff\x1b[", 4)), "");
}

} // namespace
