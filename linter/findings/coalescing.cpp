#include "findings/coalescing.h"
#include "cost/block_reuse.h"
#include "cost/index_steps.h"
#include "cost/iteration_needs.h"
#include "cost/kernel_time.h"
#include "cost/neighbours.h"
#include "cost/split_index.h"
#include "cost/tiles.h"
#include "cost/two_lanes.h"
#include "findings/element_advice.h"
#include "findings/joined_blocks.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {

namespace {

constexpr const char *dimensions[] = {"threadIdx.x", "threadIdx.y",
                                      "threadIdx.z"},
                     *ofBlocks[] = {"blockIdx.x", "blockIdx.y", "blockIdx.z"};

/// The next element, which may be a vector or a small structure: a sector holds
/// two of them or more.
constexpr int64_t largestStep = 16;

bool isNeighbour(std::optional<int64_t> step) {
  return step && *step != 0 && std::abs(*step) <= largestStep;
}

/// Returns true if the iterations of a loop hand on an array of the thread's
/// own, each element to the next iteration: `h[n] = d * h[n] + x` in a loop
/// over `n` inside it.
bool handsOnArray(const Kernel &kernel, LoopId loop) {
  const uint64_t bit = ExpressionGraph::loopBit(loop);
  return llvm::any_of(kernel.accesses, [&](const Access &store) {
    return store.operation == Operation::Store && store.space == Space::Local &&
           llvm::is_contained(store.loops, loop) &&
           store.loops.back() != loop &&
           !(kernel.graph.loopsOf()[store.address] & bit) &&
           addsToItself(kernel, store);
  });
}

/// What keeps lanes from sharing the iterations of `loop`.
Needs needsToShare(const CostedKernel &costed, const ShapeCosts &shape,
                   LoopId id) {
  if (costed.kernel.loops[id].hasChain)
    return Needs::Earlier;
  const Needs needs = needsOf(costed, shape, id);
  return needs == Needs::Nothing && handsOnArray(costed.kernel, id)
             ? Needs::Perhaps
             : needs;
}

/// Returns true for a loop through neighbouring elements, of which it takes
/// several.
bool stepsThroughRow(const CostedKernel &costed, const ShapeCosts &shape,
                     const IndexSteps::OfLoop &step) {
  return isNeighbour(step.bytes) && !costed.kernel.loops[step.loop].inLibrary &&
         timeOf(costed, shape).frequencies().trips(step.loop).count > 1;
}

/// The lanes that share a loop, and what does the work of a thread then: of
/// the warps that share four iterations, 28 lanes have nothing to do.
std::pair<std::string, std::string>
sharersOf(const CostedKernel &costed, const ShapeCosts &shape, LoopId loop) {
  const Trips trips = timeOf(costed, shape).frequencies().trips(loop);
  const uint64_t lanes = llvm::PowerOf2Ceil(uint64_t(std::ceil(trips.count)));
  if (trips.isAssumed || lanes >= warpSize)
    return {"the lanes of a warp", "a warp"};
  return {llvm::formatv("groups of {0} lanes", lanes), "a group"};
}

/// The index in which neighbouring lanes differ: 1, threadIdx.y, in the blocks
/// of 1x256x1 that Kokkos launches.
unsigned laneDimension(const ShapeCosts &shape) {
  const Shape &block = shape.shape.shape;
  return block.x > 1 ? 0 : block.y > 1 ? 1 : block.z > 1 ? 2 : 0;
}

/// The index behind that of the lanes that steps through neighbouring elements.
std::optional<unsigned> neighbourDimension(const IndexSteps &steps,
                                           const ShapeCosts &shape) {
  for (unsigned i = laneDimension(shape) + 1; i < 3; ++i)
    if (isNeighbour(steps.thread[i]))
      return i;
  return std::nullopt;
}

/// An access that is coalesced as it is and would not be if threadIdx.x and the
/// index of `dimension` changed places; null if there is none.
const Access *brokenBySwap(const CostedKernel &costed, const ShapeCosts &shape,
                           unsigned dimension) {
  const Kernel &kernel = costed.kernel;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Cost &cost = shape.costs[i];
    if (cost.space != Space::Global || cost.basis == Basis::Unknown ||
        cost.excess() >= 2)
      continue;
    const IndexSteps &steps = indexSteps(costed, shape, i);
    const std::optional<int64_t> other = steps.thread[dimension];
    // An unknown step is the length of a row.
    if (isNeighbour(steps.thread[laneDimension(shape)]) &&
        (!other || (*other && !isNeighbour(other))))
      return &kernel.accesses[i];
  }
  return nullptr;
}

} // namespace

std::vector<unsigned> alsoCuredBySwap(const CostedKernel &costed,
                                      const ShapeCosts &shape,
                                      unsigned access) {
  const Kernel &kernel = costed.kernel;
  auto dimensionOf = [&](unsigned i) {
    return neighbourDimension(indexSteps(costed, shape, i), shape);
  };
  const std::optional<unsigned> swapped = dimensionOf(access);
  std::vector<unsigned> cured;
  if (!swapped || brokenBySwap(costed, shape, *swapped))
    return cured;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Cost &cost = shape.costs[i];
    if (cost.space == Space::Global && cost.basis != Basis::Unknown &&
        cost.excess() >= 2 && !wastes(kernel, shape, i) &&
        dimensionOf(i) == swapped)
      cured.push_back(i);
  }
  return cured;
}

/// Returns true if neighbouring lanes differ in the row alone. Probe values
/// make rows of an unknown length whole sectors; lanes on a diagonal are an
/// element more or less apart, and transposed they are that still.
static bool areRowsApart(const Cost &cost) {
  const auto [first, second] = neighbouringLanes(cost);
  return (cost.addresses[second] - cost.addresses[first]) % sectorBytes == 0;
}

/// The access that a statement has beside this one, `out[column] = in[row]`, if
/// lanes step through its neighbouring elements or loaded indexes say where,
/// and blocks of `dimension` step further: with lanes and blocks exchanged,
/// that one is strided. Null if none is.
static const Access *brokenByBlocks(const CostedKernel &costed,
                                    const ShapeCosts &shape, unsigned index,
                                    unsigned dimension) {
  const std::vector<Access> &all = costed.kernel.accesses;
  for (unsigned i = 0; i < all.size(); ++i) {
    const bool isBeside = llvm::is_contained(all[i].storedLoads, index) ||
                          llvm::is_contained(all[index].storedLoads, i);
    if (!isBeside || all[i].loops != all[index].loops ||
        shape.costs[i].space != Space::Global)
      continue;
    const IndexSteps &steps = indexSteps(costed, shape, i);
    const auto ofLanes = steps.thread[laneDimension(shape)];
    const Cost &cost = shape.costs[i];
    const bool isStrided = cost.basis != Basis::Unknown && cost.excess() >= 2;
    if ((isNeighbour(ofLanes) || (!ofLanes && !isStrided)) &&
        !isNeighbour(steps.block[dimension]))
      return &all[i];
  }
  return nullptr;
}

/// A block with a warp in x, and of the others' extents what leaves the most of
/// its threads. More of them may leave registers of an SM unused, and wait
/// together at barriers (H200: a stencil's blocks of 8x8x8 made 16x8x8
/// took 1.23 times as long; another's took 0.92 times as long, and 0.75 as
/// 32x4x4).
static Shape widerBlock(const Shape &block) {
  const uint64_t rows = std::max<uint64_t>(1, block.threads() / warpSize);
  Shape wider{warpSize};
  auto size = [](const Shape &shape) {
    return std::pair(uint64_t(shape.y) * shape.z, -int64_t(shape.y + shape.z));
  };
  for (unsigned z = 1; z <= std::min<uint64_t>(block.z, rows); ++z)
    if (const Shape other{warpSize,
                          unsigned(std::min<uint64_t>(block.y, rows / z)), z};
        size(other) > size(wider))
      wider = other;
  return wider;
}

/// The remedy where threadIdx.x steps through neighbouring elements, and the
/// block has few threads in x: the lanes of a warp are in several rows.
static std::string widerBlockAdvice(const Shape &block,
                                    const std::string &name) {
  const Shape wider = widerBlock(block);
  auto inWords = [&](const Shape &shape) {
    std::string text = llvm::formatv("{0}x{1}", shape.x, shape.y);
    return block.z > 1 ? text + "x" + std::to_string(shape.z) : text;
  };
  return llvm::formatv(
      "make the block wider in x, such as {0} in place of {1}: threadIdx.x "
      "steps through neighbouring elements in '{2}', and has {3} values",
      inWords(wider), inWords(block), name, block.x);
}

/// Returns true if several indexes of the kernel move an access, and each by
/// more than an element that other arrays might hold the parts of.
static bool isFace(const IndexSteps &steps, const ShapeCosts &shape,
                   unsigned index) {
  const Shape &block = shape.shape.shape;
  const unsigned extents[] = {block.x, block.y, block.z};
  std::vector<std::optional<int64_t>> all;
  for (unsigned i = 0; i < 3; ++i)
    if (extents[i] > 1)
      all.push_back(steps.thread[i]);
  for (const IndexSteps::OfLoop &step : steps.loops)
    all.push_back(step.bytes);
  // Blocks step as their threads do.
  llvm::erase(all, std::optional<int64_t>(0));
  auto isFar = [](std::optional<int64_t> step) {
    return !step || std::abs(*step) > largestElement;
  };
  // Where the step is not known, the lanes are as far apart as large sizes say.
  const Cost &cost = shape.costs[index];
  for (unsigned lane = 1; lane < warpSize; ++lane)
    if (cost.active >> lane & 1 && cost.active >> (lane - 1) & 1 &&
        !isFar(int64_t(cost.addresses[lane] - cost.addresses[lane - 1])))
      return false;
  return all.size() > 1 && llvm::all_of(all, isFar);
}

/// The cause of an access whose loop the lanes of a warp can share: where no
/// iteration needs another, the warp takes the loops beside it in one change.
static std::string unsharedLoops(const Kernel &kernel, const Loop &loop,
                                 Needs needs, const Place &seenFrom) {
  if (needs != Needs::Nothing)
    return "the loop" + atLine(loop.place, seenFrom);
  if (!loop.parent)
    return "the loops of a thread";
  return "the loops in the loop" +
         atLine(kernel.loops[*loop.parent].place, seenFrom);
}

/// The loop that the compiler makes of an array in the copy of an object, which
/// no lanes can share.
static bool isOfCopy(const Loop &loop, const Access &access) {
  return loop.place == access.place ||
         llvm::is_contained(access.callSites, loop.place);
}

static std::string nameOf(const Access &access) {
  return access.text.empty() ? access.object : access.text;
}

static std::string objectOf(const Access &access) {
  return access.object.empty() ? access.text : access.object;
}

/// The remedy where a tensor core's instruction fixes the lanes.
static CoalescingCure fragmentCure(const Access &access,
                                   const std::string &array) {
  return {
      llvm::formatv(
          access.operation == Operation::Load
              ? "load tiles of '{0}' into shared memory with neighbouring "
                "lanes along a row, and the fragments from there, as by "
                "'ldmatrix': the tensor core's instruction fixes which "
                "lane has which elements"
              : "collect tiles of '{0}' in shared memory, and store rows of "
                "them; or exchange elements between neighbouring lanes by "
                "shuffles, so that each stores more of a row at once: the "
                "tensor core's instruction fixes which lane has which "
                "elements",
          array),
      "the fragments of '" + array + "'"};
}

/// The remedy where threadIdx.`other` steps through neighbouring elements.
static CoalescingCure swapCure(const CostedKernel &costed,
                               const ShapeCosts &shape, unsigned index,
                               unsigned other) {
  const Access &access = costed.kernel.accesses[index];
  const unsigned lanes = laneDimension(shape);
  // The library computes the indexes of what it dispatches.
  if (costed.kernel.isDispatched)
    return {llvm::formatv("swap indexes of the function that is dispatched, or "
                          "name the other Kokkos::Iterate in the policy: "
                          "neighbouring lanes differ in another index than the "
                          "one that steps through neighbouring elements in "
                          "'{0}'",
                          nameOf(access)),
            "the order of the dispatched indexes"};
  if (const Access *broken = brokenBySwap(costed, shape, other))
    return {llvm::formatv(
        access.operation == Operation::Load
            ? "copy a tile of '{0}' into shared memory with lanes along the "
              "index that {1} has now, and read the tile by {3}: '{2}' needs "
              "{3} where it is"
            : "fill a tile of shared memory by {3}, and copy it to '{0}' with "
              "lanes along the index that {1} has now: '{2}' needs {3} where "
              "it "
              "is",
        objectOf(access), dimensions[other], nameOf(*broken),
        dimensions[lanes])};
  return {llvm::formatv("swap {2} and {0} in '{1}', and the extents of the "
                        "block: {0} steps through neighbouring elements, and "
                        "lanes differ in {2}",
                        dimensions[other], nameOf(access), dimensions[lanes]),
          std::string("the order of ") + dimensions[lanes] + " and " +
              dimensions[other]};
}

/// The remedy where a loop steps through neighbouring elements; none if its
/// `fix` is empty. The innermost loop executes most often.
static CoalescingCure loopCure(const CostedKernel &costed,
                               const ShapeCosts &shape, unsigned index) {
  const Kernel &kernel = costed.kernel;
  const Access &access = kernel.accesses[index];
  const std::string object = objectOf(access);
  for (const IndexSteps::OfLoop &step :
       llvm::reverse(indexSteps(costed, shape, index).loops)) {
    const Loop &loop = kernel.loops[step.loop];
    if (!stepsThroughRow(costed, shape, step) || isOfCopy(loop, access))
      continue;
    const Needs needs = needsToShare(costed, shape, step.loop);
    if (needs == Needs::Earlier)
      return {llvm::formatv("keep '{0}' transposed: the loop at line {1} steps "
                            "through its neighbouring elements, and each "
                            "iteration needs the one before, so lanes cannot "
                            "share it",
                            object, loop.place.line),
              "rows along the loop" + atLine(loop.place, access.place)};
    const bool mayNeed = needs == Needs::Perhaps;
    const std::string instead =
        mayNeed ? "keep '" + object + "' transposed"
        : access.operation == Operation::Load
            ? "load tiles of '" + object + "' into shared memory in that order"
            : "collect tiles of '" + object +
                  "' in shared memory, and write them so";
    const auto [sharers, share] = sharersOf(costed, shape, step.loop);
    return {
        llvm::formatv(
            "{2}let {4} share the iterations of the loop at line {0}, which "
            "steps through neighbouring elements of '{1}': {5} does what one "
            "thread does now; or {3}",
            loop.place.line, object,
            mayNeed ? "if none of them needs what another stores, " : "",
            instead, sharers, share),
        unsharedLoops(kernel, loop, needs, access.place)};
  }
  return {};
}

/// The remedy where blocks step through neighbouring elements; none if its
/// `fix` is empty.
static CoalescingCure blocksCure(const CostedKernel &costed,
                                 const ShapeCosts &shape, unsigned index) {
  const IndexSteps &steps = indexSteps(costed, shape, index);
  const auto block = llvm::find_if(steps.block, isNeighbour);
  if (block == steps.block.end() || costed.kernel.isDispatched)
    return {};
  const std::string name = nameOf(costed.kernel.accesses[index]);
  const unsigned dimension = block - steps.block.begin();
  if (const Access *beside = brokenByBlocks(costed, shape, index, dimension))
    return {llvm::formatv(
                "let a block take several values of {0}, which steps through "
                "neighbouring elements in '{1}', and move tiles through "
                "shared memory: '{2}' needs the lanes as they are",
                ofBlocks[dimension], name, nameOf(*beside)),
            "what lanes and blocks take"};
  return {llvm::formatv("let neighbouring lanes take what neighbouring "
                        "blocks take now: {0} steps through neighbouring "
                        "elements in '{1}', and lanes differ in {2}{3}",
                        ofBlocks[dimension], name,
                        dimensions[laneDimension(shape)],
                        whereJoined(costed, shape, **block)),
          "what lanes and blocks take"};
}

CoalescingCure coalescingCure(const CostedKernel &costed,
                              const ShapeCosts &shape, unsigned index) {
  const Kernel &kernel = costed.kernel;
  const Access &access = kernel.accesses[index];
  const IndexSteps &steps = indexSteps(costed, shape, index);
  const Shape &block = shape.shape.shape;
  if (access.ofFragment)
    return fragmentCure(access, objectOf(access));
  if (steps.thread[0] && std::abs(*steps.thread[0]) == int64_t(access.bytes) &&
      block.x < warpSize && block.threads() > block.x)
    return {widerBlockAdvice(block, nameOf(access)), "the width of the block"};
  const unsigned lanes = laneDimension(shape);
  if (const auto other = neighbourDimension(steps, shape))
    return swapCure(costed, shape, index, *other);
  if (CoalescingCure cure = loopCure(costed, shape, index); !cure.fix.empty())
    return cure;
  if (CoalescingCure cure = blocksCure(costed, shape, index); !cure.fix.empty())
    return cure;
  const bool isSplit =
      !kernel.isDispatched && hasSplitIndex(kernel.graph, access.address);
  // Where other threads take the rest of what looks like a structure, the
  // quotient or remainder says which of them.
  const bool isOfOthers = isSplit && !isMember(access) &&
                          !isWholeElement(kernel, shape, index) &&
                          isFilledByBlock(kernel, shape.shape.shape, access);
  const int64_t step = std::abs(steps.thread[lanes].value_or(0));
  if (step && !isOfOthers)
    if (std::string fix = elementAdvice(kernel, shape, index, step);
        !fix.empty())
      return {fix};
  if (isSplit && (!step || !leadsBack(kernel.graph, access.address, step)))
    return {llvm::formatv(
        "let neighbouring lanes differ in the quotient or remainder that steps "
        "through neighbouring elements of '{0}'; where another array needs the "
        "lanes as they are, as in a transposition, move tiles through shared "
        "memory",
        objectOf(access))};
  // Rows of a length that only the run knows, of which a thread takes one.
  const Waste group = waste(kernel, shape, index);
  const Cost &cost = shape.costs[index];
  if (!steps.thread[lanes] && group.idealSectors > cost.idealSectors &&
      areRowsApart(cost) && group.sectors < cost.sectors * group.group.size())
    return {
        llvm::formatv("keep '{0}' transposed: a thread touches neighbouring "
                      "elements, and neighbouring lanes are a row apart",
                      objectOf(access))};
  return {"", "", isFace(steps, shape, index)};
}

double sectorsOfRows(const CostedKernel &costed, const ShapeCosts &shape,
                     unsigned index) {
  Frequencies &frequencies = timeOf(costed, shape).frequencies();
  double row = 0;
  for (const IndexSteps::OfLoop &step :
       llvm::reverse(indexSteps(costed, shape, index).loops)) {
    if (!step.bytes || !*step.bytes)
      continue;
    const double bytes = std::abs(double(*step.bytes));
    if (row && bytes != row)
      break; // other rows
    row = bytes * frequencies.trips(step.loop).count;
  }
  const Cost &cost = shape.costs[index];
  if (!row || cost.basis == Basis::Unknown)
    return 1;
  const auto [first, second] = neighbouringLanes(cost);
  const double pitch =
      std::abs(double(int64_t(cost.addresses[second] - cost.addresses[first])));
  return std::max(
      1.0, std::min(pitch, std::ceil(row / sectorBytes) * sectorBytes) / row);
}

std::optional<LoopId> loopToShare(const CostedKernel &costed,
                                  const ShapeCosts &shape, unsigned index) {
  const IndexSteps &steps = indexSteps(costed, shape, index);
  if (neighbourDimension(steps, shape) ||
      costed.kernel.accesses[index].ofFragment)
    return std::nullopt;
  const Kernel &kernel = costed.kernel;
  for (const IndexSteps::OfLoop &step : llvm::reverse(steps.loops))
    if (stepsThroughRow(costed, shape, step) &&
        !isOfCopy(kernel.loops[step.loop], kernel.accesses[index]))
      return needsToShare(costed, shape, step.loop) == Needs::Nothing
                 ? std::optional(step.loop)
                 : std::nullopt;
  return std::nullopt;
}

} // namespace warplint
