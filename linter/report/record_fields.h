// The fields of ReportContext, for records (cache/record.h).
#pragma once
#include "model/record_fields.h"
#include "report/page.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace warplint {

// clang-format off
WARPLINT_FIELDS(Figure, place, space, operation, accessed, words, isKnown, value, ideal, kernels)
WARPLINT_FIELDS(SpillLine, file, line, instructions)
WARPLINT_FIELDS(LaunchOccupancy, block, percent, limit)
WARPLINT_FIELDS(ResourceRow, kernel, signature, mangled, architecture, source, place, toolkit, flags, registers, stack, spillStores, spillLoads, arrays, spills, other, shared, barriers, occupancy, cycles, bound, launches, spillLines, explanation)
WARPLINT_FIELDS(MissingReport, source, why)
WARPLINT_FIELDS(ResourceReport, warplint, rows, missing, notes)
WARPLINT_FIELDS(ReportContext, figures, resources)
// clang-format on

inline bool isSound(const ReportContext &context) {
  return llvm::all_of(context.figures, [](const Figure &figure) {
    return isIn(figure.space, Space::Unknown) &&
           isIn(figure.operation, Operation::Atomic) &&
           std::isfinite(figure.value) && std::isfinite(figure.ideal);
  });
}

} // namespace warplint
