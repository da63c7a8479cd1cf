#include "source/settle_shapes.h"
#include "cost/assumed_block.h"
#include "cost/costliest_launch.h"
#include "cost/own_memory.h"
#include "model/may_be_global.h"
#include "model/same_pointers.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

namespace warplint {

namespace {

/// Returns true if an address in the user's code depends on threadIdx.x.
bool usesThreadsAlongX(const Kernel &kernel) {
  const ExpressionGraph &graph = kernel.graph;
  return llvm::any_of(kernel.accesses, [&](const Access &access) {
    return mayBeGlobal(access.space) && !access.inLibrary &&
           !access.noUserCode && !graph.walk(access.address, [&](ValueId id) {
             const Node &node = graph.node(id);
             return node.op == Op::ThreadIndex && node.number == 0
                        ? ExpressionGraph::Walk::Stop
                        : ExpressionGraph::Walk::Into;
           });
  });
}

/// Returns the block's shape from a launch. Fills unknown sizes up to 256
/// threads in total; the shape is then assumed.
KernelShape shapeOf(const Launch &launch, const Kernel &kernel) {
  auto [x, y, z] = launch.block;
  // The ranks of a team lie along y. Its vector lanes along x, of which there
  // is one by default, matter if the code spreads work over them.
  const bool isTeam = launch.byPolicy && !launch.tile && !x && z == 1u;
  if (isTeam)
    x = usesThreadsAlongX(kernel) ? 32 : 1;
  KernelShape result{{}, ShapeSource::Launch, launch.place, {}};
  uint64_t known = x.value_or(1) * y.value_or(1) * z.value_or(1);
  unsigned rest = std::max<uint64_t>(1, 256 / std::max<uint64_t>(1, known));
  if (isTeam || !x || !y || !z)
    result.source = ShapeSource::Assumed;
  // The block of a range is (1, n, 1), that of a team with all lanes of a warp
  // (32, n, 1): no warp depends on n.
  if (launch.byPolicy && !isTeam && (x == 1u || x == 32u) && z)
    result.source = ShapeSource::Policy;
  result.shape.x = x.value_or(rest);
  result.shape.y = y.value_or(x ? rest : 1);
  result.shape.z = z.value_or(1);
  if (!launch.byPolicy && !x && !y && z.value_or(1) == 1)
    result.shape = assumedBlock(kernel);
  return result;
}

void addLaunched(const Launch &launch, std::vector<Launched> &into) {
  Launched launched;
  if (launch.sizesKnown)
    launched.grid = launch.grid;
  launched.arguments = launch.arguments;
  launched.place = launch.place;
  launched.sized = launch.sized;
  launched.fitsAtOnce = launch.fitsAtOnce;
  launched.ends = launch.ends;
  if (!llvm::is_contained(into, launched))
    into.push_back(std::move(launched));
}

/// Blocks in the grid of a launch; nothing if one dimension is unknown.
std::optional<uint64_t> blocksOf(const Launch &launch) {
  Launched launched;
  launched.grid = launch.grid;
  return launched.blocks();
}

void addGrid(const Launch &launch, std::vector<uint64_t> &into, bool isFirst) {
  const std::optional<uint64_t> blocks = blocksOf(launch);
  if (!blocks || (!isFirst && into.empty())) {
    into.clear();
    return;
  }
  into.insert(std::upper_bound(into.begin(), into.end(), *blocks), *blocks);
  into.erase(std::unique(into.begin(), into.end()), into.end());
}

/// Keeps the smallest range of several launches in one shape.
void addTile(const Launch &launch, std::optional<Tile> &into, bool isFirst) {
  if (isFirst)
    into = launch.tile;
  else if (into && launch.tile && launch.tile->elements &&
           (!into->elements || *launch.tile->elements < *into->elements))
    into = launch.tile;
}

/// Returns the launch without sizes that no run has. A block with an extent of 0
/// is that of an object that only instantiates a template: its other extents are
/// those of the launches that run.
Launch withoutMadeUpSizes(Launch launch) {
  if (!llvm::is_contained(launch.block, 0u))
    return launch;
  for (std::optional<uint64_t> &extent : launch.block)
    if (extent == 0u)
      extent.reset();
  launch.grid = {};
  launch.arguments.clear();
  launch.ends.clear();
  launch.sizesKnown = false;
  launch.sharedMemory.reset();
  launch.sized.reset();
  return launch;
}

/// Returns true if a block may be that of a launch, by what this says of it.
bool mayHave(const Launch &launch, const Shape &block) {
  const auto &[x, y, z] = launch.block;
  return !launch.byPolicy && x.value_or(block.x) == block.x &&
         y.value_or(block.y) == block.y && z.value_or(block.z) == block.z;
}

bool possible(const Shape &shape) {
  return shape.x && shape.y && shape.z && shape.x <= 1024 && shape.y <= 1024 &&
         shape.z <= 64 && shape.threads() <= 1024;
}

/// The first block of more than one thread that a launch gives; nothing if
/// there is none.
std::optional<Shape> blockGiven(const Kernel &kernel,
                                llvm::ArrayRef<Launch> launches) {
  for (const Launch &written : launches)
    if (written.kernel == kernel.mangled) {
      const KernelShape shape = shapeOf(withoutMadeUpSizes(written), kernel);
      if (shape.source != ShapeSource::Assumed && possible(shape.shape) &&
          shape.shape.threads() > 1)
        return shape.shape;
    }
  return std::nullopt;
}

} // namespace

/// Adds the stand-in for a shape that no launch gives.
static void settleWithoutLaunch(
    Kernel &kernel, const std::vector<KernelShape> &demanded,
    const std::vector<KernelShape> &assumed,
    llvm::function_ref<std::optional<KernelShape>(const Kernel &)> given) {
  // A launch of a block that nobody knows passes arguments all the same: what
  // it alone executes, no other one shuts out.
  if (!kernel.shapes.empty()) {
    llvm::append_range(kernel.shapes, assumed);
    return;
  }
  if (!demanded.empty())
    kernel.shapes = demanded;
  else if (auto shape = given(kernel))
    kernel.shapes = {*shape};
  else if (kernel.bounds && kernel.bounds->maxThreads &&
           kernel.bounds->maxThreads <= 1024) {
    // Where threads have rows, the bounds do not say how long they are.
    const Shape block = assumedBlock(kernel, kernel.bounds->maxThreads);
    const bool isFlat = block.threads() == block.x;
    kernel.shapes = {
        {block,
         isFlat ? ShapeSource::LaunchBounds : ShapeSource::Assumed,
         {},
         {}}};
  } else if (!assumed.empty())
    kernel.shapes = assumed;
  else
    kernel.shapes = {{assumedBlock(kernel), ShapeSource::Assumed, {}, {}}};
}

void settleShapes(
    std::vector<Kernel> &kernels, llvm::ArrayRef<Launch> launches,
    llvm::function_ref<std::optional<KernelShape>(const Kernel &)> given) {
  for (Kernel &kernel : kernels) {
    std::vector<KernelShape> assumed,
        demanded = std::exchange(kernel.shapes, {});
    kernel.hostCalls.clear();
    const std::optional<Shape> block = blockGiven(kernel, launches);
    for (const Launch &written : launches) {
      if (written.kernel != kernel.mangled)
        continue;
      const Launch launch = withoutMadeUpSizes(written);
      for (const HostCall &call : launch.hostCalls)
        if (!llvm::is_contained(kernel.hostCalls, call))
          kernel.hostCalls.push_back(call);
      KernelShape shape = shapeOf(launch, kernel);
      // Beside a block that is known, another one is most likely alike.
      if (block && mayHave(launch, *block))
        shape.shape = *block;
      auto &into =
          shape.source == ShapeSource::Assumed ? assumed : kernel.shapes;
      auto known = llvm::find_if(into, [&](const KernelShape &other) {
        return other.shape == shape.shape;
      });
      const bool isFirst = known == into.end();
      if (isFirst && possible(shape.shape))
        known = into.insert(known, shape);
      if (known == into.end())
        continue;
      addTile(launch, known->tile, isFirst);
      addGrid(launch, known->grids, isFirst);
      addLaunched(launch, known->launches);
      if (isFirst || !launch.sharedMemory)
        known->sharedMemory = launch.sharedMemory;
      else if (known->sharedMemory)
        known->sharedMemory =
            std::max(*known->sharedMemory, *launch.sharedMemory);
    }
    costliestFirst(kernel, kernel.shapes);
    settleWithoutLaunch(kernel, demanded, assumed, given);
    for (const Launch &launch : launches)
      if (launch.kernel == kernel.mangled)
        spreadSamePointers(launch, kernel.shapes);
  }
  settleOwnMemory(kernels, launches);
}

} // namespace warplint
