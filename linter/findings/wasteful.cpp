#include "findings/wasteful.h"
#include "findings/in_ptx.h"
#include "findings/wording.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {

static constexpr double fewLanes = 8;

/// Lines of L1 that the first request looks up.
static unsigned linesOf(const Cost &cost, unsigned bytes) {
  return piecesTouched(cost.addresses, cost.active, bytes, lineBytes);
}

/// Returns true if L1 takes much longer than DRAM to give a warp the bytes of a
/// sector, though each sector is moved once: bytes of rows that lanes walk take
/// 32 requests of 32 lines each. L1 looks up about three lines in a cycle
/// (H200), and DRAM gives an SM a sector in 1.5 cycles.
static bool isSlowInL1(const Cost &cost, unsigned bytes) {
  constexpr unsigned manyLookups = 12; // for each sector
  return linesOf(cost, bytes) >= manyLookups * cost.idealSectors;
}

bool isWasteful(const Kernel &kernel, const ShapeCosts &costs, unsigned i,
                unsigned sectors) {
  const Cost &cost = costs.costs[i];
  return cost.space == Space::Global && cost.basis != Basis::Unknown &&
         cost.sectors >= sectors - 0.5 && cost.lanes >= fewLanes &&
         wastes(kernel, costs, i);
}

std::string sectorNote(TwoLanes &lanes, const KernelShape &shape,
                       const Access &access, const Cost &cost) {
  auto [first, second] = neighbouringLanes(cost);
  const std::string note = lanes.note(shape, access, first, second);
  if (note.empty())
    return llvm::formatv(
        "how far lanes {0} and {1} are apart depends on sizes that are not "
        "known; they are taken to be large",
        first, second);
  return llvm::formatv(
      "{0}: {1} sectors where {2} hold the bytes used{3}", note,
      shortNumber(cost.sectors), shortNumber(cost.idealSectors),
      cost.chosenBy.empty()
          ? ""
          : "; which lanes take part depends on " + cost.chosenBy);
}

Judgement judgeWaste(unsigned subject, const CompiledView &view,
                     unsigned sectors) {
  return judgeInPtx(
      subject, view, Space::Global, [&](const PtxMatch &match) -> Judgement {
        const Kernel &ptx = view.ptx->kernel;
        const Cost &cost = match.shape->costs[match.access];
        std::string what = inWords(match, view) + " touches " +
                           shortNumber(cost.sectors) + " sectors";
        if (cost.basis == Basis::Unknown)
          return {};
        if (isWasteful(ptx, *match.shape, match.access, sectors))
          return {Verdict::Confirmed, what + " where " +
                                          shortNumber(cost.idealSectors) +
                                          " would do"};
        if (cost.excess() < 2)
          return {Verdict::Refuted, what};
        if (const unsigned bytes = ptx.accesses[match.access].bytes;
            isSlowInL1(cost, bytes))
          return {Verdict::Confirmed,
                  what + llvm::formatv(" in {0} lines of L1, as do its "
                                       "neighbours, where {1} would do",
                                       linesOf(cost, bytes),
                                       shortNumber(cost.idealSectors))
                             .str()};
        return {Verdict::Refuted,
                "its neighbours in the PTX use the same sectors at once"};
      });
}

} // namespace warplint
