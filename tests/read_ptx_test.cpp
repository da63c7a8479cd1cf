#include "os/deadline.h"
#include "ptx_reader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <gmock/gmock.h>

using namespace warplint;
using llvm::StringRef;
using testing::HasSubstr;

namespace {

class ReadPtx : public PtxReader {};

} // namespace

// Clang 22 keeps floats in .b32 registers and labels every debug place.
TEST_F(ReadPtx, ReadsClangsPtx) {
  llvm::Module &module = read(R"(
	// .globl	_Z4leafPKfi             // -- Begin function _Z4leafPKfi
.visible .func  (.param .b32 func_retval0) _Z4leafPKfi(
	.param .b64 _Z4leafPKfi_param_0,
	.param .b32 _Z4leafPKfi_param_1
)
{
	.reg .b32 	%r<4>;
	.reg .b64 	%rd<4>;
$L__func_begin0:
	.loc	1 2 0                           // nest.cu:2:0

// %bb.0:
	ld.param.b64 	%rd1, [_Z4leafPKfi_param_0];
	ld.param.b32 	%r1, [_Z4leafPKfi_param_1];
$L__tmp0:
	.loc	1 2 55                          // nest.cu:2:55
	mul.wide.s32 	%rd2, %r1, 4;
	add.s64 	%rd3, %rd1, %rd2;
	ld.b32 	%r2, [%rd3];
	.loc	1 2 60                          // nest.cu:2:60
	add.f32 	%r3, %r2, %r2;
	.loc	1 2 48                          // nest.cu:2:48
	st.param.b32 	[func_retval0], %r3;
	ret;
$L__tmp1:
$L__func_end0:
                                        // -- End function
}
	.file	1 "/tmp/nest.cu"
	.section	.debug_abbrev
	{
.b8 1                                   // Abbreviation Code
.b64 $L__func_begin0
	}
	.section	.debug_macinfo	{	})");
  llvm::Function &f = *module.getFunction("_Z4leafPKfi");
  EXPECT_EQ(f.size(), 1u);
  auto *load = all<llvm::LoadInst>(f).at(0);
  EXPECT_EQ(spell(load->getPointerOperand()),
            "(_Z4leafPKfi_param_0 + sext(_Z4leafPKfi_param_1) * 4)");
  EXPECT_EQ(places(*load), "/tmp/nest.cu:2:55 in _Z4leafPKfi");
  auto *sum = llvm::cast<llvm::BinaryOperator>(
      llvm::cast<llvm::BitCastInst>(
          all<llvm::ReturnInst>(f).at(0)->getReturnValue())
          ->getOperand(0));
  EXPECT_EQ(sum->getOpcode(), llvm::Instruction::FAdd);
}

TEST_F(ReadPtx, MalformedTextIsReportedWithItsLine) {
  EXPECT_THAT(error(""), HasSubstr("not PTX"));
  EXPECT_THAT(error("\x7f"
                    "ELF\x02\x01"),
              HasSubstr("line 1: "));
  EXPECT_THAT(error(".version 9.0\n.target sm_90\n.address_size 32\n"),
              HasSubstr("line 3: expected 64-bit addresses"));
  EXPECT_THAT(error(ptxHeader + ".entry k()\n{\n  mov.u32 %r1, 5;\n}\n"),
              HasSubstr("line 6: the register '%r1' is not declared in 'k'"));
  EXPECT_THAT(error(ptxHeader + ".entry k()\n{\n  bra L;\n}\n"),
              HasSubstr("line 6: there is no label 'L' in 'k'"));
  EXPECT_THAT(error(ptxHeader + ".entry k()\n{\n  ret\n}\n"),
              HasSubstr("line 7: "));
  EXPECT_THAT(
      error(ptxHeader + ".entry k()\n{\n  ret;\n"),
      HasSubstr("line 7: expected '}' at the end of 'k', but the text"));
  EXPECT_THAT(error(ptxHeader + ".entry k()\n{ret;}\n.entry k()\n{ret;}\n"),
              HasSubstr("line 6: 'k' is defined twice"));
}

// A full disk or a killed compiler leaves such a file.
TEST_F(ReadPtx, TruncatedTextNeverCrashes) {
  std::string whole = ptxHeader + R"(
.global .align 8 .u64 gp[2] = {generic(gp)+12, 0x1F};
.visible .entry k(.param .u64 .ptr .global .align 1 p0, .param .align 8 .b8 s[16])
.maxntid 128
{
	.reg .pred 	%p<3>;
	.reg .f32 	%f<5>;
	.reg .b32 	%r<5>;
	.reg .b64 	%rd<9>;
	.loc	1 9 50, function_name $L__info_string0, inlined_at 1 13 3
	ld.param.u64 	%rd1, [p0];
	mov.f32 	%f1, 0f3F800000;
$L:	setp.lt.and.s32 	%p1|%p2, %r1, -5, !%p2;
	@!%p1 st.global.v2.f32 	[%rd1+-4], {%f1, 0d3FF0000000000000};
	{ .param .b64 param0; st.param.b64 [param0+0], %rd1;
	call.uni f, (param0), q; }
	@%p2 bra.uni $L;
	ret;
}
	.file	1 "/src/nest.cu"
	.section	.debug_str { $L__info_string0: .b8 97,98,0 }
)";
  unsigned modules = 0;
  for (size_t length = 0; length <= whole.size(); ++length) {
    auto module = readPtx(StringRef(whole).take_front(length), context_);
    if (module)
      ++modules;
    else
      EXPECT_THAT(llvm::toString(module.takeError()), HasSubstr("line "));
  }
  EXPECT_GT(modules, 0u);
}

// nvcc unrolls some kernels to a million instructions; without this, --timeout
// does not end them.
TEST_F(ReadPtx, ALongKernelEndsAtTheDeadline) {
  std::string text = ptxHeader + ".entry k()\n{\n  .reg .b32 %r<2>;\n";
  for (unsigned i = 0; i < 100'000; ++i)
    text += "  add.s32 %r1, %r1, 1;\n";
  Deadline deadline(std::chrono::milliseconds(1));
  EXPECT_EQ(error(text + "  ret;\n}\n"), "reading the PTX takes too long");
}

static std::string findNvcc() {
  if (auto found = llvm::sys::findProgramByName("nvcc"))
    return *found;
  if (auto folder = llvm::sys::Process::GetEnv("CUDA_PATH"))
    if (auto found = llvm::sys::findProgramByName("nvcc", {*folder + "/bin"}))
      return *found;
  return "";
}

/// The output of `nvcc -ptx -lineinfo` for a source; empty if it fails.
static std::string compileToPtx(StringRef nvcc, StringRef source) {
  llvm::SmallString<64> input, output;
  int descriptor = 0;
  if (llvm::sys::fs::createTemporaryFile("read_ptx", "cu", descriptor, input) ||
      llvm::sys::fs::createTemporaryFile("read_ptx", "ptx", output))
    return "";
  llvm::FileRemover removeInput(input), removeOutput(output);
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << source;
  llvm::sys::ExecuteAndWait(
      nvcc, {nvcc, "-ptx", "-lineinfo", "-o", output, input}, std::nullopt);
  auto text = llvm::MemoryBuffer::getFile(output);
  return text ? (*text)->getBuffer().str() : "";
}

// The PTX of the installed release, not a recorded one.
TEST_F(ReadPtx, ReadsTheInstalledNvccsPtx) {
  std::string nvcc = findNvcc();
  if (nvcc.empty())
    GTEST_SKIP() << "THE PTX OF A REAL NVCC IS NOT TESTED: there is no nvcc in "
                    "PATH, nor in CUDA_PATH/bin";
  std::string text = compileToPtx(nvcc, R"(#include <cstdio>
__device__ float twice(const float *p) {
  return *p * 2;
}
__global__ void k(float *out, const float *in, int n, int bin) {
  __shared__ float tile[256];
  float count[64];
  for (int i = 0; i < 64; ++i) count[i] = in[i * n];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    count[(i * bin) & 63] += 1;
    tile[threadIdx.x] = twice(in + i);
    __syncthreads();
    atomicAdd(out, tile[threadIdx.x ^ 1] + __shfl_down_sync(~0u, count[bin], 1));
  }
  printf("%d\n", n);
}
)");
  ASSERT_FALSE(text.empty());
  EXPECT_EQ(error(text), "");
  auto module = readPtx(text, context_);
  if (!module) {
    llvm::consumeError(module.takeError());
    return;
  }
  llvm::Function *f = (*module)->getFunction("_Z1kPfPKfii");
  ASSERT_TRUE(f);
  EXPECT_EQ(all<llvm::AtomicRMWInst>(*f).size(), 1u);
  bool hasDepot = false, hasTwice = false;
  for (llvm::AllocaInst *each : all<llvm::AllocaInst>(*f))
    hasDepot |= each->getName().starts_with("__local_depot");
  for (llvm::LoadInst *each : all<llvm::LoadInst>(*f))
    hasTwice |= each->getPointerAddressSpace() == 1 &&
                StringRef(places(*each)).contains(".cu:3:");
  EXPECT_TRUE(hasDepot) << "of 'count'";
  EXPECT_TRUE(hasTwice) << "the load of the inlined helper, at its line";
}
