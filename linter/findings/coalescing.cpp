#include "findings/coalescing.h"
#include "base/listed.h"
#include "cost/block_reuse.h"
#include "cost/index_steps.h"
#include "cost/iteration_needs.h"
#include "cost/kernel_time.h"
#include "cost/neighbours.h"
#include "cost/split_index.h"
#include "cost/terms.h"
#include "cost/tiles.h"
#include "cost/two_lanes.h"
#include "findings/joined_blocks.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

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

/// Bytes of the structures or rows that lanes step over, if that is why they
/// are apart.
constexpr int64_t largestElement = 256;

/// Returns true if the accesses of each thread together use all that they
/// touch: `out[4 * i]` to `out[4 * i + 3]`.
bool isWholeElement(const Kernel &kernel, const ShapeCosts &shape,
                    unsigned access) {
  const Waste group = waste(kernel, shape, access);
  return group.sectors > 0 && group.sectors == group.idealSectors;
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

/// Returns true for a text that is too long to be whole: what it ends with is
/// unknown.
bool isCut(const Access &access) {
  return llvm::StringRef(access.text).ends_with("...");
}

/// Returns true for a member of a structure: `p[i].x`, `p->x`. A member in an
/// index, `view(range.first + i)`, is none.
bool isMember(const Access &access) {
  const llvm::StringRef text = access.text;
  if (isCut(access))
    return false;
  const size_t element = text.find_last_of("])");
  const llvm::StringRef end =
      element == llvm::StringRef::npos ? text : text.drop_front(element + 1);
  return end.contains('.') || end.contains("->");
}

/// Of a member, what stands behind its element: `pos.x` of `p[i].pos.x`.
llvm::StringRef memberPath(llvm::StringRef text) {
  const size_t element = text.find_last_of("])");
  if (element != llvm::StringRef::npos)
    text = text.drop_front(element + 1);
  const size_t from = text.find_first_of(".>");
  return text.drop_front(from + 1);
}

/// Returns true if each active lane is `step` bytes from the one before it in
/// its row of the block. The lanes of a permutation step over no elements.
bool isStepOfAll(const ShapeCosts &shape, unsigned index, int64_t step) {
  const Cost &cost = shape.costs[index];
  for (unsigned lane = 1; lane < warpSize; ++lane)
    if (lane % shape.shape.shape.x && cost.active >> lane & 1 &&
        cost.active >> (lane - 1) & 1 &&
        std::abs(int64_t(cost.addresses[lane] - cost.addresses[lane - 1])) !=
            step)
      return false;
  return true;
}

/// The name of the array that an access is to an element of: where the access
/// is to a member, what 'r.count' has in front of 'count' may be one element.
std::string arrayOf(const Kernel &kernel, const Access &access) {
  const std::string array =
      isMember(access) || isCut(access) ? variableOf(kernel, access) : "";
  return array.empty() ? access.object : array;
}

/// The members of the elements of an access's array that the kernel accesses,
/// in their order in the source.
std::vector<std::string> membersUsed(const Kernel &kernel,
                                     const Access &access) {
  const std::string array = arrayOf(kernel, access);
  std::vector<std::string> members;
  for (const Access &other : kernel.accesses) {
    if (other.space != access.space || !isMember(other) ||
        arrayOf(kernel, other) != array)
      continue;
    const std::string member = memberPath(other.text).str();
    if (!llvm::is_contained(members, member))
      members.push_back(member);
  }
  return members;
}

/// "keep 'x' and 'id' of all elements of 'p' side by side, ...".
std::string memberAdvice(const Kernel &kernel, const Access &access) {
  constexpr size_t fewMembers = 6;
  std::vector<std::string> members = membersUsed(kernel, access);
  const size_t more =
      members.size() > fewMembers ? members.size() - fewMembers + 1 : 0;
  members.resize(members.size() - more);
  for (std::string &member : members)
    member = "'" + member + "'";
  return "keep " + listed(members, more) + " of all elements of '" +
         arrayOf(kernel, access) + "' side by side, " +
         (members.size() > 1 ? "each " : "") + "in an array of its own";
}

/// Returns true if a mask or a remainder leads lanes back: `a[i * 7 & 4095]`
/// has no elements of 7 parts, and lanes use all of it in turn.
bool leadsBack(const ExpressionGraph &graph, ValueId address, int64_t step) {
  Terms terms;
  addTerms(graph, address, 1, terms);
  return llvm::any_of(terms, [&](const auto &term) {
    const Op op = graph.node(withoutResizing(graph, term.first)).op;
    return term.second % step &&
           (op == Op::And || op == Op::Xor || op == Op::RemainderSigned ||
            op == Op::RemainderUnsigned) &&
           dependsOn(graph, term.first, {Op::ThreadIndex, Op::Lane});
  });
}

/// Returns true for a component of a vector that is meant as one: alone it is
/// written as the flag that comes with the data, `line.w`, and where the kernel
/// moves the whole vector as well, other arrays would make four requests of
/// one.
bool isOfWholeVector(const Kernel &kernel, const Access &access, int64_t step) {
  const llvm::StringRef text = access.text;
  constexpr int64_t vectors[] = {8, 16};
  if (!isMember(access) || !llvm::is_contained(vectors, step) ||
      text.size() < 2 || !llvm::StringRef("xyzw").contains(text.back()) ||
      (text[text.size() - 2] != '.' && text[text.size() - 2] != '>'))
    return false;
  return llvm::none_of(kernel.accesses,
                       [&](const Access &other) {
                         return other.object == access.object &&
                                other.bytes == access.bytes &&
                                isMember(other) &&
                                other.text.back() != text.back();
                       }) &&
         (access.operation == Operation::Store ||
          llvm::any_of(kernel.accesses, [&](const Access &other) {
            return other.object == access.object && other.bytes == step;
          }));
}

std::string elementAdvice(const Kernel &kernel, const ShapeCosts &shape,
                          unsigned index, int64_t step) {
  const Access &access = kernel.accesses[index];
  const std::string object = arrayOf(kernel, access);
  // What threads or devices tell each other by lies as both expect it.
  if (access.isVolatile || isOfWholeVector(kernel, access, step))
    return {};
  // A call that returns what inline assembly loads is no array.
  if (object.empty() || llvm::StringRef(object).contains('(') ||
      step % access.bytes || step <= int64_t(access.bytes) ||
      step > largestElement)
    return {};
  const bool isWhole = isWholeElement(kernel, shape, index);
  if (!isWhole && (!isStepOfAll(shape, index, step) ||
                   leadsBack(kernel.graph, access.address, step)))
    return {};
  // Nobody makes that many arrays.
  constexpr int64_t fewArrays = 16;
  const std::string arrays =
      step / access.bytes > fewArrays
          ? ""
          : llvm::formatv("'{0}' as {1} arrays, one for each of the {1} "
                          "parts of an element of {2} bytes",
                          object, step / access.bytes, step)
                .str();
  constexpr int64_t widestAccess = 16;
  if (isWhole && step <= widestAccess && llvm::isPowerOf2_64(step))
    return llvm::formatv("let each thread {0} its {1} neighbouring elements of "
                         "'{2}' at once, as a vector of {3} bytes",
                         access.operation == Operation::Load ? "load" : "store",
                         step / access.bytes, object, step);
  // Then the array may well be one of single elements, in their order.
  if (isWhole)
    return llvm::formatv("let neighbouring lanes {0} neighbouring elements of "
                         "'{1}', and exchange them through shared memory or by "
                         "shuffles{2}{3}",
                         access.operation == Operation::Load ? "load" : "store",
                         object, arrays.empty() ? "" : "; or keep ", arrays);
  if (isMember(access))
    return memberAdvice(kernel, access);
  return arrays.empty()
             ? ""
             : "keep what neighbouring lanes touch side by side: " + arrays;
}

/// Returns true for a loop through neighbouring elements, of which it takes
/// several.
bool stepsThroughRow(const CostedKernel &costed, const ShapeCosts &shape,
                     const IndexSteps::OfLoop &step) {
  return isNeighbour(step.bytes) && !costed.kernel.loops[step.loop].inLibrary &&
         timeOf(costed, shape).frequencies().trips(step.loop).count > 1;
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
/// together at barriers (H200: a stencil's blocks of 8x8x8 made 16x8x8 took 1.23
/// times as long; another's took 0.92 times as long, and 0.75 as 32x4x4).
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

/// The remedy where a tensor core's instruction fixes the lanes.
static CoalescingCure fragmentCure(const Access &access,
                                   const std::string &array) {
  return {llvm::formatv(
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

CoalescingCure coalescingCure(const CostedKernel &costed,
                              const ShapeCosts &shape, unsigned index) {
  const Kernel &kernel = costed.kernel;
  const Access &access = kernel.accesses[index];
  const IndexSteps &steps = indexSteps(costed, shape, index);
  const std::string name = access.text.empty() ? access.object : access.text;
  const Shape &block = shape.shape.shape;
  if (access.ofFragment)
    return fragmentCure(access, access.object.empty() ? name : access.object);
  if (steps.thread[0] && std::abs(*steps.thread[0]) == int64_t(access.bytes) &&
      block.x < warpSize && block.threads() > block.x)
    return {widerBlockAdvice(block, name), "the width of the block"};
  const unsigned lanes = laneDimension(shape);
  const std::optional<unsigned> other = neighbourDimension(steps, shape);
  // The library computes the indexes of what it dispatches.
  if (other && kernel.isDispatched)
    return {llvm::formatv("swap indexes of the function that is dispatched, or "
                          "name the other Kokkos::Iterate in the policy: "
                          "neighbouring lanes differ in another index than the "
                          "one that steps through neighbouring elements in "
                          "'{0}'",
                          name),
            "the order of the dispatched indexes"};
  const Access *broken = other ? brokenBySwap(costed, shape, *other) : nullptr;
  if (broken) {
    const std::string &needs =
        broken->text.empty() ? broken->object : broken->text;
    return {llvm::formatv(
        access.operation == Operation::Load
            ? "copy a tile of '{0}' into shared memory with lanes along the "
              "index that {1} has now, and read the tile by {3}: '{2}' needs "
              "{3} where it is"
            : "fill a tile of shared memory by {3}, and copy it to '{0}' with "
              "lanes along the index that {1} has now: '{2}' needs {3} where it "
              "is",
        access.object.empty() ? name : access.object, dimensions[*other],
        needs, dimensions[lanes])};
  }
  if (other)
    return {llvm::formatv("swap {2} and {0} in '{1}', and the extents of the "
                          "block: {0} steps through neighbouring elements, and "
                          "lanes differ in {2}",
                          dimensions[*other], name, dimensions[lanes]),
            std::string("the order of ") + dimensions[lanes] + " and " +
                dimensions[*other]};
  // The innermost loop executes most often.
  for (const IndexSteps::OfLoop &step : llvm::reverse(steps.loops)) {
    const Loop &loop = kernel.loops[step.loop];
    if (!stepsThroughRow(costed, shape, step) || isOfCopy(loop, access))
      continue;
    const std::string object = access.object.empty() ? name : access.object;
    const Needs needs = needsToShare(costed, shape, step.loop);
    if (needs == Needs::Earlier)
      return {llvm::formatv(
          "keep '{0}' transposed: the loop at line {1} steps through its "
          "neighbouring elements, and each iteration needs the one before, so "
          "lanes cannot share it",
          object, loop.place.line),
              "rows along the loop" + atLine(loop.place, access.place)};
    return {llvm::formatv(
        "{2}let the lanes of a warp share the iterations of the loop at line "
        "{0}, which steps through neighbouring elements of '{1}': a warp does "
        "what one thread does now; or {3}",
        loop.place.line, object,
        needs == Needs::Perhaps ? "if none of them needs what another stores, "
                                : "",
        needs == Needs::Perhaps ? "keep '" + object + "' transposed"
        : access.operation == Operation::Load
            ? "load tiles of '" + object + "' into shared memory in that order"
            : "collect tiles of '" + object +
                  "' in shared memory, and write them so"),
            unsharedLoops(kernel, loop, needs, access.place)};
  }
  if (const auto block = llvm::find_if(steps.block, isNeighbour);
      block != steps.block.end() && !kernel.isDispatched) {
    const unsigned dimension = block - steps.block.begin();
    if (const Access *beside = brokenByBlocks(costed, shape, index, dimension))
      return {llvm::formatv(
                  "let a block take several values of {0}, which steps through "
                  "neighbouring elements in '{1}', and move tiles through "
                  "shared memory: '{2}' needs the lanes as they are",
                  ofBlocks[dimension], name,
                  beside->text.empty() ? beside->object : beside->text),
              "what lanes and blocks take"};
    return {llvm::formatv("let neighbouring lanes take what neighbouring "
                          "blocks take now: {0} steps through neighbouring "
                          "elements in '{1}', and lanes differ in {2}{3}",
                          ofBlocks[dimension], name, dimensions[lanes],
                          whereJoined(costed, shape, **block)),
            "what lanes and blocks take"};
  }
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
        access.object.empty() ? name : access.object)};
  // Rows of a length that only the run knows, of which a thread takes one.
  const Waste group = waste(kernel, shape, index);
  const Cost &cost = shape.costs[index];
  if (!steps.thread[lanes] && group.idealSectors > cost.idealSectors &&
      areRowsApart(cost) && group.sectors < cost.sectors * group.group.size())
    return {llvm::formatv("keep '{0}' transposed: a thread touches neighbouring "
                          "elements, and neighbouring lanes are a row apart",
                          access.object.empty() ? name : access.object)};
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
