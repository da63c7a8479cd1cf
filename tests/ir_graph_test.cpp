// Values and conditions of IR as expressions: what decides every figure of
// sectors, bank conflicts and divergence.
#include "ir/ir_graph.h"
#include "ir_text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"

namespace warplint {

namespace {

std::string dimension(const Node &node) {
  return std::string(".") + "xyz"[node.number];
}

/// "(&a + (sext(tid.x) * 4))"; a value that a loop carries has its number
/// alone, since it is computed from itself.
std::string textOf(const Kernel &kernel, ValueId id) {
  const ExpressionGraph &graph = kernel.graph;
  const Node &node = graph.node(id);
  auto operand = [&](unsigned i) {
    return textOf(kernel, graph.operand(id, i));
  };
  auto binary = [&](const char *sign) {
    return "(" + operand(0) + " " + sign + " " + operand(1) + ")";
  };
  auto call = [&](const std::string &name) {
    std::vector<std::string> all;
    for (unsigned i = 0; i < node.count; ++i)
      all.push_back(operand(i));
    return name + "(" + llvm::join(all, ", ") + ")";
  };
  switch (node.op) {
  case Op::Constant:
    return std::to_string(node.bits <= 1
                              ? int64_t(node.number)
                              : llvm::SignExtend64(node.number, node.bits));
  case Op::ThreadIndex:
    return "tid" + dimension(node);
  case Op::BlockIndex:
    return "ctaid" + dimension(node);
  case Op::BlockSize:
    return "ntid" + dimension(node);
  case Op::Lane:
    return "lane";
  case Op::Parameter:
    return graph.text(id);
  case Op::Uniform:
    return "uniform{" + graph.text(id) + "}";
  case Op::Varying:
    return "varying{" + graph.text(id) + "}";
  case Op::Base:
    return "&" + kernel.objects[node.number].name;
  case Op::Loaded:
    return graph.text(id) + "[" + operand(0) + "]";
  case Op::Forwarded:
    return call("forwarded");
  case Op::Usually:
    return call("usually " + std::to_string(node.number));
  case Op::Carried:
    return "loop" + std::to_string(node.number);
  case Op::Final:
    return call("final" + std::to_string(node.number));
  case Op::Ever:
    return call("ever" + std::to_string(node.number));
  case Op::Join:
    return call("join");
  case Op::Select:
    return call("select");
  case Op::Add:
    return binary("+");
  case Op::Subtract:
    return binary("-");
  case Op::Multiply:
    return binary("*");
  case Op::And:
    return binary("&");
  case Op::Or:
    return binary("|");
  case Op::Xor:
    return node.bits == 1 && graph.isConstant(graph.operand(id, 1), 1)
               ? "!" + operand(0)
               : binary("^");
  case Op::ShiftLeft:
    return binary("<<");
  case Op::Equal:
    return binary("==");
  case Op::NotEqual:
    return binary("!=");
  case Op::LessSigned:
    return binary("<");
  case Op::LessEqualSigned:
    return binary("<=");
  case Op::LessUnsigned:
    return binary("<u");
  case Op::MinSigned:
    return call("min");
  case Op::CountOnes:
    return call("popc");
  case Op::LeadingZeros:
    return call("clz");
  case Op::SignExtend:
    return call("sext");
  case Op::Resize:
    return call("resize" + std::to_string(node.bits));
  case Op::FromLane:
    return call("fromLane");
  case Op::Ballot:
    return call("ballot");
  case Op::Opaque:
    return call("opaque{" + graph.text(id) + "}");
  default:
    return call("op" + std::to_string(unsigned(node.op)));
  }
}

const char *declarations = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
)";

/// The graph of the only function with a body. Names of IR values stand for the
/// source's.
class IrGraphTest : public testing::Test {
protected:
  void read(const std::string &text) {
    module_ = parseIr(text + declarations, context_);
    for (llvm::Function &function : *module_)
      if (!function.isDeclaration())
        function_ = &function;
    ASSERT_TRUE(function_);
    dominators_.recalculate(*function_);
    postDominators_.recalculate(*function_);
    loops_.analyze(dominators_);
    graph_ = std::make_unique<IrGraph>(
        *function_, FunctionAnalyses{loops_, dominators_, postDominators_},
        kernel_, [](const llvm::Instruction &instruction) {
          return instruction.getName().str();
        });
  }

  const llvm::BasicBlock *block(llvm::StringRef name) {
    for (const llvm::BasicBlock &block : *function_)
      if (block.getName() == name)
        return &block;
    ADD_FAILURE() << "no block " << name.str();
    return &function_->getEntryBlock();
  }

  const llvm::Value *named(llvm::StringRef name) {
    for (const llvm::Instruction &instruction : llvm::instructions(*function_))
      if (instruction.getName() == name)
        return &instruction;
    ADD_FAILURE() << "no value " << name.str();
    return &*function_->arg_begin();
  }

  ValueId idOf(llvm::StringRef name) {
    const llvm::Value *value = named(name);
    return graph_->value(value,
                         llvm::cast<llvm::Instruction>(value)->getParent());
  }
  std::string value(llvm::StringRef name) {
    return textOf(kernel_, idOf(name));
  }
  std::string valueAt(llvm::StringRef name, llvm::StringRef context) {
    return textOf(kernel_, graph_->value(named(name), block(context)));
  }
  std::string reach(llvm::StringRef name) {
    return textOf(kernel_, graph_->reach(block(name)));
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  llvm::Function *function_ = nullptr;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree postDominators_;
  llvm::LoopInfo loops_;
  Kernel kernel_;
  std::unique_ptr<IrGraph> graph_;
};

} // namespace

// --- values -----------------------------------------------------------------

// Without the size of an element, every stride would be wrong.
TEST_F(IrGraphTest, AnAddressIsTheBaseAndBytes) {
  read(R"(
define void @k(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %t, %n
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %wide
  %q = getelementptr { i32, [4 x i64] }, ptr %a, i64 1, i32 1, i64 2
  ret void
})");
  EXPECT_EQ(value("p"), "(&a + (sext((tid.x + n)) * 4))");
  EXPECT_EQ(value("q"), "(((&a + 40) + 8) + 16)");
  EXPECT_TRUE(kernel_.graph.node(idOf("p")).pointer);
  EXPECT_EQ(kernel_.objects.at(0).space, Space::Global);
}

// A narrow index that lost its sign would lead 16 GiB past the array.
TEST_F(IrGraphTest, ANarrowIndexKeepsItsSign) {
  read(R"(
define void @k(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %a, i32 %t
  %q = getelementptr i32, ptr %a, i32 -1
  ret void
})");
  EXPECT_EQ(value("p"), "(&a + (sext(tid.x) * 4))");
  EXPECT_EQ(value("q"), "(&a + -4)");
}

TEST_F(IrGraphTest, ComparisonsAreWrittenWithLess) {
  read(R"(
define void @k(i32 %a, i32 %b) {
  %gt = icmp sgt i32 %a, %b
  %uge = icmp uge i32 %a, %b
  %ult = icmp ult i32 %a, %b
  ret void
})");
  EXPECT_EQ(value("gt"), "(b < a)");
  EXPECT_EQ(kernel_.graph.node(idOf("uge")).op, Op::LessEqualUnsigned);
  EXPECT_EQ(textOf(kernel_, kernel_.graph.operand(idOf("uge"), 0)), "b");
  EXPECT_EQ(value("ult"), "(a <u b)");
}

// `float4 v = p[i]; q[v.y]`: the index is said to come from p[i], at its own
// byte.
TEST_F(IrGraphTest, AComponentOfAVectorIsLoadedFromItsOwnByte) {
  read(R"(
define void @k(ptr %a) {
  %v = load <4 x i32>, ptr %a
  %y = extractelement <4 x i32> %v, i32 1
  ret void
})");
  EXPECT_EQ(value("y"), "v[(&a + 4)]");
}

// Structures are copied in pieces larger than their fields: each field still
// has a name and a place of its own.
TEST_F(IrGraphTest, AFieldIsCutOutOfACopiedWord) {
  read(R"(
define void @k(ptr %a) {
  %word = load i64, ptr %a, !warplint.copy !0
  %high = lshr i64 %word, 32
  %field = trunc i64 %high to i32
  %plain = load i64, ptr %a
  %shifted = lshr i64 %plain, 32
  %cut = trunc i64 %shifted to i32
  ret void
}
!0 = !{})");
  EXPECT_EQ(value("field"), "word[(&a + 4)]");
  EXPECT_NE(value("cut"), value("field"));
}

TEST_F(IrGraphTest, GlobalsAreObjectsOfTheirSpaceAndSize) {
  read(R"(
@tile = internal addrspace(3) global [64 x float] undef
@table = addrspace(4) constant [8 x i32] zeroinitializer
define void @k() {
  %s = getelementptr float, ptr addrspace(3) @tile, i64 3
  %c = getelementptr i32, ptr addrspace(4) @table, i64 1
  ret void
})");
  EXPECT_EQ(value("s"), "(&tile + 12)");
  EXPECT_EQ(value("c"), "(&table + 4)");
  ASSERT_EQ(kernel_.objects.size(), 2u);
  EXPECT_EQ(kernel_.objects[0].space, Space::Shared);
  EXPECT_EQ(kernel_.objects[0].bytes, 256u);
  EXPECT_EQ(kernel_.objects[1].space, Space::Constant);
}

// --- a thread's own memory --------------------------------------------------

// An index that goes through an array of the thread's own is followed only
// where nothing else can have been stored.
TEST_F(IrGraphTest, ALoadOfOwnMemoryIsWhatWasStored) {
  read(R"(
define void @k(i32 %n) {
  %own = alloca { i32, i32 }
  %first = getelementptr i8, ptr %own, i64 0
  %second = getelementptr i8, ptr %own, i64 4
  store i32 %n, ptr %first
  store i32 7, ptr %second
  %x = load i32, ptr %first
  ret void
})");
  // Its address; the address, value and size of the one store in question.
  EXPECT_EQ(value("x"), "forwarded(&own, &own, n, 4)");
}

TEST_F(IrGraphTest, AStoreThatMayNotHaveRunMakesOwnMemoryUnknown) {
  read(R"(
define void @k(i32 %n, i1 %c) {
entry:
  %own = alloca i32
  store i32 1, ptr %own
  br i1 %c, label %write, label %after
write:
  store i32 %n, ptr %own
  br label %after
after:
  %x = load i32, ptr %own
  ret void
})");
  EXPECT_EQ(value("x"), "varying{what its own array 'own' holds}");
}

TEST_F(IrGraphTest, AnEscapedAddressMakesOwnMemoryUnknown) {
  read(R"(
declare void @g(ptr)
define void @k(i32 %n) {
  %own = alloca i32
  store i32 %n, ptr %own
  call void @g(ptr %own)
  %x = load i32, ptr %own
  ret void
})");
  EXPECT_EQ(value("x"), "varying{what its own array 'own' holds}");
}

// The message names where the indexes come from, as far as that is one place.
TEST_F(IrGraphTest, AnArrayFilledFromMemoryNamesItsSource) {
  read(R"(
define void @k(ptr %key, i64 %i) {
  %own = alloca [4 x i32]
  %k = load i32, ptr %key
  %to = getelementptr [4 x i32], ptr %own, i64 0, i64 %i
  br label %fill
fill:
  %again = phi i32 [ 0, %0 ], [ %next, %fill ]
  store i32 %k, ptr %to
  %next = add i32 %again, 1
  %more = icmp slt i32 %next, 4
  br i1 %more, label %fill, label %use
use:
  %x = load i32, ptr %to
  ret void
})");
  EXPECT_EQ(value("x"),
            "varying{what its own array 'own' holds, loaded from 'k'}");
}

// --- loops ------------------------------------------------------------------

const char *countedLoop = R"(
define void @k(ptr %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %loop ]
  %next = add i32 %i, 32
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %after
after:
  ret void
})";

TEST_F(IrGraphTest, ACounterHasItsStartAndItsStep) {
  read(countedLoop);
  const ValueId i = idOf("i");
  ASSERT_EQ(kernel_.graph.node(i).op, Op::Carried);
  EXPECT_EQ(textOf(kernel_, kernel_.graph.operand(i, 0)), "tid.x");
  EXPECT_EQ(textOf(kernel_, kernel_.graph.operand(i, 1)), "(loop0 + 32)");
  EXPECT_EQ(graph_->loopsAround(block("loop")), std::vector<LoopId>{0});
  EXPECT_TRUE(graph_->loopsAround(block("after")).empty());
}

// After the loop, the lanes hold what each one's last iteration left.
TEST_F(IrGraphTest, AfterALoopAValueIsThatOfTheLastIteration) {
  read(countedLoop);
  EXPECT_EQ(valueAt("next", "loop"), "(loop0 + 32)");
  EXPECT_EQ(valueAt("next", "after"), "final0((loop0 + 32))");
}

// Code behind a grid-stride loop is done by all threads, however many
// iterations each had: as divergent it would cost too little.
TEST_F(IrGraphTest, AllThreadsLeaveALoopByItsOnlyExit) {
  read(countedLoop);
  EXPECT_EQ(reach("after"), "1");
}

TEST_F(IrGraphTest, ReachingTheNextIterationIsACarriedCondition) {
  read(countedLoop);
  const ValueId there = graph_->reach(block("loop"));
  ASSERT_EQ(kernel_.graph.node(there).op, Op::Carried);
  EXPECT_EQ(textOf(kernel_, kernel_.graph.operand(there, 0)), "1");
  EXPECT_EQ(textOf(kernel_, graph_->edge(block("loop"), block("loop"))),
            "(loop0 & ((loop0 + 32) < n))");
}

// A thread is behind a `break` if it ever took it.
TEST_F(IrGraphTest, ABreakIsTakenInSomeIteration) {
  read(R"(
define void @k(i32 %n, i32 %wanted) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %hit = icmp eq i32 %i, %wanted
  br i1 %hit, label %found, label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %after
found:
  br label %after
after:
  ret void
})");
  EXPECT_EQ(reach("found"), "ever0((loop0 & (loop0 == wanted)))");
}

// --- control flow -----------------------------------------------------------

TEST_F(IrGraphTest, ABlockHasTheConditionsOfTheBranchesAboveIt) {
  read(R"(
define void @k(i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, %n
  br i1 %in, label %yes, label %no
yes:
  %first = icmp eq i32 %t, 0
  br i1 %first, label %one, label %join
one:
  br label %join
no:
  br label %join
join:
  %v = phi i32 [ 1, %yes ], [ 2, %one ], [ 3, %no ]
  ret void
})");
  EXPECT_EQ(reach("yes"), "(tid.x < n)");
  EXPECT_EQ(reach("one"), "((tid.x < n) & (tid.x == 0))");
  EXPECT_EQ(reach("no"), "!(tid.x < n)");
  EXPECT_EQ(reach("join"), "1");
  EXPECT_EQ(value("v"), "join(((tid.x < n) & !(tid.x == 0)), 1, "
                        "((tid.x < n) & (tid.x == 0)), 2, !(tid.x < n), 3)");
}

TEST_F(IrGraphTest, ACaseIsReachedByItsValuesAndTheDefaultByAllOthers) {
  read(R"(
define void @k(i32 %n) {
entry:
  switch i32 %n, label %rest [ i32 1, label %a
                               i32 2, label %a
                               i32 5, label %b ]
a:
  br label %end
b:
  br label %end
rest:
  br label %end
end:
  ret void
})");
  EXPECT_EQ(reach("a"), "((n == 1) | (n == 2))");
  EXPECT_EQ(reach("b"), "(n == 5)");
  EXPECT_EQ(reach("rest"), "!(((n == 1) | (n == 2)) | (n == 5))");
  EXPECT_EQ(reach("end"), "1");
}

// A cycle with two entries is no loop. It has to end in an unknown value, not
// in recursion.
TEST_F(IrGraphTest, ACycleWithTwoEntriesIsUnknownWithTheReason) {
  read(R"(
define void @k(i1 %c, i1 %d) {
entry:
  br i1 %c, label %left, label %right
left:
  %x = phi i32 [ 0, %entry ], [ %y, %right ]
  br label %right
right:
  %y = phi i32 [ 1, %entry ], [ %x, %left ]
  br i1 %d, label %left, label %after
after:
  ret void
})");
  EXPECT_NE(value("x").find("irreducible control flow"), std::string::npos);
  EXPECT_EQ(reach("after"), "1");
}

// --- what the lanes of a warp share -----------------------------------------

TEST_F(IrGraphTest, RegistersOfTheWarpAreKnownInEverySpelling) {
  read(R"(
define void @k() {
  %size = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %asm = call i32 asm "mov.u32 $0, %laneid;", "=r"()
  %below = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
  %mask = call i32 asm "mov.u32 $0, %lanemask_lt;", "=r"()
  %clock = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  ret void
})");
  EXPECT_EQ(value("size"), "32");
  EXPECT_EQ(value("lane"), "lane");
  EXPECT_EQ(value("asm"), "lane");
  EXPECT_EQ(value("below"), "((1 << lane) - 1)");
  EXPECT_EQ(value("mask"), value("below"));
  EXPECT_EQ(value("clock"), "uniform{%clock}");
}

// A warp's reduction writes with the lanes that its shuffle leaves.
TEST_F(IrGraphTest, AShuffleReadsAnotherLaneWithinItsSegment) {
  read(R"(
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
define void @k(i32 %v) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 16, i32 31)
  ret void
})");
  EXPECT_EQ(value("x"), "fromLane(tid.x, select(((lane ^ 16) <= ((lane & 0) | "
                        "31)), (lane ^ 16), lane))");
}

// `__popc(__ballot(...))` counts the lanes that got here.
TEST_F(IrGraphTest, ABallotHasTheLanesThatReachIt) {
  read(R"(
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.ctpop.i32(i32)
define void @k(i1 %c, i1 %p) {
entry:
  br i1 %c, label %in, label %out
in:
  %votes = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %p)
  %count = call i32 @llvm.ctpop.i32(i32 %votes)
  br label %out
out:
  ret void
})");
  EXPECT_EQ(value("votes"), "ballot((c & p))");
  EXPECT_EQ(value("count"), "popc(ballot((c & p)))");
}

// A value that differs from lane to lane must not be taken for one value of the
// warp.
TEST_F(IrGraphTest, AnUnknownHasItsReasonAndIsUniformOrVarying) {
  read(R"(
declare i32 @_Z6lookupPi(ptr)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
define void @k(ptr %a, i1 %p, i32 %n, float %f) {
  %old = atomicrmw add ptr %a, i32 1 monotonic
  %call = call i32 @_Z6lookupPi(ptr %a)
  %vote = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %p)
  %match = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %n)
  %asm = call i32 asm "popc.b32 $0, $1;", "=r,r"(i32 %n) memory(none)
  %elect = call i32 asm "elect.sync $0, $1;", "=r,r"(i32 %n) memory(none)
  %bits = bitcast float %f to i32
  ret void
})");
  EXPECT_EQ(value("old"), "varying{the result of an atomic}");
  EXPECT_EQ(value("call"), "varying{the result of 'lookup'}");
  EXPECT_EQ(value("vote"), "uniform{a vote of the warp}");
  EXPECT_EQ(value("match"), "varying{a shuffle}");
  EXPECT_EQ(value("asm"), "opaque{inline assembly}(n)");
  EXPECT_EQ(value("elect"), "varying{the result of inline assembly}");
  EXPECT_EQ(kernel_.graph.node(idOf("bits")).op, Op::Opaque);
}

TEST_F(IrGraphTest, FunctionsOfTheMathLibraryAreTheirOperation) {
  read(R"(
declare i32 @__nv_min(i32, i32)
declare i32 @__nv_clzll(i64)
define void @k(i32 %a, i32 %b, i64 %w) {
  %min = call i32 @__nv_min(i32 %a, i32 %b)
  %zeros = call i32 @__nv_clzll(i64 %w)
  ret void
})");
  EXPECT_EQ(value("min"), "min(a, b)");
  EXPECT_EQ(value("zeros"), "resize32(clz(w))");
}

// Indexes that floats compute are known where the floats are.
TEST_F(IrGraphTest, OperationsOnFloatsHaveTheirNames) {
  read(R"(
define void @k(i32 %a, float %f, half %h) {
  %float = sitofp i32 %a to float
  %half = fmul float %float, 5.000000e-01
  %small = fptrunc float %half to half
  %index = fptosi float %half to i32
  %less = fcmp olt float %half, %f
  ret void
})");
  EXPECT_EQ(value("index"),
            "opaque{fptosi 32}(opaque{fmul 32}(opaque{sitofp 32}(a), " +
                std::to_string(0x3fe0000000000000) + "))");
  EXPECT_NE(value("less").find("opaque{fcmp olt 32}"), std::string::npos);
  EXPECT_EQ(value("small").find("fptrunc"), std::string::npos)
      << "a half is not followed";
}

// A table of constants says what an index into it gives, though it is memory.
TEST_F(IrGraphTest, AnElementOfAConstantTableIsItsNumber) {
  read(R"(
@t = internal addrspace(4) constant [2 x i32] [i32 5, i32 7], align 4
define void @k(i64 %i) {
  %p = getelementptr i32, ptr addrspace(4) @t, i64 %i
  %v = load i32, ptr addrspace(4) %p, align 4
  ret void
})");
  const std::string text = value("v");
  EXPECT_NE(text.find(", 5, "), std::string::npos) << text;
  EXPECT_NE(text.find(", 7, "), std::string::npos) << text;
}

// A policy's tile that is nearly always one size is reckoned with that size.
TEST_F(IrGraphTest, ALoadOfAUsualValueIsMarked) {
  read(R"(
define void @k(ptr %a) {
  %v = load i32, ptr %a, !warplint.usually !0
  ret void
}
!0 = !{i32 8})");
  EXPECT_EQ(value("v"), "usually 8(v[&a])");
}

// --- objects ----------------------------------------------------------------

TEST_F(IrGraphTest, APointerThatALoopMovesKeepsItsObject) {
  read(R"(
define void @k(ptr %a, ptr %b, i1 %c) {
entry:
  %either = select i1 %c, ptr %a, ptr %b
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %next, %loop ]
  %next = getelementptr i8, ptr %p, i64 4
  br i1 %c, label %loop, label %after
after:
  ret void
})");
  EXPECT_EQ(objectBehind(named("next")), &*function_->arg_begin());
  EXPECT_EQ(objectBehind(named("either")), named("either"));
}

// nvcc puts `__constant__` variables there and no others: a `const` table is
// global memory and has sectors.
TEST_F(IrGraphTest, OnlyVariablesInConstantMemoryAreConstant) {
  read(R"(
@declared = addrspace(4) constant i32 1
@constexpr = addrspace(4) constant i32 2, !warplint.global !9
@literal = private constant [4 x i8] c"abc\00"
@plain = constant i32 3
@inside = internal addrspace(4) constant i32 4, !dbg !0
define void @k() {
  ret void
}
!llvm.dbg.cu = !{!4}
!llvm.module.flags = !{!8}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = !DIGlobalVariable(name: "inside", scope: !2, file: !3, line: 3, type: !6)
!2 = distinct !DISubprogram(name: "f", file: !3, line: 2, unit: !4, spFlags: DISPFlagDefinition)
!3 = !DIFile(filename: "k.cu", directory: "/")
!4 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !3, emissionKind: FullDebug)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !{i32 2, !"Debug Info Version", i32 3}
!9 = !{})");
  auto isConstant = [&](const char *name) {
    return isInConstantMemory(*module_->getNamedGlobal(name));
  };
  EXPECT_TRUE(isConstant("declared"));
  EXPECT_FALSE(isConstant("constexpr"));
  EXPECT_TRUE(isConstant("literal"));
  EXPECT_FALSE(isConstant("plain"));
  EXPECT_FALSE(isConstant("inside"));
}

} // namespace warplint
