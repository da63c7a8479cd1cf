#include "ir/read_arithmetic.h"
#include "ir/index_marks.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Casting.h"
#include <map>

namespace warplint {

namespace {

Arithmetic instructions(double count, double doubles = 0, double special = 0) {
  Arithmetic work;
  work.instructions = count + doubles + special;
  work.doubles = doubles;
  work.special = special;
  return work;
}

/// A function of the CUDA math library: "pow", "sinf", "__nv_exp".
Arithmetic workOfFunction(llvm::StringRef name, bool isDouble) {
  name.consume_front("__nv_");
  if (name.consume_front("fast_"))
    return instructions(2, 0, 1); // __sinf and the like: the hardware's own
  if (!isDouble)
    name.consume_back("f");
  // Instructions of the double and of the float form.
  struct Counts {
    double ofDouble, ofFloat, special;
  };
  const Counts counts =
      llvm::StringSwitch<Counts>(name)
          .Cases({"pow", "powi"}, {150, 30, 2})
          .Cases({"sin", "cos", "tan", "sinpi", "cospi"}, {40, 20, 0})
          .Case("sincos", {60, 35, 0})
          .Cases({"exp", "exp2", "exp10", "expm1"}, {25, 6, 1})
          .Cases({"log", "log2", "log10", "log1p"}, {35, 12, 1})
          .Cases({"sqrt", "rsqrt", "hypot", "cbrt"}, {15, 7, 1})
          .Cases({"tanh", "sinh", "cosh", "atan", "atan2", "asin", "acos"},
                 {50, 25, 1})
          .Cases({"erf", "erfc", "tgamma", "lgamma", "normcdf"}, {80, 40, 1})
          .Cases({"fmod", "remainder"}, {60, 30, 0})
          .Cases({"fabs", "fmin", "fmax", "floor", "ceil", "trunc", "rint",
                  "fma", "copysign"},
                 {1, 1, 0})
          .Default({8, 8, 0});
  return isDouble ? instructions(2, counts.ofDouble, counts.special)
                  : instructions(counts.ofFloat, 0, counts.special);
}

Arithmetic workOfCall(const llvm::CallBase &call) {
  if (call.isDebugOrPseudoInst() || call.isLifetimeStartOrEnd())
    return {};
  if (call.isInlineAsm())
    return instructions(1);
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee)
    return instructions(8);
  llvm::StringRef name = callee->getName();
  if (name.starts_with(indexMark) || name.starts_with("llvm.assume") ||
      name.starts_with("llvm.nvvm.read.ptx.sreg"))
    return {};
  const llvm::Type *type = call.getType()->isVoidTy() && call.arg_size()
                               ? call.getArgOperand(0)->getType()
                               : call.getType();
  const bool isDouble = type->getScalarType()->isDoubleTy();
  if (name.consume_front("llvm.nvvm.")) {
    if (name.starts_with("ex2.approx") || name.starts_with("lg2.approx") ||
        name.starts_with("sin.approx") || name.starts_with("cos.approx") ||
        name.starts_with("rcp.approx") || name.starts_with("rsqrt.approx"))
      return instructions(0, 0, 1);
    if (name.starts_with("sqrt") || name.starts_with("div") ||
        name.starts_with("rcp"))
      return isDouble ? instructions(2, 12, 1) : instructions(7, 0, 1);
    return isDouble ? instructions(0, 1) : instructions(1);
  }
  if (name.consume_front("llvm.")) {
    const llvm::StringRef function = name.split('.').first;
    if (llvm::is_contained({"pow", "powi", "sin", "cos", "exp", "exp2", "log",
                            "log2", "log10", "sqrt"},
                           function))
      return workOfFunction(function, isDouble);
    return isDouble ? instructions(0, 1) : instructions(1);
  }
  return workOfFunction(name, isDouble);
}

void add(Arithmetic &sum, const Arithmetic &more) {
  sum.instructions += more.instructions;
  sum.doubles += more.doubles;
  sum.special += more.special;
  sum.operations += more.operations;
}

/// Operations on floating-point numbers that an instruction stands for.
double operationsOf(const llvm::Instruction &instruction) {
  using llvm::Instruction;
  const llvm::Type *type = instruction.getType();
  if (!type->isFPOrFPVectorTy())
    return 0;
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const double elements = vector ? vector->getNumElements() : 1;
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
    return elements;
  case Instruction::Call:
    break;
  default:
    return 0;
  }
  const llvm::Function *callee =
      llvm::cast<llvm::CallBase>(instruction).getCalledFunction();
  if (!callee)
    return 0;
  llvm::StringRef name = callee->getName();
  // Signs, roundings, choices and exchanges between lanes compute nothing.
  for (llvm::StringRef other :
       {"abs", "copysign", "max", "min", "floor", "ceil", "trunc", "rint",
        "shfl", "round", "atomic"})
    if (name.contains(other))
      return 0;
  if (name.contains("fma") || name.starts_with("llvm.fmuladd"))
    return 2 * elements;
  return name.starts_with("llvm.") || name.starts_with("__nv_") ? elements : 0;
}

/// Machine instructions that one thread executes for an instruction of the IR,
/// by pipe, on the path of usual values. The counts of divisions, roots and
/// functions are rough: only those of `powf` and `pow` come from nvcc's output.
Arithmetic workOf(const llvm::Instruction &instruction) {
  using llvm::Instruction;
  if (llvm::isa<llvm::PHINode, llvm::GetElementPtrInst, llvm::BitCastInst,
                llvm::AddrSpaceCastInst, llvm::PtrToIntInst, llvm::IntToPtrInst,
                llvm::TruncInst, llvm::ExtractValueInst, llvm::InsertValueInst,
                llvm::FreezeInst, llvm::AllocaInst>(instruction))
    return {};
  if (instruction.isTerminator())
    return instructions(instruction.getNumSuccessors() > 1);
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return workOfCall(*call);
  const llvm::Type *type = instruction.getType()->getScalarType();
  if (llvm::isa<llvm::FCmpInst, llvm::FPToSIInst, llvm::FPToUIInst,
                llvm::FPTruncInst>(instruction))
    type = instruction.getOperand(0)->getType()->getScalarType();
  const bool isDouble = type->isDoubleTy();
  switch (instruction.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    if (llvm::isa<llvm::Constant>(instruction.getOperand(1)))
      return instructions(4);
    return type->getPrimitiveSizeInBits() > 32 ? instructions(60, 0, 2)
                                               : instructions(16, 0, 2);
  case Instruction::FDiv:
    return isDouble ? instructions(2, 10, 1) : instructions(8, 0, 1);
  case Instruction::FRem:
    return isDouble ? instructions(2, 40, 1) : instructions(30, 0, 1);
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return isDouble ? instructions(0, 1, 1) : instructions(0, 0, 1);
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return isDouble ? instructions(0, 0, 1) : instructions(1);
  default:
    return isDouble && !llvm::isa<llvm::LoadInst, llvm::StoreInst,
                                  llvm::SelectInst>(instruction)
               ? instructions(0, 1)
               : instructions(1);
  }
}

} // namespace

std::vector<Arithmetic> readArithmetic(llvm::Function &function,
                                       IrGraph &graph) {
  std::vector<Arithmetic> result;
  std::map<std::pair<ValueId, std::vector<LoopId>>, size_t> known;
  llvm::ReversePostOrderTraversal<llvm::Function *> order(&function);
  for (llvm::BasicBlock *block : order) {
    Arithmetic work;
    for (const llvm::Instruction &instruction : *block) {
      add(work, workOf(instruction));
      work.operations += operationsOf(instruction);
    }
    if (!work.instructions)
      continue;
    work.guard = graph.reach(block);
    work.loops = graph.loopsAround(block);
    auto [place, isNew] =
        known.try_emplace({work.guard, work.loops}, result.size());
    if (isNew)
      result.push_back(std::move(work));
    else
      add(result[place->second], work);
  }
  return result;
}

} // namespace warplint
