#include "findings/wasteful.h"
#include "cost/busiest_shape.h"
#include "findings/in_ptx.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {

static constexpr double fewLanes = 8;

bool isWasteful(const Kernel &kernel, const ShapeCosts &costs, unsigned i,
                unsigned sectors) {
  const Cost &cost = costs.costs[i];
  return cost.space == Space::Global && cost.basis != Basis::Unknown &&
         cost.sectors >= sectors - 0.5 && cost.lanes >= fewLanes &&
         wastes(kernel, costs, i);
}

const ShapeCosts *wastefulLaunch(const CostedKernel &costed, unsigned access,
                                 unsigned sectors) {
  const bool mayWaste =
      llvm::any_of(costed.shapes, [&](const ShapeCosts &shape) {
        const Cost &cost = shape.costs[access];
        return shape.shape.launches.size() > 1 && cost.isOpen() &&
               cost.space == Space::Global && cost.high >= sectors - 0.5;
      });
  if (!mayWaste)
    return nullptr;
  const Kernel &kernel = costed.kernel;
  return worstLaunch(
      costed, kernel.accesses[access], [&](const ShapeCosts &alone) {
        const Cost &cost = alone.costs[access];
        return !cost.isOpen() && isWasteful(kernel, alone, access, sectors)
                   ? cost.excess()
                   : 0;
      });
}

std::string sectorNote(TwoLanes &lanes, const KernelShape &shape,
                       const Access &access, const Cost &cost) {
  auto [first, second] = neighbouringLanes(cost);
  const std::string note = lanes.note(shape, access, first, second);
  if (note.empty() && !cost.isOpen())
    return llvm::formatv("how far lanes {0} and {1} are apart differs from "
                         "block to block",
                         first, second);
  if (note.empty())
    return llvm::formatv(
        "how far lanes {0} and {1} are apart depends on sizes that are not "
        "known; they are taken to be large",
        first, second);
  const std::string ideal = shortNumber(cost.idealSectors);
  return llvm::formatv(
      "{0}: {1} sectors where {2} {3} the bytes used{4}", note,
      shortNumber(cost.sectors), ideal, ideal == "1" ? "holds" : "hold",
      cost.chosenBy.empty()
          ? ""
          : "; which lanes take part depends on " + cost.chosenBy);
}

Judgement judgeWaste(unsigned subject, const CompiledView &view,
                     unsigned sectors) {
  return judgeInPtx(
      subject, view, Space::Global, [&](const PtxMatch &match) -> Judgement {
        const Kernel &ptx = view.ptx->kernel;
        const ShapeCosts *shape = match.shape;
        if (!isWasteful(ptx, *shape, match.access, sectors))
          if (const ShapeCosts *alone =
                  wastefulLaunch(*view.ptx, match.access, sectors))
            shape = alone;
        const Cost &cost = shape->costs[match.access];
        std::string what = inWords(match, view) + " touches " +
                           shortNumber(cost.sectors) + " sectors";
        if (cost.basis == Basis::Unknown)
          return {};
        if (isWasteful(ptx, *shape, match.access, sectors)) {
          const Waste group = waste(ptx, *shape, match.access);
          if (group.sectors < 2 * group.idealSectors)
            what +=
                llvm::formatv(" in {0} lines of L1, as do its neighbours,",
                              linesOf(cost, ptx.accesses[match.access].bytes))
                    .str();
          return {Verdict::Confirmed, what + " where " +
                                          shortNumber(cost.idealSectors) +
                                          " would do"};
        }
        if (cost.excess() < 2)
          return {Verdict::Refuted, what};
        return {Verdict::Refuted,
                "its neighbours in the PTX use the same sectors at once"};
      });
}

} // namespace warplint
