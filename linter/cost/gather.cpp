#include "cost/gather.h"
#include "cost/address_roots.h"
#include "cost/cache_sizes.h"
#include "cost/conditions.h"
#include "cost/loaded_index.h"
#include "cost/reached.h"
#include "cost/terms.h"
#include "model/float_operation.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace warplint {

namespace {

using Walk = ExpressionGraph::Walk;

/// Lines that L1 looks up in a cycle (H200: 20 distinct ones of 32 lines take
/// 6.7 cycles, 28 of 128 lines 9.9).
constexpr double linesAtOnce = 3;

/// Returns true if a mask, a divisor, a minimum or a narrow type limits loaded
/// data: what else is in there, such as a value from the iteration before,
/// moves the address no farther.
bool limitsData(const ExpressionGraph &graph, LoadedIndexes &indexes,
                ValueId id) {
  constexpr unsigned narrow = 16;
  constexpr uint64_t small = 1 << 24;
  const Node &node = graph.node(id);
  auto isSmall = [&](ValueId operand) {
    const std::optional<uint64_t> number = indexes.numberOf(operand);
    return number && *number < small;
  };
  const bool isLimit =
      (node.op == Op::And || node.op == Op::RemainderUnsigned ||
       node.op == Op::RemainderSigned || node.op == Op::MinSigned ||
       node.op == Op::MinUnsigned)
          ? llvm::any_of(graph.operands(id), isSmall)
          : node.bits > 1 && node.bits <= narrow;
  return isLimit && !graph.walk(id, [&](ValueId each) {
    return graph.node(each).op == Op::Loaded ? Walk::Stop : Walk::Into;
  });
}

/// The terms that move an address beside the data.
struct Regular {
  bool isFollowed = true, byThread = false, byBlock = false;
  uint64_t loops = 0; ///< as `loopBit` has them
};

Regular regularOf(const Kernel &kernel, const Access &access,
                  LoadedIndexes &indexes) {
  const ExpressionGraph &graph = kernel.graph;
  Regular found;
  graph.walk(access.address, [&](ValueId id) {
    const Node &node = graph.node(id);
    if (limitsData(graph, indexes, id))
      return Walk::Past;
    switch (node.op) {
    case Op::Loaded:
      return Walk::Past;
    case Op::Varying:
    case Op::Opaque:
    case Op::FromLane:
    case Op::Forwarded:
      found.isFollowed = false;
      return Walk::Past;
    case Op::ThreadIndex:
    case Op::Lane:
      found.byThread = true;
      return Walk::Past;
    case Op::BlockIndex:
      found.byBlock = true;
      return Walk::Past;
    case Op::Carried:
      found.loops |= ExpressionGraph::loopBit(node.number);
      return Walk::Into;
    default:
      return Walk::Into;
    }
  });
  return found;
}

/// The bytes of the one object that the address leads into; none if unknown.
std::optional<double> bytesOfObject(const Kernel &kernel,
                                    const Access &access) {
  const auto object = onlyObject(kernel, access.address);
  if (!object)
    return std::nullopt;
  const uint64_t bytes = std::max(kernel.objects[*object].bytes,
                                  kernel.objects[*object].allocated);
  return bytes ? std::optional<double>(bytes) : std::nullopt;
}

/// The blocks of the largest launch along x, y and z; none if one is unknown.
std::optional<BlockPlace> largestGrid(const KernelShape &shape) {
  BlockPlace largest{};
  for (const Launched &launch : shape.launches)
    for (unsigned d = 0; d < 3; ++d) {
      if (!launch.grid[d])
        return std::nullopt;
      largest[d] = std::max(largest[d], *launch.grid[d]);
    }
  return largest[0] ? std::optional(largest) : std::nullopt;
}

/// Returns true for an address that each thread has for itself, once.
bool isOfThread(const ExpressionGraph &graph, ValueId address) {
  bool byThread = false, byBlock = false;
  const bool isFollowed = graph.walk(address, [&](ValueId id) {
    const Op op = graph.node(id).op;
    byThread |= op == Op::ThreadIndex;
    byBlock |= op == Op::BlockIndex;
    return op == Op::Loaded || op == Op::Varying || op == Op::Opaque ||
                   op == Op::Carried || op == Op::FromLane ||
                   op == Op::Forwarded
               ? Walk::Stop
               : Walk::Into;
  });
  return isFollowed && byThread && byBlock;
}

/// The bytes that all threads of the launch access of the one object that the
/// address leads into, if each of them has an element of its own: in
/// 'position[neighbour[k]] - position[i]', data lead to the same elements.
std::optional<double> bytesOfThreads(const Kernel &kernel,
                                     const KernelShape &shape,
                                     const Access &gather) {
  const auto object = onlyObject(kernel, gather.address);
  const std::optional<BlockPlace> grid = largestGrid(shape);
  if (!object || !grid)
    return std::nullopt;
  std::optional<double> most;
  for (const Access &access : kernel.accesses) {
    if (!access.bytes || onlyObject(kernel, access.address) != object ||
        !isOfThread(kernel.graph, access.address))
      continue;
    Evaluation evaluation(kernel, shape.launches);
    Warp warp(evaluation, shape.shape, 0, 0, 0);
    const LaneValues here = warp.evaluate(access.address, Iterations());
    const double step =
        std::abs(double(int64_t(here.value[1] - here.value[0])));
    double bytes = 0;
    bool isKnown = !here.unknown && step >= access.bytes;
    for (unsigned d = 0; d < 3; ++d) {
      BlockPlace place = warp.block();
      ++place[d];
      Warp other(warp, place);
      const LaneValues &there = other.evaluate(access.address, Iterations());
      const double distance =
          std::abs(double(int64_t(there.value[0] - here.value[0])));
      // Blocks that share elements say less.
      isKnown &= !there.unknown && (d || distance >= step * shape.shape.x);
      bytes += distance * double((*grid)[d]);
    }
    if (isKnown)
      most = std::max(most.value_or(0), bytes);
  }
  return most;
}

/// The object in shared memory that an index is loaded from.
std::optional<ObjectId> sharedObjectOf(const Kernel &kernel, ValueId index) {
  const auto object = onlyObject(kernel, kernel.graph.operand(index, 0));
  return object && kernel.objects[*object].space == Space::Shared
             ? object
             : std::nullopt;
}

/// Returns true if the loop, or the kernel, fills the array with data from
/// global memory.
bool isFilledIn(const Kernel &kernel, ObjectId array,
                std::optional<LoopId> loop) {
  return llvm::any_of(kernel.accesses, [&](const Access &store) {
    return store.operation != Operation::Load &&
           (!loop || llvm::is_contained(store.loops, *loop)) &&
           llvm::any_of(addressRoots(kernel.graph, store.address),
                        [&](ValueId root) {
                          const Node &node = kernel.graph.node(root);
                          return node.op == Op::Base && node.number == array;
                        }) &&
           (store.isAsync ||
            llvm::any_of(store.storedLoads, [&](unsigned load) {
              return kernel.accesses[load].space != Space::Shared &&
                     kernel.accesses[load].space != Space::Local;
            }));
  });
}

/// A block that takes its indexes from shared memory has no more of them than
/// that holds: `x[order[t]]` of a sort. Those that it computes are neighbours;
/// those that it loads may lead anywhere.
GatherReach reachOfShared(const Kernel &kernel, const KernelShape &shape,
                          const Access &access, const Regular &regular,
                          llvm::ArrayRef<ValueId> loaded,
                          Frequencies &frequencies) {
  double entries = 0;
  llvm::SmallVector<ObjectId, 2> arrays;
  for (ValueId index : loaded) {
    const auto array = sharedObjectOf(kernel, index);
    const unsigned bits = kernel.graph.node(index).bits;
    if (!array || bits < 8)
      return {};
    arrays.push_back(*array);
    // Where nothing says how long it is, each thread has an index.
    const double threads = double(shape.shape.threads());
    const double bytes = kernel.objects[*array].bytes
                             ? double(kernel.objects[*array].bytes)
                             : double(shape.sharedMemory.value_or(0));
    entries = std::max(entries, bytes ? bytes * 8 / bits : threads);
  }
  GatherReach reach;
  const bool isComputed = llvm::none_of(arrays, [&](ObjectId array) {
    return isFilledIn(kernel, array, std::nullopt);
  });
  reach.bytes = entries * (isComputed ? access.bytes : sectorBytes);
  reach.isOfBlock = true;
  reach.requests = 1;
  for (LoopId loop : llvm::reverse(access.loops)) {
    if ((regular.loops & ExpressionGraph::loopBit(loop)) ||
        llvm::any_of(arrays, [&](ObjectId array) {
          return isFilledIn(kernel, array, loop);
        }))
      break;
    reach.requests *= std::max(1.0, frequencies.trips(loop).count);
  }
  return reach;
}

bool isPerLaneData(const ExpressionGraph &graph, ValueId id, Warp &warp) {
  const Op op = graph.node(id).op;
  return (op == Op::Loaded || op == Op::Forwarded || op == Op::Varying ||
          op == Op::FromLane) &&
         !warp.evaluate(id, Iterations()).isUniform();
}

/// The terms of a float's sum, through what keeps neighbours neighbours.
void addTerms(const ExpressionGraph &graph, ValueId value,
              llvm::SmallVectorImpl<ValueId> &terms) {
  using Kind = FloatOperation::Kind;
  constexpr size_t most = 16;
  const auto operation = graph.node(value).op == Op::Opaque
                             ? floatOperation(graph.text(value))
                             : std::nullopt;
  const Kind kind = operation ? operation->kind : Kind::Compare;
  const bool isSum = kind == Kind::Add || kind == Kind::Subtract ||
                     kind == Kind::Minimum || kind == Kind::Maximum ||
                     kind == Kind::Round || kind == Kind::Resize ||
                     kind == Kind::Negate;
  if (!isSum || terms.size() >= most) {
    terms.push_back(value);
    return;
  }
  for (ValueId operand : graph.operands(value))
    addTerms(graph, operand, terms);
}

/// Returns true for a place that data displace: the integer of a sum of which
/// one term moves with the thread's index and others are data,
/// `int(x * scale + flow[i])`. No term has both.
bool isDisplaced(const ExpressionGraph &graph, ValueId id, Warp &warp) {
  using Kind = FloatOperation::Kind;
  const auto operation = graph.node(id).op == Op::Opaque
                             ? floatOperation(graph.text(id))
                             : std::nullopt;
  if (!operation || (operation->kind != Kind::ToSigned &&
                     operation->kind != Kind::ToUnsigned))
    return false;
  llvm::SmallVector<ValueId> terms;
  addTerms(graph, graph.operand(id, 0), terms);
  bool moves = false;
  for (ValueId term : terms) {
    bool hasData = false, hasIndex = false;
    graph.walk(term, [&](ValueId part) {
      if (isPerLaneData(graph, part, warp)) {
        hasData = true;
        return Walk::Past;
      }
      hasIndex |= graph.node(part).op == Op::ThreadIndex;
      return Walk::Into;
    });
    if (hasData && hasIndex)
      return false;
    moves |= hasIndex;
  }
  return moves;
}

} // namespace

bool isOfSample(const ExpressionGraph &graph, ValueId address, Warp &warp) {
  bool hasFloats = false;
  const bool isSmooth = graph.walk(address, [&](ValueId id) {
    hasFloats |= graph.node(id).op == Op::Opaque;
    return isDisplaced(graph, id, warp)     ? Walk::Past
           : isPerLaneData(graph, id, warp) ? Walk::Stop
                                            : Walk::Into;
  });
  return isSmooth && hasFloats;
}

RowBegins rowBegins(const Kernel &kernel, Warp &warp) {
  RowBegins begins;
  for (const Access &access : kernel.accesses) {
    if (access.operation != Operation::Load)
      continue;
    const LaneValues &end = warp.evaluate(access.address, Iterations());
    if (!end.unknown)
      begins.insert({end.value[0] - access.bytes, end.value[1] - access.bytes});
  }
  return begins;
}

bool isOfRow(const ExpressionGraph &graph, ValueId address,
             const RowBegins &begins, Warp &warp) {
  bool hasBegin = false;
  const bool isOfBegins = graph.walk(address, [&](ValueId id) {
    switch (graph.node(id).op) {
    case Op::Loaded: {
      const LaneValues &begin =
          warp.evaluate(graph.operand(id, 0), Iterations());
      hasBegin = true;
      return !begin.unknown && begins.count({begin.value[0], begin.value[1]})
                 ? Walk::Past
                 : Walk::Stop;
    }
    case Op::Opaque:
    case Op::Varying:
    case Op::FromLane:
    case Op::Forwarded:
      return Walk::Stop;
    default:
      return Walk::Into;
    }
  });
  return isOfBegins && hasBegin;
}

std::optional<double> stepOfWalkedRow(const Kernel &kernel,
                                      const Access &load) {
  const ExpressionGraph &graph = kernel.graph;
  Terms terms;
  addTerms(graph, load.address, 1, terms);
  std::optional<std::pair<ValueId, int64_t>> walked;
  for (const auto &[value, factor] : terms) {
    if (graph.node(value).op != Op::Final) {
      if (dependsOn(graph, value,
                    {Op::Varying, Op::Forwarded, Op::FromLane, Op::Opaque}) ||
          dependsOnData(kernel, value))
        return std::nullopt;
      continue;
    }
    const ValueId moving = graph.operand(value, 0);
    if (walked || graph.node(moving).op != Op::Carried)
      return std::nullopt;
    walked = {moving, factor};
  }
  if (!walked)
    return std::nullopt;
  const auto [moving, factor] = *walked;
  const auto step = constantStep(graph, moving);
  const LoopId loop = graph.node(moving).number;
  if (!step || dependsOnData(kernel, graph.operand(moving, 0)))
    return std::nullopt;
  const bool isRead = llvm::any_of(kernel.accesses, [&](const Access &other) {
    if (other.operation != Operation::Load || other.isVolatile ||
        !llvm::is_contained(other.loops, loop))
      return false;
    Terms its;
    addTerms(graph, other.address, 1, its);
    const auto known = its.find(moving);
    return known != its.end() && known->second == factor;
  });
  return isRead ? std::optional(std::abs(double(*step * factor)))
                : std::nullopt;
}

GatherReach gatherReach(const Kernel &kernel, const KernelShape &shape,
                        const Access &access, LoadedIndexes &indexes,
                        Frequencies &frequencies) {
  const Regular regular = regularOf(kernel, access, indexes);
  GatherReach reach;
  reach.bytes = bytesOfObject(kernel, access);
  if (!reach.bytes)
    reach.bytes = bytesOfThreads(kernel, shape, access);
  if (!regular.isFollowed)
    return reach;
  const std::vector<ValueId> loaded = indexes.of(access.address, 1);
  if (loaded.empty() || regular.byThread)
    return reach;
  const uint64_t distance = indexes.reach(access.address);
  constexpr uint64_t farthest = uint64_t(1) << 31;
  const double bytes = double(distance) + access.bytes;
  if (distance < farthest && !regular.loops &&
      (!reach.bytes || bytes < *reach.bytes))
    reach = {bytes, regular.byBlock, 0};
  if (reach.bytes)
    return reach;
  return reachOfShared(kernel, shape, access, regular, loaded, frequencies);
}

GatherCost gatherCost(const GatherReach &reach, const CacheUsers &users) {
  GatherCost cost;
  double lines = users.lanes; // distinct ones of a request
  if (reach.bytes) {
    const double all = std::max(1.0, double(*reach.bytes) / lineBytes);
    lines = all * (1 - std::pow(1 - 1 / all, users.lanes));
  }
  cost.wavefronts = std::max(1.0, lines / linesAtOnce);
  if (!reach.bytes)
    return cost;
  cost.isReachKnown = true;
  const double sectors = *reach.bytes / sectorBytes,
               blocks = std::max(1.0, users.residentWarps /
                                          std::max(1.0, users.warpsPerBlock)),
               requests = (reach.requests ? reach.requests : users.requests) *
                          users.together;
  // The share that is new of the sectors that warps with the same memory load.
  auto newOf = [&](double warps) {
    return std::min(1.0, sectors / (users.lanes * requests * warps));
  };
  const double held = *reach.bytes * (reach.isOfBlock ? blocks : 1);
  if (held <= cachedInL1)
    cost.inL2 = newOf(reach.isOfBlock ? users.warpsPerBlock : users.warpsPerSm);
  if (held * (reach.isOfBlock ? users.multiprocessors : 1) <= cachedInL2)
    cost.inDram =
        newOf(reach.isOfBlock ? users.warpsPerBlock
                              : users.warpsPerSm * users.multiprocessors);
  cost.inDram = std::min(cost.inDram, cost.inL2);
  return cost;
}

} // namespace warplint
