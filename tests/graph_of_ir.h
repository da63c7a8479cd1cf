// The expression graph of a kernel written as IR, with its values as text.
#pragma once
#include "ir/ir_graph.h"
#include "ir_text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"

namespace warplint {

/// "(&a + (sext(tid.x) * 4))"; a value that a loop carries has its number
/// alone, since it is computed from itself.
inline std::string textOf(const Kernel &kernel, ValueId id) {
  const ExpressionGraph &graph = kernel.graph;
  const Node &node = graph.node(id);
  auto operand = [&](unsigned i) {
    return textOf(kernel, graph.operand(id, i));
  };
  auto dimension = [&] { return std::string(".") + "xyz"[node.number]; };
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
    return "tid" + dimension();
  case Op::BlockIndex:
    return "ctaid" + dimension();
  case Op::BlockSize:
    return "ntid" + dimension();
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

constexpr const char *declarations = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
)";

constexpr const char *countedLoop = R"(
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

} // namespace warplint
