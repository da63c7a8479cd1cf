#include "cost/arrival.h"
#include "cost/terms.h"
#include "model/argument_bytes.h"
#include "os/deadline.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

using Walk = ExpressionGraph::Walk;

/// Visits what a condition is computed from, also through the lengths of loops.
/// Returns false if a visit stopped it.
bool walkCondition(const Kernel &kernel, ValueId condition,
                   llvm::function_ref<Walk(ValueId)> visit) {
  llvm::SmallVector<ValueId, 8> roots{condition};
  llvm::DenseSet<ValueId> seen;
  while (!roots.empty()) {
    const bool isWhole =
        kernel.graph.walk(roots.pop_back_val(), seen, [&](ValueId id) {
          const Node &node = kernel.graph.node(id);
          const Walk next = visit(id);
          if (next == Walk::Into &&
              (node.op == Op::Final || node.op == Op::Ever)) {
            roots.push_back(kernel.loops[node.number].enters);
            roots.push_back(kernel.loops[node.number].continues);
          }
          return next;
        });
    if (!isWhole)
      return false;
  }
  return true;
}

/// Reads which threads of blocks of one shape reach a barrier.
class ArrivalReader {
public:
  ArrivalReader(const Kernel &kernel, const KernelShape &shape,
                const Barrier &barrier)
      : kernel_(kernel), shape_(shape), barrier_(barrier) {}

  std::optional<PartialArrival> byIndex() const {
    if (auto found = inBlock(shape_, std::nullopt))
      return found;
    for (const Launched &launch : shape_.launches) {
      if (!launch.blocks() || !*launch.blocks())
        continue;
      KernelShape one = shape_;
      one.launches = {launch};
      const uint64_t x = *launch.grid[0] - 1, y = *launch.grid[1] - 1,
                     z = *launch.grid[2] - 1;
      std::vector<BlockPlace> places{{0, 0, 0}, {x, y, z}, {x, 0, 0}};
      llvm::append_range(places, placesOfEnds(launch));
      for (const BlockPlace &place : places)
        if (auto found = inBlock(one, place))
          return found;
    }
    return std::nullopt;
  }

  /// Tries sizes that end in the middle of the second block and, if the shape
  /// is known, of the first: a size that alone decides on the threads of a
  /// block may be that of the block, where the shape is assumed.
  std::optional<PartialArrival> bySizes(bool isAssumed) const {
    const Shape &block = shape_.shape;
    for (const auto &[position, name] : sizes()) {
      auto tryWith = [&, position = position,
                      &name = name](uint64_t value, const BlockPlace &place) {
        auto found = inBlock(supposing(position, value), place);
        if (found) {
          found->by = ArrivalBy::Sizes;
          found->name = name;
          found->value = value;
        }
        return found;
      };
      for (unsigned extent : {block.x, block.y}) {
        if (extent < 2)
          continue;
        for (const BlockPlace &place :
             {BlockPlace{1, 0, 0}, BlockPlace{0, 1, 0}, BlockPlace{1, 1, 0}})
          if (auto found = tryWith(extent + extent / 2, place))
            return found;
        if (!isAssumed)
          if (auto found = tryWith(extent / 2, BlockPlace{0, 0, 0}))
            return found;
      }
    }
    return std::nullopt;
  }

  std::optional<PartialArrival> byLength() const {
    for (LoopId id : barrier_.loops) {
      std::optional<ValueId> bound;
      kernel_.graph.walk(kernel_.loops[id].continues, [&](ValueId condition) {
        if (kernel_.graph.node(condition).op == Op::And)
          return Walk::Into;
        bound = loadedBound(condition, id);
        return bound ? Walk::Stop : Walk::Past;
      });
      if (!bound)
        continue;
      PartialArrival found;
      found.by = ArrivalBy::Length;
      found.threads = shape_.shape.threads();
      found.inIteration = true;
      found.name = kernel_.graph.text(*bound);
      return found;
    }
    return std::nullopt;
  }

  std::optional<PartialArrival> byData() const {
    Evaluation evaluation(kernel_, shape_.launches);
    std::vector<std::unique_ptr<Warp>> warps;
    for (unsigned index = 0; index < warpCount(); ++index)
      warps.push_back(std::make_unique<Warp>(evaluation, shape_.shape, index,
                                             /*block=*/0, /*trial=*/0));
    std::optional<PartialArrival> found;
    walkCondition(kernel_, barrier_.guard, [&](ValueId id) {
      const Node &node = kernel_.graph.node(id);
      // A vote, and a value from another lane, may be the same in all threads.
      if (node.op == Op::Ballot || node.op == Op::FromLane)
        return Walk::Past;
      if (node.op != Op::Loaded ||
          !differs(warps, kernel_.graph.operand(id, 0)))
        return Walk::Into;
      found = {ArrivalBy::Data,
               0,
               unsigned(shape_.shape.threads()),
               !barrier_.loops.empty(),
               kernel_.graph.text(id),
               0,
               false};
      return Walk::Stop;
    });
    return found;
  }

private:
  /// The load that bounds a counter, if all threads take equal steps from the
  /// sum of their index and what the block shares to the same end. A length
  /// that is rounded, or the lesser of two, is none: nobody knows what it
  /// divides.
  std::optional<ValueId> loadedBound(ValueId condition, LoopId loop) const {
    const ExpressionGraph &graph = kernel_.graph;
    const Op op = graph.node(condition).op;
    if (op != Op::LessSigned && op != Op::LessUnsigned &&
        op != Op::LessEqualSigned && op != Op::LessEqualUnsigned)
      return std::nullopt;
    Terms difference;
    addTerms(graph, graph.operand(condition, 0), 1, difference);
    addTerms(graph, graph.operand(condition, 1), -1, difference);
    Terms atStart;
    for (const auto &[value, factor] : difference) {
      const Node &node = graph.node(value);
      const bool isCounter = node.op == Op::Carried && node.number == loop;
      if (isCounter && !takesEqualSteps(value))
        return std::nullopt;
      addTerms(graph, isCounter ? graph.operand(value, 0) : value, factor,
               atStart);
    }
    std::optional<ValueId> bound;
    bool beginsAtIndex = false;
    for (const auto &[value, factor] : atStart)
      switch (graph.node(value).op) {
      case Op::ThreadIndex:
        beginsAtIndex = true;
        break;
      case Op::Loaded:
        if (dependsOnThread(kernel_, value))
          return std::nullopt;
        if (!bound && !argumentEntry(graph, value))
          bound = value;
        break;
      case Op::BlockIndex:
      case Op::BlockSize:
      case Op::GridSize:
      case Op::Parameter:
        break;
      default:
        return std::nullopt;
      }
    return beginsAtIndex ? bound : std::nullopt;
  }

  bool takesEqualSteps(ValueId counter) const {
    const ExpressionGraph &graph = kernel_.graph;
    const ValueId next = graph.operand(counter, 1);
    return graph.node(next).op == Op::Add &&
           llvm::is_contained(graph.operands(next), counter) &&
           llvm::all_of(graph.operands(next), [&](ValueId operand) {
             return operand == counter || !dependsOnThread(kernel_, operand);
           });
  }

  /// The blocks in which a loop over the grid comes to the end of each size
  /// that the launch gives.
  std::vector<BlockPlace> placesOfEnds(const Launched &launch) const {
    std::vector<BlockPlace> places;
    for (uint64_t size : sizesGiven(launch)) {
      const uint64_t x = size / shape_.shape.x % *launch.grid[0],
                     y = size / shape_.shape.y % *launch.grid[1];
      places.push_back({x, 0, 0});
      if (y)
        places.push_back({0, y, 0});
    }
    return places;
  }

  unsigned warpCount() const {
    return std::min<uint64_t>(shape_.shape.warps(), 32);
  }

  /// Returns true if the address is known in all threads of the block, and is
  /// not the same in all of them.
  bool differs(llvm::ArrayRef<std::unique_ptr<Warp>> warps,
               ValueId address) const {
    const Iterations first;
    std::optional<uint64_t> one;
    bool differs = false;
    for (const std::unique_ptr<Warp> &warp : warps) {
      const LaneValues &values = warp->evaluate(address, first);
      if (values.unknown & warp->lanes())
        return false;
      const Object *object = warp->objectAt(values.value[0]);
      if (object && object->space == Space::Local)
        return false;
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        if (!(warp->lanes() >> lane & 1))
          continue;
        differs |= one && *one != values.value[lane];
        one = values.value[lane];
      }
    }
    return differs;
  }

  /// Returns true if the line shows that `place` comes before the loop.
  bool isBefore(const Place &place, const std::vector<Place> &callSites,
                const Loop &loop) const {
    return callSites == loop.callSites && place.file == loop.place.file &&
           place.line < loop.place.line;
  }

  /// Returns true if the threads that do not come to the first iteration of the
  /// loop around the barrier do nothing behind the loop either.
  bool othersReturn(BlockLanes &lanes) const {
    if (barrier_.loops.empty())
      return false;
    const LoopId id = barrier_.loops.front();
    const Loop &loop = kernel_.loops[id];
    const Iterations first;
    const Threads here = lanes.may(barrier_.guard, first);
    auto isForOthers = [&](ValueId guard) {
      const Threads there = lanes.may(guard, first);
      for (size_t warp = 0; warp < here.size(); ++warp)
        if (there[warp] & ~here[warp])
          return true;
      return false;
    };
    auto isBehind = [&](const auto &code) {
      return !llvm::is_contained(code.loops, id) &&
             !isBefore(code.place, code.callSites, loop) &&
             isForOthers(code.guard);
    };
    return !isForOthers(loop.enters) &&
           llvm::none_of(kernel_.barriers, isBehind) &&
           llvm::none_of(kernel_.accesses, [&](const Access &access) {
             return access.operation != Operation::Load && isBehind(access);
           });
  }

  /// Returns true if threads that reach the barrier store elements of shared
  /// memory, each its own, and the threads that do not reach it store none.
  bool leavesHole(BlockLanes &lanes, const Iterations &iterations) const {
    const Threads here = lanes.may(barrier_.guard, iterations);
    return llvm::any_of(kernel_.accesses, [&](const Access &access) {
      if (access.operation == Operation::Load ||
          access.space == Space::Global || access.space == Space::Local ||
          !dependsOnThread(kernel_, access.address))
        return false;
      const Threads storing = lanes.may(access.guard, iterations);
      bool byThese = false, byOthers = false;
      for (size_t warp = 0; warp < here.size(); ++warp) {
        byThese |= (storing[warp] & here[warp]) != 0;
        byOthers |= (storing[warp] & ~here[warp]) != 0;
      }
      return byThese && !byOthers;
    });
  }

  std::optional<PartialArrival> inIteration(BlockLanes &lanes,
                                            const Iterations &iterations,
                                            unsigned &arriving) const {
    const unsigned threads = shape_.shape.threads();
    arriving = count(lanes.may(barrier_.guard, iterations));
    if (arriving == 0 || arriving == threads)
      return std::nullopt;
    PartialArrival found;
    found.arriving = arriving;
    found.threads = threads;
    found.othersReturn = othersReturn(lanes);
    found.leavesHole = leavesHole(lanes, iterations);
    return found;
  }

  /// Compares the iterations of the threads in a loop that counts in equal
  /// steps: too many to follow them to the last one, in which some have left.
  std::optional<PartialArrival> inLastIteration(BlockLanes &lanes,
                                                LoopId id) const {
    const std::optional<std::vector<double>> trips = lanes.trips(id);
    if (!trips || trips->empty())
      return std::nullopt;
    const double most = *llvm::max_element(*trips);
    PartialArrival found;
    found.threads = trips->size();
    found.arriving = llvm::count(*trips, most);
    found.inIteration = true;
    if (most < iterationsFollowed || found.arriving == found.threads)
      return std::nullopt;
    return found;
  }

  /// Compares the threads that may reach the barrier with those of the block,
  /// in each iteration of each loop around it.
  std::optional<PartialArrival> inBlock(const KernelShape &shape,
                                        std::optional<BlockPlace> place) const {
    BlockLanes lanes(kernel_, shape, place);
    Iterations iterations;
    unsigned arriving = 0;
    if (auto found = inIteration(lanes, iterations, arriving))
      return found;
    for (LoopId loop : barrier_.loops) {
      for (unsigned i = 1; i < iterationsFollowed && arriving; ++i) {
        iterations[loop] = i;
        if (auto found = inIteration(lanes, iterations, arriving)) {
          found->inIteration = true;
          found->othersReturn = false;
          return found;
        }
        // Nobody knows if there is such an iteration, nor a later one.
        if (i > 1 && !count(lanes.must(barrier_.guard, iterations)))
          break;
      }
      iterations[loop] = 0;
      arriving = 1;
      if (auto found = inLastIteration(lanes, loop))
        return found;
    }
    return std::nullopt;
  }

  struct Size {
    uint64_t position;
    std::string name;
  };

  /// The arguments in the condition.
  std::vector<Size> sizesOfCondition() const {
    std::vector<Size> found;
    walkCondition(kernel_, barrier_.guard, [&](ValueId id) {
      const auto entry = argumentEntry(kernel_.graph, id);
      if (!entry || kernel_.graph.node(id).bits < 16)
        return Walk::Into;
      if (llvm::none_of(found, [&](const Size &other) {
            return other.position == *entry;
          }))
        found.push_back({*entry, kernel_.graph.text(id)});
      return Walk::Past;
    });
    return found;
  }

  static bool gives(const Launched &launch, uint64_t position) {
    return position < launch.arguments.size() && launch.arguments[position];
  }

  /// Those that no launch gives.
  std::vector<Size> sizes() const {
    std::vector<Size> found = sizesOfCondition();
    llvm::erase_if(found, [&](const Size &size) {
      return llvm::any_of(shape_.launches, [&](const Launched &launch) {
        return gives(launch, size.position);
      });
    });
    return found;
  }

  std::vector<uint64_t> sizesGiven(const Launched &launch) const {
    std::vector<uint64_t> values;
    for (const Size &size : sizesOfCondition())
      if (gives(launch, size.position))
        values.push_back(*launch.arguments[size.position]);
    return values;
  }

  KernelShape supposing(uint64_t position, uint64_t value) const {
    KernelShape supposed = shape_;
    Launched launch =
        shape_.launches.empty() ? Launched() : shape_.launches.front();
    launch.grid = {};
    if (launch.arguments.size() <= position)
      launch.arguments.resize(position + 1);
    launch.arguments[position] = value;
    supposed.launches = {launch};
    return supposed;
  }

  const Kernel &kernel_;
  const KernelShape &shape_;
  const Barrier &barrier_;
};

bool usesRows(const Kernel &kernel) {
  for (ValueId id = 0; id < kernel.graph.size(); ++id)
    if (kernel.graph.node(id).op == Op::ThreadIndex &&
        kernel.graph.node(id).number)
      return true;
  return false;
}

bool isAssumed(const KernelShape &shape) {
  return shape.source != ShapeSource::Launch &&
         shape.source != ShapeSource::Option;
}

/// The shapes that a kernel without a known launch is likely to have.
std::vector<Shape> usualShapes(const Kernel &kernel, const Shape &assumed) {
  std::vector<Shape> all;
  if (kernel.isDispatched)
    for (unsigned rows : {2, 8, 32})
      all.push_back({assumed.x, rows, assumed.z});
  else if (usesRows(kernel) || assumed.y * assumed.z > 1)
    all = {{8, 8, 1}, {16, 16, 1}, {32, 8, 1}, {32, 32, 1}};
  else
    for (unsigned threads : {32, 64, 128, 256, 512, 1024})
      all.push_back({threads, 1, 1});
  if (kernel.bounds && kernel.bounds->maxThreads)
    llvm::erase_if(all, [&](const Shape &shape) {
      return shape.threads() > kernel.bounds->maxThreads;
    });
  all.push_back(assumed);
  return all;
}

} // namespace

std::optional<PartialArrival> partialArrival(const Kernel &kernel,
                                             const KernelShape &shape,
                                             const Barrier &barrier) {
  if (barrier.inLibrary || shape.shape.threads() < 2 ||
      !dependsOnThread(kernel, barrier.guard))
    return std::nullopt;
  std::vector<Shape> shapes{shape.shape};
  if (isAssumed(shape))
    shapes = usualShapes(kernel, shape.shape);
  std::optional<PartialArrival> found;
  for (const Shape &one : shapes) {
    if (isOverdue())
      return std::nullopt;
    KernelShape other = shape;
    other.shape = one;
    const ArrivalReader reader(kernel, other, barrier);
    found = reader.byIndex();
    if (!found)
      found = reader.bySizes(isAssumed(shape));
    if (!found)
      found = reader.byLength();
    if (!found)
      found = reader.byData();
    if (!found)
      return std::nullopt;
  }
  return found;
}

const Barrier *barrierOfOtherWarps(const Kernel &kernel,
                                   const KernelShape &shape,
                                   const Barrier &barrier) {
  BlockLanes lanes(kernel, shape);
  const Iterations first;
  const Threads here = lanes.may(barrier.guard, first);
  Threads rest;
  uint64_t threads = shape.shape.threads();
  for (uint32_t arriving : here) {
    const uint64_t size = std::min<uint64_t>(threads, warpSize);
    const uint32_t whole = uint32_t((uint64_t(1) << size) - 1);
    if (arriving != 0 && arriving != whole)
      return nullptr;
    rest.push_back(whole & ~arriving);
    threads -= size;
  }
  auto found = llvm::find_if(kernel.barriers, [&](const Barrier &other) {
    return &other != &barrier && lanes.may(other.guard, first) == rest;
  });
  return found == kernel.barriers.end() ? nullptr : &*found;
}

bool dependsOnThread(const Kernel &kernel, ValueId condition) {
  return !walkCondition(kernel, condition, [&](ValueId id) {
    const Op op = kernel.graph.node(id).op;
    return op == Op::ThreadIndex || op == Op::Lane ? Walk::Stop : Walk::Into;
  });
}

} // namespace warplint
