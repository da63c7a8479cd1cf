#include "fixes/all_floats.h"
#include "os/workers.h"
#include "ptx/read_ptx.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <type_traits>

using namespace llvm;

namespace warplint {

namespace {

enum class Kind : uint8_t { Bit, Float, Double };

/// A float in a register of integers is one: no operation looks at its bits.
std::optional<Kind> kindOf(const Type &type) {
  if (type.isIntegerTy(1))
    return Kind::Bit;
  if (type.isFloatTy() || type.isIntegerTy(32))
    return Kind::Float;
  if (type.isDoubleTy() || type.isIntegerTy(64))
    return Kind::Double;
  return std::nullopt;
}

bool isExactIntrinsic(const CallInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::sqrt:
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::maxnum:
  case Intrinsic::minnum:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::roundeven:
    return true;
  default:
    return false;
  }
}

/// ptxas may join a product and a sum of floats whose rounding is left open.
bool mayFuse(const Instruction &sum) {
  if (sum.getOpcode() != Instruction::FAdd &&
      sum.getOpcode() != Instruction::FSub)
    return false;
  return any_of(sum.operands(), [&](const Value *operand) {
    auto *product = dyn_cast<Instruction>(operand);
    return product && product->getOpcode() == Instruction::FMul &&
           sum.hasAllowContract() && product->hasAllowContract();
  });
}

/// Returns true for an operation that is defined to the last bit.
bool isExact(const Value &value) {
  auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !kindOf(*value.getType()) ||
      instruction->hasMetadata(inexact) || mayFuse(*instruction))
    return false;
  const bool isBit = value.getType()->isIntegerTy(1);
  switch (instruction->getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FNeg:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return kindOf(*instruction->getOperand(0)->getType()).has_value();
  case Instruction::FCmp:
  case Instruction::BitCast:
    return kindOf(*instruction->getOperand(0)->getType()).has_value();
  case Instruction::Select:
    return true;
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return isBit;
  case Instruction::Call:
    return isExactIntrinsic(*cast<CallInst>(instruction));
  default:
    return false;
  }
}

auto inputsOf(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  return call ? make_range(call->arg_begin(), call->arg_end())
              : make_range(instruction.op_begin(), instruction.op_end());
}

/// Returns true if a NaN in the value has the bits that the device gives each
/// result of an operation on floats, not those of an input.
bool hasOwnNan(const Value &value) {
  if (auto *constant = dyn_cast<ConstantFP>(&value))
    return !constant->isNaN();
  auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !isExact(value))
    return false;
  switch (instruction->getOpcode()) {
  case Instruction::BitCast:
    return hasOwnNan(*instruction->getOperand(0));
  case Instruction::Select:
    return hasOwnNan(*instruction->getOperand(1)) &&
           hasOwnNan(*instruction->getOperand(2));
  case Instruction::FNeg:
    return false;
  case Instruction::Call:
    return cast<CallInst>(instruction)->getIntrinsicID() != Intrinsic::fabs &&
           cast<CallInst>(instruction)->getIntrinsicID() != Intrinsic::copysign;
  default:
    return value.getType()->isFloatTy();
  }
}

constexpr unsigned batch = 512;
struct Column {
  alignas(64) std::array<double, batch> bytes;

  template <typename T> T *as() { return reinterpret_cast<T *>(bytes.data()); }
};

/// An integer with as many bits.
template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

/// PTX's maximum: a number before a NaN, +0 before -0. By bits, which compilers
/// make code without branches of.
template <typename T> T larger(T a, T b) {
  using Bits = BitsOf<T>;
  const Bits one = llvm::bit_cast<Bits>(a), other = llvm::bit_cast<Bits>(b);
  const Bits most = a > b ? one : other;
  const Bits ofNumbers = a == b ? one & other : most;
  return llvm::bit_cast<T>(b != b ? one : ofNumbers);
}

template <typename T>
void fusePortably(const T *a, const T *b, const T *c, T *__restrict__ to) {
  for (unsigned i = 0; i < batch; ++i)
    to[i] = std::fma(a[i], b[i], c[i]);
}

#ifdef __x86_64__
template <typename T>
__attribute__((target("avx2,fma"))) void
fuseByHardware(const T *a, const T *b, const T *c, T *__restrict__ to) {
  for (unsigned i = 0; i < batch; ++i)
    if constexpr (sizeof(T) == sizeof(float))
      to[i] = __builtin_fmaf(a[i], b[i], c[i]);
    else
      to[i] = __builtin_fma(a[i], b[i], c[i]);
}
#endif

/// A library's function for each is many times slower.
template <typename T>
void fuse(const T *a, const T *b, const T *c, T *__restrict__ to) {
#ifdef __x86_64__
  static const bool hasHardware =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (hasHardware)
    return fuseByHardware(a, b, c, to);
#endif
  fusePortably(a, b, c, to);
}

/// The computation as operations on columns of values.
class ColumnProgram {
public:
  ColumnProgram(const OneFloat &what) : hasOwnNan_(hasOwnNan(*what.result)) {
    slots_[what.input] = 0;
    columns_.emplace_back();
    result_ = slotOf(*what.result);
    kind_ = *kindOf(*what.result->getType());
  }

  void run(const uint32_t *inputs) {
    std::memcpy(columns_[0].as<uint32_t>(), inputs, batch * sizeof(uint32_t));
    for (const Step &step : steps_)
      if (step.kind == Kind::Double)
        apply<double>(step);
      else
        apply<float>(step);
  }

  /// In passes over the values.
  unsigned cost() const {
    unsigned cost = 1;
    for (const Step &step : steps_)
      switch (step.instruction->getOpcode()) {
      case Instruction::FDiv:
      case Instruction::Call:
        cost += 3;
        break;
      default:
        ++cost;
      }
    return cost;
  }

  bool isSame(ColumnProgram &other) {
    if (kind_ == Kind::Bit)
      return std::equal(column<uint8_t>(), column<uint8_t>() + batch,
                        other.column<uint8_t>());
    if (kind_ == Kind::Double)
      return areSame<double>(other);
    return areSame<float>(other);
  }

private:
  struct Step {
    const Instruction *instruction;
    Kind kind; ///< of the operands that are numbers
    unsigned to, from[3];
  };

  template <typename T> T *column() { return columns_[result_].as<T>(); }

  template <typename Real> bool areSame(ColumnProgram &other) {
    using Bits = BitsOf<Real>;
    const Real *a = column<Real>(), *b = other.column<Real>();
    Bits differ = 0, hasNan = 0;
    for (unsigned i = 0; i < batch; ++i) {
      differ |= llvm::bit_cast<Bits>(a[i]) ^ llvm::bit_cast<Bits>(b[i]);
      hasNan |= a[i] != a[i] || b[i] != b[i];
    }
    if (!hasNan)
      return !differ;
    // The host's NaNs have other bits than the device's.
    const bool haveOwnNan = hasOwnNan_ && other.hasOwnNan_;
    for (unsigned i = 0; i < batch; ++i) {
      const bool isNan = a[i] != a[i], isOther = b[i] != b[i];
      if (isNan || isOther
              ? !(haveOwnNan && isNan && isOther)
              : llvm::bit_cast<Bits>(a[i]) != llvm::bit_cast<Bits>(b[i]))
        return false;
    }
    return true;
  }

  unsigned slotOf(const Value &value) {
    if (auto known = slots_.find(&value); known != slots_.end())
      return known->second;
    unsigned slot = 0;
    if (auto *constant = dyn_cast<Constant>(&value)) {
      slot = columns_.size();
      columns_.emplace_back();
      fill(*constant, columns_.back());
    } else {
      const auto &instruction = cast<Instruction>(value);
      Step step{&instruction, Kind::Bit, 0, {}};
      unsigned count = 0;
      for (const Value *operand : inputsOf(instruction))
        step.from[count++] = slotOf(*operand);
      const bool isChoice = instruction.getOpcode() == Instruction::Select;
      step.kind = *kindOf(
          *(isChoice ? instruction.getOperand(1) : instruction.getOperand(0))
               ->getType());
      step.to = slot = columns_.size();
      columns_.emplace_back();
      steps_.push_back(step);
    }
    slots_[&value] = slot;
    return slot;
  }

  static void fill(const Constant &constant, Column &column) {
    const Kind kind = *kindOf(*constant.getType());
    uint64_t bits = 0;
    if (auto *real = dyn_cast<ConstantFP>(&constant))
      bits = real->getValueAPF().bitcastToAPInt().getZExtValue();
    else
      bits = cast<ConstantInt>(constant).getZExtValue();
    for (unsigned i = 0; i < batch; ++i)
      if (kind == Kind::Bit)
        column.as<uint8_t>()[i] = bits;
      else if (kind == Kind::Float)
        column.as<uint32_t>()[i] = bits;
      else
        column.as<uint64_t>()[i] = bits;
  }

  template <typename T> void apply(const Step &step) {
    const Instruction &instruction = *step.instruction;
    auto unary = [&](auto operation) {
      const T *a = columns_[step.from[0]].as<T>();
      T *__restrict__ to = columns_[step.to].as<T>();
      for (unsigned i = 0; i < batch; ++i)
        to[i] = operation(a[i]);
    };
    auto binary = [&](auto operation) {
      const T *a = columns_[step.from[0]].as<T>(),
              *b = columns_[step.from[1]].as<T>();
      T *__restrict__ to = columns_[step.to].as<T>();
      for (unsigned i = 0; i < batch; ++i)
        to[i] = operation(a[i], b[i]);
    };
    auto bits = [&](auto operation) {
      const uint8_t *a = columns_[step.from[0]].as<uint8_t>(),
                    *b = columns_[step.from[1]].as<uint8_t>();
      uint8_t *__restrict__ to = columns_[step.to].as<uint8_t>();
      for (unsigned i = 0; i < batch; ++i)
        to[i] = operation(a[i], b[i]);
    };
    switch (instruction.getOpcode()) {
    case Instruction::FAdd:
      return binary([](T a, T b) { return a + b; });
    case Instruction::FSub:
      return binary([](T a, T b) { return a - b; });
    case Instruction::FMul:
      return binary([](T a, T b) { return a * b; });
    case Instruction::FDiv:
      return binary([](T a, T b) { return a / b; });
    case Instruction::FNeg:
      return unary([](T a) { return -a; });
    case Instruction::FPExt:
      return convert<float, double>(step);
    case Instruction::FPTrunc:
      return convert<double, float>(step);
    case Instruction::BitCast:
      columns_[step.to] = columns_[step.from[0]];
      return;
    case Instruction::And:
      return bits([](uint8_t a, uint8_t b) { return a & b; });
    case Instruction::Or:
      return bits([](uint8_t a, uint8_t b) { return a | b; });
    case Instruction::Xor:
      return bits([](uint8_t a, uint8_t b) { return a ^ b; });
    case Instruction::Select:
      return step.kind == Kind::Bit ? select<uint8_t>(step) : select<T>(step);
    case Instruction::FCmp:
      return compare<T>(step);
    default:
      return call<T>(step);
    }
  }

  template <typename From, typename To> void convert(const Step &step) {
    const From *from = columns_[step.from[0]].as<From>();
    To *__restrict__ to = columns_[step.to].as<To>();
    for (unsigned i = 0; i < batch; ++i)
      to[i] = To(from[i]);
  }

  template <typename T> void select(const Step &step) {
    const uint8_t *which = columns_[step.from[0]].as<uint8_t>();
    const T *a = columns_[step.from[1]].as<T>(),
            *b = columns_[step.from[2]].as<T>();
    T *__restrict__ to = columns_[step.to].as<T>();
    // As bits: a move leaves a NaN as it is.
    for (unsigned i = 0; i < batch; ++i)
      to[i] = which[i] ? a[i] : b[i];
  }

  template <typename T> void compare(const Step &step) {
    const T *a = columns_[step.from[0]].as<T>(),
            *b = columns_[step.from[1]].as<T>();
    uint8_t *__restrict__ to = columns_[step.to].as<uint8_t>();
    // The bits of a predicate: unordered, less, greater, equal.
    const unsigned predicate = cast<FCmpInst>(step.instruction)->getPredicate();
    const bool equal = predicate & 1, greater = predicate & 2,
               less = predicate & 4, unordered = predicate & 8;
    for (unsigned i = 0; i < batch; ++i)
      to[i] = (equal & (a[i] == b[i])) | (greater & (a[i] > b[i])) |
              (less & (a[i] < b[i])) |
              (unordered & ((a[i] != a[i]) | (b[i] != b[i])));
  }

  template <typename T> void call(const Step &step) {
    auto column = [&](unsigned i) { return columns_[step.from[i]].as<T>(); };
    T *__restrict__ to = columns_[step.to].as<T>();
    auto each = [&](auto operation) {
      for (unsigned i = 0; i < batch; ++i)
        to[i] = operation(i);
    };
    const T *a = column(0);
    switch (cast<CallInst>(step.instruction)->getIntrinsicID()) {
    case Intrinsic::fma:
      return fuse(a, column(1), column(2), to);
    case Intrinsic::sqrt:
      return each([=](unsigned i) { return std::sqrt(a[i]); });
    case Intrinsic::fabs:
      return each([=](unsigned i) { return std::fabs(a[i]); });
    case Intrinsic::floor:
      return each([=](unsigned i) { return std::floor(a[i]); });
    case Intrinsic::ceil:
      return each([=](unsigned i) { return std::ceil(a[i]); });
    case Intrinsic::trunc:
      return each([=](unsigned i) { return std::trunc(a[i]); });
    case Intrinsic::roundeven:
      return each([=](unsigned i) { return std::nearbyint(a[i]); });
    default:
      break;
    }
    const T *b = column(1);
    switch (cast<CallInst>(step.instruction)->getIntrinsicID()) {
    case Intrinsic::copysign:
      return each([=](unsigned i) { return std::copysign(a[i], b[i]); });
    case Intrinsic::maxnum:
      return each([=](unsigned i) { return larger(a[i], b[i]); });
    default:
      return each([=](unsigned i) { return -larger(-a[i], -b[i]); });
    }
  }

  std::vector<Step> steps_;
  std::vector<Column> columns_; ///< by slot; the first has the inputs
  DenseMap<const Value *, unsigned> slots_;
  unsigned result_ = 0;
  Kind kind_ = Kind::Bit;
  bool hasOwnNan_ = false;
};

/// Floats where computations often part: few bits, limits, and neighbours of
/// both.
std::vector<uint32_t> hardFloats() {
  std::vector<uint32_t> all;
  for (uint32_t high = 0; high < 1024; ++high) // sign, exponent, a bit
    for (int32_t low : {-2, -1, 0, 1, 2, 0x155555, 0x2aaaab, 0x3fffff})
      all.push_back((high << 22) + uint32_t(low));
  return all;
}

/// The text of values, by the names of what is done to the input.
class Shape {
public:
  explicit Shape(const Value &input) { texts_[&input] = "x"; }

  std::string operator()(const Value &value) {
    auto [known, isNew] = texts_.try_emplace(&value);
    if (!isNew)
      return known->second;
    std::string text;
    raw_string_ostream out(text);
    if (isa<Constant>(value)) {
      value.printAsOperand(out);
      return texts_[&value] = text;
    }
    const auto &instruction = cast<Instruction>(value);
    out << instruction.getOpcodeName() << ' ' << *instruction.getType();
    if (auto *compare = dyn_cast<CmpInst>(&value))
      out << ' ' << CmpInst::getPredicateName(compare->getPredicate());
    if (auto *call = dyn_cast<CallInst>(&value))
      out << ' ' << call->getCalledFunction()->getName();
    for (const Value *operand : inputsOf(instruction))
      out << ' ' << (*this)(*operand);
    // A part may stand in many places.
    if (text.size() > 200)
      text = "#" + utohexstr(xxh3_64bits(text));
    return texts_[&value] = text;
  }

private:
  DenseMap<const Value *, std::string> texts_;
};

/// The number of values from the result on, without what only `cut` needs; none
/// if the result needs the input besides.
std::optional<size_t> sizeBehind(const OneFloat &of, const Value *cut) {
  SmallVector<const Value *, 16> work{of.result};
  DenseSet<const Value *> seen;
  while (!work.empty()) {
    const Value *value = work.pop_back_val();
    if (value == cut || isa<Constant>(value) || !seen.insert(value).second)
      continue;
    if (value == of.input)
      return std::nullopt;
    llvm::append_range(work, inputsOf(*cast<Instruction>(value)));
  }
  return seen.size();
}

} // namespace

std::optional<OneFloat> ofOneFloat(const Value &result) {
  constexpr unsigned most = 64; // operations
  if (!isExact(result))
    return std::nullopt;
  OneFloat found{&result, nullptr};
  SmallVector<const Value *, 16> work{&result};
  DenseSet<const Value *> seen{&result};
  while (!work.empty()) {
    const Value *value = work.pop_back_val();
    if (seen.size() > most)
      return std::nullopt;
    if (isa<ConstantFP, ConstantInt>(value))
      continue;
    if (isExact(*value)) {
      for (const Value *operand : inputsOf(*cast<Instruction>(value)))
        if (seen.insert(operand).second)
          work.push_back(operand);
      continue;
    }
    if (isa<Constant>(value) || (found.input && found.input != value) ||
        kindOf(*value->getType()) != Kind::Float)
      return std::nullopt;
    found.input = value;
  }
  return found.input ? std::optional(found) : std::nullopt;
}

std::vector<const Value *> waistsOf(const OneFloat &of) {
  std::vector<std::pair<size_t, const Value *>> found;
  SmallVector<const Value *, 16> work{of.result};
  DenseSet<const Value *> seen;
  while (!work.empty()) {
    const Value *value = work.pop_back_val();
    if (isa<Constant>(value) || !seen.insert(value).second)
      continue;
    const std::optional<size_t> size =
        value == of.result || kindOf(*value->getType()) != Kind::Float
            ? std::nullopt
            : sizeBehind(of, value);
    if (size)
      found.push_back({*size, value});
    if (value != of.input)
      llvm::append_range(work, inputsOf(*cast<Instruction>(value)));
  }
  llvm::stable_sort(found, llvm::less_first());
  std::vector<const Value *> waists;
  for (const auto &[size, value] : found)
    waists.push_back(value);
  return waists;
}

std::string shapeOf(const OneFloat &of) { return Shape(*of.input)(*of.result); }

bool areSameForAllFloats(const OneFloat &one, const OneFloat &other) {
  if (kindOf(*one.result->getType()) != kindOf(*other.result->getType()))
    return false;
  ColumnProgram a(one), b(other);
  auto agree = [](ColumnProgram &a, ColumnProgram &b, const uint32_t *inputs) {
    a.run(inputs);
    b.run(inputs);
    return a.isSame(b);
  };
  const std::vector<uint32_t> hard = hardFloats();
  for (size_t i = 0; i < hard.size(); i += batch)
    if (!agree(a, b, &hard[i]))
      return false;
  constexpr unsigned mostCost = 30; // some 40 seconds of a processor
  if (a.cost() + b.cost() > mostCost)
    return false;
  constexpr unsigned parts = 256;
  std::atomic<bool> areSame = true;
  forEachInParallel(
      parts, 0,
      [&](size_t part) {
        ColumnProgram a(one), b(other);
        std::array<uint32_t, batch> inputs;
        constexpr uint64_t size = (uint64_t(1) << 32) / parts;
        for (uint64_t first = part * size; areSame && first < (part + 1) * size;
             first += batch) {
          for (unsigned i = 0; i < batch; ++i)
            inputs[i] = first + i;
          if (!agree(a, b, inputs.data()))
            areSame = false;
        }
      },
      [&](size_t) { areSame = false; });
  return areSame;
}

} // namespace warplint
