#include "cost/block_reuse.h"
#include "cost/busiest_shape.h"
#include "cost/iteration_needs.h"
#include "cost/same_address.h"
#include "cost/tiles.h"
#include "findings/check.h"
#include "findings/in_ptx.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "fine-grained-tile",
    .summary =
        "every block loads the same tiles into shared memory, and each of "
        "its threads computes one element with them",
    .why = R"(
A tile in shared memory serves one block. In a product of matrices, all blocks of
one row of blocks load the same tiles of the left matrix, one after the other, since
the GPU does not hold them all at once. And each thread reads two numbers from
shared memory for one multiply-add. A thread that computes several elements reads a
number once for all of them and keeps it in a register, and the block loads the tile
once where several blocks did: thread coarsening.)",
    .slow = R"(
__global__ void product(const float *a, const float *b, float *c, int n) {
  __shared__ float rows[16][16], columns[16][16];
  int column = blockIdx.x * 16 + threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    rows[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    columns[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += rows[threadIdx.y][j] * columns[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

void run(const float *a, const float *b, float *c, int n) {
  product<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
}
)",
    .fast = R"(
__global__ void product(const float *a, const float *b, float *c, int n) {
  __shared__ float rows[16][16], columns[16][64];
  int column = blockIdx.x * 64 + threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  float sum[4] = {};
  for (int k = 0; k < n; k += 16) {
    rows[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    for (int i = 0; i < 4; ++i)
      columns[threadIdx.y][threadIdx.x + 16 * i] =
          b[(k + threadIdx.y) * n + column + 16 * i];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      for (int i = 0; i < 4; ++i)
        sum[i] += rows[threadIdx.y][j] * columns[j][threadIdx.x + 16 * i];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    c[row * n + column + 16 * i] = sum[i];
}

void run(const float *a, const float *b, float *c, int n) {
  product<<<dim3(n / 64, n / 16), dim3(16, 16)>>>(a, b, c, n);
}
)",
    .cures = R"(
- Several elements for each thread, a block's width apart, each with its own
  accumulator: 2 to 8 of them, in a loop of constant length that the compiler
  unrolls. The grid shrinks by as much.
- In both directions: 4 by 4 elements for each thread read 8 numbers from shared
  memory for 16 multiply-adds.
- A product of matrices: cuBLAS, or CUTLASS.)",
    .whenNot = R"(
The grid is small: fewer threads then leave the GPU idle; at most two blocks for each
SM are not reported. Or registers already limit how many blocks an SM holds. Tiles of which
all lanes of a warp read the same element at a time are not reported where a root, a
division or a function of each element takes the time, as with the bodies of a
simulation, or where the loop loads something else.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu =
        "Memory Workload Analysis: shared memory near its peak, and L2 hit "
        "rate high; Warp State Statistics: stalls on MIO throttle and barrier",
};

/// The elements that a thread leaves in global memory: one place for each
/// object, outside loops. What lies in one sector, such as the members of a
/// structure, is one element.
bool leavesOneElement(const Kernel &kernel, const ShapeCosts &shape) {
  std::map<uint64_t, uint64_t> places; // by object, of the first lane
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &write = kernel.accesses[i];
    const Cost &cost = shape.costs[i];
    if (write.operation == Operation::Load || cost.space != Space::Global)
      continue;
    if (!write.loops.empty() || !cost.active)
      return false;
    const uint64_t address = cost.addresses[llvm::countr_zero(cost.active)];
    auto [place, isNew] = places.try_emplace(rangeOf(address), address);
    const uint64_t apart =
        std::max(address, place->second) - std::min(address, place->second);
    if (!isNew && apart >= sectorBytes)
      return false;
  }
  return !places.empty();
}

/// Returns true if blocks along `dimension` write different elements.
bool isGridAlong(const Kernel &kernel, const ShapeCosts &shape,
                 unsigned dimension) {
  for (const Launched &launch : shape.shape.launches)
    if (launch.grid[dimension] && *launch.grid[dimension] <= 1)
      return false;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i)
    if (kernel.accesses[i].operation == Operation::Store &&
        shape.costs[i].space == Space::Global &&
        !isSameForBlocks(kernel, shape.shape.shape, kernel.accesses[i],
                         dimension))
      return true;
  return false;
}

/// Returns true if all lanes of a warp read the same element of a tile at a
/// time, in the whole loop.
bool isBroadcast(const Kernel &kernel, const ShapeCosts &shape, LoopId loop) {
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &read = kernel.accesses[i];
    const Cost &cost = shape.costs[i];
    if (read.operation == Operation::Load && cost.space == Space::Shared &&
        llvm::is_contained(read.loops, loop) &&
        (cost.basis == Basis::Unknown ||
         distinctAddresses(cost.addresses, cost.active) > 1))
      return false;
  }
  return true;
}

/// Returns true if a loop loads more from global memory than it fills tiles
/// with.
bool loadsMore(const Kernel &kernel, const ShapeCosts &shape,
               llvm::ArrayRef<TileFill> fills, LoopId loop) {
  for (unsigned i = 0; i < kernel.accesses.size(); ++i)
    if (kernel.accesses[i].operation == Operation::Load &&
        shape.costs[i].space == Space::Global &&
        llvm::is_contained(kernel.accesses[i].loops, loop) &&
        llvm::none_of(fills,
                      [&](const TileFill &fill) { return fill.load == i; }))
      return true;
  return false;
}

/// Returns true if a thread adds to several elements of an array of its own in
/// each iteration: what it reads from a tile serves several results already.
bool hasOwnTile(const Kernel &kernel, const ShapeCosts &shape, LoopId loop) {
  return llvm::any_of(kernel.accesses, [&](const Access &store) {
    if (store.operation != Operation::Store || store.space != Space::Local ||
        !llvm::is_contained(store.loops, loop) || store.loops.back() == loop ||
        !kernel.loops[store.loops.back()].tripCount)
      return false;
    return addsToItself(kernel, store) &&
           !sameAddressNextIteration(kernel, shape.shape.shape, store,
                                     store.loops.back())
                .value_or(true);
  });
}

/// A tile that blocks share, in one tiled loop.
struct Shared {
  TileFill fill;
  LoopId loop;
  unsigned dimension; ///< along which blocks load the same
};

/// Returns true if SMs get two blocks at most: with fewer blocks, each of which
/// does more, some get none.
bool isSmallGrid(const KernelShape &shape) {
  return !shape.grids.empty() &&
         shape.grids.back() <=
             2 * uint64_t(throughputOf(usualCapability).multiprocessors);
}

/// The launch that fills tiles most often.
const ShapeCosts &launchOf(const CostedKernel &costed,
                           llvm::ArrayRef<TileFill> fills) {
  return fills.empty()
             ? costed.shapes.front()
             : busiestShape(costed, costed.kernel.accesses[fills.front().load]);
}

std::vector<Shared> sharedTiles(const CostedKernel &costed,
                                llvm::ArrayRef<TileFill> fills,
                                const ShapeCosts &shape) {
  const Kernel &kernel = costed.kernel;
  std::vector<Shared> found;
  if (isSmallGrid(shape.shape))
    return found;
  for (const TileFill &fill : fills) {
    const Access &load = kernel.accesses[fill.load];
    const auto loop = tiledLoop(kernel, fill);
    if (!loop || load.inLibrary ||
        shape.costs[fill.load].space != Space::Global ||
        shape.costs[fill.load].basis == Basis::Unknown)
      continue;
    const auto same =
        sameAddressNextIteration(kernel, shape.shape.shape, load, *loop);
    if (!same || *same)
      continue;
    for (unsigned dimension : {0u, 1u, 2u})
      if (isSameForBlocks(kernel, shape.shape.shape, load, dimension) &&
          isGridAlong(kernel, shape, dimension)) {
        found.push_back({fill, *loop, dimension});
        break;
      }
  }
  if (!found.empty() && !leavesOneElement(kernel, shape))
    found.clear();
  // One vector load then serves many operations: more elements for each thread
  // gained 1.00x with the root of forces on bodies (H200), 1.14x and 1.31x with
  // sums of a few products (H100).
  llvm::erase_if(found, [&](const Shared &tile) {
    return hasOwnTile(kernel, shape, tile.loop) ||
           (isBroadcast(kernel, shape, tile.loop) &&
            (timeOf(costed, shape).ofLoop(tile.loop).special > 0 ||
             loadsMore(kernel, shape, fills, tile.loop)));
  });
  return found;
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  const std::vector<TileFill> fills = tileFills(kernel);
  const ShapeCosts &shape = launchOf(costed, fills);
  const std::vector<Shared> tiles = sharedTiles(costed, fills, shape);
  std::vector<LoopId> seen;
  for (const Shared &tile : tiles) {
    if (llvm::is_contained(seen, tile.loop))
      continue;
    seen.push_back(tile.loop);
    const Access &load = kernel.accesses[tile.fill.load];
    const std::string &name = kernel.accesses[tile.fill.store].object;
    Finding &finding = findings.add(
        load,
        llvm::formatv("all blocks along {0} load the same '{1}' into the tile "
                      "'{2}', for one element of each thread",
                      llvm::StringRef("xyz").substr(tile.dimension, 1),
                      shown(load), name),
        tile.fill.load);
    // A second element of each thread halves the loads of the shared tiles.
    const KernelTime &time = timeOf(costed, shape);
    Demand saved;
    std::vector<unsigned> loads;
    for (const Shared &other : tiles)
      if (other.loop == tile.loop) {
        saved += time.of(other.fill.load);
        saved += time.of(other.fill.store);
        loads.push_back(other.fill.load);
      }
    for (unsigned i = 0; i < kernel.accesses.size(); ++i)
      if (kernel.accesses[i].operation == Operation::Load &&
          areInOneObject(kernel.graph, kernel.accesses[i].address,
                         kernel.accesses[tile.fill.store].address))
        saved += time.of(i);
    setShare(finding, costed, shape, saved * 0.5);
    finding.weight = loads.size();
    finding.fix = llvm::formatv("let each thread compute several elements, a "
                                "block's width apart, with each tile of '{0}'",
                                load.object);
    if (std::string note = othersNote(kernel, loads); !note.empty())
      finding.notes.push_back(note);
    finding.notes.push_back(shapeNote(shape.shape, finding.place));
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  return judgeInPtx(
      subject, view, Space::Global, [&](const PtxMatch &match) -> Judgement {
        const Kernel &ptx = view.ptx->kernel;
        const Access &load = ptx.accesses[match.access];
        const bool isTiled = llvm::any_of(load.loops, [&](LoopId loop) {
          return ptx.loops[loop].hasBarrier;
        });
        if (isTiled)
          return {Verdict::Confirmed,
                  inWords(match, view) + " is in a loop with a barrier"};
        return {Verdict::Refuted,
                inWords(match, view) + " is in no loop with a barrier"};
      });
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
