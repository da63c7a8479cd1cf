// Loads and stores that the compiler makes once, where the source makes them
// often: a report of those would ask for what is done already.
#include "ir/analyses.h"
#include "ir/needed_accesses.h"
#include "ir/normalise.h"
#include "ir_text.h"
#include "read_text.h"
#include "llvm/IR/InstIterator.h"

namespace warplint {

namespace {

class NeededAccesses : public testing::Test {
protected:
  /// "hoisted", "removed" or "needed" for the load %x of a kernel.
  std::string loadIn(const std::string &text) {
    module_ = parseIr(text, context_);
    const std::unique_ptr<llvm::TargetMachine> target = deviceTarget(*module_);
    describeLibdevice(*module_->getFunction("k"));
    std::string before;
    llvm::raw_string_ostream(before) << *module_->getFunction("k");
    Analyses analyses(*target);
    markNeededAccesses(*module_->getFunction("k"), analyses.functions);
    std::string found;
    for (llvm::Instruction &instruction :
         llvm::instructions(*module_->getFunction("k"))) {
      const bool isHoisted = instruction.getMetadata(accessHoisted),
                 isRemoved = instruction.getMetadata(accessRemoved);
      if (instruction.getName() == "x")
        found = isRemoved ? "removed" : isHoisted ? "hoisted" : "needed";
      instruction.setMetadata(accessHoisted, nullptr);
      instruction.setMetadata(accessRemoved, nullptr);
    }
    std::string after;
    llvm::raw_string_ostream(after) << *module_->getFunction("k");
    EXPECT_EQ(after, before) << "only marks may change";
    return found;
  }

  std::string inLoop(const std::string &body, const std::string &more = "") {
    return loadIn(R"(
define ptx_kernel void @k(ptr %a, ptr noalias %b, ptr %c, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
)" + body + R"(
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %after
after:
  ret void
}
)" + more);
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

/// "a[i] each time; b[j] once" of the loads, or the stores, of a source.
std::string needed(llvm::StringRef source,
                   Operation operation = Operation::Load) {
  SourceModel model = readText(source);
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  static const char *words[] = {"each time", "once", "never"};
  std::string text;
  for (const Access &access : model.kernels.at(0).accesses)
    if (access.operation == operation)
      text += (text.empty() ? "" : "; ") + access.text + " " +
              words[int(access.need)];
  return text;
}

} // namespace

// A stored value is still in its register in the next iteration: ncu counts one
// request less than the text has.
TEST_F(NeededAccesses, ASumInMemoryIsNotLoadedAgain) {
  EXPECT_EQ(needed(R"(
__global__ void k(float *y, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < n; ++j)
    y[i] += a[j * n + i];
})"),
            "a[j * n + i] each time; y[i] once");
}

// 'sincosf(x, &s, &c)' leaves both in registers: its kernel would seem to wait
// for local memory.
TEST_F(NeededAccesses, ASecondResultOfLibdeviceIsInARegister) {
  const std::string declarations = R"(
declare void @__nv_sincosf(float, ptr, ptr)
declare void @other(float, ptr, ptr)
)";
  const auto kernel = [&](const std::string &callee) {
    return declarations + R"(
define ptx_kernel void @k(ptr %a, float %v) {
  %s = alloca float
  %c = alloca float
  call void @)" +
           callee +
           R"((float %v, ptr %s, ptr %c)
  %x = load float, ptr %s
  store float %x, ptr %a
  ret void
}
)";
  };
  EXPECT_EQ(loadIn(kernel("__nv_sincosf")), "removed");
  EXPECT_EQ(loadIn(kernel("other")), "needed");
}

// nvcc loads it once (seen in its PTX), so an atomic of something else would be
// blamed for loads that do not happen.
TEST_F(NeededAccesses, AnAtomicOfSomethingElseForcesNone) {
  EXPECT_EQ(inLoop(R"(
  %x = load float, ptr %b
  %y = atomicrmw add ptr %a, i32 1 syncscope("device") seq_cst
  store float %x, ptr %c
)"),
            "hoisted");
  EXPECT_EQ(inLoop(R"(
  %x = load i32, ptr %a
  %y = atomicrmw add ptr %a, i32 1 syncscope("device") seq_cst
  store i32 %x, ptr %b
)"),
            "needed");
}

TEST_F(NeededAccesses, AStoreToSharedMemoryForcesNoneOfAnArgument) {
  EXPECT_EQ(needed(R"(
struct Table { const float *rates; };
__global__ void k(const float *scale, Table table, float *out, int n) {
  __shared__ float sums[64];
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sums[j & 63] = sum += scale[0] + table.rates[1];
  out[threadIdx.x] = sum;
})"),
            "scale[0] once; table.rates once; table.rates[1] once");
}

TEST_F(NeededAccesses, AStoreInBetweenForcesALoad) {
  EXPECT_EQ(needed(R"(
__global__ void k(float *y, float *z, const float *s, int n) {
  int i = threadIdx.x;
  for (int j = 0; j < n; ++j)
    y[j * n + i] = z[i] * s[0];
})"),
            "z[i] each time; s[0] each time");
  EXPECT_EQ(needed(R"(
__global__ void k(float *__restrict__ y, const float *__restrict__ z,
                  const float *__restrict__ s, int n) {
  int i = threadIdx.x;
  for (int j = 0; j < n; ++j)
    y[j * n + i] = z[i] * s[0];
})"),
            "z[i] once; s[0] once");
}

// Even `*p` of the same value: the compiler does not see that far.
TEST_F(NeededAccesses, ACopyInBetweenForcesALoad) {
  EXPECT_EQ(needed(R"(
__global__ void k(int *out, const int *p, int n) {
  for (int i = 0; i < n; ++i)
    out[i * 32 + threadIdx.x] = *p;
})"),
            "*p each time");
}

TEST_F(NeededAccesses, ALoadedValueIsNotLoadedAgain) {
  EXPECT_EQ(needed(R"(
__global__ void k(float *y, const float *a) {
  int i = threadIdx.x;
  y[i] = a[i] * a[i];
})"),
            "a[i] each time; a[i] never");
  EXPECT_EQ(needed(R"(
__global__ void k(float *y, const float *a) {
  int i = threadIdx.x;
  y[i] = a[i];
  __syncthreads();
  y[i + 32] = a[i];
})"),
            "a[i] each time; a[i] each time");
}

// cicc ignores that a float is no int (seen in the PTX of CUDA 13.0).
TEST_F(NeededAccesses, AStoreOfAnotherTypeMayChangeIt) {
  EXPECT_EQ(inLoop("%x = load i32, ptr %a, !tbaa !0\n"
                   "store float 0.0, ptr %c, !tbaa !3\nstore i32 %x, ptr %b",
                   "!0 = !{!1, !1, i64 0}\n!1 = !{!\"int\", !2, i64 0}\n"
                   "!2 = !{!\"omnipotent char\"}\n"
                   "!3 = !{!4, !4, i64 0}\n!4 = !{!\"float\", !2, i64 0}\n"),
            "needed");
}

TEST_F(NeededAccesses, VolatileLoadsAreNeededAndThoseOfACopyAreNot) {
  EXPECT_EQ(inLoop("%x = load volatile i32, ptr %a"), "needed");
  EXPECT_EQ(inLoop("%x = load volatile i32, ptr %a, !warplint.copy !0\n"
                   "store i32 %x, ptr %b",
                   "!0 = !{}\n"),
            "hoisted");
}

TEST_F(NeededAccesses, MathematicsChangesNoMemory) {
  EXPECT_EQ(inLoop("%x = load float, ptr %a\n"
                   "%y = call float @__nv_sinf(float %x)\n"
                   "store float %y, ptr %b",
                   "declare float @__nv_sinf(float)"),
            "hoisted");
  EXPECT_EQ(inLoop("%x = load float, ptr %a\ncall void @scan()\n"
                   "store float %x, ptr %b",
                   "declare void @scan()"),
            "needed");
}

// Three random numbers from a state in memory store it once: a finding about
// that store would have three times its cost (seen in the PTX of CUDA 13.0).
TEST_F(NeededAccesses, WhatIsOverwrittenIsNotStored) {
  const std::string state = R"(
__device__ float next(unsigned *s) {
  *s = 26757677u * *s + 1;
  return *s;
}
__global__ void k(unsigned *seed, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = next(&seed[i]);
)";
  EXPECT_EQ(needed(state + "y[i] = a * next(&seed[i]); }", Operation::Store),
            "*s never; *s each time; y[i] each time");
  EXPECT_EQ(needed(state + "__syncthreads(); y[i] = a * next(&seed[i]); }",
                   Operation::Store),
            "*s each time; *s each time; y[i] each time");
  EXPECT_EQ(needed(state + "y[i] = a; next(&seed[i]); }", Operation::Store),
            "*s each time; y[i] each time; *s each time");
}

TEST_F(NeededAccesses, AVolatileStoreIsMade) {
  EXPECT_EQ(needed(R"(
__global__ void k(volatile int *flag) {
  flag[threadIdx.x] = 1;
  flag[threadIdx.x] = 2;
})",
                   Operation::Store),
            "flag[threadIdx.x] each time; flag[threadIdx.x] each time");
}

// Its kernel was priced as if each iteration stored it.
TEST_F(NeededAccesses, ASumThatNothingElseTouchesIsStoredBehindItsLoop) {
  const auto stores = [&](const std::string &body) {
    return needed("__global__ void k(float *__restrict__ y, "
                  "const float *__restrict__ a, int n, int m) {\n"
                  "int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "for (int j = 0; j < n; ++j) {" +
                      body + "}}",
                  Operation::Store);
  };
  EXPECT_EQ(stores("y[i] += a[j];"), "y[i] once");
  EXPECT_EQ(stores("y[i] = m;"), "y[i] once");
  EXPECT_EQ(stores("if (a[j] > 0) y[i] += a[j];"), "y[i] each time");
  EXPECT_EQ(stores("y[i] += a[j]; y[i + m] += a[j];"),
            "y[i] each time; y[i + m] each time");
  EXPECT_EQ(stores("y[i + 32 * m] += a[j]; y[16 + i + 32 * m] += a[j];"),
            "y[i + 32 * m] each time; y[16 + i + 32 * m] each time")
      << "cicc keeps both in the loop";
  EXPECT_EQ(stores("y[i + 32 * m] += a[j]; y[i + 32 * m + 16] += a[j];"),
            "y[i + 32 * m] once; y[i + 32 * m + 16] once");
  EXPECT_EQ(stores("y[2 * i] += a[j]; y[2 * i + 1] -= a[j];"),
            "y[2 * i] once; y[2 * i + 1] once");
  EXPECT_EQ(stores("float *p = y + i; p[0] += a[j]; p[32] += a[j];"),
            "p[0] once; p[32] once");
  EXPECT_EQ(stores("y[i] += a[j]; y[m + 1] = 0;"),
            "y[i] each time; y[m + 1] each time");
}

} // namespace warplint
