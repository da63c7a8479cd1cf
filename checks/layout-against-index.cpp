#include "cost/array_layout.h"
#include "cost/busiest_shape.h"
#include "findings/share.h"
#include "findings/wasteful.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {
namespace {

constexpr Threshold sectors = wastefulSectors;

constexpr CheckInfo info = {
    .id = "layout-against-index",
    .summary =
        "neighbouring lanes differ in an index that is not contiguous in "
        "the array's layout, so each lane needs sectors of its own",
    .why = R"(
The layout of a library's array, such as a Kokkos::View or an mdspan, makes one of
its indexes contiguous in memory: the first in LayoutLeft, the last in
LayoutRight. Accesses are coalesced if the lanes of a warp differ in just that
one. If they differ in another, they are a row or a column apart, and one element
of each 32-byte sector is used.)",
    .slow = R"(
struct LayoutRight {};
template <class T, class Layout> struct View {
  using array_layout = Layout;
  T *data;
  int rows, columns;
  __device__ T &operator()(int i, int j) const { return data[i * columns + j]; }
};
__global__ void rowSums(View<const float, LayoutRight> a, float *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int j = 0; j < a.columns; ++j)
    s += a(i, j);
  sum[i] = s;
}
)",
    .fast = R"(
struct LayoutLeft {};
template <class T, class Layout> struct View {
  using array_layout = Layout;
  T *data;
  int rows, columns;
  __device__ T &operator()(int i, int j) const { return data[i + j * rows]; }
};
__global__ void rowSums(View<const float, LayoutLeft> a, float *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int j = 0; j < a.columns; ++j)
    s += a(i, j);
  sum[i] = s;
}
)",
    .cures = R"(
- The other layout: LayoutLeft if the parallel index is the first, LayoutRight if
  it is the last. A Kokkos::View without a layout has that of its memory space:
  LayoutLeft on a GPU, LayoutRight on the host.
- The other order: make the contiguous index the parallel one. In Kokkos: the
  range over that index, an MDRangePolicy whose first index it is, or a TeamPolicy
  over the others with a TeamThreadRange or TeamVectorRange over it.
- Kernels that need both orders: a copy in the other layout (deep_copy between
  layouts costs one transposition), or a tile in shared or scratch memory.)",
    .whenNot = R"(
As for strided-global-access: the access is executed rarely, or the same warp soon
uses the rest of the sectors.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Source Counters: L2 Theoretical Sectors Global Excessive "
           "(rule UncoalescedGlobalAccess); Memory Workload Analysis Tables",
    .threshold = &sectors,
};

/// "the first index", "the third index", "the last index".
std::string ordinal(const ArrayLayout &layout, size_t index) {
  static constexpr const char *words[] = {"first", "second", "third",  "fourth",
                                          "fifth", "sixth",  "seventh"};
  const bool isLast =
      index + 1 == layout.indexes.size() || index >= std::size(words);
  return llvm::formatv("the {0} index", isLast ? "last" : words[index]);
}

/// Returns true if the other layout would save sectors in total: of all kernels
/// if the source shows where the array is declared, else of this kernel.
bool paysInTotal(const CostedKernel &costed, const ShapeCosts &shape,
                 TwoLanes &lanes, const Access &access) {
  if (access.layout->spelling)
    return costed.betterInOtherLayout.count(
        access.layout->spelling->places.front());
  double saved = 0;
  for (unsigned i = 0; i < costed.kernel.accesses.size(); ++i) {
    const Access &other = costed.kernel.accesses[i];
    if (other.layout && other.object == access.object)
      saved += savedByOtherLayout(costed, shape, lanes, i);
  }
  return saved > 0;
}

/// Returns true if some threads or iterations have another value of an index.
bool isOfThreads(const ExpressionGraph &graph, const Index &index) {
  using Walk = ExpressionGraph::Walk;
  return !graph.walk(index.value, [&](ValueId id) {
    const Op op = graph.node(id).op;
    return op == Op::ThreadIndex || op == Op::BlockIndex || op == Op::Carried ||
                   op == Op::Loaded
               ? Walk::Stop
               : Walk::Into;
  });
}

std::string cures(const ExpressionGraph &graph, const ArrayLayout &layout,
                  const Index &slow, const std::string &object, bool pays) {
  const std::string order =
      "let the lanes run over " + ordinal(layout, layout.contiguous);
  // Neither layout makes an index in the middle contiguous, and no lanes run
  // over one that is the same for all, as on a side of a box.
  if (!isExtreme(layout, slow))
    return isOfThreads(graph, layout.indexes[layout.contiguous]) ? order : "";
  if (!pays)
    return order;
  return llvm::formatv("make '{0}' {1}, or {2}", object,
                       otherLayout(layout.name), order);
}

std::optional<Fix> editFor(const Access &access, const Index &slow, bool pays) {
  const ArrayLayout &layout = *access.layout;
  if (!layout.spelling || layout.spelling->other.empty() ||
      !isExtreme(layout, slow) || !pays)
    return std::nullopt;
  const std::vector<Place> &places = layout.spelling->places;
  Fix fix{.change = Change::OtherLayout,
          .at = places.front(),
          .also = {places.begin() + 1, places.end()},
          .name = layout.spelling->other,
          .kind = FixClass::Assumes};
  fix.assumes =
      "no code that is not seen here reads the memory of '" + access.object +
      "' by a pointer, or copies it to or from a View of " + layout.name;
  return fix;
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  TwoLanes lanes(kernel);
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    if (!access.layout || access.inLibrary)
      continue;
    const ShapeCosts *shape = worstShape(costed, [&](const ShapeCosts &shape) {
      return isWasteful(kernel, shape, i, costed.valueOf(sectors)) &&
                     slowIndex(lanes, *access.layout, shape, i)
                 ? shape.costs[i].excess() * executionsIn(costed, shape, access)
                 : 0;
    });
    if (!shape)
      continue;
    shape = &executingLaunch(costed, *shape, access);
    const ArrayLayout &layout = *access.layout;
    const Cost &cost = shape->costs[i];
    const Index &slow = *slowIndex(lanes, layout, *shape, i);
    Finding &finding = findings.add(
        access,
        llvm::formatv(
            "{0} of '{1}' touches {2} sectors per request where {3} would hold "
            "the bytes used: neighbouring lanes differ in {4}, '{5}', and {6} "
            "is contiguous in {7}",
            spelling(access.operation), shown(access),
            shortNumber(cost.sectors), shortNumber(cost.idealSectors),
            ordinal(layout, &slow - layout.indexes.data()), slow.text,
            layout.name, ordinal(layout, layout.contiguous)),
        i);
    finding.weight = cost.sectors - cost.idealSectors +
                     (access.operation == Operation::Load ? 0 : 0.5);
    setShare(finding, costed, *shape,
             savedByCoalescing(timeOf(costed, *shape), i));
    const bool pays = paysInTotal(costed, *shape, lanes, access);
    finding.fix = cures(kernel.graph, layout, slow, access.object, pays);
    finding.edit = editFor(access, slow, pays);
    finding.notes.push_back(sectorNote(lanes, shape->shape, access, cost));
    finding.notes.push_back(shapeNote(shape->shape, finding.place));
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  return judgeWaste(subject, view, view.source.valueOf(sectors));
}

const Enrol enrol({info, inspect, judge, nullptr, "strided-global-access"});

} // namespace
} // namespace warplint
