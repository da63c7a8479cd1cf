// Which terms of a condition may keep some lanes of a warp out and not others,
// and what later iterations make of known addresses.
#pragma once
#include "cost/warp.h"
#include <optional>

namespace warplint {

/// True if a comparison of a value that differs between lanes depends on probe
/// values, as `i < n` does.
bool hasOpenTerm(const ExpressionGraph &graph, Warp &warp, ValueId condition);

/// True if lanes of the warp go different ways for a reason that is unknown.
/// `doubting`: a warp that doubts conditions on probe values.
bool hasDataTerm(const ExpressionGraph &graph, Warp &doubting,
                 ValueId condition);

/// The node of the data that make a term of the condition differ among the
/// active lanes, whatever the terms that it is combined with. `without`: nodes
/// in which the same lanes of the warp have none, to which it adds what it
/// finds so: most conditions of a kernel are made from others.
std::optional<ValueId> dataInTerm(const ExpressionGraph &graph, Warp &warp,
                                  ValueId condition, uint32_t active,
                                  llvm::DenseSet<ValueId> &without);

/// The node of the data that make the access's address unknown one iteration
/// later, of a loop that only probe values may end before that: the first place
/// where a search looks is no more known than the others.
std::optional<ValueId> dataInNext(const Kernel &kernel, Warp &warp,
                                  const Access &access,
                                  const Iterations &iterations,
                                  uint32_t active);

} // namespace warplint
