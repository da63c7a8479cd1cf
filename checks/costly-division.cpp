#include "cost/busiest_shape.h"
#include "cost/divisions.h"
#include "cost/load_ahead.h"
#include "cost/repeated_operations.h"
#include "findings/locate.h"
#include "findings/operations.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "costly-division",
    .summary =
        "a division by what stays the same in a loop or for all threads, by a "
        "power of two that the compiler does not know, or in 64 bits of what "
        "fits into 32",
    .why = R"(
A GPU has no instruction that divides. '/' and '%' of 32-bit integers are some 18
instructions, of 64-bit ones 60 and more, of floats 12, of doubles 17, 8 of them on the
FP64 pipe; a product is one, a mask or a shift as well. If the divisor stays the same,
what depends on it alone can be computed once, before the loop. A divisor that is a
constant costs a few instructions only: the compiler does this by itself.)",
    .slow = R"(
__global__ void gather(const float *table, float *out, int n, int steps,
                       int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned state = i;
  float sum = 0;
  for (int k = 0; k < steps; ++k) {
    state = state * 1664525u + 1013904223u;
    sum += state % size;
  }
  out[i] = sum;
}
)",
    .fast = R"(
__global__ void gather(const float *table, float *out, int n, int steps,
                       int mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned state = i;
  float sum = 0;
  for (int k = 0; k < steps; ++k) {
    state = state * 1664525u + 1013904223u;
    sum += state & mask;
  }
  out[i] = sum;
}
)",
    .cures = R"(
- A remainder by a power of two: a mask, 'i & (m - 1)'; a quotient: a shift. The
  compiler does not see that a step which a loop doubles is one.
- A divisor that a few launches know: a template argument or a 'constexpr', which the
  compiler replaces by products.
- An index that runs on: keep row and column as counters, and wrap the column by a
  comparison instead of '%'.
- A float divisor: its reciprocal before the loop, and a product in it; the results
  differ in the last bit.
- Any divisor of integers: its magic number before the loop, as in cutlass::FastDivmod
  and libdivide.
- Indexes of 64 bits whose values fit into 32: convert both operands before the
  division.)",
    .whenNot = R"(
The kernel waits for memory, or the divisor is a different one for each thread and
iteration: those are not reported. '/' and '%' of the same two values are one division.
A division outside loops is executed once for each thread: it is reported, as an
opinion, where it and those that the same change cures are a tenth of their kernel's
time.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Source Counters: instructions at the line; Instruction Statistics: "
           "XU pipe",
    .ofCode = true,
};

/// The cost of a division that is cured.
PipeCounts curedPipes(const Computation &operation,
                      const CostlyDivision &division) {
  if (division.isByPowerOfTwo)
    return {.alu = 2}; // a shift, a mask
  Computation product = operation;
  if (!division.isInvariant && !division.isUniform) {
    product.type = Number::I32;
    return pipesOf(product, "", std::nullopt);
  }
  product.kind = Compute::Multiply;
  product.isFused = false;
  if (isFloat(operation.type))
    return pipesOf(product, "", std::nullopt);
  // A magic number of 64 bits takes four products for the upper half (mr32_sf
  // on an H100: a third of the division's instructions).
  return operation.type == Number::I64 && !division.isWide
             ? PipeCounts{.fma = 12, .alu = 6}
             : PipeCounts{.fma = 2, .alu = 2};
}

std::string inWords(const Kernel &kernel, const Computation &operation,
                    const CostlyDivision &division) {
  std::string text = shown(kernel, operation);
  const std::string divisor = textOfInput(kernel, operation, 1);
  if (division.isByPowerOfTwo)
    return text + " divides by " +
           (divisor.empty() ? "a value" : "'" + divisor + "'") +
           ", a power of two, which the compiler does not know";
  if (!division.isInvariant && division.isUniform)
    return text + " divides by " +
           (divisor.empty() ? "a value" : "'" + divisor + "'") +
           ", which is the same for all threads" +
           (division.isWide ? ", and in 64 bits" : "");
  if (!division.isInvariant)
    return text + " divides in 64 bits values that fit into 32";
  const LoopId loop = *innermostOwnLoop(kernel, operation);
  text += " divides by the same " +
          (divisor.empty() ? "value" : "'" + divisor + "'") +
          " in every iteration of the loop" +
          atLine(kernel.loops[loop].place, kernel.writtenOf(operation).place);
  if (division.isWide)
    text += ", and in 64 bits";
  return text;
}

/// The text as the divisor of another quotient: "(sigma * root)".
std::string asDivisor(const std::string &text) {
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '[';
    depth -= text[i] == ')' || text[i] == ']';
    const bool isArrow = llvm::StringRef(text).substr(i).starts_with("->");
    if (!depth && !isArrow && llvm::StringRef("+-*/%<&|^?").contains(text[i]))
      return "(" + text + ")";
    i += isArrow;
  }
  return text;
}

std::string cure(const Kernel &kernel, const Computation &operation,
                 const CostlyDivision &division) {
  std::string divisor = textOfInput(kernel, operation, 1);
  if (divisor.empty())
    divisor = "the divisor";
  if (division.isByPowerOfTwo)
    return (operation.kind == Compute::Remainder
                ? "mask by '" + divisor + " - 1'"
            : division.isShifted ? "shift by the exponent of '" + divisor +
                                       "', which the shifts that make it give"
                                 : "shift by the logarithm of '" + divisor +
                                       "', which a loop can count") +
           ", if what is divided is not negative";
  if (!division.isInvariant && !division.isUniform)
    return "convert both sides to 32 bits before they are divided";
  if (isFloat(operation.type))
    return llvm::formatv(
        "compute {0} / {1} before the loop, and multiply by it: the last "
        "bit may differ",
        operation.type == Number::F64 ? "1.0" : "1.0f", asDivisor(divisor));
  if (!division.isInvariant && !division.isByOneOfMany)
    return llvm::formatv("make '{0}' a template argument, or pass its magic "
                         "number, as cutlass::FastDivmod does",
                         divisor);
  // No constant can take the place of one for each thread, or of a table's.
  if (!division.isByShared || division.isByOneOfMany)
    return llvm::formatv("compute the magic number of '{0}' once, before the "
                         "loop, and multiply by it, as libdivide does",
                         divisor);
  if (operation.kind == Compute::Remainder)
    return llvm::formatv("if '{0}' is a power of two, mask by '{0} - 1'; if a "
                         "counter is divided, wrap it by a comparison; or make "
                         "'{0}' a template argument",
                         divisor);
  return llvm::formatv(
      "if '{0}' is a power of two, shift; or keep the quotient "
      "as a counter, or make '{0}' a template argument",
      divisor);
}

/// Identifies divisions of the same two values, which are one.
using Values = std::tuple<uint32_t, ValueId, ValueId>;

/// A division with what its cure saves.
struct Curable {
  unsigned operation;
  CostlyDivision division;
  std::string part; ///< of the kernel's slots that it takes, in words
  /// What else the same change cures: an index is taken apart by several
  /// divisions.
  std::string cause;
  bool isOutside; ///< loops: once for each thread
  const ShapeCosts &shape; ///< in which it is executed most often
  Demand saved;
};

std::vector<Curable> curableDivisions(const CostedKernel &costed) {
  const Kernel &kernel = costed.kernel;
  std::set<Values> seen;
  std::vector<Curable> curable;
  const std::vector<PipeCounts> shared =
      sharedByDivisions(kernel, repeatedOperations(kernel));
  for (unsigned i = 0; i < kernel.operations.size(); ++i) {
    const Computation &operation = kernel.operations[i];
    const std::optional<CostlyDivision> division =
        costlyDivision(kernel, operation);
    if (!division || kernel.writtenOf(operation).inLibrary)
      continue;
    const llvm::ArrayRef<Input> inputs = kernel.inputsOf(operation);
    if (!seen.insert({operation.under, inputs[0].value, inputs[1].value})
             .second)
      continue;
    const ShapeCosts &shape = busiestShape(costed, operation);
    const KernelTime &time = timeOf(costed, shape);
    Demand saved = time.ofPipes(pipesOf(kernel, operation), operation);
    saved -= time.ofPipes(shared[i], operation);
    std::string part = shareOfPipes(time, saved);
    saved -= time.ofPipes(curedPipes(operation, *division), operation);
    saved += waitsBehind(kernel, shape, time, operation);
    curable.push_back({i, *division, std::move(part),
                       isFloat(operation.type)
                           ? vectorOfInput(kernel, operation, 1)
                           : "divisions of integers",
                       !innermostOwnLoop(kernel, operation), shape, saved});
  }
  return curable;
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  const std::vector<Curable> curable = curableDivisions(costed);
  /// By launch and cause.
  std::map<std::pair<const ShapeCosts *, std::string>, Demand> outside;
  for (const Curable &one : curable)
    if (one.isOutside)
      outside[{&one.shape, one.cause}] += one.saved;
  for (const Curable &one : curable) {
    // Once for each thread: it must be much of what the thread does.
    constexpr double leastOutside = 0.1;
    const KernelTime &time = timeOf(costed, one.shape);
    if (!pays(time, one.saved) ||
        (one.isOutside &&
         time.share(outside[{&one.shape, one.cause}]) < leastOutside))
      continue;
    const Computation &operation = kernel.operations[one.operation];
    const Written &written = kernel.writtenOf(operation);
    Finding &finding =
        findings.add(written.place, written.callSites,
                     inWords(kernel, operation, one.division) +
                         (one.part.empty() ? "" : ": that takes " + one.part),
                     one.operation);
    finding.about = written.text;
    finding.cause = one.cause;
    finding.weight = pipesOf(kernel, operation).all();
    setShare(finding, costed, one.shape, one.saved);
    finding.fix = cure(kernel, operation, one.division);
    if (one.isOutside)
      finding.level = Level::Opinion;
  }
}

Judgement judge(const Finding &finding, unsigned subject,
                const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const Kernel &source = view.source.kernel, &ptx = view.ptx->kernel;
  const bool isInLoop =
      costlyDivision(source, source.operations[subject])->isInvariant;
  const std::vector<unsigned> found = divisionsLeft(subject, view);
  const size_t left = found.size();
  const size_t inLoop = llvm::count_if(found, [&](unsigned i) {
    return !ptx.loopsOf(ptx.operations[i]).empty();
  });
  const unsigned there =
      left ? ptx.writtenOf(ptx.operations[found.front()]).place.line : 0;
  const unsigned line = there ? there : finding.place.line;
  if (!isInLoop && left)
    return {Verdict::Confirmed,
            llvm::formatv("the PTX divides at line {0}", line)};
  if (inLoop)
    return {Verdict::Confirmed,
            llvm::formatv("the PTX divides at line {0} in a loop, {1}", line,
                          inLoop == 1 ? "once"
                                      : std::to_string(inLoop) + " times")};
  // A constant number of iterations leaves no loop.
  if (left > 1)
    return {Verdict::Confirmed,
            llvm::formatv("the loop is unrolled: the PTX divides {0} times at "
                          "line {1}",
                          left, line)};
  return {Verdict::Refuted, left
                                ? "the compiler moved the division out of the "
                                  "loop"
                                : "the compiler left no division at that line"};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
