// PTX by itself: what nvcc, Clang, Triton, Numba and Julia write has to come
// out as kernels with names, blocks and lines that their authors know.
#include "cost/lanes.h"
#include "ptx/ptx_kernels.h"
#include "report/accesses.h"
#include "source/settle_shapes.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

// The PTX of nvcc 13.0 with -ptx -arch=sm_90 -lineinfo for /src/t.cu:
//
//   template <typename T, int N>
//   __device__ __noinline__ T get(const T *p, int i) { return p[i * N]; }
//   template <typename T, int N>
//   __global__ void __launch_bounds__(128, 2) gather(const T *a, T *out) {
//     __shared__ T tile[128];
//     tile[threadIdx.x * 2 % 128] = get<T, N>(a, threadIdx.x);
//     out[threadIdx.x] = tile[threadIdx.x];
//   }
const char *const gather = R"(.version 9.0
.target sm_90
.address_size 64
.func  (.param .b32 func_retval0) _Z3getIfLi4EET_PKS0_i(
	.param .b64 _Z3getIfLi4EET_PKS0_i_param_0,
	.param .b32 _Z3getIfLi4EET_PKS0_i_param_1
)
{
	.reg .f32 	%f<2>;
	.reg .b32 	%r<3>;
	.reg .b64 	%rd<5>;
	.loc	1 2 0
	ld.param.u64 	%rd1, [_Z3getIfLi4EET_PKS0_i_param_0];
	ld.param.u32 	%r1, [_Z3getIfLi4EET_PKS0_i_param_1];
	.loc	1 2 40
	cvta.to.global.u64 	%rd2, %rd1;
	shl.b32 	%r2, %r1, 2;
	mul.wide.s32 	%rd3, %r2, 4;
	add.s64 	%rd4, %rd2, %rd3;
	ld.global.f32 	%f1, [%rd4];
	st.param.f32 	[func_retval0+0], %f1;
	ret;
}
.visible .entry _Z6gatherIfLi4EEvPKT_PS0_(
	.param .u64 _Z6gatherIfLi4EEvPKT_PS0__param_0,
	.param .u64 _Z6gatherIfLi4EEvPKT_PS0__param_1
)
.maxntid 128, 1, 1
.minnctapersm 2
{
	.reg .f32 	%f<3>;
	.reg .b32 	%r<8>;
	.reg .b64 	%rd<6>;
	.loc	1 4 0
	// demoted variable
	.shared .align 4 .b8 _ZZ6gatherIfLi4EEvPKT_PS0_E4tile[512];
	ld.param.u64 	%rd1, [_Z6gatherIfLi4EEvPKT_PS0__param_0];
	ld.param.u64 	%rd2, [_Z6gatherIfLi4EEvPKT_PS0__param_1];
	.loc	1 6 3
	cvta.to.global.u64 	%rd3, %rd2;
	mov.u32 	%r1, %tid.x;
	{ // callseq 0, 0
	.reg .b32 temp_param_reg;
	.param .b64 param0;
	st.param.b64 	[param0+0], %rd1;
	.param .b32 param1;
	st.param.b32 	[param1+0], %r1;
	.param .b32 retval0;
	call.uni (retval0), 
	_Z3getIfLi4EET_PKS0_i, 
	(
	param0, 
	param1
	);
	ld.param.f32 	%f1, [retval0+0];
	} // callseq 0
	shl.b32 	%r2, %r1, 3;
	and.b32  	%r3, %r2, 504;
	mov.u32 	%r4, _ZZ6gatherIfLi4EEvPKT_PS0_E4tile;
	add.s32 	%r5, %r4, %r3;
	st.shared.f32 	[%r5], %f1;
	.loc	1 7 3
	shl.b32 	%r6, %r1, 2;
	add.s32 	%r7, %r4, %r6;
	ld.shared.f32 	%f2, [%r7];
	mul.wide.u32 	%rd4, %r1, 4;
	add.s64 	%rd5, %rd3, %rd4;
	st.global.f32 	[%rd5], %f2;
	.loc	1 8 1
	ret;
}
	.file	1 "/src/t.cu"
)";

std::vector<Kernel> read(const std::string &text,
                         const std::string &file = "") {
  PtxRequest request;
  request.file = file;
  auto kernels = readPtxKernels(text, request);
  if (!kernels) {
    ADD_FAILURE() << llvm::toString(kernels.takeError());
    return {};
  }
  settleShapes(*kernels, {}, std::nullopt);
  return std::move(*kernels);
}

/// A kernel `k(p: u64)` whose body begins after the declarations.
Kernel kernel(const std::string &body, const std::string &directives = "",
              const std::string &after = "", const std::string &file = "") {
  std::vector<Kernel> kernels =
      read(".version 8.5\n.target sm_90a\n.address_size 64\n"
           ".visible .entry k(.param .u64 k_param_0)\n" +
               directives +
               "{\n.reg .pred %p<9>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<20>;\n" +
               body + "\nret;\n}\n" + after,
           file);
  return kernels.size() == 1 ? std::move(kernels.front()) : Kernel();
}

Cost costOf(const Kernel &kernel, size_t access) {
  return costs(kernel, kernel.shapes.front())[access];
}

// ---- names, blocks and places

TEST(PtxKernels, HaveReadableNames) {
  std::vector<Kernel> kernels = read(gather);
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].name, "gather<float, 4>");
  EXPECT_EQ(kernels[0].mangled, "_Z6gatherIfLi4EEvPKT_PS0_");
  EXPECT_EQ(kernels[0].place.file, "/src/t.cu");
  EXPECT_EQ(kernels[0].place.line, 4u);
}

TEST(PtxKernels, MaxntidGivesTheBlock) {
  Kernel bounded = std::move(read(gather).front());
  ASSERT_TRUE(bounded.bounds);
  EXPECT_EQ(bounded.bounds->maxThreads, 128u);
  EXPECT_EQ(bounded.bounds->minBlocks, 2u);
  EXPECT_EQ(bounded.shapes[0].shape, (Shape{128, 1, 1}));
  EXPECT_EQ(bounded.shapes[0].source, ShapeSource::LaunchBounds);
}

TEST(PtxKernels, ReqntidIsTheBlock) {
  PtxRequest request;
  auto kernels = readPtxKernels(
      ".version 8.5\n.target sm_90\n.address_size 64\n"
      ".visible .entry k()\n.reqntid 32, 4\n.maxntid 1024\n{\nret;\n}\n",
      request);
  ASSERT_TRUE(bool(kernels));
  // It holds even where a user names another for launches nobody sees.
  settleShapes(*kernels, {}, Shape{64, 1, 1});
  EXPECT_EQ(kernels->front().shapes[0].shape, (Shape{32, 4, 1}));
}

TEST(PtxKernels, ImpossibleBlocksAreIgnored) {
  EXPECT_EQ(kernel("", ".reqntid 4096\n").shapes[0].shape, (Shape{256, 1, 1}));
}

TEST(PtxKernels, CalledFunctionsArePartOfTheKernel) {
  Kernel kernel = std::move(read(gather).front());
  ASSERT_EQ(kernel.accesses.size(), 4u);
  const Access &load = kernel.accesses[0];
  EXPECT_EQ(load.place.line, 2u);
  ASSERT_EQ(load.callSites.size(), 1u);
  EXPECT_EQ(load.callSites[0].line, 6u);
  EXPECT_EQ(costOf(kernel, 0).sectors, 16);
  EXPECT_EQ(costOf(kernel, 1).ways, 2);
}

TEST(PtxKernels, ObjectsHaveTheNamesInThePtx) {
  Kernel kernel = std::move(read(gather).front());
  std::vector<std::string> objects;
  for (const Access &access : kernel.accesses)
    objects.push_back(access.object);
  EXPECT_THAT(objects, ElementsAre("param_0", "tile", "tile", "param_1"));
}

TEST(PtxKernels, WithoutLocPlacesAreInThePtx) {
  Kernel found = kernel("ld.param.u64 %rd1, [k_param_0];\n"
                        "ld.global.u32 %r1, [%rd1];",
                        "", "", "/src/k.ptx");
  ASSERT_EQ(found.accesses.size(), 1u);
  EXPECT_EQ(found.accesses[0].place.file, "/src/k.ptx");
  EXPECT_EQ(found.accesses[0].place.line, 10u);
  EXPECT_EQ(found.place.line, 4u);
}

TEST(PtxKernels, LineZeroIsNoLine) {
  Kernel found = kernel("ld.param.u64 %rd1, [k_param_0];\n.loc 1 7 3\n"
                        "ld.global.u32 %r1, [%rd1];\n.loc 1 0 0\n"
                        "ld.global.u32 %r2, [%rd1+4];",
                        "", ".file 1 \"/src/k.py\"\n", "/src/k.ptx");
  ASSERT_EQ(found.accesses.size(), 2u);
  EXPECT_EQ(found.accesses[0].place, (Place{"/src/k.py", 7, 3}));
  EXPECT_EQ(found.accesses[1].place, (Place{"/src/k.ptx", 13, 0}));
}

// As Triton writes `tl.max(v)` at line 22: the load stands in its own library.
TEST(PtxKernels, LibraryAccessesHaveThePlaceOfTheCall) {
  Kernel found = kernel(
      "ld.param.u64 %rd1, [k_param_0];\n.loc 1 22 13\n"
      ".loc 2 189 40, function_name $L__info_string0, inlined_at 1 22 13\n"
      "ld.global.u32 %r1, [%rd1];",
      "",
      ".file 1 \"/src/k.py\"\n"
      ".file 2 \"/env/lib/python3.11/site-packages/triton/standard.py\"\n");
  ASSERT_EQ(found.accesses.size(), 1u);
  EXPECT_EQ(found.accesses[0].place, (Place{"/src/k.py", 22, 13}));
}

TEST(PtxKernels, LibrariesAreRecognisedByFolder) {
  EXPECT_TRUE(isLibraryFile("/root/.julia/packages/CUDA/8sAU3/src/device.jl"));
  EXPECT_TRUE(isLibraryFile("./int.jl"));
  EXPECT_TRUE(isLibraryFile("/usr/include/c++/12/bits/move.h"));
  EXPECT_TRUE(isLibraryFile("/usr/lib/clang/22/include/__clang_cuda_math.h"));
  EXPECT_FALSE(isLibraryFile("/home/me/lib/packages/k.py"));
  EXPECT_FALSE(isLibraryFile("k.jl"));
  EXPECT_FALSE(isLibraryFile(""));
}

TEST(PtxKernels, TheTargetIsRead) {
  EXPECT_EQ(ptxTarget(gather), "sm_90");
  EXPECT_EQ(ptxTarget("// .target sm_70\n.target sm_100a, debug\n"), "sm_100a");
  EXPECT_EQ(ptxTarget("int main() {}"), "");
}

TEST(PtxKernels, MalformedTextIsRejectedWithItsLine) {
  PtxRequest request;
  auto kernels = readPtxKernels("int main() { return 0; }\n", request);
  ASSERT_FALSE(bool(kernels));
  EXPECT_THAT(llvm::toString(kernels.takeError()), HasSubstr("line 1: "));
}

// ---- what is not followed has its reason

const char *const tile = "\n.shared .align 128 .b8 tile[8192];\n";

TEST(PtxKernels, UnsupportedMemoryInstructionsAreUnknown) {
  Kernel found =
      kernel(std::string(tile) + "ld.param.u64 %rd1, [k_param_0];\n"
                                 "novel.global.add.u32 %r1, [%rd1];");
  ASSERT_EQ(found.accesses.size(), 1u);
  EXPECT_EQ(costOf(found, 0).basis, Basis::Unknown);
  EXPECT_EQ(costOf(found, 0).why, "the PTX instruction 'novel.global.add.u32'");
  EXPECT_THAT(found.notFollowed,
              ElementsAre("the PTX instruction 'novel.global.add.u32'"));
}

TEST(PtxKernels, MulticastAndBulkCopiesHaveFigures) {
  Kernel found = kernel(
      std::string(tile) +
      "ld.param.u64 %rd1, [k_param_0];\n"
      "mov.u32 %r1, %tid.x;\n"
      "mul.wide.u32 %rd2, %r1, 8;\n"
      "add.s64 %rd1, %rd1, %rd2;\n"
      "multimem.ld_reduce.global.add.u32 %r2, [%rd1];\n"
      "mov.u32 %r3, tile;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%r3], [%rd1], 64, [%r3];");
  ASSERT_EQ(found.accesses.size(), 3u);
  EXPECT_EQ(costOf(found, 0).sectors, 8);
  EXPECT_EQ(found.accesses[1].bytes, 64u);
  EXPECT_EQ(costOf(found, 1).space, Space::Global);
  EXPECT_EQ(found.accesses[2].operation, Operation::Store);
  EXPECT_EQ(costOf(found, 2).space, Space::Shared);
  EXPECT_TRUE(found.notFollowed.empty());
}

// Rows of 16 bytes, each 256 bytes after the one before, all begin in one bank.
TEST(PtxKernels, MatricesHaveConflictsOfTheirRows) {
  Kernel found = kernel(
      std::string(tile) +
      "mov.u32 %r1, tile;\n"
      "mov.u32 %r2, %laneid;\n"
      "mad.lo.u32 %r3, %r2, 256, %r1;\n"
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r3];\n"
      "mad.lo.u32 %r3, %r2, 16, %r1;\n"
      "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r4, %r5}, [%r3];\n"
      "mov.b64 %rd2, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
      "{%r6, %r7, %r8, %r9}, %rd2, %rd2, 1, 1, 1, 0, 0;");
  ASSERT_EQ(found.accesses.size(), 3u);
  EXPECT_EQ(costOf(found, 0).basis, Basis::Exact);
  EXPECT_EQ(costOf(found, 0).ways, 8);
  EXPECT_EQ(costOf(found, 1).ways, 1);
  EXPECT_EQ(costOf(found, 1).lanes, 16);
  EXPECT_EQ(costOf(found, 2).why,
            "how a matrix descriptor lays out shared memory");
}

TEST(PtxKernels, InstructionsWithoutDataAreNoAccesses) {
  Kernel found =
      kernel(std::string(tile) +
             "mov.u32 %r1, tile;\n"
             "mbarrier.init.shared::cta.b64 [%r1], 1;\n"
             "createpolicy.fractional.L2::evict_last.b64 %rd1, 1.0;\n"
             "setmaxnreg.inc.sync.aligned.u32 232;\n"
             "griddepcontrol.wait;\n"
             "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 128;\n"
             "fence.proxy.async.shared::cta;");
  EXPECT_TRUE(found.accesses.empty());
}

// ---- what the compiler has done is done

TEST(PtxKernels, WordsOfOneRegisterAreJoinedAsPtxasDoes) {
  Kernel found = kernel(std::string(tile) +
                        "mov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\n"
                        "shl.b32 %r3, %r1, 4;\nadd.s32 %r4, %r2, %r3;\n"
                        "ld.shared.u32 %r5, [%r4];\n"
                        "ld.shared.u32 %r6, [%r4+4];\n"
                        "ld.shared.u32 %r7, [%r4+8];\n"
                        "ld.shared.u32 %r8, [%r4+12];");
  ASSERT_EQ(found.accesses.size(), 4u);
  EXPECT_EQ(costOf(found, 0).ways, 1); // LDS.128
}

TEST(PtxKernels, WordsOfMaskedAddressesStayApart) {
  std::string body = std::string(tile) +
                     "mov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\n"
                     "shl.b32 %r3, %r1, 4;\n";
  for (const char *offset : {"0", "4", "8", "12"})
    body += "add.s32 %r4, %r3, " + std::string(offset) +
            ";\nand.b32 %r5, %r4, 1023;\nadd.s32 %r6, %r2, %r5;\n"
            "ld.shared.u32 %r7, [%r6];\n";
  Kernel found = kernel(body);
  ASSERT_EQ(found.accesses.size(), 4u);
  EXPECT_EQ(costOf(found, 0).ways, 4);
}

// A loop unrolled by two in another, and the iteration that it may leave over.
TEST(PtxKernels, RemainderIterationsAreLoadedEachTime) {
  Kernel found = kernel(".loc 1 5 1\nld.param.u64 %rd1, [k_param_0];\n"
                        "mov.u32 %r1, 0;\nagain:\n"
                        "ld.global.u32 %r2, [%rd1];\n"
                        "ld.global.u32 %r3, [%rd1+4];\n"
                        "add.s32 %r1, %r1, 2;\nadd.s64 %rd1, %rd1, 8;\n"
                        "setp.lt.s32 %p1, %r1, 9;\n@%p1 bra again;\n"
                        "ld.global.u32 %r4, [%rd1];",
                        "", ".file 1 \"/src/k.cu\"\n");
  ASSERT_EQ(found.accesses.size(), 3u);
  EXPECT_EQ(found.accesses[2].need, Need::EachTime);
}

TEST(PtxKernels, LoadsBeforeTheLoopOfTheirLineAreNeededOnce) {
  Kernel found = kernel(".loc 1 5 1\nld.param.u64 %rd1, [k_param_0];\n"
                        "ld.global.u64 %rd2, [%rd1];\nmov.u32 %r1, 0;\n"
                        "again:\nld.global.u32 %r2, [%rd1+8];\n"
                        "add.s32 %r1, %r1, 1;\nadd.s64 %rd1, %rd1, 4;\n"
                        "setp.lt.s32 %p1, %r1, 9;\n@%p1 bra again;",
                        "", ".file 1 \"/src/k.cu\"\n");
  ASSERT_EQ(found.accesses.size(), 2u);
  EXPECT_EQ(found.accesses[0].need, Need::Once);
  EXPECT_EQ(found.accesses[1].need, Need::EachTime);
}

// nvcc makes two loops of one: one unrolled by four, one for the remaining
// iterations. The launch gives `n`.
TEST(PtxKernels, RemainderIterationsThatNeverRunAreNotListed) {
  auto rowsFor = [](std::vector<uint64_t> launched) {
    auto kernels = readPtxKernels(R"(.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)
{
	.reg .pred %p<4>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<8>;
	.loc 1 2 1
	ld.param.u64 %rd1, [k_param_0];
	ld.param.u32 %r1, [k_param_1];
	mov.u32 %r2, %tid.x;
	mul.wide.u32 %rd2, %r2, 64;
	add.s64 %rd3, %rd1, %rd2;
	setp.lt.u32 %p1, %r1, 4;
	@%p1 bra $L1;
	.loc 1 3 1
	st.global.u32 [%rd3], %r2;
$L1:
	and.b32 %r3, %r1, 3;
	setp.eq.s32 %p2, %r3, 0;
	@%p2 bra $L2;
	st.global.u32 [%rd1], %r2;
$L2:
	ret;
}
.file 1 "/src/k.cu"
)",
                                  {});
    if (!kernels) {
      ADD_FAILURE() << llvm::toString(kernels.takeError());
      return size_t(0);
    }
    Kernel &kernel = kernels->front();
    kernel.shapes = {{{64, 1, 1}, ShapeSource::Launch, {}, {}}};
    for (uint64_t n : launched) {
      Launched &launch = kernel.shapes[0].launches.emplace_back();
      launch.arguments = {std::nullopt, n};
    }
    return accessRows(kernel).size();
  };
  EXPECT_EQ(rowsFor({64}), 1u);
  EXPECT_EQ(rowsFor({3}), 1u);
  EXPECT_EQ(rowsFor({64, 65}), 2u);
  EXPECT_EQ(rowsFor({}), 2u);
  // No copy remains: the line lists both all the same.
  EXPECT_EQ(rowsFor({0}), 2u);
}

} // namespace
