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

/// The index in which two neighbouring lanes differ, if the contiguous index is
/// known to be the same for both.
const Index *slowIndex(TwoLanes &lanes, const ArrayLayout &layout,
                       const ShapeCosts &shape, unsigned i) {
  const auto [first, second] = neighbouringLanes(shape.costs[i]);
  auto differ = [&](const Index &index) {
    return lanes.differ(shape.shape, index.value, first, second);
  };
  if (differ(layout.indexes[layout.contiguous]) != false)
    return nullptr;
  for (const Index &index : layout.indexes)
    if (differ(index) == true)
      return &index;
  return nullptr;
}

/// "LayoutLeft" for "LayoutRight", "layout_right" for "layout_left".
std::string otherLayout(llvm::StringRef name) {
  for (auto [one, other] : {std::pair("Left", "Right"),
                            {"Right", "Left"},
                            {"left", "right"},
                            {"right", "left"}})
    if (name.ends_with(one))
      return (name.drop_back(llvm::StringRef(one).size()) + other).str();
  return name.str();
}

/// "the first index", "the third index", "the last index".
std::string ordinal(const ArrayLayout &layout, size_t index) {
  static constexpr const char *words[] = {"first", "second", "third",  "fourth",
                                          "fifth", "sixth",  "seventh"};
  const bool isLast =
      index + 1 == layout.indexes.size() || index >= std::size(words);
  return llvm::formatv("the {0} index", isLast ? "last" : words[index]);
}

bool isExtreme(const ArrayLayout &layout, const Index &index) {
  return &index == &layout.indexes.front() || &index == &layout.indexes.back();
}

/// Returns true if the other layout would save the kernel sectors of all its
/// accesses to the array: those that run over the contiguous index would have
/// one for each lane.
bool paysInTotal(const CostedKernel &costed, const ShapeCosts &shape,
                 TwoLanes &lanes, const Access &access) {
  const KernelTime &time = timeOf(costed, shape);
  double saved = 0;
  for (unsigned i = 0; i < costed.kernel.accesses.size(); ++i) {
    const Access &other = costed.kernel.accesses[i];
    const Cost &cost = shape.costs[i];
    if (!other.layout || other.object != access.object || !cost.sectors)
      continue;
    const double now = time.of(i).sectors;
    const auto [first, second] = neighbouringLanes(cost);
    const Index *slow = slowIndex(lanes, *other.layout, shape, i);
    if (slow && isExtreme(*other.layout, *slow))
      saved += now * (1 - cost.idealSectors / cost.sectors);
    else if (lanes.differ(shape.shape,
                          other.layout->indexes[other.layout->contiguous].value,
                          first, second) == true)
      saved -= now * (std::max(warpSize / cost.sectors, 1.0) - 1);
  }
  return saved > 0;
}

std::string cures(const ArrayLayout &layout, const Index &slow,
                  const std::string &object, bool pays) {
  const std::string order =
      "let the lanes run over " + ordinal(layout, layout.contiguous);
  // Neither layout makes an index in the middle contiguous.
  if (!isExtreme(layout, slow) || !pays)
    return order;
  return llvm::formatv("make '{0}' {1}, or {2}", object,
                       otherLayout(layout.name), order);
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
                 ? shape.costs[i].excess()
                 : 0;
    });
    if (!shape)
      continue;
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
    finding.fix = cures(layout, slow, access.object,
                        paysInTotal(costed, *shape, lanes, access));
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
