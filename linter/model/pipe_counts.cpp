#include "model/pipe_counts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

namespace warplint {

PipeCounts &PipeCounts::operator+=(const PipeCounts &other) {
  fma += other.fma;
  alu += other.alu;
  doubles += other.doubles;
  special += other.special;
  memory += other.memory;
  control += other.control;
  movable += other.movable;
  products += other.products;
  return *this;
}

PipeCounts PipeCounts::operator*(double factor) const {
  return {fma * factor,     alu * factor,     doubles * factor,
          special * factor, memory * factor,  control * factor,
          movable * factor, products * factor};
}

namespace {

// Divisions, roots and functions were counted in nvcc 13.0's machine code for
// sm_90, on the path that usual values take.

/// BSSY, the branch past a call that unusual values take, and BSYNC.
constexpr double aroundSlowPath = 3;

/// What a division of 64 bits takes if the upper half of an operand is not 0
/// (H100: 27 to 30 cycles of an SM for a warp, 6.3 if both are 0).
constexpr PipeCounts ofLongDivision{.fma = 46,
                                    .alu = 62,
                                    .special = 3,
                                    .control = 6,
                                    .movable = 31,
                                    .products = 46};

PipeCounts ofDivision(const Computation &computation) {
  if (!isFloat(computation.type))
    return computation.type == Number::I64
               ? PipeCounts{.fma = 8,
                            .alu = 11,
                            .special = 3,
                            .control = aroundSlowPath,
                            .movable = 4,
                            .products = 8}
           : computation.isSigned ? PipeCounts{.fma = 8,
                                               .alu = 11,
                                               .special = 3,
                                               .movable = 4,
                                               .products = 8}
                                  : PipeCounts{.fma = 5,
                                               .alu = 10,
                                               .special = 3,
                                               .movable = 4,
                                               .products = 5};
  const bool isRemainder = computation.kind == Compute::Remainder;
  if (computation.type == Number::F64)
    return isRemainder ? PipeCounts{.alu = 2, .doubles = 40, .special = 1}
                       : PipeCounts{.fma = 3,
                                    .alu = 2,
                                    .doubles = 8,
                                    .special = 1,
                                    .control = aroundSlowPath};
  if (isRemainder)
    return {.fma = 20, .alu = 10, .special = 1};
  return computation.isApproximate
             ? PipeCounts{.fma = 2, .special = 1}
             : PipeCounts{
                   .fma = 6, .alu = 2, .special = 1, .control = aroundSlowPath};
}

/// A function of the math library, by the instructions of its float form, those
/// of its double form, and those on the XU.
PipeCounts ofFunction(const Computation &computation, double ofFloat,
                      double ofDouble, double special) {
  if (computation.type == Number::F64)
    return {.alu = 2, .doubles = ofDouble, .special = special};
  if (computation.isApproximate)
    return {.fma = 1, .special = 1}; // the hardware's own
  return {.fma = ofFloat * 3 / 4, .alu = ofFloat / 4, .special = special};
}

PipeCounts ofNamed(const Computation &computation, llvm::StringRef name) {
  struct Counts {
    double ofFloat, ofDouble, special;
  };
  // The bits of a number as those of another: '__longlong_as_double'.
  if (name.contains("_as_") || name == "hiloint2double" ||
      name.ends_with("hiint") || name.ends_with("loint"))
    return {};
  if (computation.type != Number::F64)
    name.consume_back("f");
  const Counts counts =
      llvm::StringSwitch<Counts>(name)
          .Cases({"hypot", "norm3d", "rnorm3d"}, {7, 15, 1})
          .Cases({"cbrt", "rcbrt"}, {13, 15, 2})
          .Cases({"tanh", "sinh", "cosh"}, {14, 50, 2})
          .Cases({"atan", "atan2", "asin", "acos"}, {20, 50, 1})
          .Case("erf", {25, 80, 1})
          .Cases({"erfc", "tgamma", "lgamma", "normcdf"}, {40, 80, 1})
          .Cases({"copysign", "signbit", "isnan", "isinf", "finite"}, {1, 1, 0})
          .Default({8, 8, 0});
  return ofFunction(computation, counts.ofFloat, counts.ofDouble,
                    counts.special);
}

PipeCounts ofConversion(const Computation &computation) {
  const Number to = computation.type, from = computation.from;
  if (!isFloat(to) && !isFloat(from)) {
    // A load extends what it loads, and an address takes 32 bits as they are.
    const bool isWidened = (from == Number::I8 || from == Number::I16) &&
                           to != Number::I8 && to != Number::I16;
    return {.alu = isWidened || from == Number::I1 ? 1.0 : 0.0};
  }
  if (to == Number::F64 || from == Number::F64)
    return {.special = 1};
  if (isFloat(to) && isFloat(from))
    return {.fma = 1};
  // I2FP (H200: 0.6 cycles of an SM for a warp, 2.1 for the other direction).
  if (to == Number::F32 && from != Number::I64)
    return {.alu = 1};
  return {.special = 1};
}

PipeCounts ofCall(llvm::StringRef name) {
  if (name.contains("shfl") || name.contains("match") || name.contains("redux"))
    return {.memory = 1};
  if (name.starts_with("llvm.") || name.starts_with("asm"))
    return {.alu = 1};
  return {.alu = 4, .control = 4};
}

bool isPowerOfTwo(double number) {
  int exponent = 0;
  return std::abs(std::frexp(number, &exponent)) == 0.5;
}

/// Instructions of 32 bits for one on integers of this type.
double parts(Number type) { return type == Number::I64 ? 2 : 1; }

/// A sum or a left shift of integers. A carry is the ALU's.
PipeCounts ofSum(Number type) {
  return {.alu = parts(type), .movable = type == Number::I64 ? 0.0 : 1.0};
}

/// The XU counts and finds bits, 32 at a time; what moves them is the ALU's.
PipeCounts ofBits(const Computation &computation, llvm::StringRef function) {
  const bool moves = llvm::StringSwitch<bool>(function)
                         .Cases({"byte_perm", "prmt", "bswap", "bfe", "bfi",
                                 "fshl", "fshr", "shf"},
                                true)
                         .Default(false);
  return moves ? PipeCounts{.alu = parts(computation.type)}
               : PipeCounts{.special = parts(computation.from)};
}

PipeCounts ofDivisionBy(const Computation &computation, double divisor) {
  const Number type = computation.type;
  if (isFloat(type)) {
    // The reciprocal of a power of two is exact.
    if (!isPowerOfTwo(divisor))
      return ofDivision(computation);
    return type == Number::F64 ? PipeCounts{.doubles = 1}
                               : PipeCounts{.fma = 1};
  }
  if (isPowerOfTwo(divisor))
    return {.alu = parts(type) * (computation.isSigned ? 3 : 1)};
  // A product with the reciprocal.
  return type == Number::I64
             ? PipeCounts{.fma = 6, .alu = 4, .products = 8}
             : PipeCounts{.fma = 2, .alu = 2, .movable = 1, .products = 3};
}

} // namespace

bool isExpanded(Compute kind) {
  switch (kind) {
  case Compute::Divide:
  case Compute::Remainder:
  case Compute::SquareRoot:
  case Compute::ReciprocalRoot:
  case Compute::Power:
  case Compute::Exponential:
  case Compute::Logarithm:
  case Compute::Sine:
  case Compute::Function:
    return true;
  default:
    return false;
  }
}

PipeCounts pipesOf(const Computation &computation, const std::string &function,
                   std::optional<double> divisor) {
  const Number type = computation.type;
  const bool isDouble = type == Number::F64;
  if (computation.isFused)
    return {};
  switch (computation.kind) {
  case Compute::Add:
  case Compute::Subtract:
    if (isDouble)
      return {.doubles = 1};
    return isFloat(type) ? PipeCounts{.fma = 1} : ofSum(type);
  case Compute::Multiply:
    if (isDouble)
      return {.doubles = 1};
    if (isFloat(type))
      return {.fma = 1};
    return type == Number::I64 ? PipeCounts{.fma = 4, .products = 5}
                               : PipeCounts{.fma = 1, .products = 1};
  case Compute::Fused:
    return isDouble ? PipeCounts{.doubles = 1} : PipeCounts{.fma = 1};
  case Compute::Divide:
  case Compute::Remainder:
    return divisor ? ofDivisionBy(computation, *divisor)
                   : ofDivision(computation);
  case Compute::Negate: // floats: a modifier of the next operand
    return isFloat(type) ? PipeCounts{} : ofSum(type);
  case Compute::Absolute:
    return {.alu = isFloat(type) ? 0 : parts(type)};
  case Compute::Minimum:
  case Compute::Maximum:
  case Compute::Compare:
    return isDouble ? PipeCounts{.doubles = 1} : PipeCounts{.alu = parts(type)};
  case Compute::Select:
    return {.alu = isDouble ? 2 : parts(type)};
  case Compute::Logic:
    if (type == Number::I1)
      return {}; // a comparison combines its predicate with another
    return {.alu = parts(type)};
  case Compute::Shift:
    return computation.isLeft ? ofSum(type) : PipeCounts{.alu = parts(type)};
  case Compute::Bits:
    return ofBits(computation, function);
  case Compute::Round:
    return isDouble ? PipeCounts{.doubles = 1} : PipeCounts{.special = 1};
  case Compute::Convert:
    return ofConversion(computation);
  case Compute::SquareRoot: {
    PipeCounts pipes = ofFunction(computation, 7, 15, 1);
    if (!computation.isApproximate)
      pipes.control = aroundSlowPath;
    return pipes;
  }
  case Compute::ReciprocalRoot:
    return ofFunction(computation, 3, 15, 1);
  case Compute::Power:
    // nvcc takes a whole exponent for a double.
    if (llvm::StringRef(function).contains("powi"))
      return {.alu = 2, .doubles = 150, .special = 2};
    return computation.isApproximate ? PipeCounts{.fma = 1, .special = 2}
                                     : ofFunction(computation, 80, 150, 2);
  case Compute::Exponential:
    return ofFunction(computation, 6, 25, 1);
  case Compute::Logarithm:
    return ofFunction(computation, 23, 35, 0);
  case Compute::Sine: {
    PipeCounts pipes = ofFunction(computation, 32, 40, 0);
    if (computation.isApproximate) // MUFU.SIN, .COS and, of a tangent, .RCP
      pipes.special = llvm::StringSwitch<double>(function)
                          .Cases({"sincosf", "fast_sincosf"}, 2)
                          .Cases({"tanf", "fast_tanf"}, 3)
                          .Default(1);
    return pipes;
  }
  case Compute::Function:
    return ofNamed(computation, function);
  case Compute::Call:
    return ofCall(function);
  case Compute::Join:
    return {};
  }
  return {};
}

/// Returns true for what each iteration moves by a step: an index.
static bool isCounter(const ExpressionGraph &graph, ValueId carried) {
  const ValueId next = graph.operand(carried, 1);
  return graph.node(next).op == Op::Add &&
         llvm::is_contained(graph.operands(next), carried);
}

/// Returns true for what data are multiplied, shifted or combined to: hashes,
/// random numbers and products before a modulus use all of their bits.
static bool fillsItsBits(const ExpressionGraph &graph, ValueId value,
                         unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  const Op op = graph.node(value).op;
  if (op == Op::Add && depth < deepest)
    return llvm::any_of(graph.operands(value), [&](ValueId part) {
      return fillsItsBits(graph, part, depth + 1);
    });
  if (op != Op::Multiply && op != Op::Xor && op != Op::ShiftLeft)
    return false;
  using Walk = ExpressionGraph::Walk;
  return !graph.walk(value, [&](ValueId id) {
    const Op op = graph.node(id).op;
    if (op == Op::Carried)
      return isCounter(graph, id) ? Walk::Past : Walk::Stop;
    return op == Op::Loaded ? Walk::Stop : Walk::Into;
  });
}

/// What an operand of 64 bits is known to be.
enum class Range { Signed32, Unsigned32, All };

static Range rangeOf(const Kernel &kernel, const Input &input) {
  if (input.source == Input::Source::Constant) {
    const double number = input.constant;
    return std::abs(number) < 0x1p31        ? Range::Signed32
           : number >= 0 && number < 0x1p32 ? Range::Unsigned32
                                            : Range::All;
  }
  if (input.source != Input::Source::Computation)
    return Range::All;
  const Computation &made = kernel.operations[input.index];
  if (made.kind != Compute::Convert || isFloat(made.from) ||
      made.from == Number::I64)
    return Range::All;
  return made.isSigned ? Range::Signed32 : Range::Unsigned32;
}

/// A product of 64 bits: IMAD.WIDE multiplies 32 bits by 32 (nvcc 13.0, sm_90).
static PipeCounts ofLongProduct(const Kernel &kernel,
                                llvm::ArrayRef<Input> inputs) {
  bool isOf32Bits = true, isPositive = false, isShift = false;
  std::optional<Range> wanted;
  for (const Input &input : inputs) {
    const bool isConstant = input.source == Input::Source::Constant;
    isShift |= isConstant && isPowerOfTwo(input.constant);
    Range range = rangeOf(kernel, input);
    isPositive |= range == Range::Unsigned32 ||
                  (isConstant && input.constant >= 0 && range != Range::All);
    if (isConstant && input.constant >= 0 && range == Range::Signed32)
      continue; // it goes with both
    isOf32Bits &= range != Range::All && range == wanted.value_or(range);
    wanted = range;
  }
  if (isOf32Bits)
    return {.fma = 1, .products = 2};
  if (isShift)
    return {.alu = 2};
  return isPositive ? PipeCounts{.fma = 2, .alu = 1, .products = 3}
                    : PipeCounts{.fma = 3, .alu = 1, .products = 4};
}

PipeCounts pipesOf(const Kernel &kernel, const Computation &computation) {
  const llvm::ArrayRef<Input> inputs = kernel.inputsOf(computation);
  if (computation.kind == Compute::Multiply && inputs.size() == 2 &&
      computation.type == Number::I64 && !computation.isFused)
    return ofLongProduct(kernel, inputs);
  // A load extends the byte that it loads.
  if (computation.kind == Compute::Convert && !isFloat(computation.type) &&
      !isFloat(computation.from) && inputs.size() == 1 &&
      inputs[0].source == Input::Source::Access)
    return {};
  // A half of 64 bits is a register of its own.
  if (computation.kind == Compute::Shift && computation.type == Number::I64 &&
      inputs.size() == 2 && inputs[1].source == Input::Source::Constant &&
      inputs[1].constant == 32)
    return {};
  std::optional<double> divisor;
  if (inputs.size() == 2 && inputs[1].source == Input::Source::Constant)
    divisor = inputs[1].constant;
  if (isDivision(computation) && computation.type == Number::I64 && !divisor &&
      inputs.size() == 2 && inputs[0].hasValue &&
      fillsItsBits(kernel.graph, inputs[0].value))
    return ofLongDivision;
  return pipesOf(computation, kernel.writtenOf(computation).function, divisor);
}

void addPipes(const PipeCounts &pipes, Arithmetic &work) {
  work.instructions += pipes.all();
  work.doubles += pipes.doubles;
  work.special += pipes.special;
  work.logic += pipes.alu - pipes.movable;
  work.products += pipes.products;
}

} // namespace warplint
