#include "ir/name_operations.h"
#include "ir/index_marks.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

namespace warplint {

namespace {

using llvm::Instruction;
using llvm::Value;

std::optional<Compute> kindOfOpcode(unsigned opcode) {
  switch (opcode) {
  case Instruction::Add:
  case Instruction::FAdd:
    return Compute::Add;
  case Instruction::Sub:
  case Instruction::FSub:
    return Compute::Subtract;
  case Instruction::Mul:
  case Instruction::FMul:
    return Compute::Multiply;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::FDiv:
    return Compute::Divide;
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::FRem:
    return Compute::Remainder;
  case Instruction::FNeg:
    return Compute::Negate;
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return Compute::Shift;
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return Compute::Logic;
  case Instruction::ICmp:
  case Instruction::FCmp:
    return Compute::Compare;
  case Instruction::Select:
    return Compute::Select;
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
    return Compute::Convert;
  case Instruction::PHI:
    return Compute::Join;
  default:
    return std::nullopt;
  }
}

/// By the name of a function of the CUDA math library or an intrinsic, without
/// prefixes and without the 'f' of a float form.
Compute kindOfName(llvm::StringRef name) {
  return llvm::StringSwitch<Compute>(name)
      .Cases({"pow", "powi", "pown", "fast_pow"}, Compute::Power)
      .Cases({"sqrt", "sqrt_rn", "sqrt_rd", "sqrt_ru", "sqrt_rz", "fsqrt_rn",
              "fsqrt_rd", "fsqrt_ru", "fsqrt_rz", "dsqrt_rn", "dsqrt_rd",
              "dsqrt_ru", "dsqrt_rz"},
             Compute::SquareRoot)
      .Cases({"rsqrt", "frsqrt_rn"}, Compute::ReciprocalRoot)
      .Cases({"exp", "exp2", "exp10", "expm1", "ex2", "fast_exp", "fast_exp10"},
             Compute::Exponential)
      .Cases({"log", "log2", "log10", "log1p", "lg2", "fast_log", "fast_log2",
              "fast_log10"},
             Compute::Logarithm)
      .Cases({"sin", "cos", "tan", "sinpi", "cospi", "sincos", "sincospi",
              "fast_sin", "fast_cos", "fast_tan", "fast_sincos"},
             Compute::Sine)
      .Cases({"fabs", "abs", "llabs"}, Compute::Absolute)
      .Cases({"fmin", "min", "umin", "llmin", "ullmin", "smin", "minnum",
              "minimum", "minimumnum"},
             Compute::Minimum)
      .Cases({"fmax", "max", "umax", "llmax", "ullmax", "smax", "maxnum",
              "maximum", "maximumnum"},
             Compute::Maximum)
      .Cases(
          {"floor", "ceil", "trunc", "rint", "nearbyint", "round", "roundeven"},
          Compute::Round)
      .Cases({"fma", "fma_rn", "fma_rd", "fma_ru", "fma_rz", "fmaf_rn",
              "fmaf_rd", "fmaf_ru", "fmaf_rz", "fmuladd"},
             Compute::Fused)
      .Cases({"fadd_rn", "fadd_rd", "fadd_ru", "fadd_rz", "dadd_rn", "dadd_rd",
              "dadd_ru", "dadd_rz", "add"},
             Compute::Add)
      .Cases({"fsub_rn", "fsub_rd", "fsub_ru", "fsub_rz", "dsub_rn", "dsub_rd",
              "dsub_ru", "dsub_rz", "sub"},
             Compute::Subtract)
      .Cases({"fmul_rn", "fmul_rd", "fmul_ru", "fmul_rz", "dmul_rn", "dmul_rd",
              "dmul_ru", "dmul_rz", "mul", "mul24", "umul24", "mulhi", "umulhi",
              "mul64hi", "umul64hi"},
             Compute::Multiply)
      .Cases({"fdiv_rn", "fdiv_rd", "fdiv_ru", "fdiv_rz", "ddiv_rn", "ddiv_rd",
              "ddiv_ru", "ddiv_rz", "div", "fast_fdivide", "fdivide", "rcp",
              "frcp_rn", "frcp_rd", "frcp_ru", "frcp_rz", "drcp_rn"},
             Compute::Divide)
      .Cases({"fmod", "remainder"}, Compute::Remainder)
      .Cases({"popc", "popcll", "clz", "clzll", "brev", "brevll", "ffs",
              "ffsll", "byte_perm", "ctpop", "ctlz", "cttz", "bitreverse",
              "bswap", "prmt", "fshl", "fshr"},
             Compute::Bits)
      .Cases({"fptosi", "fptoui"}, Compute::Convert)
      .Default(Compute::Function);
}

/// "float2int_rz", "int2double_rn", "half2float": a conversion. 'double2hiint'
/// reads a register.
bool isConversion(llvm::StringRef name) {
  if (name.ends_with("hiint") || name.ends_with("loint"))
    return false;
  for (llvm::StringRef from :
       {"float2", "double2", "int2", "uint2", "ll2", "ull2", "half2"})
    if (name.starts_with(from))
      return true;
  return false;
}

/// The first arithmetic instruction of inline PTX such as "{mul.f16
/// %0,%1,%2;}".
std::optional<NamedOperation> inAssembly(const llvm::CallBase &call) {
  auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  llvm::StringRef text = assembly->getAsmString();
  text = text.ltrim("{ \t\n");
  const llvm::StringRef opcode = text.take_until(
      [](char c) { return c == ' ' || c == '\t' || c == ';' || c == '\n'; });
  const llvm::StringRef name = opcode.split('.').first;
  auto kind =
      llvm::StringSwitch<std::optional<Compute>>(name)
          .Case("add", Compute::Add)
          .Case("sub", Compute::Subtract)
          .Case("mul", Compute::Multiply)
          .Cases({"fma", "mad"}, Compute::Fused)
          .Cases({"setp", "set"}, Compute::Compare)
          .Case("min", Compute::Minimum)
          .Case("max", Compute::Maximum)
          .Case("neg", Compute::Negate)
          .Case("abs", Compute::Absolute)
          .Case("cvt", Compute::Convert)
          .Case("ex2", Compute::Exponential)
          .Case("lg2", Compute::Logarithm)
          .Cases({"shl", "shr"}, Compute::Shift)
          .Cases({"and", "or", "xor", "not", "lop3"}, Compute::Logic)
          .Cases({"prmt", "bfe", "bfi", "popc", "clz", "shf"}, Compute::Bits)
          .Default(std::nullopt);
  if (!kind)
    return std::nullopt;
  NamedOperation result;
  Computation &computation = result.computation;
  computation.kind = *kind;
  const llvm::StringRef type = opcode.rsplit('.').second;
  computation.type = llvm::StringSwitch<Number>(type)
                         .Cases({"f16", "f16x2", "bf16", "bf16x2"}, Number::F16)
                         .Case("f32", Number::F32)
                         .Case("f64", Number::F64)
                         .Cases({"s16", "u16", "b16"}, Number::I16)
                         .Cases({"s64", "u64", "b64"}, Number::I64)
                         .Default(Number::I32);
  computation.from = computation.type;
  computation.lanes = type.ends_with("x2") ? 2 : 1;
  if (*kind == Compute::Bits)
    result.function = name.str();
  computation.isSigned = type.starts_with("s");
  computation.isRounded = opcode.contains(".rn");
  computation.isApproximate = opcode.contains(".approx");
  if (*kind == Compute::Convert) {
    llvm::SmallVector<llvm::StringRef> parts;
    opcode.split(parts, '.');
    computation.type = numberOf(call.getType());
    if (parts.size() > 2 && parts[parts.size() - 2].ends_with("f16"))
      computation.type = Number::F16;
    computation.from = type.contains("f16")   ? Number::F16
                       : type.contains("f32") ? Number::F32
                       : type.contains("f64") ? Number::F64
                                              : Number::I32;
    if (parts.size() > 2 && parts[parts.size() - 2] == "f32")
      computation.type = Number::F32;
  }
  return result;
}

std::optional<NamedOperation> inCall(const llvm::CallBase &call) {
  if (call.isInlineAsm())
    return inAssembly(call);
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || call.isDebugOrPseudoInst() || call.isLifetimeStartOrEnd() ||
      (call.getType()->isVoidTy() && !callee->getName().starts_with("__nv_")))
    return std::nullopt;
  llvm::StringRef name = callee->getName();
  if (name.starts_with(indexMark) || name.starts_with("warplint.") ||
      name.starts_with("llvm.nvvm.read.ptx.sreg") ||
      name.starts_with("llvm.nvvm.ldg") || name.starts_with("llvm.nvvm.ldu") ||
      name.starts_with("llvm.nvvm.atomic") || name.contains("launder") ||
      name.starts_with("llvm.expect") || name.starts_with("llvm.objectsize"))
    return std::nullopt;
  NamedOperation result;
  Computation &computation = result.computation;
  const llvm::Type *first =
      call.arg_size() ? call.getArgOperand(0)->getType() : call.getType();
  const llvm::Type *type = call.getType()->isVoidTy() ? first : call.getType();
  computation.type = numberOf(type);
  computation.from = numberOf(first);
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    computation.lanes = vector->getNumElements();
  llvm::StringRef plain = name;
  if (plain.consume_front("llvm.nvvm.")) {
    computation.isApproximate =
        plain.contains(".approx") || plain.contains(".full");
    computation.isRounded = plain.contains(".rn.");
    plain = plain.split('.').first;
    if (plain.starts_with("mulhi"))
      plain = "mulhi";
    computation.kind = kindOfName(plain);
    if (computation.kind == Compute::Bits)
      result.function = plain.str();
    if (computation.kind == Compute::Function) {
      computation.kind = Compute::Call;
      result.function = name.str();
    }
    return result;
  }
  if (plain.consume_front("llvm.")) {
    computation.isApproximate = call.hasMetadata(approximate);
    plain = plain.split('.').first;
    computation.kind = kindOfName(plain);
    computation.isSigned = plain.starts_with("s");
    if (computation.kind == Compute::Bits)
      result.function = plain.str();
    if (computation.kind == Compute::Function) {
      computation.kind = Compute::Call;
      result.function = name.str();
    }
    return result;
  }
  if (!plain.consume_front("__nv_")) {
    computation.kind = Compute::Call;
    result.function = name.str();
    return result;
  }
  result.function = plain.str();
  computation.isApproximate =
      plain.starts_with("fast_") || call.hasMetadata(approximate);
  computation.isRounded = plain.contains("_r");
  computation.isSigned = !plain.starts_with("u");
  if (isConversion(plain)) {
    computation.kind = Compute::Convert;
    return result;
  }
  computation.kind = kindOfName(plain);
  if (computation.kind == Compute::Function && plain.consume_back("f"))
    computation.kind = kindOfName(plain);
  return result;
}

constexpr unsigned wordBits = 32; // of a register

/// Calls `holds` for each word of a number, lowest first; returns true if it
/// holds for all.
bool allWords(const llvm::APInt &number,
              llvm::function_ref<bool(unsigned from, unsigned bits)> holds) {
  for (unsigned from = 0; from < number.getBitWidth(); from += wordBits)
    if (!holds(from, std::min(wordBits, number.getBitWidth() - from)))
      return false;
  return true;
}

/// Returns true if no word of the result has bits of both operands.
bool joinsWords(const Instruction &instruction) {
  const llvm::DataLayout &layout = instruction.getDataLayout();
  const llvm::APInt
      lhs = ~llvm::computeKnownBits(instruction.getOperand(0), layout).Zero,
      rhs = ~llvm::computeKnownBits(instruction.getOperand(1), layout).Zero;
  return allWords(lhs, [&](unsigned from, unsigned bits) {
    return lhs.extractBits(bits, from).isZero() ||
           rhs.extractBits(bits, from).isZero();
  });
}

constexpr unsigned halfBits = 16;

const Value *withoutBitCasts(const Value *value) {
  while (auto *cast = llvm::dyn_cast<llvm::BitCastInst>(value))
    value = cast->getOperand(0);
  return value;
}

/// A half of a register.
struct Half {
  const Value *word;
  bool isHigh;
};

/// Takes `(short)x` and `(short)(x >> 16)` of a word apart.
std::optional<Half> halfOf(const Value *value) {
  using namespace llvm::PatternMatch;
  const Value *word = nullptr;
  value = withoutBitCasts(value);
  if (!value->getType()->isIntegerTy(halfBits) ||
      !match(value, m_Trunc(m_Value(word))) ||
      !word->getType()->isIntegerTy(wordBits))
    return std::nullopt;
  const Value *whole = nullptr;
  if (match(word, m_LShr(m_Value(whole), m_SpecificInt(halfBits))))
    return Half{whole, true};
  return Half{word, false};
}

/// The halves of `high << 16 | low`.
struct Halves {
  const Value *high, *low;
};

std::optional<Halves> joinedHalves(const Instruction &instruction) {
  using namespace llvm::PatternMatch;
  const Value *high = nullptr, *low = nullptr;
  if (!instruction.getType()->isIntegerTy(wordBits) ||
      !match(&instruction,
             m_c_Or(m_Shl(m_ZExt(m_Value(high)), m_SpecificInt(halfBits)),
                    m_ZExt(m_Value(low)))) ||
      !high->getType()->isIntegerTy(halfBits) ||
      !low->getType()->isIntegerTy(halfBits))
    return std::nullopt;
  return Halves{high, low};
}

bool allUsers(const Instruction &instruction,
              llvm::function_ref<bool(const Instruction &)> holds) {
  return !instruction.use_empty() &&
         llvm::all_of(instruction.users(), [&](const llvm::User *user) {
           return holds(*llvm::cast<Instruction>(user));
         });
}

/// Returns true for what takes the halves of a register apart, as those of a
/// 'half2', or joins them again: instructions read either half, and one joins
/// two halves of different registers (CUDA 13.0 for sm_90).
bool movesHalves(const Instruction &instruction) {
  using namespace llvm::PatternMatch;
  auto isJoined = [](const Instruction &user) {
    return joinedHalves(user).has_value();
  };
  switch (instruction.getOpcode()) {
  case Instruction::Or: {
    const auto joined = joinedHalves(instruction);
    const auto high = joined ? halfOf(joined->high) : std::nullopt,
               low = joined ? halfOf(joined->low) : std::nullopt;
    return high && low && high->isHigh && !low->isHigh &&
           high->word == low->word;
  }
  case Instruction::Shl:
    return allUsers(instruction, isJoined);
  case Instruction::ZExt:
    return allUsers(instruction, [&](const Instruction &user) {
      return isJoined(user) || (user.getOpcode() == Instruction::Shl &&
                                allUsers(user, isJoined));
    });
  case Instruction::LShr:
    return match(&instruction,
                 m_LShr(m_Value(), m_SpecificInt(halfBits))) &&
           allUsers(instruction, [](const Instruction &user) {
             const auto half = halfOf(&user);
             return half && half->isHigh;
           });
  default:
    return false;
  }
}

} // namespace

Number numberOf(const llvm::Type *type) {
  type = type->getScalarType();
  if (type->isHalfTy() || type->isBFloatTy())
    return Number::F16;
  if (type->isFloatTy())
    return Number::F32;
  if (type->isDoubleTy())
    return Number::F64;
  if (type->isPointerTy())
    return Number::I64;
  if (!type->isIntegerTy())
    return Number::Other;
  const unsigned bits = type->getIntegerBitWidth();
  return bits == 1    ? Number::I1
         : bits <= 8  ? Number::I8
         : bits <= 16 ? Number::I16
         : bits <= 32 ? Number::I32
                      : Number::I64;
}

bool movesWords(const Instruction &instruction) {
  const llvm::Type *type = instruction.getType();
  if (type->isIntegerTy(wordBits))
    return movesHalves(instruction);
  if (!type->isIntegerTy() || type->getIntegerBitWidth() <= wordBits ||
      !instruction.isBinaryOp())
    return false;
  if (instruction.getOpcode() == Instruction::Or)
    return joinsWords(instruction);
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  if (!constant)
    return false;
  const llvm::APInt &number = constant->getValue();
  switch (instruction.getOpcode()) {
  case Instruction::Shl:
  case Instruction::LShr:
    return number.ult(number.getBitWidth()) && number.urem(wordBits) == 0;
  case Instruction::And:
    return allWords(number, [&](unsigned from, unsigned bits) {
      const llvm::APInt word = number.extractBits(bits, from);
      return word.isZero() || word.isAllOnes();
    });
  default:
    return false;
  }
}

std::optional<NamedOperation> nameOperation(const Instruction &instruction) {
  if (movesWords(instruction))
    return std::nullopt;
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return inCall(*call);
  const std::optional<Compute> kind = kindOfOpcode(instruction.getOpcode());
  if (!kind)
    return std::nullopt;
  NamedOperation result;
  Computation &computation = result.computation;
  computation.kind = *kind;
  const bool isCompare = *kind == Compute::Compare;
  const llvm::Type *from =
      instruction.getOperand(*kind == Compute::Select ? 1 : 0)->getType();
  computation.from = numberOf(from);
  computation.type =
      isCompare ? computation.from : numberOf(instruction.getType());
  if (computation.type == Number::Other ||
      (*kind == Compute::Join && instruction.getType()->isPointerTy()))
    return std::nullopt;
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(from))
    computation.lanes = vector->getNumElements();
  const unsigned opcode = instruction.getOpcode();
  computation.isSigned =
      opcode == Instruction::SDiv || opcode == Instruction::SRem ||
      opcode == Instruction::AShr || opcode == Instruction::SExt ||
      opcode == Instruction::SIToFP || opcode == Instruction::FPToSI;
  computation.isLeft = opcode == Instruction::Shl;
  // An 'int' that was extended from an unsigned byte is not negative: LLVM
  // writes its shift to the right as a logical one.
  if (opcode == Instruction::LShr)
    computation.isSigned = llvm::isa<llvm::ZExtInst>(instruction.getOperand(0));
  if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
    computation.isSigned = compare->isSigned();
  computation.isApproximate = instruction.hasMetadata(approximate);
  if (auto *floats = llvm::dyn_cast<llvm::FPMathOperator>(&instruction))
    computation.isRounded = instruction.isBinaryOp() &&
                            isFloat(computation.type) &&
                            !floats->hasAllowContract();
  return result;
}

} // namespace warplint
