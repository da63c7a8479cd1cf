#include "cost/busiest_shape.h"
#include "cost/meeting.h"
#include "findings/check.h"
#include "findings/in_ptx.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "contended-atomic",
    .summary = "atomics of all threads update one address, or a few, and are "
               "serialised",
    .why = R"(
The L2 cache or shared memory executes an atomic, one at a time for each address.
When all lanes of all warps add to one float, an H200 does one addition every
1.8 ns, however idle it is otherwise. For 32-bit integers whose result is unused,
the compiler combines the atomics of a warp if it sees that the address is the
same for all lanes; one atomic for each warp remains. A few addresses are not
much better: 256 bins of a histogram that all blocks share take 58 times as long
as bins of each block. In shared memory, an atomic of floats, or of 64 bits, is a
loop with one iteration for each lane with the same address.)",
    .slow = R"(
__global__ void sum(const float *in, float *total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(total, in[i]);
}
)",
    .fast = R"(
__global__ void sum(const float *in, float *total, int n) {
  __shared__ float part[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = i < n ? in[i] : 0;
  for (int d = 16; d > 0; d /= 2)
    s += __shfl_down_sync(0xffffffffu, s, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / 32; ++w)
      s += part[w];
    atomicAdd(total, s);
  }
}
)",
    .cures = R"(
- A sum, a minimum, a maximum: shuffles within the warp, shared memory within
  the block, and one atomic of one thread ('if (threadIdx.x == 0)'), or
  cub::BlockReduce. Let each thread reduce several elements first.
- A histogram: bins per block in shared memory, and one atomic per bin and block
  at the end. If they do not fit: several copies in global memory.
- A counter that assigns slots in a list: count within the warp or block first,
  and reserve all its slots at once.
- A flag that is only ever set: a plain store of the same value by all threads.
- A minimum or maximum: load the old value first, and skip the atomic if it
  changes nothing.)",
    .whenNot = R"(
The kernel takes far longer than its atomics, or the launch has few threads. For
this reason, one atomic per thread after nested loops is not reported. Counts,
flags and maxima that a condition on loaded data guards may be rare and are not
reported. One atomic per warp by one of its lanes, or a few per block, are
reported where the grid is known, where it adds up to thousands, and where no
long loop stands beside them.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Memory Workload Analysis Tables: L2 atomics and reductions; Warp "
           "State Statistics: stalls on LG throttle; Source Counters: stalls "
           "at the atomic",
};

/// A loop of this many iterations, or of an unknown number, takes longer than
/// one atomic per warp outside it; two such nested loops take longer than one
/// per thread.
constexpr uint64_t longLoop = 32;

bool isLong(const Loop &loop) {
  return !loop.tripCount || *loop.tripCount >= longLoop;
}

/// `isOfFew`: only few threads of a block make the atomic.
bool isDwarfed(const Kernel &kernel, const Access &access,
               const Contention &seen, bool isOfFew) {
  if (!seen.known || (seen.addresses != 1 && !isOfFew))
    return false;
  for (LoopId id = 0; id < kernel.loops.size(); ++id) {
    const Loop &loop = kernel.loops[id];
    if (!isLong(loop) || llvm::is_contained(access.loops, id))
      continue;
    if (access.isCombined || isOfFew ||
        (loop.parent && isLong(kernel.loops[*loop.parent]) &&
         !llvm::is_contained(access.loops, *loop.parent)))
      return true;
  }
  return false;
}

std::string message(const Access &access, const Contention &seen, Space space) {
  const std::string &text = access.text.empty() ? access.object : access.text;
  if (!seen.known)
    return llvm::formatv("all threads update '{0}', one of at most {1} "
                         "addresses for the whole grid: each address takes "
                         "one update after the other",
                         text, *seen.mostAddresses);
  // The last warp of a block of 1000 has 8 lanes: 31.25 is their mean.
  const bool isMost = seen.guardedByData || seen.ofLargeSizes ||
                      seen.lanes != std::floor(seen.lanes);
  auto inWords = [&](double count) {
    return shortNumber(isMost ? std::ceil(count) : count);
  };
  std::string addresses = seen.addresses == 1
                              ? "one address"
                              : inWords(seen.addresses) + " addresses";
  bool shared = space == Space::Shared;
  std::string inAll = shared || !seen.sameInAllBlocks ? ""
                      : seen.addresses == 1 ? ", the same in all blocks"
                                            : ", the same ones in all blocks";
  const std::string who =
      seen.lanes == 1
          ? "one lane of each warp updates "
          : llvm::formatv("{0}{1} lanes of a warp update ",
                          isMost ? "up to " : "", inWords(seen.lanes))
                .str();
  return llvm::formatv("{0}{1}, '{2}'{3}: {4} takes one update after the other",
                       who, addresses, text, inAll,
                       seen.addresses == 1 ? "it" : "each");
}

/// The remedy, where it fits in a line: of a sum, since nothing is known of
/// other updates.
std::string fixFor(const Access &access, const Contention &seen, Space space,
                   uint64_t threads) {
  const bool isOne = seen.known && seen.addresses == 1;
  // An address of each warp, as in `sums[i / 32]`, is not one of the block, and
  // threads that leave a loop one by one do not meet at a barrier in it.
  const bool isOfWarp = space == Space::Shared ||
                        seen.perAddress < seen.share * threads ||
                        (seen.guardedByData && !access.loops.empty());
  if (!access.isSum || (!isOne && space == Space::Shared))
    return "";
  if (access.resultUsed)
    return isOne ? "let one lane add what its warp adds, and give each lane "
                   "its part of the old value: what the lanes before it add"
                 : "";
  const std::string &text = access.text.empty() ? access.object : access.text;
  if (!isOne && seen.known && !seen.sameInAllBlocks)
    return "";
  if (!isOne && seen.known && seen.perAddress < 2)
    return llvm::formatv("launch fewer blocks, each with a loop over the grid, "
                         "and let a thread add up its values before it updates "
                         "'{0}' once",
                         text);
  if (!isOne)
    return llvm::formatv("let each block add to a copy in shared memory, and "
                         "the copy to '{0}' once at its end",
                         access.object);
  // Where only large sizes give all lanes one address, a warp may have several.
  return llvm::formatv(
      "add up the values of a {0}{1}, and let one {2} update '{3}'",
      seen.ofLargeSizes ? "warp that go to one address"
      : isOfWarp        ? "warp by shuffles"
                        : "block by shuffles and shared memory",
      seen.guardedByData ? ", 0 where the condition fails" : "",
      isOfWarp || seen.ofLargeSizes ? "lane" : "thread", text);
}

/// The first atomic with the condition and the loops of `access`.
const Access &firstUnder(const Kernel &kernel, const Access &access) {
  return *llvm::find_if(kernel.accesses, [&](const Access &other) {
    return other.operation == Operation::Atomic &&
           other.guard == access.guard && other.loops == access.loops;
  });
}

/// Blocks that keep a large GPU busy.
constexpr uint64_t enoughBlocks = 1024;

/// What is left out if one of the threads that share an address, or else of
/// each block, makes the update.
Demand savedOf(const CostedKernel &costed, const ShapeCosts &shape,
               const Contention &seen, unsigned access) {
  double threads = seen.known ? seen.perAddress : shape.shape.shape.threads();
  if (seen.known && threads < 2 && !shape.shape.grids.empty()) // fewer blocks
    threads *= std::max(1.0, shape.shape.grids.back() / double(enoughBlocks));
  return timeOf(costed, shape).of(access) * (1 - 1 / threads);
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    // `judge` ignores inLibrary: in PTX every atomic is in the toolkit's
    // header.
    if (access.operation != Operation::Atomic || access.inLibrary)
      continue;
    const ShapeCosts *shape = worstShape(costed, [&](const ShapeCosts &shape) {
      const Contention &here = contentionOf(kernel, shape, i);
      const Meet meet =
          meeting(access, shape.costs[i].space, shape.shape, here);
      if (meet == Meet::Not ||
          isDwarfed(kernel, access, here, meet == Meet::InGrid))
        return 0.0;
      return (here.known ? here.lanesPerAddress() : 1) *
             executionsIn(costed, shape, access);
    });
    if (!shape)
      continue;
    shape = &executingLaunch(costed, *shape, access);
    const Contention &seen = contentionOf(kernel, *shape, i);
    Finding &finding =
        findings.add(access, message(access, seen, shape->costs[i].space), i);
    finding.weight = seen.lanesPerAddress();
    finding.fix = fixFor(access, seen, shape->costs[i].space,
                         shape->shape.shape.threads());
    // What the lanes combine once serves all updates under one condition; an
    // exchange has nothing to combine.
    if (seen.known && seen.addresses == 1 &&
        (access.isSum ? !finding.fix.empty() : access.isCombined))
      finding.cause = (access.isSum ? "sums" : "updates") +
                      (" of one address under the condition of " +
                       lineOf(firstUnder(kernel, access).place, finding.place));
    setShare(finding, costed, *shape, savedOf(costed, *shape, seen, i));
    if (seen.guardedByData)
      finding.cost += "; less where its condition on data seldom holds";
    if (access.isCombined && seen.known && seen.addresses == 1)
      finding.notes.push_back(
          "for such integers the compiler combines the atomics of a warp; "
          "every warp still makes one");
    else if (access.resultUsed && seen.known && seen.addresses == 1)
      finding.notes.push_back("each lane uses the old value, so the compiler "
                              "cannot combine them");
    finding.notes.push_back(shapeNote(shape->shape, finding.place));
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const Kernel &ptx = view.ptx->kernel;
  const Access &source = view.source.kernel.accesses[subject];
  std::string harmless;
  bool unknown = false;
  for (Space space : {Space::Global, Space::Shared, Space::Unknown})
    for (PtxMatch match : inPtx(subject, view, space)) {
      const Access &access = ptx.accesses[match.access];
      const Contention &seen = contentionOf(ptx, *match.shape, match.access);
      bool isBounded =
          !seen.known && mostValues(view.source.kernel,
                                    match.shape->shape.shape, source.address)
                                 .value_or(fewAddresses + 1) <= fewAddresses;
      if (isBounded)
        return {Verdict::Confirmed, "the PTX has the atomic"};
      std::string what =
          llvm::formatv("the PTX has the atomic, {0} {1} to {2} {3}",
                        shortNumber(seen.lanes), plural(seen.lanes == 1, "lane"),
                        shortNumber(seen.addresses),
                        plural(seen.addresses == 1, "address"));
      if (meeting(access, space, match.shape->shape, seen) != Meet::Not)
        return {Verdict::Confirmed, what};
      unknown |= !seen.known && seen.share > 0;
      harmless = what;
    }
  if (unknown)
    return {Verdict::Unjudged, "the address in the PTX cannot be followed"};
  if (harmless.empty())
    harmless = "the compiler left no such atomic in the kernel";
  return {Verdict::Refuted, harmless};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
