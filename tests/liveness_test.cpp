// Which registers hold values: across calls, where nvdisasm shows most of them
// as clobbered, and elsewhere as nvdisasm says.
#include "machine/live_registers.h"
#include "nvcc/disassemble.h"
#include "plr_marks.h"
#include "register_sources.h"
#include "llvm/ADT/STLExtras.h"

using namespace warplint;

namespace {

// As nvdisasm 13.0 shows the slow path of a division: R3 is its argument, R0
// its result, R4 and R5 are the caller's.
const char *const slowPath = R"(
	.section	.text.k,"ax",@progbits
        /*0000*/  LDC R1, c[0x0][0x28] ;
        /*0010*/  LDC.64 R4, c[0x0][0x210] ;
        /*0020*/  S2R R3, SR_TID.X ;
        /*0030*/  MOV R6, 0x50 ;
        /*0040*/  CALL.REL.NOINC `($__internal_0_$__cuda_slowpath) ;
        /*0050*/  STG.E desc[UR4][R4.64], R0 ;
        /*0060*/  EXIT ;
$__internal_0_$__cuda_slowpath:
        /*0070*/  FADD R7, R3, R3 ;
        /*0080*/  @P0 FADD R7, R7, 1 ;
        /*0090*/  MOV R0, R7 ;
        /*00a0*/  RET.REL.NODEC R6 `(k) ;
)";

struct Called : testing::Test {
  void SetUp() override {
    auto functions = readDisassembly(slowPath);
    ASSERT_TRUE(bool(functions)) << llvm::toString(functions.takeError());
    function = std::move(functions->front());
    ASSERT_EQ(function.instructions.size(), 11u);
    ASSERT_EQ(function.callees.size(), 1u);
  }
  std::vector<unsigned> at(size_t instruction) const {
    return LiveRegisters(function).at(instruction, RegisterFile::General);
  }
  std::vector<size_t> definitions(size_t at, unsigned number) const {
    return LiveRegisters(function).definitions(at, RegisterFile::General,
                                               number);
  }
  MachineFunction function;
};

using Numbers = std::vector<unsigned>;
using Indexes = std::vector<size_t>;

} // namespace

TEST_F(Called, WhatTheCallerKeepsIsLiveBeforeTheCall) {
  EXPECT_EQ(at(3), (Numbers{1, 3, 4, 5, 6}));
}

TEST_F(Called, WhatTheCallerKeepsIsLiveInTheFunction) {
  EXPECT_EQ(at(8), (Numbers{1, 4, 5, 6, 7}));
}

TEST_F(Called, AnArgumentComesFromTheCaller) {
  EXPECT_EQ(definitions(7, 3), (Indexes{2}));
}

TEST_F(Called, WhatTheCallerKeepsWasWrittenByIt) {
  EXPECT_EQ(definitions(9, 4), (Indexes{1}));
  EXPECT_EQ(definitions(5, 4), (Indexes{1}));
}

TEST_F(Called, AResultIsTheCalls) {
  EXPECT_EQ(definitions(5, 0), (Indexes{4}));
}

// Another value is in R16 while the function runs; it is the caller's again
// behind it, and no argument.
TEST(Liveness, WhatAFunctionSavesIsItsCallers) {
  auto functions = readDisassembly(R"(
	.section	.text.k,"ax",@progbits
        /*0000*/  MOV R4, 1 ;
        /*0010*/  MOV R17, 2 ;
        /*0020*/  CALL.REL.NOINC `($k$f) ;
        /*0030*/  STS [R4], R17 ;
        /*0040*/  EXIT ;
$k$f:
        /*0050*/  VIADD R1, R1, 0xfffffff0 ;
        /*0060*/  STL.64 [R1+0x8], R16 ;
        /*0070*/  MOV R16, R4 ;
        /*0080*/  FADD R4, R16, R16 ;
        /*0090*/  LDL.64 R16, [R1+0x8] ;
        /*00a0*/  VIADD R1, R1, 0x10 ;
        /*00b0*/  RET.REL.NODEC R20 `(k) ;
)");
  ASSERT_TRUE(bool(functions));
  const LiveRegisters live(functions->front());
  EXPECT_EQ(live.at(0, RegisterFile::General), (Numbers{1, 4, 20, 21}));
  EXPECT_EQ(live.definitions(3, RegisterFile::General, 17), (Indexes{1}));
  EXPECT_EQ(live.definitions(3, RegisterFile::General, 4), (Indexes{2}));
}

// The code behind the call of a function elsewhere follows NVIDIA's ABI: it
// keeps R17 and not R5; R4 is its argument.
TEST(Liveness, ACallOfWhatIsElsewhere) {
  auto functions = readDisassembly(R"(
	.section	.text.k,"ax",@progbits
        /*0000*/  MOV R5, 1 ;
        /*0010*/  MOV R17, 2 ;
        /*0020*/  @P0 BRA `(.L_x_1) ;
        /*0030*/  MOV R4, 3 ;
        /*0040*/  CALL.ABS.NOINC `(vprintf) ;
        /*0050*/  STS [R5], R17 ;
.L_x_1:
        /*0060*/  EXIT ;
)");
  ASSERT_TRUE(bool(functions));
  const LiveRegisters live(functions->front());
  EXPECT_EQ(live.at(3, RegisterFile::General), (Numbers{1, 4, 17, 20, 21}));
  EXPECT_EQ(live.definitions(5, RegisterFile::General, 5), (Indexes{4}));
  EXPECT_EQ(live.definitions(5, RegisterFile::General, 17), (Indexes{1}));
}

TEST(Liveness, AnUnknownOpcodeIsNamed) {
  auto functions = readDisassembly(R"(
	.section	.text.k,"ax",@progbits
        /*0000*/  FOO.BAR R4, R5 ;
)");
  ASSERT_TRUE(bool(functions));
  const LiveRegisters live(functions->front());
  EXPECT_EQ(live.unknownOpcode(), "FOO.BAR");
  EXPECT_FALSE(live.peak());
}

// Two paths to one register at a distance: each pass over the code goes back
// by one level of loops.
TEST(Liveness, FollowsValuesThroughManyNestedLoops) {
  std::string text = "\t.section\t.text.k,\"ax\",@progbits\n"
                     "        /*0000*/  MOV R9, 1 ;\n";
  constexpr unsigned depth = 40;
  unsigned offset = 16;
  const auto add = [&](const std::string &code) {
    text += "        /*" + llvm::utohexstr(offset) + "*/ " + code + " ;\n";
    offset += 16;
  };
  for (unsigned i = 0; i < depth; ++i) {
    text += ".L_" + std::to_string(i) + ":\n";
    add("NOP");
  }
  add("FADD R2, R9, R9");
  for (unsigned i = depth; i-- > 0;)
    add("@P0 BRA `(.L_" + std::to_string(i) + ")");
  add("EXIT");
  auto functions = readDisassembly(text);
  ASSERT_TRUE(bool(functions));
  const LiveRegisters live(functions->front());
  const size_t last = functions->front().instructions.size() - 2;
  EXPECT_EQ(live.at(last, RegisterFile::General), (Numbers{1, 9}));
  EXPECT_EQ(live.at(last + 1, RegisterFile::General), (Numbers{1}));
}

namespace {

// No branch out of a region that BSSY begins: nvdisasm 13.2 loses what is live
// behind the BSYNC of such.
const char *const manyForms = R"(
#include <cuda_fp16.h>
__global__ void sums(const double *a, float *b, long long *c, int n) {
  __shared__ double s[64];
  double d = a[threadIdx.x];
  s[threadIdx.x % 64] = d;
  __syncthreads();
  float f[8] = {};
  for (int i = 0; i < n; ++i) {
    d += a[i] * d;
    for (int k = 0; k < 8; ++k)
      f[k] += b[i * 8 + k] * __shfl_xor_sync(~0u, f[k], 1);
    if (f[0] > d)
      c[i] = (long long)d + c[i + 1] * n;
    atomicAdd((unsigned long long *)c + i, (unsigned long long)f[1]);
  }
  for (int k = 0; k < 8; ++k)
    b[k * n + threadIdx.x] = f[k] + (float)(d * s[k]);
}
__global__ void moves(const float4 *a, float4 *b, half2 *h, unsigned *m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 v = a[i];
  half2 x = h[i];
  for (int k = 0; k < n; ++k) {
    v.x += __half2float(x.x) * k;
    x = __hfma2(x, x, x);
    m[i] += __ballot_sync(~0u, v.y > k) + __popc(m[k]) + __clz(i);
  }
  h[i] = x;
  b[i] = v;
}
__global__ void product(const half *a, const half *b, float *c, int n) {
  float s[4] = {};
  unsigned x[4], y[2];
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < 4; ++j)
      x[j] = ((const unsigned *)a)[threadIdx.x + k * j];
    for (int j = 0; j < 2; ++j)
      y[j] = ((const unsigned *)b)[threadIdx.x + k * j];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                 : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]),
                   "r"(y[1]));
  }
  for (int j = 0; j < 4; ++j)
    c[threadIdx.x * 4 + j] = s[j];
}
)";

std::string printed(const std::string &cubin,
                    const std::vector<std::string> &options) {
  auto scratch = Scratch::create();
  if (!scratch) {
    llvm::consumeError(scratch.takeError());
    return "";
  }
  writeFile(scratch->path("a.cubin"), cubin);
  const std::string nvcc = nvccForTests();
  const std::string folder = llvm::sys::path::parent_path(nvcc).str();
  auto program = llvm::sys::findProgramByName("nvdisasm", {folder});
  if (!program)
    program = llvm::sys::findProgramByName("nvdisasm");
  auto text = disassemble(*program, scratch->path("a.cubin"), options, *scratch,
                          std::chrono::seconds(100));
  if (text)
    return *text;
  ADD_FAILURE() << llvm::toString(text.takeError());
  return "";
}

class AgainstNvdisasm : public testing::TestWithParam<const char *> {};

} // namespace

// nvdisasm knows the operands from the instructions' bits.
TEST_P(AgainstNvdisasm, EachInstructionHasTheSameLiveRegisters) {
  NEEDS_NVDISASM;
  const std::string cubin =
      compileForTests(nvccForTests(), manyForms, "-cubin", GetParam());
  ASSERT_FALSE(cubin.empty());
  const std::string code = printed(cubin, {});
  const std::string marks = printed(cubin, {"-plr", "-lrm", "narrow"});
  auto functions = readDisassembly(code);
  ASSERT_TRUE(bool(functions)) << llvm::toString(functions.takeError());
  EXPECT_EQ(functions->size(), 3u);
  const auto rows = PlrTable::read(marks);
  for (const MachineFunction &function : *functions) {
    const LiveRegisters live(function);
    ASSERT_EQ(live.unknownOpcode(), "");
    unsigned compared = 0;
    for (size_t i = 0; i < function.instructions.size(); ++i) {
      const MachineInstruction &one = function.instructions[i];
      const auto row = rows.find({function.name, one.offset});
      // Padding has no row, and the code ends with a branch to itself.
      if (row == rows.end() || one.targets == std::vector<size_t>{i})
        continue;
      EXPECT_EQ(live.at(i, RegisterFile::General),
                row->second.live.numbers(RegisterFile::General))
          << function.name << ": " << row->second.code.str();
      ++compared;
    }
    EXPECT_GT(compared, 20u);
  }
}

INSTANTIATE_TEST_SUITE_P(Liveness, AgainstNvdisasm,
                         testing::Values("sm_80", "sm_90", "sm_120"));
