#include "cost/busiest_shape.h"
#include "cost/double_islands.h"
#include "findings/double_cause.h"
#include "findings/locate.h"
#include "findings/operations.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "double-in-float",
    .summary =
        "floats are computed in double, because of a constant, a function or "
        "an implicit conversion, and the result becomes a float again",
    .why = R"(
In C++ '2.0' is a double, and a float that meets a double is converted: the operation
and all that follow it are done on the FP64 pipe. That pipe is half as wide as the one
for floats on sm_80, sm_90 and sm_100, and 64 times as narrow on sm_86, sm_89 and
sm_120. Each conversion takes the XU, which gives an eighth of the results as well. A
single operation with a constant that a float holds, such as 'x * 2.0', costs nothing:
the compiler narrows it if the result is rounded to float at once.)",
    .slow = R"(
__global__ void damp(float *v, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = v[i];
  for (int k = 0; k < steps; ++k)
    x = x * 0.999;
  v[i] = x;
}
)",
    .fast = R"(
__global__ void damp(float *v, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = v[i];
  for (int k = 0; k < steps; ++k)
    x = x * 0.999f;
  v[i] = x;
}
)",
    .cures = R"(
- A literal: the suffix 'f', '0.999f'.
- A constant such as M_PI: a float of the same value, 'constexpr float pi = M_PI'.
- A variable or an argument of type double: float, if nothing needs its precision.
- A function of doubles: its float form, 'powf', 'fmaxf', 'expf'.
- In templates: 'T(0.5)' instead of '0.5'.)",
    .whenNot = R"(
The precision is wanted. What says so is not reported: a cast, '(double)x'; a double
that is loaded from memory or stored to it; a sum that a loop accumulates in a double.
A value that only decides a comparison or becomes a float is reported, whatever its
variables are. Where the kernel waits for memory the time is the same, and there is no
finding.)",
    .level = Level::Likely,
    .since = "next",
    .ncu =
        "Instruction Statistics: FP64 pipe; rule FP64/32 Utilization; Source "
        "Counters: F2F, DADD, DMUL, DFMA at the line",
    .ofCode = true,
};

std::string causeInWords(const DoubleCause &cause) {
  switch (cause.kind) {
  case DoubleCause::Literal:
    return ", because '" + cause.text + "' is a double";
  case DoubleCause::Constant:
  case DoubleCause::Variable:
    return ", because '" + cause.text + "' is a double";
  case DoubleCause::Function:
    return ", by '" + cause.text + "' of doubles";
  case DoubleCause::Nothing:
    break;
  }
  return "";
}

/// What is done once for all places of a kernel.
std::string subjectOf(const DoubleCause &cause) {
  return cause.kind == DoubleCause::Literal ? "double literals" : cause.text;
}

/// The suffix of the literal. A constant, a variable or a function has another
/// declaration to change.
std::optional<Fix> editFor(const DoubleCause &cause, const Place &place) {
  if (cause.kind != DoubleCause::Literal)
    return std::nullopt;
  return Fix{.change = Change::FloatLiteral,
             .at = place,
             .name = llvm::StringRef(cause.text).trim("+-( )").str(),
             .kind = FixClass::Rounding};
}

/// An island, the operation that shows its cause, and what its operations take
/// now and in floats.
struct Priced {
  const DoubleIsland &island;
  DoubleCause cause = {};
  unsigned culprit;
  const ShapeCosts &shape;
  Demand takes = {}, saved = {};

  Priced(const CostedKernel &costed, const DoubleIsland &island)
      : island(island), culprit(culpritOf(costed.kernel, island, cause)),
        shape(busiestShape(costed, costed.kernel.operations[culprit])) {
    const Kernel &kernel = costed.kernel;
    const KernelTime &time = timeOf(costed, shape);
    Demand left;
    for (unsigned i : island.conversions)
      takes += time.ofPipes(pipesOf(kernel, kernel.operations[i]),
                            kernel.operations[i]);
    for (unsigned i : island.operations) {
      Computation one = kernel.operations[i];
      takes += time.ofPipes(pipesOf(kernel, one), one);
      const std::string &function = kernel.writtenOf(one).function;
      one.type = one.from = Number::F32;
      left += time.ofPipes(pipesOf(one, function, std::nullopt), one);
    }
    saved = takes;
    saved -= left;
  }
};

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  const std::vector<DoubleIsland> islands = accidentalDoubles(kernel);
  std::vector<Priced> all;
  // A function that is called several times is changed once.
  std::map<Place, Demand> saved;
  for (const DoubleIsland &island : islands) {
    const Priced &one = all.emplace_back(costed, island);
    saved[kernel.writtenOf(kernel.operations[one.culprit]).place] += one.saved;
  }
  for (const auto &[island, cause, culprit, shape, takes, own] : all) {
    const Computation &operation = kernel.operations[culprit];
    const Written &written = kernel.writtenOf(operation);
    const KernelTime &time = timeOf(costed, shape);
    if (written.inLibrary || !pays(time, saved.at(written.place)))
      continue;
    const std::string part = shareOfPipes(time, takes);
    Finding &finding = findings.add(
        written.place, written.callSites,
        llvm::formatv("{0} is computed in double{1}: {2} of FP64 and {3}{4}",
                      shown(kernel, operation), causeInWords(cause),
                      counted(island.operations.size(), "operation"),
                      counted(island.conversions.size(), "conversion"),
                      part.empty() ? "" : ", which take " + part),
        culprit);
    finding.about = written.text;
    finding.cause = subjectOf(cause);
    finding.weight = island.operations.size() + island.conversions.size();
    setShare(finding, costed, shape, own);
    finding.fix = cureOf(kernel, island, cause, written);
    finding.edit = editFor(cause, written.place);
  }
}

Judgement judge(const Finding &finding, unsigned subject,
                const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const Kernel &source = view.source.kernel, &ptx = view.ptx->kernel;
  // The island may continue at other lines.
  std::vector<Place> places = {finding.place};
  // A value that stays the same in a loop may be computed before it.
  bool mayLeave = true;
  for (const DoubleIsland &island : accidentalDoubles(source))
    if (llvm::is_contained(island.operations, subject))
      for (unsigned i : island.operations) {
        places.push_back(source.writtenOf(source.operations[i]).place);
        mayLeave &= isInvariant(source, source.operations[i]);
      }
  const size_t depth = source.loopsOf(source.operations[subject]).size();
  unsigned doubles = 0, conversions = 0;
  for (const Computation &operation : ptx.operations) {
    if (operation.type != Number::F64 && operation.from != Number::F64)
      continue;
    const Written &written = ptx.writtenOf(operation);
    if ((mayLeave && ptx.loopsOf(operation).size() < depth) ||
        llvm::none_of(places, [&](const Place &place) {
          return comesFrom(written, place);
        }))
      continue;
    if (operation.kind == Compute::Convert)
      ++conversions;
    else
      doubles += operation.kind != Compute::Join;
  }
  if (doubles)
    return {Verdict::Confirmed,
            llvm::formatv("the PTX has {0} of f64 and {1} at line {2}",
                          counted(doubles, "operation"),
                          counted(conversions, "conversion"),
                          finding.place.line)};
  return {Verdict::Refuted, "the compiler left no f64 arithmetic at that line"};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
