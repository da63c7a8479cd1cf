#include "cost/loaded_data.h"
#include "cost/repeats.h"
#include "findings/check.h"
#include "findings/in_ptx.h"
#include "findings/locate.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "repeated-global-write",
    .summary =
        "the same global element is written in every iteration of a loop",
    .why = R"(
A store to global memory goes through to the L2 cache each time: L1 does not
hold it back. 'a[i] += x' in a loop also has to read the element again in
every iteration, since another pointer might have changed it meanwhile; only a
value in a register needs neither. The compiler moves the store out of the
loop by itself only where it can prove that nothing else in the loop touches
that memory, which pointers without '__restrict__' and Views never let it.)",
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
- Several elements, such as one for each dimension: a local array whose
  extent is a constant or a template parameter, indexed by unrolled loops
  only, or it becomes local memory (dynamic-local-array).
- If the pointers never overlap, '__restrict__' on all of them lets the
  compiler do the same; the check asks the compiled code whether it did.
- An atomic whose result nobody uses: add up in a register and make one
  atomic of it.)",
    .whenNot = R"(
Other threads wait for the intermediate values, so they have to be written:
flags, progress, iterations with a grid-wide barrier. 'volatile' stores and
loops with a memory fence are taken for that and never reported; nor is a flag
that is set behind a condition on loaded data, such as that of an overflow.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Memory Workload Analysis: L1 to L2 stores far above the size of "
           "what is written; stalls on the long scoreboard and LG throttle",
};

/// Loops that are unrolled on the way to the loop that repeats the write: a
/// handful of iterations, each with an element of its own.
constexpr uint64_t fewIterations = 16;

bool isWrite(const Access &access) {
  if (access.space != Space::Global && access.space != Space::Unknown)
    return false;
  if (access.operation == Operation::Atomic)
    return !access
                .resultUsed; // a lock or a ticket needs each of its iterations
  return access.operation == Operation::Store && !access.isVolatile;
}

/// A loop that every thread goes through alike, from a start that they share:
/// not the strides of a grid over its data.
bool countsAlike(const Kernel &kernel, LoopId id) {
  const ExpressionGraph &graph = kernel.graph;
  if (!kernel.loops[id].hasBound)
    return false;
  Evaluation evaluation(kernel);
  Warp warp(evaluation, kernel.shapes.front().shape, 0, 0, 0);
  Iterations iterations(kernel.loops.size(), 0);
  for (ValueId value = 0; value < graph.size(); ++value) {
    const Node &node = graph.node(value);
    bool counter = node.op == Op::Carried && node.number == id && node.bits > 1;
    if (counter && !node.pointer &&
        !warp.evaluate(value, iterations).isUniform())
      return false;
  }
  return true;
}

/// Where the object begins that an access was seen in.
uint64_t objectOf(const Cost &cost) {
  return rangeOf(cost.addresses[llvm::countr_zero(cost.active)]);
}

/// Whether threads pass values on to each other in the iterations of the loop:
/// a barrier, and a load of the same object from somewhere else.
bool passesOn(const CostedKernel &costed, unsigned write, LoopId loop) {
  const Kernel &kernel = costed.kernel;
  if (!kernel.loops[loop].hasBarrier)
    return false;
  const std::vector<Cost> &costs = costed.shapes.front().costs;
  if (!costs[write].active)
    return true; // where it writes is not known
  for (unsigned i = 0; i < kernel.accesses.size(); ++i)
    if (kernel.accesses[i].operation == Operation::Load && costs[i].active &&
        llvm::is_contained(kernel.accesses[i].loops, loop) &&
        objectOf(costs[i]) == objectOf(costs[write]) &&
        costs[i].addresses != costs[write].addresses)
      return true;
  return false;
}

/// The addresses that are read in a loop.
std::set<ValueId> readIn(const Kernel &kernel, LoopId loop) {
  std::set<ValueId> read;
  for (const Access &access : kernel.accesses)
    if (access.operation == Operation::Load &&
        llvm::is_contained(access.loops, loop))
      read.insert(access.address);
  return read;
}

/// Whether each iteration of the loop fills the object anew and reads it again:
/// an array of what one iteration works out, too large for registers. It writes
/// other elements without reading them first, and reads others than it writes
/// here.
bool isWorkspace(const CostedKernel &costed, unsigned write, LoopId loop) {
  const Kernel &kernel = costed.kernel;
  const std::vector<Cost> &costs = costed.shapes.front().costs;
  if (!costs[write].active)
    return false;
  const std::set<ValueId> loaded = readIn(kernel, loop);
  bool isFilled = false, isRead = false;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    if (access.address == kernel.accesses[write].address || !costs[i].active ||
        !llvm::is_contained(access.loops, loop) ||
        objectOf(costs[i]) != objectOf(costs[write]))
      continue;
    isRead |= access.operation == Operation::Load;
    isFilled |=
        access.operation == Operation::Store && !loaded.count(access.address);
  }
  return isFilled && isRead;
}

/// The objects that a value is an address in.
void addBases(const Kernel &kernel, ValueId address, std::set<unsigned> &into) {
  const ExpressionGraph &graph = kernel.graph;
  std::vector<ValueId> work{address};
  std::set<ValueId> seen;
  while (!work.empty()) {
    ValueId id = work.back();
    work.pop_back();
    if (!seen.insert(id).second)
      continue;
    const Node &node = graph.node(id);
    if (node.op == Op::Base)
      into.insert(node.number);
    else if (node.op != Op::Loaded) // an index that is loaded is no base
      work.insert(work.end(), graph.operands(id).begin(),
                  graph.operands(id).end());
  }
}

/// Whether the address is made from memory that the loop writes, such as a
/// shared or global cursor that is moved on in each iteration: what an
/// iteration finds there is not what the last one found.
bool cursorMoves(const Kernel &kernel, const Access &write, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  std::set<unsigned> read, written;
  std::vector<ValueId> work{write.address};
  std::set<ValueId> seen;
  while (!work.empty()) {
    ValueId id = work.back();
    work.pop_back();
    if (!seen.insert(id).second)
      continue;
    llvm::ArrayRef<ValueId> operands = graph.operands(id);
    if (graph.node(id).op == Op::Loaded)
      addBases(kernel, operands[0], read);
    work.insert(work.end(), operands.begin(), operands.end());
  }
  if (read.empty())
    return false;
  for (const Access &access : kernel.accesses)
    if (access.operation != Operation::Load &&
        llvm::is_contained(access.loops, loop))
      addBases(kernel, access.address, written);
  return llvm::any_of(read,
                      [&](unsigned object) { return written.count(object); });
}

/// Whether the write only tells of something seldom, such as 'if (n > room)
/// *overflow = 1': it stands behind a condition on what the iteration loads,
/// and is the same for all threads, or the same in all iterations. Kept in a
/// register, it would cost each thread a store.
bool isSignal(const CostedKernel &costed, unsigned write, LoopId loop) {
  const Kernel &kernel = costed.kernel;
  const Access &access = kernel.accesses[write];
  if (access.operation != Operation::Store ||
      !(access.storesSame ||
        sameAddressForAll(kernel, costed.shapes.front().shape.shape, access)))
    return false;
  return !readIn(kernel, loop).count(access.address) &&
         dependsOnDataOfIteration(kernel, access.guard, loop);
}

/// Loops around a write of which each iteration writes what the last one wrote.
struct Repeats {
  std::optional<LoopId> innermost, outermost;
  /// Loops inside of `outermost` whose iterations write an element each.
  std::vector<LoopId> elements;
};

Repeats repeatsOf(const CostedKernel &costed, unsigned write) {
  const Kernel &kernel = costed.kernel;
  const Access &access = kernel.accesses[write];
  Repeats repeats;
  std::vector<LoopId> elements;
  for (LoopId id : llvm::reverse(access.loops)) {
    const Loop &loop = kernel.loops[id];
    if (loop.hasFence || loop.tripCount == 1)
      return repeats;
    auto same = sameAddressNextIteration(
        kernel, costed.shapes.front().shape.shape, access, id);
    if (!same)
      return repeats;
    if (*same) {
      if (!comesAgain(costed, access, id) || passesOn(costed, write, id) ||
          cursorMoves(kernel, access, id) || isSignal(costed, write, id) ||
          isWorkspace(costed, write, id))
        return repeats;
      if (!repeats.innermost)
        repeats.innermost = id;
      repeats.outermost = id;
      repeats.elements = elements;
      continue;
    }
    // The elements of one iteration of an outer loop: few, or as many as an
    // argument says.
    bool few = loop.tripCount ? *loop.tripCount <= fewIterations
                              : countsAlike(kernel, id);
    if (!few || loop.hasBarrier)
      return repeats;
    elements.push_back(id);
  }
  return repeats;
}

std::string cure(const Kernel &kernel, const Access &write,
                 const Repeats &repeats) {
  const std::string what = "'" + shown(write) + "'";
  if (write.operation == Operation::Atomic)
    return "add up in a local variable, and make one atomic of it after the "
           "loop";
  if (repeats.elements.empty())
    return "keep " + what +
           " in a local variable, and write it once after the loop";
  std::string text;
  for (LoopId id : repeats.elements) {
    const Loop &loop = kernel.loops[id];
    const std::string bound = loop.tripCount ? "" : boundCure(kernel, loop);
    if (!loop.tripCount && bound.empty())
      return "";
    if (!bound.empty())
      text += (text.empty() ? "if '" + loop.boundText + "' is small, " : "") +
              bound + ", and ";
  }
  const unsigned line = kernel.loops[*repeats.outermost].place.line;
  return text + "keep " + what + " in a local array" +
         (text.empty() ? " whose indexes are unrolled loops'"
                       : " of that extent") +
         ", written once after the loop" +
         (line ? " at line " + std::to_string(line) : "");
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &write = kernel.accesses[i];
    if (!isWrite(write) || write.inLibrary ||
        costed.shapes.front().costs[i].space != Space::Global)
      continue;
    const Repeats repeats = repeatsOf(costed, i);
    if (!repeats.innermost)
      continue;
    unsigned line = kernel.loops[*repeats.innermost].place.line;
    Finding &finding = findings.add(
        write,
        "'" + shown(write) + "' is written in every iteration of the loop" +
            (line ? " at line " + std::to_string(line) : "") +
            ", each time the same element",
        i);
    finding.fix = cure(kernel, write, repeats);
  }
}

/// Stores and atomics of the PTX that came from the finding's line.
std::vector<unsigned> writesAt(const Finding &finding, const Kernel &ptx) {
  std::vector<unsigned> writes;
  for (unsigned i = 0; i < ptx.accesses.size(); ++i) {
    const Access &access = ptx.accesses[i];
    bool global =
        access.space == Space::Global || access.space == Space::Unknown;
    if (global && access.operation != Operation::Load &&
        comesFrom(access, finding.place))
      writes.push_back(i);
  }
  return writes;
}

/// nvcc gives the store of a statement of several lines the first of them: the
/// nearest line above that has a write where the source has none of its own.
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

Judgement judge(const Finding &finding, unsigned subject,
                const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const Kernel &ptx = view.ptx->kernel;
  std::vector<unsigned> writes = writesAt(finding, ptx);
  if (writes.empty())
    writes = writesAbove(finding, subject, view);
  if (writes.empty())
    return {Verdict::Refuted, "no store of that line is left in the PTX"};
  bool unknown = false;
  for (unsigned i : writes)
    for (LoopId loop : ptx.accesses[i].loops) {
      auto same = sameAddressNextIteration(
          ptx, view.ptx->shapes.front().shape.shape, ptx.accesses[i], loop);
      unknown |= !same;
      if (same && *same)
        return {Verdict::Confirmed,
                "the PTX has the store in a loop, its address unchanging"};
    }
  // Unrolled: as many stores to one address, one after the other. Those of
  // another call of the same function are of another loop.
  unsigned most = 0;
  for (unsigned i : writes)
    most = std::max<unsigned>(
        most, llvm::count_if(writes, [&](unsigned j) {
          return ptx.accesses[i].address == ptx.accesses[j].address &&
                 ptx.accesses[i].operation == ptx.accesses[j].operation &&
                 ptx.accesses[i].callSites == ptx.accesses[j].callSites;
        }));
  if (most > 1)
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
