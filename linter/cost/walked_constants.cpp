#include "cost/walked_constants.h"
#include "cost/address_roots.h"
#include "cost/compile_time.h"
#include "cost/conditions.h"
#include "cost/counter_steps.h"
#include "cost/terms.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <map>

namespace warplint {

namespace {

/// The iterations that one of the compiled loop stands for: nvcc 13.0 makes 16
/// copies of short bodies over words and doubles, and 4 over records.
double copiesOf(const Loop &loop, double step) {
  constexpr double ofWords = 16, ofRecords = 4, longestWord = 8;
  switch (loop.unroll) {
  case Unroll::Disabled:
    return 1;
  case Unroll::Count:
    return loop.unrollCount;
  default:
    return step <= longestWord ? ofWords : ofRecords;
  }
}

bool contains(const Kernel &kernel, LoopId outer) {
  return llvm::any_of(kernel.loops,
                      [&](const Loop &loop) { return loop.parent == outer; });
}

/// Returns true if lanes may leave a loop one after the other. What its entry
/// asks for as well, `i < n` of a thread, is the same in all iterations.
bool isLeftByLanes(const Kernel &kernel, const Loop &loop) {
  std::vector<ValueId> entry, again;
  addConditions(kernel.graph, loop.enters, entry);
  addConditions(kernel.graph, loop.continues, again);
  return llvm::any_of(again, [&](ValueId condition) {
    return !llvm::is_contained(entry, condition) &&
           dependsOn(kernel.graph, condition,
                     {Op::ThreadIndex, Op::Lane, Op::Loaded, Op::Varying});
  });
}

/// From 0 to 1: the part of the loads that the cache lacks.
double partMissed(const ConstantWalk &walk, double warps, double blocks) {
  constexpr double kept = 300, lost = 560;
  constexpr double fewWarps = 24, manyWarps = 42, fewBlocks = 3, manyBlocks = 8;
  // The cache itself has 2 KiB; what is read ahead of long bodies uses it.
  constexpr double shortBody = 64, keptOfLong = 4096, lostOfLong = 16384,
                   mostOfLong = 0.5;
  auto between = [](double value, double least, double most) {
    return std::clamp((value - least) / (most - least), 0.0, 1.0);
  };
  return (walk.body <= shortBody
              ? between(walk.bytes, kept, lost)
              : mostOfLong * between(walk.bytes, keptOfLong, lostOfLong)) *
         between(warps, fewWarps, manyWarps) *
         between(blocks, fewBlocks, manyBlocks);
}

} // namespace

uint64_t bytesOfTable(const Kernel &kernel, const Access &access) {
  uint64_t bytes = 0;
  for (ValueId root : addressRoots(kernel.graph, access.address))
    if (const Node &node = kernel.graph.node(root); node.op == Op::Base)
      bytes = std::max(bytes, kernel.objects[node.number].bytes);
  return bytes;
}

std::optional<ConstantWalk> constantWalk(const Kernel &kernel,
                                         const Access &access,
                                         Frequencies &frequencies) {
  const ExpressionGraph &graph = kernel.graph;
  if (access.space != Space::Constant || access.need != Need::EachTime ||
      !access.bytes ||
      dependsOn(
          graph, access.address,
          {Op::ThreadIndex, Op::BlockIndex, Op::Lane, Op::Loaded, Op::Varying}))
    return std::nullopt;
  std::optional<ConstantWalk> walk;
  double body = access.bytes; ///< of the unrolled loops in it
  for (LoopId loop : llvm::reverse(access.loops)) {
    const auto step = bytesOfStep(graph, access.address, loop);
    if (!step)
      return std::nullopt;
    if (!*step)
      continue;
    if (!walk && isUnrolled(kernel, loop)) {
      body += std::abs(double(*step)) * (frequencies.trips(loop).count - 1);
      continue;
    }
    if (walk || *step < 0)
      return std::nullopt;
    const double copies = contains(kernel, loop)
                              ? 1
                              : copiesOf(kernel.loops[loop], double(*step));
    walk =
        ConstantWalk{loop, body + *step * (frequencies.trips(loop).count - 1),
                     body + *step * (copies - 1)};
  }
  if (const uint64_t table = bytesOfTable(kernel, access); walk && table)
    walk->bytes = std::min(walk->bytes, double(table));
  return walk;
}

std::vector<double> cyclesOfWalks(const Kernel &kernel,
                                  Frequencies &frequencies, double warps,
                                  double blocks, const Throughput &machine) {
  constexpr double cyclesOfMiss = 30, widest = 8; ///< bytes of one ULDC
  constexpr double partOfRecord = 0.25;
  constexpr unsigned ofRecord = 4; ///< words that are read together
  std::vector<double> cycles(kernel.accesses.size());
  constexpr unsigned measured = 90; ///< sm_90
  if (machine.capability != measured)
    return cycles;
  std::map<std::pair<LoopId, llvm::StringRef>, unsigned> readTogether;
  std::map<unsigned, ConstantWalk> walks;
  for (unsigned i = 0; i < cycles.size(); ++i)
    if (const auto walk =
            constantWalk(kernel, kernel.accesses[i], frequencies)) {
      walks[i] = *walk;
      ++readTogether[{walk->loop, kernel.accesses[i].object}];
    }
  for (const auto &[i, walk] : walks) {
    const Access &access = kernel.accesses[i];
    const unsigned words = readTogether[{walk.loop, access.object}];
    const bool isAlone =
        words == 1 && kernel.loops[walk.loop].unroll == Unroll::Disabled;
    const double part = words >= ofRecord ? partOfRecord : isAlone ? 1 : 0.5;
    cycles[i] = cyclesOfMiss * partMissed(walk, warps, blocks) *
                (access.bytes < widest ? part : 1);
  }
  return cycles;
}

} // namespace warplint
