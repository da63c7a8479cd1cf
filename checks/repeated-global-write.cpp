#include "cost/arguments.h"
#include "cost/busiest_shape.h"
#include "cost/loaded_data.h"
#include "cost/loop_writes.h"
#include "cost/once_in_loop.h"
#include "cost/reached.h"
#include "cost/same_address.h"
#include "cost/withheld.h"
#include "findings/check.h"
#include "findings/in_ptx.h"
#include "findings/locate.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "model/may_be_global.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "repeated-global-write",
    .summary =
        "the same global element is written in every iteration of a loop",
    .why = R"(
Each store to global memory goes through to the L2 cache: L1 does not buffer it.
'a[i] += x' in a loop also has to load the element in every iteration, since a
store through another pointer might have changed it; a value in a register needs
neither. The compiler moves the store out of the loop only if it can prove that
nothing else in the loop touches that memory, which it cannot for pointers without
'__restrict__' and for Views.)",
    .slow = R"(
__global__ void addAll(float *a, const float *b, int n, int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < iterations; ++k)
    a[i] += b[k * n + i];
}
)",
    .fast = R"(
__global__ void addAll(float *a, const float *b, int n, int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = a[i];
  for (int k = 0; k < iterations; ++k)
    sum += b[k * n + i];
  a[i] = sum;
}
)",
    .cures = R"(
- Keep the element in a local variable and write it once, after the loop.
- Several elements, such as one for each dimension: a local array whose extent is
  a constant or a template parameter, indexed only by unrolled loops; otherwise it
  becomes local memory (dynamic-local-array).
- If the pointers never overlap, '__restrict__' on all of them lets the
  compiler do the same; the check reads from the compiled code if it did.
- An atomic whose result is unused: accumulate in a register and make one atomic
  after the loop.)",
    .whenNot = R"(
Other threads wait for the intermediate values: flags, progress, iterations with a
grid-wide barrier. For this reason, 'volatile' stores and loops with a memory fence
are never reported; nor is a flag that a condition on loaded data guards, such as
that of an overflow.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Memory Workload Analysis: L1 to L2 stores far above the size of "
           "what is written; stalls on the long scoreboard and LG throttle",
};

bool isWrite(const Access &access) {
  if (access.space != Space::Global && access.space != Space::Unknown)
    return false;
  // A lock, a ticket or a compare-and-swap needs each of its iterations.
  if (access.operation == Operation::Atomic)
    return !access.resultUsed && !access.standsAlone;
  return access.operation == Operation::Store && !access.isVolatile;
}

std::string cure(const Kernel &kernel, const Access &write,
                 const RepeatedWrite &repeats) {
  const std::string what = "'" + shown(write) + "'";
  if (write.operation == Operation::Atomic)
    return "accumulate in a local variable, and make one atomic after the loop";
  if (repeats.elements.empty())
    return "keep " + what +
           (isSelectedByData(kernel, write, repeats.innermost)
                ? " in a local variable that begins with its value"
                : " in a local variable") +
           ", and write it once after the loop";
  std::vector<std::string> bounds, names; // two loops may have one
  for (LoopId id : repeats.elements) {
    const Loop &loop = kernel.loops[id];
    if (loop.tripCount)
      continue;
    std::string bound = boundCure(kernel, id);
    if (bound.empty())
      return "";
    if (llvm::is_contained(bounds, bound))
      continue;
    bounds.push_back(std::move(bound));
    names.push_back(loop.boundText);
  }
  const std::string text =
      bounds.empty()
          ? ""
          : "if " + quotedNames(names) +
                (names.size() == 1 ? " is small, " : " are small, ") +
                llvm::join(bounds, ", ") + ", and ";
  return text + "keep " + what + " in a local array" +
         (text.empty() ? " whose indexes are counters of unrolled loops"
                       : " of that extent") +
         ", written once after the loop" +
         atLine(kernel.loops[repeats.outermost].place, write.place);
}

/// Returns true if nothing in the loop can be the element but what the kernel
/// itself names like it. Another kernel may call the same function.
bool isApart(const Kernel &kernel, const Access &write, LoopId loop) {
  return kernel.hasOwnMemory &&
         llvm::all_of(kernel.accesses, [&](const Access &other) {
           return !llvm::is_contained(other.loops, loop) ||
                  argumentOf(kernel, other) != argumentOf(kernel, write) ||
                  (other.callSites.empty() && other.object == write.object);
         });
}

/// A store to one element; an atomic and several elements need more than a
/// local variable.
std::optional<Fix> editFor(const Kernel &kernel, const Access &write,
                           const RepeatedWrite &repeats) {
  if (write.operation != Operation::Store || !repeats.elements.empty())
    return std::nullopt;
  Fix fix{.change = Change::StoreOnce,
          .at = write.place,
          .name = shown(write),
          .number = kernel.loops[repeats.innermost].tripCount.value_or(0)};
  if (isApart(kernel, write, repeats.innermost))
    return fix;
  fix.kind = FixClass::Assumes;
  fix.assumes =
      "nothing else that the loop reads or writes is '" + shown(write) + "'";
  return fix;
}

struct Repeated {
  unsigned write;
  RepeatedWrite loops;
};

std::vector<Repeated> repeatedWrites(const CostedKernel &costed) {
  std::vector<Repeated> found;
  for (unsigned i = 0; i < costed.kernel.accesses.size(); ++i) {
    const Access &write = costed.kernel.accesses[i];
    if (!isWrite(write) || write.inLibrary ||
        costed.shapes.front().costs[i].space != Space::Global)
      continue;
    if (const std::optional<RepeatedWrite> loops = repeatedWrite(costed, i);
        loops && !isDoneOnce(costed.kernel, write, loops->innermost))
      found.push_back({i, *loops});
  }
  return found;
}

/// By write, its part of what all those of its object save that leave the same
/// loop: one change moves them, and they are told as one.
std::vector<Demand> savedBy(const CostedKernel &costed, const ShapeCosts &shape,
                            llvm::ArrayRef<Repeated> writes) {
  std::map<std::pair<LoopId, uint64_t>, std::vector<unsigned>> changes;
  for (const auto &[at, repeated] : llvm::enumerate(writes))
    changes[{repeated.loops.outermost,
             objectOf(shape.costs[repeated.write]).value_or(~uint64_t(at))}]
        .push_back(at);
  std::vector<Demand> saved(writes.size());
  for (const auto &[loopAndObject, members] : changes) {
    const LoopId loop = loopAndObject.first;
    std::vector<unsigned> moved;
    for (unsigned at : members)
      moved.push_back(writes[at].write);
    llvm::append_range(moved, loadsKeptBy(costed, moved, loop));
    const Demand all = timeOf(costed, shape).savedOutside(moved, loop);
    for (unsigned at : members)
      saved[at] = all * (1.0 / members.size());
  }
  return saved;
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  const std::vector<Repeated> writes = repeatedWrites(costed);
  std::map<const ShapeCosts *, std::vector<Demand>> saved;
  for (const auto &[at, repeated] : llvm::enumerate(writes)) {
    const Access &write = kernel.accesses[repeated.write];
    const RepeatedWrite &loops = repeated.loops;
    Finding &finding =
        findings.add(write,
                     "'" + shown(write) + "' is written in " +
                         everyIteration(kernel, write, loops.innermost) +
                         ", each time the same element",
                     repeated.write);
    finding.cause = std::string(spelling(write.operation)) + " in the loop" +
                    atLine(kernel.loops[loops.innermost].place, {});
    finding.fix = cure(kernel, write, loops);
    finding.edit = editFor(kernel, write, loops);
    const ShapeCosts &shape = busiestShape(costed, write);
    auto [known, isNew] = saved.try_emplace(&shape);
    if (isNew)
      known->second = savedBy(costed, shape, writes);
    setShare(finding, costed, shape, known->second[at]);
  }
}

/// The stores and atomics in the PTX that came from the finding's line.
std::vector<unsigned> writesAt(const Finding &finding, const Kernel &ptx) {
  std::vector<unsigned> writes;
  for (unsigned i = 0; i < ptx.accesses.size(); ++i) {
    const Access &access = ptx.accesses[i];
    if (mayBeGlobal(access.space) && access.operation != Operation::Load &&
        comesFrom(access, finding.place))
      writes.push_back(i);
  }
  return writes;
}

/// The writes at the nearest line above that has any where the source has none:
/// nvcc gives the store of a multi-line statement its first line.
std::vector<unsigned> writesAbove(const Finding &finding, unsigned subject,
                                  const CompiledView &view) {
  std::vector<unsigned> writes;
  unsigned nearest = 0;
  for (const PtxMatch &match : inPtx(subject, view, Space::Global)) {
    const Place &at = view.ptx->kernel.accesses[match.access].place;
    const bool isAbove =
        at.line < finding.place.line && at.line >= nearest &&
        sameLine({at.file, finding.place.line, 0}, finding.place);
    if (!isAbove || llvm::is_contained(writes, match.access))
      continue;
    if (at.line > nearest)
      writes.clear();
    nearest = at.line;
    writes.push_back(match.access);
  }
  return writes;
}

/// The loops that the finding's loop has around its store.
size_t loopsInside(const CostedKernel &source, unsigned subject) {
  const std::vector<LoopId> &loops = source.kernel.accesses[subject].loops;
  const auto repeats = repeatedWrite(source, subject);
  return repeats ? loops.end() - llvm::find(loops, repeats->outermost) - 1 : 0;
}

Judgement judge(const Finding &finding, unsigned subject,
                const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const Kernel &ptx = view.ptx->kernel;
  std::vector<unsigned> writes = writesAt(finding, ptx);
  if (writes.empty())
    writes = writesAbove(finding, subject, view);
  if (writes.empty() && (mayBeJoined(subject, view, Space::Global) ||
                         mayBeJoined(subject, view, Space::Unknown)))
    return {Verdict::Unjudged,
            "the compiler may have joined the store with its neighbours"};
  if (writes.empty())
    return {Verdict::Refuted, "no store of that line is left in the PTX"};
  bool unknown = false;
  // The compiler may have moved it out of the inner loops alone.
  const size_t inside = loopsInside(view.source, subject);
  for (unsigned i : writes)
    for (LoopId loop :
         llvm::ArrayRef(ptx.accesses[i].loops).take_back(inside + 1)) {
      auto same = sameAddressNextIteration(
          ptx, view.ptx->shapes.front().shape.shape, ptx.accesses[i], loop);
      unknown |= !same;
      if (same && *same)
        return {Verdict::Confirmed,
                "the PTX has the store in a loop, its address unchanging"};
    }
  // An unrolled loop has several stores to one address. Stores in another call
  // of the function belong to another loop.
  const unsigned most =
      mostToOneAddress(ptx, view.ptx->shapes.front().shape.shape, writes);
  if (most > std::max(1u, mostToOneAddressInSource(subject, view)))
    return {Verdict::Confirmed,
            llvm::formatv("the loop is unrolled, and the PTX has {0} stores "
                          "to one address",
                          most)};
  if (unknown)
    return {Verdict::Unjudged, "the address in the PTX cannot be followed"};
  return {Verdict::Refuted, "the compiler moved the store out of the loop"};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
