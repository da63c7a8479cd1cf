#include "cost/tiles.h"
#include "model/may_be_global.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

std::optional<uint64_t> baseOf(const ExpressionGraph &graph, ValueId address) {
  using Walk = ExpressionGraph::Walk;
  std::optional<uint64_t> base;
  graph.walk(address, [&](ValueId id) {
    const Node &node = graph.node(id);
    if (node.op == Op::Base)
      base = node.number;
    return base ? Walk::Stop : node.op == Op::Loaded ? Walk::Past : Walk::Into;
  });
  return base;
}

std::string variableOf(const Kernel &kernel, const Access &access) {
  const auto base = baseOf(kernel.graph, access.address);
  return base ? kernel.objects[*base].name : std::string();
}

bool areInOneObject(const ExpressionGraph &graph, ValueId a, ValueId b) {
  const std::optional<uint64_t> base = baseOf(graph, a);
  return base && base == baseOf(graph, b);
}

namespace {

/// Returns true if the loop around a store changes the object of `load`.
bool isChangedInLoop(const Kernel &kernel, const Access &load,
                     const Access &store) {
  return llvm::any_of(kernel.accesses, [&](const Access &other) {
    return other.operation == Operation::Store && !store.loops.empty() &&
           llvm::is_contained(other.loops, store.loops.back()) &&
           areInOneObject(kernel.graph, other.address, load.address);
  });
}

/// Returns true if a store adds to what its object has, as `s[t] += x * a[i]`,
/// or to what the threads compute in shared memory in the same loop: neither
/// keeps an element of 'a'.
bool addsToShared(const Kernel &kernel, const Access &store) {
  return llvm::any_of(store.storedLoads, [&](unsigned l) {
    const Access &load = kernel.accesses[l];
    return load.space == Space::Shared &&
           (areInOneObject(kernel.graph, load.address, store.address) ||
            isChangedInLoop(kernel, load, store));
  });
}

} // namespace

std::vector<TileFill> tileFills(const Kernel &kernel) {
  std::vector<TileFill> fills;
  for (unsigned s = 0; s < kernel.accesses.size(); ++s) {
    const Access &store = kernel.accesses[s];
    if (store.operation != Operation::Store || store.space != Space::Shared ||
        addsToShared(kernel, store))
      continue;
    for (unsigned l : store.storedLoads) {
      const Access &load = kernel.accesses[l];
      // A value that a loop sums up is no copy.
      if (mayBeGlobal(load.space) && load.loops == store.loops &&
          llvm::none_of(fills,
                        [&](const TileFill &fill) { return fill.load == l; }))
        fills.push_back({l, s});
    }
  }
  llvm::sort(fills, [](const TileFill &a, const TileFill &b) {
    return a.load < b.load;
  });
  return fills;
}

std::optional<LoopId> tiledLoop(const Kernel &kernel, const TileFill &fill) {
  const ValueId tile = kernel.accesses[fill.store].address;
  for (LoopId loop : llvm::reverse(kernel.accesses[fill.load].loops)) {
    if (!kernel.loops[loop].hasBarrier)
      continue;
    const bool isRead =
        llvm::any_of(kernel.accesses, [&](const Access &access) {
          return access.operation == Operation::Load &&
                 access.space == Space::Shared &&
                 areInOneObject(kernel.graph, access.address, tile) &&
                 llvm::is_contained(access.loops, loop);
        });
    return isRead ? std::optional(loop) : std::nullopt;
  }
  return std::nullopt;
}

} // namespace warplint
