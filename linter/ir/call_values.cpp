#include "ir/call_values.h"
#include "ir/inline_asm.h"
#include "ir/ir_objects.h"
#include "ir/ir_operations.h"
#include "model/cluster_memory.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"

namespace warplint {

namespace {

class CallTranslator {
public:
  CallTranslator(const llvm::CallBase &call, ExpressionGraph &graph,
                 llvm::function_ref<ValueId(const llvm::Value *)> valueOf,
                 llvm::function_ref<ValueId()> reach)
      : call_(call), graph_(graph), valueOf_(valueOf), reach_(reach),
        width_(bitsOf(call.getType())),
        isPointer_(call.getType()->isPointerTy()) {}

  std::optional<ValueId> value();

private:
  ValueId argument(unsigned i) { return valueOf_(call_.getArgOperand(i)); }
  ValueId varying(const llvm::Twine &why) {
    return graph_.unknown(Op::Varying, why.str(), width_, isPointer_);
  }

  std::optional<ValueId> followed(llvm::StringRef name);
  std::optional<ValueId> assembly(llvm::StringRef text);
  ValueId specialRegister(llvm::StringRef name);
  ValueId product24(bool isSigned);
  ValueId lowestBit(bool countsFromOne);
  ValueId shuffle(llvm::StringRef mode);
  /// Returns a mask of the lanes that make the call with `condition` true.
  ValueId ballot(ValueId condition);

  const llvm::CallBase &call_;
  ExpressionGraph &graph_;
  llvm::function_ref<ValueId(const llvm::Value *)> valueOf_;
  llvm::function_ref<ValueId()> reach_;
  const unsigned width_; ///< 0: the result is not followed
  const bool isPointer_;
};

/// Returns the register that `mov.u32 $0, %laneid;` reads, spelled as in LLVM's
/// intrinsic ("laneid"); empty for other assembly.
std::string registerRead(llvm::StringRef text) {
  text = text.trim(" \t\n{};");
  auto [into, name] = text.split(',');
  name = name.ltrim();
  if (!into.starts_with("mov.") || !name.consume_front("%") ||
      name.contains(';'))
    return "";
  return llvm::StringRef(name).starts_with("lanemask_")
             ? ("lanemask." + name.drop_front(strlen("lanemask_"))).str()
             : name.str();
}

ValueId CallTranslator::specialRegister(llvm::StringRef name) {
  auto dimension = [&] { return unsigned(name.back() - 'x'); };
  auto three = [&](llvm::StringRef stem) {
    return name.starts_with(stem) && name.size() == stem.size() + 1 &&
           dimension() < 3;
  };
  if (three("tid."))
    return graph_.special(Op::ThreadIndex, dimension(), width_);
  if (three("ntid."))
    return graph_.special(Op::BlockSize, dimension(), width_);
  if (three("ctaid."))
    return graph_.special(Op::BlockIndex, dimension(), width_);
  if (three("nctaid."))
    return graph_.special(Op::GridSize, dimension(), width_);
  if (name == "warpsize")
    return graph_.constant(32, width_);
  ValueId lane = graph_.special(Op::Lane, 0, width_);
  if (name == "laneid")
    return lane;
  if (name.consume_front("lanemask.")) {
    ValueId one = graph_.constant(1, width_);
    ValueId own = graph_.make(Op::ShiftLeft, width_, {one, lane});
    ValueId below = graph_.make(Op::Subtract, width_, {own, one});
    ValueId upTo = graph_.make(Op::Or, width_, {own, below});
    ValueId all = graph_.constant(~uint64_t(0), width_);
    if (name == "eq")
      return own;
    if (name == "lt")
      return below;
    if (name == "le")
      return upTo;
    return graph_.make(Op::Xor, width_, {name == "gt" ? upTo : below, all});
  }
  return graph_.unknown(Op::Uniform, ("%" + name).str(), width_, false);
}

std::optional<ValueId> CallTranslator::assembly(llvm::StringRef text) {
  if (width_) {
    if (std::string name = registerRead(text); !name.empty())
      return specialRegister(name);
    if (text.contains("activemask"))
      return ballot(graph_.always());
    if (call_.arg_size() && text.contains("cvta"))
      return graph_.make(Op::Resize, width_,
                         {argument(0)},
                         0, isPointer_);
  }
  std::vector<std::string> notFollowed;
  if (width_ && llvm::any_of(readInlineAsm(text, notFollowed),
                            [](const AsmAccess &access) {
                              return access.operation == Operation::Atomic;
                            }))
    return varying("the result of an atomic");
  // Assembly without inputs, or one that elects a lane, may differ from lane to
  // lane.
  if (call_.mayReadFromMemory() || call_.arg_size() == 0 ||
      text.contains("elect"))
    return varying("the result of inline assembly");
  return std::nullopt;
}

ValueId CallTranslator::ballot(ValueId condition) {
  return graph_.make(Op::Ballot, width_, {graph_.both(reach_(), condition)});
}

/// Models `shfl.sync` as the PTX manual defines it. The last operand holds a
/// mask of the lane's bits that stay fixed (bits 8 to 12), which splits the
/// warp into segments, and the clamp.
ValueId CallTranslator::shuffle(llvm::StringRef mode) {
  auto *clamp = llvm::dyn_cast<llvm::ConstantInt>(call_.getArgOperand(3));
  if (!clamp)
    return graph_.unknown(Op::Varying, "a shuffle", 32, false);
  uint64_t own = clamp->getZExtValue() >> 8 & 31;
  uint64_t end = clamp->getZExtValue() & 31;
  auto number = [&](uint64_t n) { return graph_.constant(n, 32); };
  auto make = [&](Op op, ValueId a, ValueId b) {
    return graph_.make(op, 32, {a, b});
  };
  ValueId lane = graph_.special(Op::Lane, 0);
  ValueId kept = make(Op::And, lane, number(own));
  ValueId by = argument(2);
  ValueId from = mode.starts_with("idx")
                     ? make(Op::Or, kept, make(Op::And, by, number(~own & 31)))
                 : mode.starts_with("up")   ? make(Op::Subtract, lane, by)
                 : mode.starts_with("down") ? make(Op::Add, lane, by)
                                            : make(Op::Xor, lane, by);
  ValueId limit = make(Op::Or, kept, number(end & ~own));
  ValueId inside = mode.starts_with("up")
                       ? graph_.make(Op::LessEqualSigned, 1, {limit, from})
                       : graph_.make(Op::LessEqualSigned, 1, {from, limit});
  from = graph_.make(Op::Select, 32, {inside, from, lane});
  return graph_.make(Op::FromLane, 32,
                     {argument(1), from});
}

/// Multiplies the low 24 bits of both operands.
ValueId CallTranslator::product24(bool isSigned) {
  const ValueId eight = graph_.constant(8, width_);
  auto low = [&](unsigned i) {
    ValueId high = graph_.make(Op::ShiftLeft, width_, {argument(i), eight});
    return graph_.make(isSigned ? Op::ShiftRightSigned : Op::ShiftRightUnsigned,
                       width_, {high, eight});
  };
  return graph_.make(Op::Multiply, width_, {low(0), low(1)});
}

/// Returns the position of the lowest bit set, the first being 0 or 1.
ValueId CallTranslator::lowestBit(bool countsFromOne) {
  ValueId of = argument(0);
  unsigned from = graph_.node(of).bits;
  ValueId minus =
      graph_.make(Op::Subtract, from, {graph_.constant(0, from), of});
  ValueId lowest = graph_.make(Op::And, from, {of, minus});
  ValueId zeros = graph_.make(Op::LeadingZeros, from, {lowest});
  ValueId position = graph_.make(
      Op::Subtract, from,
      {graph_.constant(from - !countsFromOne, from), zeros});
  return graph_.make(Op::Resize, width_, {position});
}

/// Returns true for a function that returns its first argument.
bool isIdentity(llvm::StringRef function) {
  return function.contains("cvta_generic_to") ||
         function.starts_with("llvm.nvvm.ptr") ||
         function.starts_with("llvm.ptr.annotation") ||
         function.starts_with("llvm.launder") ||
         function.starts_with("llvm.strip") ||
         function.starts_with("llvm.expect") ||
         function.starts_with("llvm.ssa.copy") ||
         function.starts_with("llvm.ptrmask") ||
         function == "__nvvm_get_smem_pointer";
}

/// Returns the result of a function whose result the graph can compute.
std::optional<ValueId> CallTranslator::followed(llvm::StringRef name) {
  if (llvm::StringRef special = name;
      special.consume_front("llvm.nvvm.read.ptx.sreg."))
    return specialRegister(special);
  if (auto two = binaryOperationOf(name))
    return graph_.make(*two, width_, {argument(0), argument(1)});
  if (auto one = unaryOperationOf(name)) {
    // popc and clz of 64 bits return 32 bits.
    ValueId operand = argument(0);
    return graph_.make(
        Op::Resize, width_,
        {graph_.make(*one, graph_.node(operand).bits, {operand})});
  }
  const bool isSigned = name == "__nv_mul24";
  if (isSigned || name == "__nv_umul24")
    return product24(isSigned);
  if (isIdentity(name))
    return graph_.make(Op::Resize, width_, {argument(0)}, 0, isPointer_);
  if (llvm::StringRef mode = name;
      mode.consume_front("llvm.nvvm.shfl.sync.") && width_ == 32)
    return shuffle(mode);
  const bool isFfs = name == "__nv_ffs" || name == "__nv_ffsll";
  if (isFfs || name.starts_with("llvm.cttz"))
    return lowestBit(/*countsFromOne=*/isFfs);
  return std::nullopt;
}

std::optional<ValueId> CallTranslator::value() {
  if (auto *assembly =
          llvm::dyn_cast<llvm::InlineAsm>(call_.getCalledOperand()))
    return this->assembly(assembly->getAsmString());
  const llvm::Function *callee = call_.getCalledFunction();
  const llvm::StringRef name = callee ? callee->getName() : "";
  if (width_)
    if (std::optional<ValueId> value = followed(name))
      return value;
  // A pointer into another block's shared memory is no address of this block's
  // own.
  if (name.starts_with("llvm.nvvm.mapa") || name.starts_with("ptx.mapa"))
    return varying(clusterMemory);
  if (name.contains("vote.ballot"))
    return ballot(argument(call_.arg_size() - 1));
  if (name.contains("activemask"))
    return ballot(graph_.always());
  if (name.starts_with("llvm.nvvm.barrier"))
    return graph_.unknown(Op::Uniform, "a vote of the block", width_, false);
  if (name.contains("vote") || name.contains("redux"))
    return graph_.unknown(Op::Uniform, "a vote of the warp", width_, false);
  if (name.contains("shfl") || name.contains("match"))
    return varying("a shuffle");
  if (!callee)
    return varying("the result of 'a call'");
  const bool readsMemory = call_.mayReadFromMemory() &&
                           !name.starts_with("__nv_") &&
                           !name.starts_with("llvm.");
  if (readsMemory)
    return varying("the result of '" + plainFunction(*callee) + "'");
  return std::nullopt;
}

} // namespace

std::optional<ValueId>
callValue(const llvm::CallBase &call, ExpressionGraph &graph,
          llvm::function_ref<ValueId(const llvm::Value *)> valueOf,
          llvm::function_ref<ValueId()> reach) {
  return CallTranslator(call, graph, valueOf, reach).value();
}

} // namespace warplint
