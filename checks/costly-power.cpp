#include "cost/busiest_shape.h"
#include "findings/operations.h"
#include "findings/power_edit.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "costly-power",
    .summary =
        "a power with a small constant exponent is computed as a general "
        "one, where a few products or a root do",
    .why = R"(
nvcc folds no power, not even 'pow(x, 2)'. A 'powf' is a logarithm, a product and an
exponential in extended precision, about 30 instructions in place; a 'pow' of doubles
is a call of some 150, most of them on the FP64 pipe. The product 'x * x' is one
instruction, and the root 'sqrtf(x)' a handful.)",
    .slow = R"(
__global__ void energies(const float *v, float *out, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float speed = v[i], sum = 0;
  for (int k = 0; k < steps; ++k) {
    sum += powf(speed, 2.0f);
    speed *= 0.99f;
  }
  out[i] = sum;
}
)",
    .fast = R"(
__global__ void energies(const float *v, float *out, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float speed = v[i], sum = 0;
  for (int k = 0; k < steps; ++k) {
    sum += speed * speed;
    speed *= 0.99f;
  }
  out[i] = sum;
}
)",
    .cures = R"(
- Exponents 2, 3 and 4: products. Keep the base in a variable if it is more than a
  name, so that it is computed once.
- Larger whole exponents: square repeatedly, or a small helper with the exponent as a
  template argument.
- Exponent 0.5: 'sqrtf' or 'sqrt'; -0.5: 'rsqrtf' or 'rsqrt'; -1: '1.0f / x'.
- Exponents 1.5 and 2.5: a root and products, 'x * sqrtf(x)'; a third: 'cbrtf' or
  'cbrt'; a quarter: the root of a root.)",
    .whenNot = R"(
The kernel waits for memory, and the power is computed once per element. A finding
tells what part of the kernel's issue slots the power takes; where the model says
that nothing is saved, there is none. Exponents that only the run knows, and other
fractions, are not reported. 'sqrtf' differs from 'powf(x, 0.5f)' for minus infinity
and for minus zero alone, 'cbrtf' gives a number for negative bases, where 'powf' gives
none; products round differently in the last bit.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Source Counters: instructions at the line; Instruction Statistics: "
           "FP64 and XU pipe",
    .ofCode = true,
};

constexpr double largestExponent = 16;

/// A power as `products` factors of the base and a root of it; of the
/// reciprocal if the exponent is negative.
struct CheapPower {
  double exponent = 0;
  unsigned products = 0; ///< the whole part of the exponent
  enum { None, Square, Cube, Fourth } root = None;
  bool isOfCube = false; ///< the root is squared: two thirds
  bool isInverse() const { return exponent < 0; }
};

/// The constant exponent of a power that products or a root compute.
std::optional<CheapPower> cheapPower(double exponent) {
  CheapPower power;
  power.exponent = exponent;
  const double size = std::abs(exponent);
  power.products = unsigned(std::min(size, 2 * largestExponent));
  const double rest = size - power.products;
  if (rest == 0 && size <= largestExponent)
    return power;
  if (rest == 0.5 && power.products <= 4)
    power.root = CheapPower::Square;
  else if (size == 0.25)
    power.root = CheapPower::Fourth;
  else if (const double thirds = 3 * size;
           std::abs(thirds - 1) < 1e-6 || std::abs(thirds - 2) < 1e-6) {
    power.root = CheapPower::Cube;
    power.isOfCube = thirds > 1.5;
  } else
    return std::nullopt;
  return power;
}

std::optional<CheapPower> cheapPower(const Kernel &kernel,
                                     const Computation &operation) {
  if (operation.kind != Compute::Power || operation.inputCount != 2)
    return std::nullopt;
  const Input &base = kernel.inputsOf(operation)[0];
  const Input &exponent = kernel.inputsOf(operation)[1];
  if (exponent.source != Input::Source::Constant ||
      base.source == Input::Source::Constant)
    return std::nullopt;
  return cheapPower(exponent.constant);
}

/// The cost of products or a root in its place.
PipeCounts cheapPipes(const Computation &operation, const CheapPower &power) {
  const bool isDouble = operation.type == Number::F64;
  Computation step;
  step.type = operation.type;
  step.isApproximate = operation.isApproximate;
  double products = std::ceil(std::log2(std::max(1u, power.products)) * 1.25);
  products += power.root != CheapPower::None && power.products > 0;
  products += power.isOfCube;
  PipeCounts pipes =
      isDouble ? PipeCounts{.doubles = products} : PipeCounts{.fma = products};
  if (power.root == CheapPower::Cube) {
    step.kind = Compute::Function;
    pipes += pipesOf(step, "cbrt", std::nullopt);
  } else if (power.root != CheapPower::None) {
    step.kind =
        power.isInverse() ? Compute::ReciprocalRoot : Compute::SquareRoot;
    const double roots = power.root == CheapPower::Fourth ? 2 : 1;
    pipes += pipesOf(step, "", std::nullopt) * roots;
  }
  // Reciprocal roots are functions of their own.
  if (power.isInverse() && power.products > 0) {
    step.kind = Compute::Divide;
    pipes += pipesOf(step, "", std::nullopt);
  }
  return pipes;
}

bool isName(llvm::StringRef text) {
  return !text.empty() && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '[' || c == ']';
  });
}

/// "sqrtf(x)", "rcbrt(x)".
std::string rootOf(const std::string &base, const CheapPower &power,
                   bool isDouble) {
  const std::string end = isDouble ? "(" : "f(";
  const std::string r = power.isInverse() ? "r" : "";
  switch (power.root) {
  case CheapPower::None:
    break;
  case CheapPower::Square:
    return r + "sqrt" + end + base + ")";
  case CheapPower::Cube:
    return r + "cbrt" + end + base + ")";
  case CheapPower::Fourth:
    return r + "sqrt" + end + "sqrt" + end + base + "))";
  }
  return "";
}

/// "x * x * x", "sqrtf(x)", with the program's own base.
std::string cheapForm(const Computation &operation, llvm::StringRef base,
                      const CheapPower &power) {
  const bool isDouble = operation.type == Number::F64;
  const std::string one = isDouble ? "1.0" : "1.0f";
  if (base.empty())
    base = "x";
  if (power.exponent == 0)
    return one;
  const unsigned times = power.products;
  const bool isOnce = times + (power.root != CheapPower::None) == 1;
  if (power.isOfCube)
    return "t * t with t = " + rootOf(base.str(), power, isDouble);
  if (isOnce && times == 0)
    return rootOf(base.str(), power, isDouble);
  const bool isPlain = isName(base);
  const std::string factor = isPlain ? base.str() : "t";
  const std::string with = isPlain || isOnce ? "" : (" with t = " + base).str();
  if (times > 4)
    return "products of " + factor + ", " + factor + " * " + factor +
           " and its squares" + with;
  std::string product = isOnce ? base.str() : factor;
  for (unsigned i = 1; i < times; ++i)
    product += " * " + factor;
  const std::string root = rootOf(factor, power, isDouble);
  if (!power.isInverse())
    return product + (root.empty() ? "" : " * " + root) + with;
  if (times > 1 || !isName(product))
    product = "(" + product + ")";
  return (root.empty() ? one : root) + " / " + product + with;
}

/// "a call of some 150 FP64 instructions".
std::string costInWords(const Computation &operation) {
  if (operation.type == Number::F64)
    return "a call of some 150 FP64 instructions";
  return operation.isApproximate ? "a logarithm and an exponential"
                                 : "some 30 instructions";
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  const auto users = usersOf(kernel);
  for (unsigned i = 0; i < kernel.operations.size(); ++i) {
    const Computation &operation = kernel.operations[i];
    const std::optional<CheapPower> power = cheapPower(kernel, operation);
    const Written &written = kernel.writtenOf(operation);
    // A result that nothing uses is not computed.
    const bool isUsed = operation.isStored || !users[i].empty();
    if (!power || !isUsed || written.inLibrary)
      continue;
    const ShapeCosts &shape = busiestShape(costed, operation);
    const KernelTime &time = timeOf(costed, shape);
    Demand saved = time.ofPipes(pipesOf(kernel, operation), operation);
    const std::string part = shareOfPipes(time, saved);
    saved -= time.ofPipes(cheapPipes(operation, *power), operation);
    if (!pays(time, saved))
      continue;
    Finding &finding = findings.add(
        written.place, written.callSites,
        llvm::formatv("{0} is computed as a general power, {1}{2}",
                      shown(kernel, operation), costInWords(operation),
                      part.empty() ? "" : ": it takes " + part),
        i);
    finding.about = written.text;
    finding.cause = "general powers";
    finding.weight = pipesOf(kernel, operation).all();
    setShare(finding, costed, shape, saved);
    finding.fix =
        "write " +
        cheapForm(operation, textOfInput(kernel, operation, 0), *power);
    finding.edit = powerEdit(kernel, operation, power->exponent);
  }
}

/// A general power is a logarithm and an exponential, or a call's many sums.
Judgement judge(const Finding &finding, unsigned subject,
                const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const Kernel &source = view.source.kernel, &ptx = view.ptx->kernel;
  const bool mayLeave = isInvariant(source, source.operations[subject]);
  unsigned arithmetic = 0;
  bool hasFunction = false;
  for (unsigned i : operationsInPtx(finding.place, subject, view)) {
    const Computation &operation = ptx.operations[i];
    const std::string &function = ptx.writtenOf(operation).function;
    hasFunction |= operation.kind == Compute::Exponential ||
                   operation.kind == Compute::Logarithm ||
                   operation.kind == Compute::Power ||
                   llvm::StringRef(function).contains("pow");
    // A float's power by an int is one of doubles to nvcc.
    arithmetic += isFloat(operation.type) && operation.kind != Compute::Join &&
                  operation.kind != Compute::Convert;
  }
  // The line's other operations, in each copy of an unrolled loop, are not
  // the power.
  if (hasFunction || (!mayLeave && arithmetic >= 16))
    return {Verdict::Confirmed,
            llvm::formatv("the PTX computes a power at line {0}: {1} of floats "
                          "or doubles",
                          finding.place.line,
                          counted(arithmetic, "instruction"))};
  return {Verdict::Refuted, mayLeave
                                ? "the compiler moved the power out of the loop"
                                : "the compiler left no power at that line"};
}

const Enrol enrol({.info = info,
                   .inspect = inspect,
                   .judge = judge,
                   .insteadOf = "slow-math"});

} // namespace
} // namespace warplint
