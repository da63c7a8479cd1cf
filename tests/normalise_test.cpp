// Generated IR to IR that can be read: everything inlined, locals in registers,
// and still one instruction for each access of the source.
#include "ir/analyses.h"
#include "ir/normalise.h"
#include "ir_text.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace warplint {

namespace {

class NormaliseTest : public testing::Test {
protected:
  llvm::Function &kernel(const std::string &text,
                         std::function<void(llvm::Function &)> watch = {}) {
    module_ = parseIr(text, context_);
    std::unique_ptr<llvm::TargetMachine> target = deviceTarget(*module_);
    normalise(*module_, *target, std::move(watch));
    EXPECT_FALSE(llvm::verifyModule(*module_, &llvm::errs()));
    llvm::Function *kernel = module_->getFunction("k");
    EXPECT_TRUE(kernel);
    return *kernel;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

template <class Kind> std::vector<Kind *> all(llvm::Function &function) {
  std::vector<Kind *> found;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *one = llvm::dyn_cast<Kind>(&instruction))
      found.push_back(one);
  return found;
}

std::vector<unsigned> loadedBytes(llvm::Function &function) {
  std::vector<unsigned> bytes;
  for (llvm::LoadInst *load : all<llvm::LoadInst>(function))
    bytes.push_back(load->getType()->getPrimitiveSizeInBits() / 8);
  return bytes;
}

} // namespace

// nvcc computes 'cosf(30 * PI / 180)' itself; what rests on it is constant,
// too.
TEST_F(NormaliseTest, FunctionsOfConstantsAreComputed) {
  llvm::Function &k = kernel(R"(
declare float @__nv_cosf(float)
declare double @__nv_log(double)
define ptx_kernel void @k(ptr %a, float %x) {
  %c = call float @__nv_cosf(float 0.0)
  %l = call double @__nv_log(double 1.0)
  %n = fptrunc double %l to float
  %s = fadd float %c, %n
  store float %s, ptr %a
  %v = call float @__nv_cosf(float %x)
  store volatile float %v, ptr %a
  ret void
}
)");
  EXPECT_EQ(all<llvm::CallInst>(k).size(), 1u);
  auto *sum = llvm::dyn_cast<llvm::ConstantFP>(
      all<llvm::StoreInst>(k).at(0)->getValueOperand());
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->getValueAPF().convertToFloat(), 1.0f);
}

TEST_F(NormaliseTest, KernelsAreKnownByTheirCallingConvention) {
  module_ = parseIr("define ptx_kernel void @k() {\n  ret void\n}\n"
                    "define void @f() {\n  ret void\n}\n",
                    context_);
  EXPECT_TRUE(isKernel(*module_->getFunction("k")));
  EXPECT_FALSE(isKernel(*module_->getFunction("f")));
}

// A load of a helper is an access of the kernel that calls it.
TEST_F(NormaliseTest, HelpersAreInlinedAndGone) {
  llvm::Function &k = kernel(R"(
define i32 @at(ptr %p, i32 %i) noinline optnone {
  %slot = alloca i32
  store i32 %i, ptr %slot
  %j = load i32, ptr %slot
  %q = getelementptr i32, ptr %p, i32 %j
  %v = load i32, ptr %q
  ret i32 %v
}
define ptx_kernel void @k(ptr %a, i32 %n) {
  %v = call i32 @at(ptr %a, i32 %n)
  store i32 %v, ptr %a
  ret void
}
)");
  EXPECT_FALSE(module_->getFunction("at"));
  EXPECT_TRUE(all<llvm::AllocaInst>(k).empty());
  EXPECT_EQ(all<llvm::LoadInst>(k).size(), 1u);
}

// `__noinline__` puts an array into memory: `local-array` names the function.
TEST_F(NormaliseTest, APointerIntoAFunctionThatIsNotInlinedIsMarked) {
  auto marks = [&](const char *attribute) {
    llvm::Function &k = kernel(std::string(R"(
define void @fill(ptr %p) )") + attribute +
                               R"( {
  store i32 1, ptr %p
  ret void
}
define ptx_kernel void @k(ptr %a) {
  call void @fill(ptr %a)
  ret void
}
)");
    unsigned count = 0;
    for (llvm::CallInst *call : all<llvm::CallInst>(k))
      count += call->getCalledFunction()->getName() == passedMarker;
    return count;
  };
  EXPECT_EQ(marks("noinline"), 1u);
  EXPECT_EQ(marks(""), 0u);
}

// As cg::reduce calls its operation: through a reference to a pointer.
TEST_F(NormaliseTest, AFunctionPassedAsAnArgumentIsInlined) {
  llvm::Function &k = kernel(R"(
define i32 @plus(i32 %a, i32 %b) {
  %sum = add i32 %a, %b
  ret i32 %sum
}
define i32 @reduce(ptr %a, ptr %operation) {
  %x = load i32, ptr %a
  %f = load ptr, ptr %operation
  %v = call i32 %f(i32 %x, i32 3)
  ret i32 %v
}
define ptx_kernel void @k(ptr %a) {
  %slot = alloca { i32, ptr }
  %member = getelementptr { i32, ptr }, ptr %slot, i32 0, i32 1
  store ptr @plus, ptr %member
  %v = call i32 @reduce(ptr %a, ptr %member)
  store i32 %v, ptr %a
  ret void
}
)");
  EXPECT_TRUE(all<llvm::CallBase>(k).empty());
  EXPECT_EQ(all<llvm::BinaryOperator>(k).size(), 1u);
}

TEST_F(NormaliseTest, OnlyRecursiveCallsRemain) {
  llvm::Function &k = kernel(R"(
define void @deep(ptr %p, i32 %n) {
  %m = sub i32 %n, 1
  %on = icmp sgt i32 %m, 0
  br i1 %on, label %again, label %end
again:
  call void @deep(ptr %p, i32 %m)
  store i32 %n, ptr %p
  br label %end
end:
  ret void
}
define ptx_kernel void @k(ptr %a, i32 %n) {
  call void @deep(ptr %a, i32 %n)
  ret void
}
)");
  std::vector<llvm::CallInst *> calls = all<llvm::CallInst>(k);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0]->getCalledFunction()->getName(), "deep");
}

// nvcc makes the same loop: its code has neither a call nor a stack frame.
TEST_F(NormaliseTest, ACallOfItselfAtTheEndIsALoop) {
  llvm::Function &k = kernel(R"(
define i32 @power(i32 %n, i32 %guess) {
  %enough = icmp sge i32 %guess, %n
  br i1 %enough, label %end, label %again
again:
  %twice = shl i32 %guess, 1
  %more = call i32 @power(i32 %n, i32 %twice)
  br label %end
end:
  %found = phi i32 [ %more, %again ], [ %guess, %0 ]
  ret i32 %found
}
define ptx_kernel void @k(ptr %a, i32 %n) {
  %p = call i32 @power(i32 %n, i32 1)
  store i32 %p, ptr %a
  ret void
}
)");
  EXPECT_EQ(all<llvm::CallInst>(k).size(), 0u);
  EXPECT_EQ(all<llvm::PHINode>(k).size(), 1u);
}

// Two rotations that call each other for a negative count.
TEST_F(NormaliseTest, FunctionsThatCallEachOtherAtTheEndAreFollowed) {
  auto rotation = [](const std::string &name, const std::string &other,
                     const std::string &shift) {
    return "define i32 @" + name + R"((i32 %x, i32 %s) {
  %isNegative = icmp slt i32 %s, 0
  br i1 %isNegative, label %other, label %own
other:
  %t = sub i32 0, %s
  %r = call i32 @)" + other + R"((i32 %x, i32 %t)
  br label %end
own:
  %l = )" + shift + R"( i32 %x, %s
  br label %end
end:
  %found = phi i32 [ %r, %other ], [ %l, %own ]
  ret i32 %found
}
)";
  };
  llvm::Function &k = kernel(rotation("left", "right", "shl") +
                             rotation("right", "left", "lshr") + R"(
define ptx_kernel void @k(ptr %a, i32 %n) {
  %l = call i32 @left(i32 %n, i32 5)
  %r = call i32 @right(i32 %l, i32 %n)
  store i32 %r, ptr %a
  ret void
}
)");
  EXPECT_EQ(all<llvm::CallInst>(k).size(), 0u);
}

// `assert(i < n)` must not count as a branch that diverges.
TEST_F(NormaliseTest, AFailedAssertionIsNoPartOfAKernel) {
  llvm::Function &k = kernel(R"(
declare void @fail() noreturn
define ptx_kernel void @k(ptr %a, i1 %ok) {
entry:
  br i1 %ok, label %good, label %bad
bad:
  call void @fail()
  unreachable
good:
  store i32 1, ptr %a
  ret void
}
)");
  EXPECT_EQ(k.size(), 1u);
}

// One instruction for each access of the source: to merge two loads, or to move
// one out of its loop, would hide what the check is to report.
TEST_F(NormaliseTest, AccessesAreNeitherMergedNorMoved) {
  llvm::Function &k = kernel(R"(
define ptx_kernel void @k(ptr %a, ptr %b, i32 %n) {
entry:
  %i = alloca i32
  store i32 0, ptr %i
  br label %loop
loop:
  %now = load i32, ptr %i
  %in = icmp slt i32 %now, 4
  br i1 %in, label %body, label %after
body:
  %x = load i32, ptr %a
  %y = load i32, ptr %a
  %sum = add i32 %x, %y
  %to = getelementptr i32, ptr %b, i32 %now
  store i32 %sum, ptr %to
  %next = add i32 %now, 1
  store i32 %next, ptr %i
  br label %loop
after:
  ret void
}
)");
  std::vector<llvm::LoadInst *> loads = all<llvm::LoadInst>(k);
  ASSERT_EQ(loads.size(), 2u); // of %a, and none of %i
  EXPECT_EQ(loads[0]->getParent()->getName(), "body");
  EXPECT_EQ(loads[1]->getParent()->getName(), "body");
  EXPECT_EQ(all<llvm::StoreInst>(k).size(), 1u); // not unrolled
}

// A structure of three floats is copied in three requests, not in one of 12
// bytes.
TEST_F(NormaliseTest, ACopyIsSplitAsItsAlignmentAllows) {
  const std::string copy = R"(
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define ptx_kernel void @k(ptr %a, ptr %b) {
  call void @llvm.memcpy.p0.p0.i64()";
  llvm::Function &three = kernel(
      copy + "ptr align 4 %a, ptr align 4 %b, i64 12, i1 false)\n ret void\n}");
  EXPECT_EQ(loadedBytes(three), (std::vector<unsigned>{4, 4, 4}));
  for (llvm::LoadInst *load : all<llvm::LoadInst>(three))
    EXPECT_TRUE(load->hasMetadata("warplint.copy"));
  EXPECT_EQ(all<llvm::StoreInst>(three).size(), 3u);
  EXPECT_EQ(loadedBytes(kernel(copy + "ptr align 16 %a, ptr align 16 %b, i64 "
                                      "24, i1 false)\n ret void\n}")),
            (std::vector<unsigned>{16, 8}));
  // A large one, and one that says volatile, stay copies.
  EXPECT_TRUE(loadedBytes(kernel(copy + "ptr align 4 %a, ptr align 4 %b, i64 "
                                        "1024, i1 false)\n ret void\n}"))
                  .empty());
  EXPECT_TRUE(loadedBytes(kernel(copy + "ptr align 4 %a, ptr align 4 %b, i64 "
                                        "12, i1 true)\n ret void\n}"))
                  .empty());
}

TEST_F(NormaliseTest, ClearedMemoryIsStored) {
  llvm::Function &k = kernel(R"(
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define ptx_kernel void @k(ptr %a) {
  call void @llvm.memset.p0.i64(ptr align 8 %a, i8 0, i64 12, i1 false)
  ret void
}
)");
  EXPECT_TRUE(all<llvm::MemSetInst>(k).empty());
  std::vector<llvm::StoreInst *> stores = all<llvm::StoreInst>(k);
  ASSERT_EQ(stores.size(), 2u);
  EXPECT_TRUE(stores[0]->getValueOperand()->getType()->isIntegerTy(64));
  EXPECT_TRUE(stores[1]->getValueOperand()->getType()->isIntegerTy(32));
}

// A structure that one loads as a whole is values: its fields have addresses
// that can be followed.
TEST_F(NormaliseTest, ACopyIntoALocalLeavesNoLocal) {
  llvm::Function &k = kernel(R"(
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define ptx_kernel void @k(ptr %a, ptr %b) {
  %own = alloca { i32, i32 }, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %own, ptr align 8 %b, i64 8, i1 false)
  %field = getelementptr { i32, i32 }, ptr %own, i32 0, i32 1
  %v = load i32, ptr %field
  store i32 %v, ptr %a
  ret void
}
)");
  EXPECT_TRUE(all<llvm::AllocaInst>(k).empty());
  EXPECT_EQ(loadedBytes(k), (std::vector<unsigned>{8}));
}

// With its index unknown a table stays in memory; what it holds is known for
// all that.
TEST_F(NormaliseTest, ATableIsFilledElementByElement) {
  llvm::Function &k = kernel(R"(
@init = private constant [3 x i32] [i32 5, i32 6, i32 7]
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define ptx_kernel void @k(ptr %a, i64 %i) {
  %own = alloca [3 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %own, ptr align 4 @init, i64 12, i1 false)
  %at = getelementptr [3 x i32], ptr %own, i64 0, i64 %i
  %v = load i32, ptr %at
  store i32 %v, ptr %a
  ret void
}
)");
  std::vector<uint64_t> held;
  for (llvm::StoreInst *store : all<llvm::StoreInst>(k))
    if (auto *value =
            llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand()))
      held.push_back(value->getZExtValue());
  EXPECT_EQ(held, (std::vector<uint64_t>{5, 6, 7}));
  EXPECT_TRUE(all<llvm::MemCpyInst>(k).empty());
}

// A parameter lies in constant memory; one that is written to does not.
TEST_F(NormaliseTest, AStructureByValueThatIsWrittenIsALocal) {
  auto text = [](const char *write) {
    return std::string(R"(
%S = type { [4 x i32], i32 }
define ptx_kernel void @k(ptr byval(%S) align 4 %s, ptr %a, i64 %i) {
  %at = getelementptr [4 x i32], ptr %s, i64 0, i64 %i
)") + write +
           R"(
  %v = load i32, ptr %at
  store i32 %v, ptr %a
  ret void
}
)";
  };
  EXPECT_EQ(all<llvm::AllocaInst>(kernel(text("store i32 1, ptr %at"))).size(),
            1u);
  EXPECT_TRUE(all<llvm::AllocaInst>(kernel(text(""))).empty());
}

TEST_F(NormaliseTest, AReturnedStructureKeepsItsMembers) {
  llvm::Function &k = kernel(R"(
define { ptr, i32 } @make(ptr %p, i32 %n) {
  %one = insertvalue { ptr, i32 } poison, ptr %p, 0
  %two = insertvalue { ptr, i32 } %one, i32 %n, 1
  ret { ptr, i32 } %two
}
define ptx_kernel void @k(ptr %a, i32 %n) {
  %s = call { ptr, i32 } @make(ptr %a, i32 %n)
  %p = extractvalue { ptr, i32 } %s, 0
  store i32 %n, ptr %p
  ret void
}
)");
  std::vector<llvm::StoreInst *> stores = all<llvm::StoreInst>(k);
  ASSERT_EQ(stores.size(), 1u);
  EXPECT_EQ(stores[0]->getPointerOperand()->stripPointerCasts(), k.getArg(0));
}

// `cvta` and casts to generic pointers lose a space that is known.
TEST_F(NormaliseTest, AGenericPointerToSharedMemoryIsSharedMemory) {
  llvm::Function &k = kernel(R"(
@tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @k(i64 %i) {
  %p = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %i
  store i32 1, ptr %p
  ret void
}
)");
  std::vector<llvm::StoreInst *> stores = all<llvm::StoreInst>(k);
  ASSERT_EQ(stores.size(), 1u);
  EXPECT_EQ(stores[0]->getPointerAddressSpace(), 3u);
}

// `coverage` counts instructions as they were before any pass removed them.
TEST_F(NormaliseTest, AWatchSeesKernelsAloneAndBeforeTheyChange) {
  unsigned first = 0;
  bool sawOther = false;
  kernel(R"(
define void @helper(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define ptx_kernel void @k(ptr %a) {
  %slot = alloca ptr
  store ptr %a, ptr %slot
  %p = load ptr, ptr %slot
  call void @helper(ptr %p)
  ret void
}
)",
         [&](llvm::Function &seen) {
           if (!first)
             first = seen.getInstructionCount();
           sawOther |= !isKernel(seen);
         });
  EXPECT_GE(first, 5u);
  EXPECT_FALSE(sawOther);
}

// The inlined code of all kernels of a template library takes gigabytes.
TEST_F(NormaliseTest, OneKernelAtATimeHoldsItsInlinedCode) {
  module_ = parseIr(R"(
define void @twice(ptr %p) {
  store i32 1, ptr %p
  store i32 2, ptr %p
  ret void
}
define ptx_kernel void @first(ptr %p) {
  call void @twice(ptr %p)
  ret void
}
define ptx_kernel void @second(ptr %p) {
  call void @twice(ptr %p)
  ret void
}
)",
                    context_);
  std::unique_ptr<llvm::TargetMachine> target = deviceTarget(*module_);
  std::vector<std::string> sizes;
  normaliseEach(*module_, *target, [&](llvm::Function &kernel) {
    std::string line = kernel.getName().str();
    for (const char *name : {"first", "second"})
      line += ' ' +
              std::to_string(module_->getFunction(name)->getInstructionCount());
    sizes.push_back(line);
    kernel.deleteBody();
  });
  EXPECT_EQ(sizes, (std::vector<std::string>{"first 4 2", "second 0 4"}));
}

// Once an argument is known, what depends on it is decided.
TEST_F(NormaliseTest, ASecondRunFoldsWhatHasBecomeConstant) {
  llvm::Function &k = kernel(R"(
define ptx_kernel void @k(ptr %a, i32 %n) {
entry:
  %is = icmp eq i32 %n, 3
  br i1 %is, label %yes, label %no
yes:
  store i32 1, ptr %a
  br label %no
no:
  ret void
}
)");
  EXPECT_GT(k.size(), 1u);
  k.getArg(1)->replaceAllUsesWith(
      llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), 3));
  std::unique_ptr<llvm::TargetMachine> target = deviceTarget(*module_);
  Analyses analyses(*target);
  simplify(k, analyses.functions);
  EXPECT_EQ(k.size(), 1u);
  EXPECT_EQ(all<llvm::StoreInst>(k).size(), 1u);
}

} // namespace warplint
