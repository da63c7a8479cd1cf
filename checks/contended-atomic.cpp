#include "cost/contention.h"
#include "findings/check.h"
#include "findings/in_ptx.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "contended-atomic",
    .summary = "all threads update one address, or a few, by atomics, which "
               "are made one after the other",
    .why = R"(
An atomic is done where the data lies, in the L2 cache or in shared memory, and
an address takes one at a time. When all lanes of all warps add to one float,
an H200 does one addition every 1.8 ns, whatever else it could do meanwhile. Of
32-bit integers that nobody reads back the compiler adds up what a warp has by
itself, if it sees that the address is the same for all lanes; what is left is
one atomic for each warp. A few addresses are not much better: 256 bins of a
histogram that all blocks share take 58 times as long as bins of each block.
In shared memory an atomic of floats, or of 64 bits, is a loop which is gone
through once for each lane with the same address.)",
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
  cub::BlockReduce. Let each thread go through several elements first.
- A histogram: bins of the block's own in shared memory, and one atomic per bin
  and block at the end. If they do not fit: several copies in global memory.
- A counter that hands out places in a list: count within the warp or block
  first, and ask for all its places at once.
- A flag that is only ever set: a plain store of the same value by all.
- A minimum or maximum: look at the old value first, and leave the atomic out
  if it changes nothing.)",
    .whenNot = R"(
The kernel takes far longer than its atomics do, or few threads are launched.
One atomic of each thread after loops in loops is not reported for that reason.
Counts, flags and maxima that a condition on loaded data guards may be rare and
are not reported, nor is one atomic for each warp by one of its lanes.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Memory Workload Analysis Tables: L2 atomics and reductions; Warp "
           "State Statistics: stalls on LG throttle; Source Counters: stalls "
           "at the atomic",
};

// Measured with nothing but the atomics to do (kernels/contended-atomic.cu has
// the programs): 16 lanes of a warp to one address take 3 times as long as one
// lane to each, 8 lanes 1.5 times; 32 addresses for all blocks 16 times; bins
// that data choose, 256 of them 58 times, 1024 7 times, 4096 2.5 times as long.
// In shared memory 8 lanes to one float take 3 times as long as 2.
constexpr double lanesMeet = 16, lanesMeetInShared = 8, threadsMeet = 8;
constexpr uint64_t fewAddresses = 1024;

/// Loops of this many iterations, or of an unknown number, that an atomic
/// stands outside of: what they do takes longer than one atomic for each warp;
/// and such a loop in such a loop takes longer than one for each thread.
constexpr uint64_t longLoop = 32;

bool isLong(const Loop &loop) {
  return !loop.tripCount || *loop.tripCount >= longLoop;
}

bool isDwarfed(const Kernel &kernel, const Access &access,
               const Contention &seen) {
  if (!seen.known || seen.addresses != 1)
    return false;
  for (LoopId id = 0; id < kernel.loops.size(); ++id) {
    const Loop &loop = kernel.loops[id];
    if (!isLong(loop) || llvm::is_contained(access.loops, id))
      continue;
    if (access.isCombined ||
        (loop.parent && isLong(kernel.loops[*loop.parent]) &&
         !llvm::is_contained(access.loops, *loop.parent)))
      return true;
  }
  return false;
}

/// Of the block's threads, at least half take part.
bool byMost(const Contention &seen) { return seen.share >= 0.5; }

/// Behind a condition on loaded data: sums that the compiler does not combine
/// are dear even where one lane of a hundred adds (4 times as long, measured);
/// counts, flags and maxima are often rare, and cheaper.
bool isDearOnData(const Access &access) {
  return access.isSum && !access.isNativeAtomic && !access.isCombined &&
         !access.resultUsed;
}

bool meetsInShared(const Access &access, const Contention &seen) {
  return !access.isNativeAtomic && seen.known &&
         (!seen.guardedByData || isDearOnData(access)) && byMost(seen) &&
         seen.lanesPerAddress() >= lanesMeetInShared;
}

bool meetsInGlobal(const Access &access, const Contention &seen) {
  if (!byMost(seen))
    return false;
  // What data guard may be rare; a histogram of a part of the values is not.
  if (!seen.known)
    return seen.mostAddresses && *seen.mostAddresses <= fewAddresses &&
           !(seen.guardedByData && access.resultUsed);
  if (seen.guardedByData && !isDearOnData(access))
    return false;
  return seen.lanesPerAddress() >= lanesMeet ||
         (seen.sameInAllBlocks && seen.perAddress >= threadsMeet);
}

bool isContended(const Access &access, Space space, const Contention &seen) {
  if (access.operation != Operation::Atomic)
    return false;
  switch (space) {
  case Space::Shared:
    return meetsInShared(access, seen);
  case Space::Global:
  case Space::Unknown:
    return meetsInGlobal(access, seen);
  default:
    return false;
  }
}

std::string message(const Access &access, const Contention &seen, Space space) {
  const std::string &text = access.text.empty() ? access.object : access.text;
  if (!seen.known)
    return llvm::formatv("all threads update '{0}', one of at most {1} "
                         "addresses for the whole grid: each address takes "
                         "one update after the other",
                         text, *seen.mostAddresses);
  std::string addresses = seen.addresses == 1
                              ? "one address"
                              : shownNumber(seen.addresses) + " addresses";
  bool shared = space == Space::Shared;
  std::string inAll = shared || !seen.sameInAllBlocks ? ""
                      : seen.addresses == 1 ? ", the same in all blocks"
                                            : ", the same ones in all blocks";
  return llvm::formatv("{0}{1} lanes of a warp update {2}, '{3}'{4}: {5} takes "
                       "one update after the other",
                       seen.guardedByData ? "up to " : "",
                       shownNumber(seen.lanes), addresses, text, inAll,
                       seen.addresses == 1 ? "it" : "each");
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    // In the PTX every atomic is in the toolkit's header, so judge does not
    // ask.
    if (access.operation != Operation::Atomic || access.inLibrary)
      continue;
    const ShapeCosts *shape = worstShape(costed, [&](const ShapeCosts &shape) {
      Contention here = contention(kernel, shape.shape.shape, access);
      if (!isContended(access, shape.costs[i].space, here) ||
          isDwarfed(kernel, access, here))
        return 0.0;
      return here.known ? here.lanesPerAddress() : 1;
    });
    if (!shape)
      continue;
    Contention seen = contention(kernel, shape->shape.shape, access);
    Finding &finding =
        findings.add(access, message(access, seen, shape->costs[i].space), i);
    finding.weight = seen.lanesPerAddress();
    if (access.isCombined && seen.known && seen.addresses == 1)
      finding.notes.push_back(
          "for such integers the compiler makes one atomic of a warp's; they "
          "come from every warp all the same");
    else if (access.resultUsed && seen.known && seen.addresses == 1)
      finding.notes.push_back("each lane uses what was there before, so none "
                              "of them can be left out as they stand");
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
      const Contention seen = contention(ptx, match.shape->shape.shape, access);
      bool isBounded =
          !seen.known && mostValues(view.source.kernel,
                                    match.shape->shape.shape, source.address)
                                 .value_or(fewAddresses + 1) <= fewAddresses;
      if (isBounded)
        return {Verdict::Confirmed, "the PTX has the atomic"};
      std::string what =
          llvm::formatv("the PTX has the atomic, {0} lanes to {1} {2}",
                        shownNumber(seen.lanes), shownNumber(seen.addresses),
                        plural(seen.addresses == 1, "address"));
      if (isContended(access, space, seen))
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
