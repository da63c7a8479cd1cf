#include "findings/operations.h"
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
- Exponent 0.5: 'sqrtf' or 'sqrt'; -0.5: 'rsqrtf' or 'rsqrt'; -1: '1.0f / x'.)",
    .whenNot = R"(
The kernel waits for memory, and the power is computed once per element. A finding
tells what part of the kernel's issue slots the power takes; where the model says
that nothing is saved, there is none. Exponents that only the run knows, and other
fractions, are not reported. 'sqrtf' differs from 'powf(x, 0.5f)' for minus infinity
and for minus zero alone; products round differently in the last bit.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Source Counters: instructions at the line; Instruction Statistics: "
           "FP64 and XU pipe",
};

constexpr double largestExponent = 8;

/// The constant exponent of a power that products or a root compute.
std::optional<double> cheapExponent(const Kernel &kernel,
                                    const Computation &operation) {
  if (operation.kind != Compute::Power || operation.inputCount != 2)
    return std::nullopt;
  const Input &base = kernel.inputsOf(operation)[0];
  const Input &exponent = kernel.inputsOf(operation)[1];
  if (exponent.source != Input::Source::Constant ||
      base.source == Input::Source::Constant)
    return std::nullopt;
  const double value = exponent.constant;
  const bool isWhole = value == std::floor(value);
  if (std::abs(value) == 0.5 ||
      (isWhole && value >= -4 && value <= largestExponent))
    return value;
  return std::nullopt;
}

/// What products or a root take for it.
PipeCounts cheapPipes(const Computation &operation, double exponent) {
  const bool isDouble = operation.type == Number::F64;
  Computation step;
  step.type = operation.type;
  if (std::abs(exponent) == 0.5) {
    step.kind = exponent > 0 ? Compute::SquareRoot : Compute::ReciprocalRoot;
    return pipesOf(step, "", std::nullopt);
  }
  const double products =
      std::ceil(std::log2(std::max(1.0, std::abs(exponent))) * 1.25);
  PipeCounts pipes =
      isDouble ? PipeCounts{.doubles = products} : PipeCounts{.fma = products};
  if (exponent < 0) {
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

/// "x * x * x", "sqrtf(x)", with the program's own base.
std::string cheapForm(const Computation &operation, llvm::StringRef base,
                      double exponent) {
  const bool isDouble = operation.type == Number::F64;
  const std::string one = isDouble ? "1.0" : "1.0f";
  if (base.empty())
    base = "x";
  if (exponent == 0.5)
    return (llvm::Twine(isDouble ? "sqrt(" : "sqrtf(") + base + ")").str();
  if (exponent == -0.5)
    return (llvm::Twine(isDouble ? "rsqrt(" : "rsqrtf(") + base + ")").str();
  if (exponent == 0)
    return one;
  const bool isPlain = isName(base);
  const std::string factor = isPlain ? base.str() : "t";
  const unsigned times = std::abs(exponent);
  std::string product;
  for (unsigned i = 0; i < std::min(times, 4u); ++i)
    product += (i ? " * " : "") + factor;
  if (times > 4)
    product = "products of " + factor + ", " + factor + " * " + factor +
              " and its squares";
  else if (exponent < 0)
    product = one + " / " + (times > 1 ? "(" + product + ")" : product);
  if (isPlain || times == 1)
    return product;
  return product + " with t = " + base.str();
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  const auto users = usersOf(kernel);
  for (unsigned i = 0; i < kernel.operations.size(); ++i) {
    const Computation &operation = kernel.operations[i];
    const std::optional<double> exponent = cheapExponent(kernel, operation);
    const Written &written = kernel.writtenOf(operation);
    // A result that nothing uses is not computed.
    const bool isUsed = operation.isStored || !users[i].empty();
    if (!exponent || !isUsed || written.inLibrary)
      continue;
    const ShapeCosts &shape = costed.shapes.front();
    const KernelTime &time = timeOf(costed, shape);
    Demand saved = time.ofPipes(pipesOf(kernel, operation), operation);
    const std::string part = shareOfPipes(time, saved);
    saved -= time.ofPipes(cheapPipes(operation, *exponent), operation);
    if (!pays(time, saved))
      continue;
    Finding &finding =
        findings.add(written.place, written.callSites,
                     llvm::formatv("{0} is computed as a general power, {1}{2}",
                                   shown(kernel, operation),
                                   operation.type == Number::F64
                                       ? "a call of some 150 FP64 instructions"
                                       : "some 30 instructions",
                                   part.empty() ? "" : ": it takes " + part),
                     i);
    finding.about = written.text;
    finding.weight = pipesOf(kernel, operation).all();
    setShare(finding, costed, shape, saved);
    finding.fix =
        "write " +
        cheapForm(operation, textOfInput(kernel, operation, 0), *exponent);
  }
}

/// A general power is a logarithm and an exponential, or a call's many sums.
Judgement judge(const Finding &finding, unsigned, const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const Kernel &ptx = view.ptx->kernel;
  unsigned arithmetic = 0;
  bool hasFunction = false;
  for (unsigned i : operationsInPtx(finding.place, view)) {
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
  if (hasFunction || arithmetic >= 16)
    return {Verdict::Confirmed,
            llvm::formatv("the PTX computes a power at line {0}: {1} of floats "
                          "or doubles",
                          finding.place.line,
                          counted(arithmetic, "instruction"))};
  return {Verdict::Refuted, "the compiler left no power at that line"};
}

const Enrol enrol({.info = info,
                   .inspect = inspect,
                   .judge = judge,
                   .insteadOf = "slow-math"});

} // namespace
} // namespace warplint
