#include "cost/busiest_shape.h"
#include "cost/load_ahead.h"
#include "findings/operations.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "slow-math",
    .summary =
        "a function or a division of floats is computed to the last bit, "
        "where the hardware has a short form",
    .why = R"(
The XU computes sines, exponentials, logarithms and reciprocals of floats in one
instruction, to some 22 bits. 'sinf', 'expf', 'logf', 'powf' and '/' add what makes
them exact to the last bits and safe for all arguments: a division takes 12
instructions, 'expf' 7, 'logf' 13, 'sinf' 20 and 'powf' 30, and 'sinf' has a long path
for large arguments besides, which takes registers and stack.)",
    .slow = R"(
__global__ void wave(const float *phase, float *out, int n, int terms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float p = phase[i], sum = 0;
  for (int k = 1; k < terms; ++k)
    sum += sinf(p * k);
  out[i] = sum;
}
)",
    .fast = R"(
__global__ void wave(const float *phase, float *out, int n, int terms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float p = phase[i], sum = 0;
  for (int k = 1; k < terms; ++k)
    sum += __sinf(p * k);
  out[i] = sum;
}
)",
    .cures = R"(
- One place: the short form, '__sinf', '__cosf', '__expf', '__logf', '__powf',
  '__fdividef'.
- A division by a constant: a product with its reciprocal, 'x * (1.0f / 3.0f)'.
- A reciprocal root, '1.0f / sqrtf(x)': 'rsqrtf(x)'. A root: '-prec-sqrt=false'.
- The whole program: '-use_fast_math', which also flushes denormal numbers and takes the
  short form of roots.
- A sine or cosine of a multiple of pi: 'sinpif', 'cospif', which are exact and have no
  long path.
- 'expf(x * constant)': 'exp2f' with the constant folded, which is nearly as short.)",
    .whenNot = R"(
The last bits matter, or the arguments are large: '__sinf' is exact to 2^-21 between -pi
and pi alone, '__fdividef' gives 0 for divisors above 2^126. Only the program's author
knows, which is why this is an opinion. Where the functions take little of the kernel's
time there is no finding.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu = "Source Counters: instructions at the line; Instruction Statistics: "
           "FMA and XU pipe",
    .ofCode = true,
};

bool isPowerOfTwo(double number) {
  int exponent = 0;
  return std::abs(std::frexp(number, &exponent)) == 0.5;
}

/// The short form of a float division; empty if there is none.
std::string shortDivision(const Kernel &kernel, const Computation &operation) {
  const std::string &function = kernel.writtenOf(operation).function;
  if (operation.inputCount != 2 ||
      (!function.empty() && function != "fdividef"))
    return "";
  const llvm::ArrayRef<Input> inputs = kernel.inputsOf(operation);
  const std::string divisor = textOfInput(kernel, operation, 1);
  if (inputs[1].source == Input::Source::Constant) {
    if (inputs[0].source == Input::Source::Constant ||
        isPowerOfTwo(inputs[1].constant))
      return "";
    return "a product with '1.0f / " + (divisor.empty() ? "x" : divisor) + "'";
  }
  // By what the loop leaves as it is: costly-division has the better advice.
  if (inputs[1].invariantLoops)
    return "";
  if (inputs[1].source == Input::Source::Computation)
    if (const Computation &root = kernel.operations[inputs[1].index];
        root.kind == Compute::SquareRoot && root.type == Number::F32)
      return "'rsqrtf' instead of the root and the division";
  return "'__fdividef'";
}

/// The short form of a float operation; empty if there is none.
std::string shortForm(const Kernel &kernel, const Computation &operation) {
  if (operation.type != Number::F32 || operation.isApproximate ||
      operation.lanes != 1)
    return "";
  if (operation.kind == Compute::Divide)
    return shortDivision(kernel, operation);
  if (operation.kind == Compute::SquareRoot && !operation.isRounded)
    return "'-prec-sqrt=false', or 'x * rsqrtf(x)' of a positive x";
  // A power of two or of ten is one exponential, and exact.
  if (operation.kind == Compute::Power && operation.inputCount == 2)
    if (const Input &base = kernel.inputsOf(operation)[0];
        base.source == Input::Source::Constant &&
        (base.constant == 2 || base.constant == 10))
      return base.constant == 2 ? "'exp2f'" : "'exp10f'";
  const llvm::StringRef name =
      llvm::StringSwitch<llvm::StringRef>(kernel.writtenOf(operation).function)
          .Case("sinf", "__sinf")
          .Case("cosf", "__cosf")
          .Case("tanf", "__tanf")
          .Case("tanhf", "__tanhf")
          .Case("sincosf", "__sincosf")
          .Case("expf", "__expf")
          .Case("exp10f", "__exp10f")
          .Case("logf", "__logf")
          .Case("log2f", "__log2f")
          .Case("log10f", "__log10f")
          .Case("powf", "__powf")
          .Default("");
  return name.empty() ? "" : ("'" + name + "'").str();
}

PipeCounts shortPipes(Computation operation) {
  operation.isApproximate = true;
  PipeCounts pipes = pipesOf(operation, "", std::nullopt);
  if (operation.kind == Compute::Power)
    pipes.special = 2;
  return pipes;
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  for (unsigned i = 0; i < kernel.operations.size(); ++i) {
    const Computation &operation = kernel.operations[i];
    const std::string form = shortForm(kernel, operation);
    const Written &written = kernel.writtenOf(operation);
    if (form.empty() || written.inLibrary)
      continue;
    const ShapeCosts &shape = busiestShape(costed, operation);
    const KernelTime &time = timeOf(costed, shape);
    Demand saved = time.ofPipes(pipesOf(kernel, operation), operation);
    const std::string part = shareOfPipes(time, saved);
    saved -= time.ofPipes(shortPipes(operation), operation);
    saved += waitsBehind(kernel, shape, time, operation);
    // Below, the kernel waits for memory, and the model's overlap is no exact
    // number.
    constexpr double leastShare = 0.03;
    if (!pays(time, saved) || time.share(saved) < leastShare)
      continue;
    Finding &finding =
        findings.add(written.place, written.callSites,
                     llvm::formatv("{0} is exact to the last bits, in some {1} "
                                   "instructions{2}",
                                   shown(kernel, operation),
                                   unsigned(pipesOf(kernel, operation).all()),
                                   part.empty() ? "" : ": it takes " + part),
                     i);
    finding.about = written.text;
    finding.object =
        written.function.empty() ? "divisions of floats" : written.function;
    finding.weight = pipesOf(kernel, operation).all();
    setShare(finding, costed, shape, saved);
    finding.fix = "if its last bits do not matter: " + form;
  }
}

/// Operations of floats at a place, other than what passes values on.
unsigned floatsIn(const Kernel &kernel, llvm::ArrayRef<unsigned> operations) {
  return llvm::count_if(operations, [&](unsigned i) {
    const Computation &operation = kernel.operations[i];
    return operation.type == Number::F32 && operation.kind != Compute::Join &&
           operation.kind != Compute::Convert;
  });
}

Judgement judge(const Finding &finding, unsigned subject,
                const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const Kernel &source = view.source.kernel, &ptx = view.ptx->kernel;
  const Compute kind = source.operations[subject].kind;
  const std::vector<unsigned> compiled =
      operationsInPtx(finding.place, subject, view);
  const unsigned line = finding.place.line;
  // PTX has an instruction for these two.
  if (kind == Compute::Divide || kind == Compute::SquareRoot) {
    const char *what = kind == Compute::Divide ? "division" : "root";
    for (unsigned i : compiled)
      if (ptx.operations[i].kind == kind &&
          ptx.operations[i].type == Number::F32 &&
          !ptx.operations[i].isApproximate)
        return {
            Verdict::Confirmed,
            llvm::formatv("the PTX has the exact {0} at line {1}", what, line)};
    return {Verdict::Refuted,
            llvm::formatv("the compiler left no exact {0} at that line", what)};
  }
  std::vector<unsigned> written;
  for (unsigned i = 0; i < source.operations.size(); ++i)
    if (sameLine(source.writtenOf(source.operations[i]).place, finding.place))
      written.push_back(i);
  // The short forms are one to three instructions.
  constexpr unsigned shortest = 5;
  // The copies of an unrolled loop repeat the line's other operations.
  constexpr unsigned copies = 8;
  const bool mayLeave = isInvariant(source, source.operations[subject]);
  const unsigned has = floatsIn(ptx, compiled),
                 asked = floatsIn(source, written) * (mayLeave ? copies : 1);
  if (has >= asked + shortest)
    return {Verdict::Confirmed,
            llvm::formatv("the PTX has {0} of floats at line {1}",
                          counted(has, "operation"), line)};
  return {Verdict::Refuted, isInvariant(source, source.operations[subject])
                                ? "the compiler moved it out of the loop"
                                : "the PTX has the short form at that line"};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
