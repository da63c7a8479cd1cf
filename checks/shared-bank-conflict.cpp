#include "cost/busiest_shape.h"
#include "cost/padding.h"
#include "cost/swizzle.h"
#include "cost/tiles.h"
#include "cost/two_lanes.h"
#include "findings/in_ptx.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>
#include <map>

namespace warplint {
namespace {

constexpr Threshold leastWays{"ways", 2, 2, 32,
                              "ways per request from which on it is reported"};

constexpr CheckInfo info = {
    .id = "shared-bank-conflict",
    .summary = "lanes of a warp access different words of one shared-memory "
               "bank, so the request takes several wavefronts",
    .why = R"(
Shared memory has 32 banks of 4 bytes; the bank of a word is its number modulo 32.
In one wavefront each bank serves one word, to any number of lanes. When the lanes
of a warp access n different words of one bank, the request takes n wavefronts: n
ways. A column of 'float tile[32][32]' lies in one bank: 32 ways. The hardware
serves accesses of 8 and 16 bytes by half and quarter warps, and conflicts occur
within those only.)",
    .slow = R"(
__global__ void transpose(const float *in, float *out, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x % 32, y = blockIdx.y * 8 + threadIdx.x / 32;
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.x / 32 + k][threadIdx.x % 32] = in[(y + k) * n + x];
  __syncthreads();
  for (int k = 0; k < 32; k += 8)
    out[(x + k) * n + y] = tile[threadIdx.x % 32][threadIdx.x / 32 + k];
}
)",
    .fast = R"(
__global__ void transpose(const float *in, float *out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x % 32, y = blockIdx.y * 8 + threadIdx.x / 32;
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.x / 32 + k][threadIdx.x % 32] = in[(y + k) * n + x];
  __syncthreads();
  for (int k = 0; k < 32; k += 8)
    out[(x + k) * n + y] = tile[threadIdx.x % 32][threadIdx.x / 32 + k];
}
)",
    .cures = R"(
- A column of a tile: one more column, 'float tile[32][33]', moves each row by
  one bank. For 16 by 16 threads and 4-byte words, [16][17] leaves two ways. The
  'fix:' line names the padding with the fewest wavefronts over all accesses.
- A stride that is even: make it odd, or let neighbouring lanes use
  neighbouring words and loop over the rest.
- An array of structures: a structure of arrays.
- Where padding does not fit: store column c of row r at c ^ r (a swizzle).
- A stride that a loop doubles or halves, as in a sorting network: one element
  more in 32 serves one of the strides, and element i at i ^ (i & 32 ? 31 : 0)
  all of them (H200, sorts of 512 and 1,024 elements: 1.06x and 1.10x, 1.25x and
  1.26x).
- A reduction with increasing strides: start at half the block's size and halve
  the stride, so that the active lanes are neighbours.)",
    .whenNot = R"(
Two ways cost little (1.17x measured in a kernel of nothing else), and a conflict
outside of the hot loops costs nothing.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Memory Workload Analysis Tables: shared memory, bank conflicts; "
           "Source Counters: L1 Wavefronts Shared Excessive (rules "
           "SharedMemoryConflicts, UncoalescedSharedAccess)",
    .threshold = &leastWays,
};

bool conflicts(const Cost &cost, unsigned ways) {
  return cost.space == Space::Shared && cost.basis != Basis::Unknown &&
         cost.ways >= ways - 0.1;
}

/// An odd row length, or another block, may have fewer ways.
const char *upTo(const Cost &cost) {
  return cost.basis == Basis::Assumed && cost.lowWhole < cost.ways - 0.5
             ? "up to "
             : "";
}

/// "lane 0 reads s[0], lane 1 reads s[32]: both in one bank".
void addLaneNote(TwoLanes &lanes, const KernelShape &shape,
                 const Access &access, const Cost &cost, Finding &finding) {
  // The hardware serves wide accesses by halves or quarters of a warp.
  const unsigned together = access.bytes <= 4   ? warpSize
                            : access.bytes == 8 ? warpSize / 2
                                                : warpSize / 4;
  for (unsigned a = 0; a < warpSize; ++a)
    for (unsigned b = a + 1; b < warpSize && b / together == a / together;
         ++b) {
      uint64_t first = cost.addresses[a] / 4, second = cost.addresses[b] / 4;
      if (!(cost.active >> a & cost.active >> b & 1) || first == second ||
          first % banks != second % banks)
        continue;
      const std::string note = lanes.note(shape, access, a, b);
      if (!note.empty())
        finding.notes.push_back(note + ": two words of one bank");
      return;
    }
}

/// "give the last extent of 'tile' 33 elements (1 more): 2 wavefronts where it
/// takes 33, over all its accesses".
/// Instances of a template may have extents of their own, and one declaration:
/// "add 1 element to the last extent of 'tile': ...".
std::string paddingFix(const Kernel &kernel, const std::string &array,
                       const Padding &padding) {
  if (padding.isByIndex)
    return llvm::formatv(
        "let the rows that indexes make of '{0}' begin {1} "
        "elements apart, in place of {2}: {3} wavefronts "
        "where it takes {4}, over all accesses",
        array, padding.extent, padding.extent - padding.elements,
        shortNumber(padding.after), shortNumber(padding.before));
  const std::string change =
      llvm::StringRef(kernel.name).contains('<')
          ? llvm::formatv("add {0} to the last extent of '{1}'",
                          counted(padding.elements, "element"), array)
                .str()
          : llvm::formatv("give the last extent of '{0}' {1} elements ({2} "
                          "more)",
                          array, padding.extent, padding.elements)
                .str();
  return llvm::formatv("{0}: {1} wavefronts where it takes {2}, over all "
                       "accesses",
                       change, shortNumber(padding.after),
                       shortNumber(padding.before));
}

std::string swizzleFix(const std::string &array, const Swizzle &swizzle) {
  return llvm::formatv(
      "keep element i of '{0}' at {1}: {2} wavefronts where it takes {3}, over "
      "all accesses",
      array,
      swizzle.isPadding
          ? llvm::formatv("i + i / 32, of {0} elements", swizzle.elements).str()
          : "i ^ (i & 32 ? 31 : 0)",
      shortNumber(swizzle.after), shortNumber(swizzle.before));
}

/// An access that conflicts, and its remedy.
struct Conflict {
  unsigned access;
  const ShapeCosts *shape;
  std::optional<Padding> padding;
  std::optional<Swizzle> swizzle;
  Demand saved;
};

std::vector<Conflict> conflictsOf(const CostedKernel &costed) {
  std::vector<Conflict> all;
  for (unsigned i = 0; i < costed.kernel.accesses.size(); ++i) {
    const ShapeCosts *shape = worstShape(costed, [&](const ShapeCosts &shape) {
      return conflicts(shape.costs[i], costed.valueOf(leastWays))
                 ? shape.costs[i].ways *
                       executionsIn(costed, shape, costed.kernel.accesses[i])
                 : 0;
    });
    if (!shape || costed.kernel.accesses[i].inLibrary)
      continue;
    shape = &executingLaunch(costed, *shape, costed.kernel.accesses[i]);
    Conflict one{i, shape, bestPadding(costed, *shape, i), {}, {}};
    if (!one.padding)
      one.swizzle = bestSwizzle(costed, *shape, i);
    const double left = one.swizzle   ? one.swizzle->ways
                        : one.padding ? one.padding->ways
                                      : 1;
    one.saved = savedByWavefronts(timeOf(costed, *shape), i, left);
    all.push_back(std::move(one));
  }
  return all;
}

/// The conflicts of an array in one shape, which end together.
using Remedy = std::pair<std::string, const ShapeCosts *>;

Remedy remedyOf(const Kernel &kernel, const Conflict &one) {
  return {rowsArrayOf(kernel, kernel.accesses[one.access]), one.shape};
}

/// From 0 to 1, by remedy: how much of the shares of its conflicts is left
/// where they end together. What binds the kernel then may be something else.
std::map<Remedy, double> leftTogether(const CostedKernel &costed,
                                      llvm::ArrayRef<Conflict> all) {
  struct Sum {
    Demand saved;
    double shares = 1e-9; ///< no division by zero where nothing is saved
  };
  std::map<Remedy, Sum> sums;
  for (const Conflict &one : all) {
    const auto [sum, isFirst] = sums.try_emplace(remedyOf(costed.kernel, one));
    if (isFirst && one.swizzle)
      sum->second.saved -= one.swizzle->added;
    sum->second.saved += one.saved;
    sum->second.shares += timeOf(costed, *one.shape).share(one.saved);
  }
  std::map<Remedy, double> left;
  for (const auto &[remedy, sum] : sums)
    left[remedy] = std::min(
        1.0, timeOf(costed, *remedy.second).share(sum.saved) / sum.shares);
  return left;
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  TwoLanes lanes(kernel);
  const std::vector<Conflict> all = conflictsOf(costed);
  const auto left = leftTogether(costed, all);
  for (const Conflict &one : all) {
    const auto &[i, shape, padding, swizzle, saved] = one;
    const Access &access = kernel.accesses[i];
    const Cost &cost = shape->costs[i];
    Finding &finding = findings.add(
        access,
        llvm::formatv(
            "{0} of '{1}' takes {2}{3} wavefronts where 1 would do: lanes "
            "access different words of one bank",
            spelling(access.operation), shown(access), upTo(cost),
            shortNumber(cost.ways)),
        i);
    finding.weight =
        cost.ways + (access.operation == Operation::Load ? 0 : 0.5);
    setShare(finding, costed, *shape, saved);
    finding.share = *finding.share * left.at(remedyOf(kernel, one));
    addLaneNote(lanes, shape->shape, access, cost, finding);
    finding.notes.push_back(shapeNote(shape->shape, finding.place));
    if (swizzle)
      finding.fix = swizzleFix(variableOf(kernel, access), *swizzle);
    const std::string &array = rowsArrayOf(kernel, access);
    if (array != access.object)
      finding.object = array;
    if (padding)
      finding.fix = paddingFix(kernel, array, *padding);
    // What else is computed from a pointer is not seen.
    if (padding && !padding->isByIndex && array == access.object)
      finding.edit = Fix{.change = Change::PadRows,
                         .at = access.place,
                         .name = access.object,
                         .number = padding->elements};
  }
}

/// The bytes of the machine instruction that executes a PTX access: ptxas
/// combines neighbours into one of 8 or 16 bytes, at the line of one of them.
unsigned bytesInMachine(const Access &access, const CompiledView &view) {
  constexpr unsigned none = 17;
  auto fewestAt = [&](const Access &other) {
    unsigned bytes = none;
    for (const SharedInstruction &instruction : view.compiled.shared)
      if (instruction.line == other.place.line && instruction.line &&
          instruction.isStore == (access.operation == Operation::Store) &&
          sameLine({instruction.file, instruction.line, 0}, other.place))
        bytes = std::min(bytes, instruction.bytes);
    return bytes;
  };
  unsigned bytes = fewestAt(access);
  if (bytes == none)
    for (const Access &other : view.ptx->kernel.accesses)
      if (other.region == access.region && other.operation == access.operation)
        bytes = std::min(bytes, fewestAt(other));
  return bytes == none ? access.bytes : std::max(access.bytes, bytes);
}

/// The cost of an access as part of an aligned one of `bytes`.
Cost widened(Cost cost, unsigned bytes) {
  cost.ways =
      conflictWays(alignedTo(cost.addresses, bytes), cost.active, bytes);
  return cost;
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  const unsigned ways = view.source.valueOf(leastWays);
  return judgeInPtx(
      subject, view, Space::Shared, [&](const PtxMatch &match) -> Judgement {
        const Access &access = view.ptx->kernel.accesses[match.access];
        Cost cost = match.shape->costs[match.access];
        if (cost.basis == Basis::Unknown)
          return {};
        unsigned bytes =
            conflicts(cost, ways) ? bytesInMachine(access, view) : 0;
        std::string joined;
        if (bytes > access.bytes) {
          cost = widened(cost, bytes);
          joined = llvm::formatv(", joined with its neighbours to {0} bytes,",
                                 bytes);
        }
        std::string what = llvm::formatv(
            "{0}{1} has {2}{3} {4}", inWords(match, view), joined, upTo(cost),
            shortNumber(cost.ways), plural(cost.ways == 1, "way"));
        return {conflicts(cost, ways) ? Verdict::Confirmed : Verdict::Refuted,
                what};
      });
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
