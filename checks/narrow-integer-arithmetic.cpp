#include "cost/busiest_shape.h"
#include "cost/narrow_values.h"
#include "findings/locate.h"
#include "findings/operations.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "narrow-integer-arithmetic",
    .summary =
        "a loop keeps a number in 8 or 16 bits, and each iteration extends it "
        "to 32 bits again",
    .why = R"(
Registers have 32 bits, and so has arithmetic. A variable of 8 or 16 bits that is
compared, shifted to the right, multiplied or divided in each iteration is extended
each time, by an instruction (PRMT, LOP3) that an 'int' does not need; so is one that
each iteration computes anew, as 'short d = a - b'. A counter of
8 bits also keeps the compiler from unrolling, since it may wrap. Narrow arrays are
another matter: they save memory, and loads extend for nothing. So does a narrow sum
that is cut off once, at the end.)",
    .slow = R"(
__global__ void count(const float *v, int *out, unsigned char last) {
  float sum = 0;
  for (unsigned char k = 0; k < last; ++k)
    sum = sum * 0.5f + threadIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
)",
    .fast = R"(
__global__ void count(const float *v, int *out, unsigned char last) {
  float sum = 0;
  for (int k = 0; k < last; ++k)
    sum = sum * 0.5f + threadIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
)",
    .cures = R"(
- Counters and other local variables: 'int' or 'unsigned', whatever the type of the
  arrays is.
- A sum modulo 256: 'unsigned', and '& 0xff' once, behind the loop.
- Several bytes at once: '__vadd4', '__dp4a' and the like on packed 32-bit words.)",
    .whenNot = R"(
The loop is short, or waits for memory. A value that has to wrap in each iteration,
such as an index into a table of 256 entries, needs its mask anyway.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu =
        "Source Counters: PRMT and LOP3 at the line; Instruction Statistics: "
        "ALU pipe",
    .ofCode = true,
};

/// The use that shows the value best: one with a text, and no mask, in as many
/// loops as possible.
unsigned shownUse(const Kernel &kernel, const NarrowValue &value) {
  std::vector<unsigned> uses = value.uses;
  std::stable_sort(uses.begin(), uses.end(), [&](unsigned a, unsigned b) {
    return kernel.loopsOf(kernel.operations[a]).size() >
           kernel.loopsOf(kernel.operations[b]).size();
  });
  auto isShown = [&](unsigned use) {
    return !kernel.writtenOf(kernel.operations[use]).text.empty();
  };
  for (unsigned use : uses)
    if (isShown(use) && kernel.operations[use].kind != Compute::Logic)
      return use;
  for (unsigned use : uses)
    if (isShown(use))
      return use;
  return uses.front();
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  for (const NarrowValue &value : narrowValues(kernel)) {
    const unsigned use = shownUse(kernel, value);
    const Computation &operation = kernel.operations[use];
    const Written &written = kernel.writtenOf(operation);
    if (written.inLibrary)
      continue;
    const ShapeCosts &shape = busiestShape(costed, operation);
    const KernelTime &time = timeOf(costed, shape);
    Demand saved;
    for (unsigned extension : value.extensions)
      saved += time.ofPipes({.alu = 1}, kernel.operations[extension]);
    const std::string part = shareOfPipes(time, saved);
    const unsigned bits =
        kernel.operations[value.made].type == Number::I8 ? 8 : 16;
    const LoopId loop = kernel.loopsOf(operation).back();
    const std::string name = textOfInput(kernel, operation, 0);
    if (!pays(time, saved))
      continue;
    Finding &finding = findings.add(
        written.place, written.callSites,
        llvm::formatv(
            "{0} extends a variable of {1} bits in every iteration of "
            "the loop{2}{3}",
            shown(kernel, operation), bits,
            atLine(kernel.loops[loop].place, written.place),
            part.empty() ? "" : ": that takes " + part),
        use);
    finding.about = written.text;
    // One type serves all calls of an inlined function.
    if (!written.callSites.empty())
      finding.cause = written.text;
    finding.weight = value.extensions.size();
    setShare(finding, costed, shape, saved);
    finding.fix = name.empty() ? "make the variable an 'int'"
                               : "make the variable in '" + name + "' an 'int'";
    if (!value.isCounter)
      finding.fix +=
          llvm::formatv(", and cut it off to {0} bits where it may wrap", bits);
  }
}

/// The lines where the value is used and changed.
std::vector<Place> placesOf(const Kernel &kernel, unsigned use) {
  std::vector<Place> places;
  for (const NarrowValue &value : narrowValues(kernel)) {
    if (!llvm::is_contained(value.uses, use))
      continue;
    for (const std::vector<unsigned> *operations :
         {&value.uses, &value.updates})
      for (unsigned i : *operations)
        places.push_back(kernel.writtenOf(kernel.operations[i]).place);
  }
  return places;
}

/// Returns true for a conversion from or to 8 or 16 bits, an operation on so
/// many, and what has their effect: a mask, or a shift down from the upper
/// half.
bool isNarrow(const Kernel &ptx, const Computation &operation) {
  const auto isShort = [](Number type) {
    return type == Number::I8 || type == Number::I16;
  };
  if (operation.kind == Compute::Join)
    return false;
  if (isShort(operation.from) || isShort(operation.type))
    return true;
  const bool isMask = operation.kind == Compute::Logic;
  const bool isShift = operation.kind == Compute::Shift && operation.isSigned;
  return (isMask || isShift) &&
         llvm::any_of(ptx.inputsOf(operation), [&](const Input &input) {
           const double number = input.constant;
           return input.source == Input::Source::Constant &&
                  (isMask ? number == 0xff || number == 0xffff
                          : number >= 16 && number <= 31);
         });
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const Kernel &ptx = view.ptx->kernel;
  const std::vector<Place> places = placesOf(view.source.kernel, subject);
  unsigned found = 0;
  for (const Computation &operation : ptx.operations) {
    if (ptx.loopsOf(operation).empty() || !isNarrow(ptx, operation))
      continue;
    const Written &written = ptx.writtenOf(operation);
    found += llvm::any_of(
        places, [&](const Place &place) { return comesFrom(written, place); });
  }
  if (found)
    return {Verdict::Confirmed,
            llvm::formatv("the PTX has {0} on 8 or 16 bits in the loop",
                          counted(found, "operation"))};
  return {Verdict::Refuted,
          "the compiler left nothing of 8 or 16 bits in the loop"};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
