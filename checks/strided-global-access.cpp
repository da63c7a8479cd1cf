#include "cost/busiest_shape.h"
#include "cost/free_stride.h"
#include "findings/check.h"
#include "findings/coalescing.h"
#include "findings/share.h"
#include "findings/wasteful.h"
#include "findings/wording.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

namespace warplint {
namespace {

constexpr Threshold sectors = wastefulSectors;

constexpr CheckInfo info = {
    .id = "strided-global-access",
    .summary = "uncoalesced access: neighbouring lanes access global memory "
               "far apart, so most of each sector that is moved is not used",
    .why = R"(
Global memory moves in sectors of 32 bytes. When the 32 lanes of a warp load 32
neighbouring floats, the access is coalesced: four sectors hold them all. When
they are eight or more floats apart, each lane needs its own sector: 32 sectors
move and one eighth of their bytes is used. The same happens with columns of a
matrix stored by rows, with one field of an array of structures, and if each
thread processes its own chunk.)",
    .slow = R"(
__global__ void rowSums(const float *a, float *sum, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float s = 0;
  for (int k = 0; k < columns; ++k)
    s += a[row * columns + k];
  sum[row] = s;
}
)",
    .fast = R"(
__global__ void rowSums(const float *a, float *sum, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float s = 0;
  for (int k = lane; k < columns; k += 32)
    s += a[row * columns + k];
  for (int distance = 16; distance > 0; distance /= 2)
    s += __shfl_down_sync(0xffffffffu, s, distance);
  if (lane == 0)
    sum[row] = s;
}
)",
    .cures = R"(
- Rows and columns: let threadIdx.x be the contiguous index. Swap the two indexes,
  or the roles of x and y, or transpose the array once.
- An array of structures of which some fields are used: a structure of arrays.
- A chunk for each thread: interleave the threads of a warp, element k of thread t
  at k * threads + t, or stride by the whole grid.
- One thread for each row: one warp for each row, and a shuffle at the end.
- Both orders are needed, as in a transposition or a product: load a tile with
  coalesced accesses into shared memory, and transpose it there (pad the tile by
  one column).
- Kokkos: the View's layout does not suit the order of iteration: LayoutLeft if the
  parallel index is the first, LayoutRight if it is the last.)",
    .whenNot = R"(
The access is executed rarely, or the same warp uses the rest of each sector soon
after, while L1 still holds it: loading all fields of a structure of up to 48 bytes
costs nothing, and is not reported.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Source Counters: L2 Theoretical Sectors Global Excessive "
           "(rule UncoalescedGlobalAccess); Memory Workload Analysis Tables",
    .threshold = &sectors,
};

/// Tells the accesses of a kernel apart in a report, as numbers: a group
/// of neighbours may hold thousands.
class Labels {
public:
  explicit Labels(const Kernel &kernel) {
    std::map<std::pair<std::string, unsigned>, unsigned> texts;
    std::map<Place, unsigned> places;
    std::map<std::tuple<std::string, unsigned, std::vector<Place>, Operation>,
             unsigned>
        statements;
    for (const Access &access : kernel.accesses) {
      const Place &place = access.place;
      text.push_back(
          texts.try_emplace({nameOf(access), place.line}, texts.size())
              .first->second);
      this->place.push_back(
          places.try_emplace(place, places.size()).first->second);
      statement.push_back(statements
                              .try_emplace({place.file, place.line,
                                            access.callSites, access.operation},
                                           statements.size())
                              .first->second);
    }
  }
  static const std::string &nameOf(const Access &access) {
    return access.text.empty() ? access.object : access.text;
  }

  // By access; equal numbers mean the same.
  std::vector<unsigned> text, place, statement;
};

/// "with 'in[4 * i + 1]' at line 12 and 2 more: 32 sectors where 16 ...".
void addGroupNote(const Kernel &kernel, const Labels &labels,
                  const Waste &waste, unsigned own, Finding &finding) {
  llvm::DenseSet<unsigned> others;
  std::string first;
  for (unsigned i : waste.group) {
    if (labels.place[i] == labels.place[own])
      continue;
    if (others.empty())
      first =
          llvm::formatv("'{0}' at line {1}", Labels::nameOf(kernel.accesses[i]),
                        kernel.accesses[i].place.line);
    others.insert(labels.text[i]);
  }
  if (others.empty())
    return;
  std::string more = others.size() > 1
                         ? llvm::formatv(" and {0} more", others.size() - 1)
                         : std::string();
  finding.notes.push_back(llvm::formatv(
      "with {0}{1}, which {2} the same sectors: {3} where {4} {5} the bytes "
      "used{6}",
      first, more, more.empty() ? "uses" : "use", waste.sectors,
      waste.idealSectors, waste.idealSectors == 1 ? "holds" : "hold",
      waste.sectors < 2 * waste.idealSectors
          ? ", if L1 holds them all until then"
          : ""));
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  const Labels labels(kernel);
  TwoLanes lanes(kernel);
  std::map<unsigned, std::vector<unsigned>> told; // by statement
  // What one change cures counts in the share of the first finding.
  bool hasSwapped = false;
  llvm::DenseSet<LoopId> shared;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const ShapeCosts *shape = worstShape(costed, [&](const ShapeCosts &shape) {
      return isWasteful(kernel, shape, i, costed.valueOf(sectors))
                 ? shape.costs[i].excess() *
                       executionsIn(costed, shape, kernel.accesses[i])
                 : 0;
    });
    const Access &access = kernel.accesses[i];
    if (access.inLibrary)
      continue;
    if (shape)
      shape = &executingLaunch(costed, *shape, access);
    // If every stride is an argument, the caller chose the layout: a launch
    // that passes one has chosen.
    if (!shape || (shape->costs[i].isOpen() && hasFreeStrides(kernel, access)))
      shape = wastefulLaunch(costed, i, costed.valueOf(sectors));
    if (!shape)
      continue;
    const Cost &cost = shape->costs[i];
    const Waste group = waste(kernel, *shape, i);
    // Reports each group of sectors once per statement. The load and the store
    // of `a[i] += x` stand at one place, and each has a cost; the halves of a
    // structure are one access.
    auto standsFor = [&](unsigned first, unsigned other) {
      const Access &one = kernel.accesses[first], &two = kernel.accesses[other];
      return labels.statement[first] == labels.statement[other] &&
             (labels.place[first] != labels.place[other] ||
              (one.operation == two.operation && one.guard == two.guard));
    };
    std::vector<unsigned> &before = told[labels.statement[i]];
    if (llvm::any_of(before, [&](unsigned other) {
          return llvm::is_contained(group.group, other) && standsFor(other, i);
        }))
      continue;
    before.push_back(i);
    Finding &finding = findings.add(
        access,
        llvm::formatv("{0} of '{1}' touches {2} sectors per request where {3} "
                      "would hold the bytes used",
                      spelling(access.operation), shown(access),
                      shortNumber(cost.sectors),
                      shortNumber(cost.idealSectors)),
        i);
    // In `a[i] += x` the store stands for both: it costs more than the load.
    finding.weight = cost.sectors - cost.idealSectors +
                     (access.operation == Operation::Load ? 0 : 0.5);
    std::vector<unsigned> cured{i};
    // Loads that use all of their sectors together gain little more than one;
    // L1 joins no stores.
    if (group.sectors > group.idealSectors ||
        access.operation != Operation::Load)
      for (unsigned other : group.group)
        if (other > i && standsFor(i, other))
          cured.push_back(other);
    if (!hasSwapped)
      for (unsigned other : alsoCuredBySwap(costed, *shape, i)) {
        hasSwapped = true;
        if (!llvm::is_contained(cured, other))
          cured.push_back(other);
      }
    const KernelTime &time = timeOf(costed, *shape);
    const auto loop = loopToShare(costed, *shape, i);
    Demand saved = savedByCoalescing(
        time, cured, loop ? sectorsOfRows(costed, *shape, i) : 1);
    if (loop && shared.insert(*loop).second)
      saved += time.savedBySharing(*loop, saved);
    setShare(finding, costed, *shape, saved);
    finding.notes.push_back(sectorNote(lanes, shape->shape, access, cost));
    addGroupNote(kernel, labels, group, i, finding);
    const CoalescingCure cure = coalescingCure(costed, *shape, i);
    finding.fix = cure.fix;
    finding.cause = cure.cause;
    if (cure.isOfFace)
      finding.notes.push_back(llvm::formatv(
          "no index of the kernel steps through neighbouring elements of "
          "'{0}', "
          "so no order of them coalesces it: another layout would",
          access.object.empty() ? shown(access) : access.object));
    finding.notes.push_back(shapeNote(shape->shape, finding.place));
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  return judgeWaste(subject, view, view.source.valueOf(sectors));
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
