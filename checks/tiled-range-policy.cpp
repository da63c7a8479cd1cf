#include "findings/check.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "tiled-range-policy",
    .summary = "a multi-dimensional range has tiles of so few threads that the "
               "start of blocks limits a short body",
    .why = R"(
An MDRangePolicy maps each tile to a block. Without a tile in the policy, Kokkos
below 5.1 uses 16 by 2 indexes, or 16 by 2 by 2: blocks of 32 or 64 threads; from
5.1 on it uses 64 by 4, or 32 by 2 by 4, so that only a small tile in the policy
is reported. A GPU starts a limited number of blocks per microsecond, however small they are, and this limits
a kernel with a short body. On an H200 the body did not matter: a sum of
three elements, a stencil of four neighbours, a transposition and 64 multiply-adds took, in microseconds on 8192x8192 floats,

  tile             16x2, 32x1  64x1  128x1, 32x4  256x1, 64x4, 32x8
  threads                  32    64          128                256
  all of them            1265   635   323 to 458         277 to 462

and over one range, with both indexes from a division, as long as in tiles of 128
threads. The tile also costs registers (20 to 28 instead of 18 for the range),
which changed nothing.)",
    .slow = R"(
#include <Kokkos_Core.hpp>

void add(Kokkos::View<float **> a, Kokkos::View<float **> b) {
  int n = a.extent(0), m = a.extent(1);
  Kokkos::parallel_for(
      "add", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {n, m}),
      KOKKOS_LAMBDA(int i, int j) { a(i, j) += b(i, j); });
}
)",
    .fast = R"(
#include <Kokkos_Core.hpp>

void add(Kokkos::View<float **> a, Kokkos::View<float **> b) {
  int n = a.extent(0), m = a.extent(1);
  Kokkos::parallel_for(
      "add", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {n, m}, {64, 4}),
      KOKKOS_LAMBDA(int i, int j) { a(i, j) += b(i, j); });
}
)",
    .cures = R"(
- A tile of 128 threads or more, as the policy's third list: {64, 4}, {32, 8},
  or {32, 4, 2} for three indexes. 32 or more along the Views' contiguous index.
- One range: a RangePolicy over all elements, with 'data()' where the Views are
  contiguous and of one layout, else with the indexes by '/' and '%'.
- Few columns, such as three: a RangePolicy over the rows and a loop over the
  columns, or one range. Tiles as wide as two or more leave threads idle.)",
    .whenNot = R"(
The range is small, or each body runs for microseconds: then blocks start while
others still run. For this reason, bodies with loops whose iterations are unknown
at compile time are not reported, nor is a range that is known to fit on the GPU at
once, nor are reductions over tiles, which start few blocks.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu =
        "Launch Statistics: Block Size, Waves Per SM; Occupancy: Block Limit "
        "SM, and a theoretical occupancy far above the achieved one",
};

/// From this size on, one range was no faster (the page's table).
constexpr uint64_t enoughThreads = 128;

/// The blocks that the largest GPUs hold at once: 132 SMs with 32 each.
constexpr uint64_t blocksAtOnce = 132 * 32;

/// A body with this many iterations of a multiply and an add took as long as
/// one without any.
constexpr uint64_t fewIterations = 64;

bool isShort(const Kernel &kernel) {
  std::vector<uint64_t> iterations(kernel.loops.size(), 1);
  for (unsigned i = 0; i < kernel.loops.size(); ++i) {
    const Loop &loop = kernel.loops[i];
    if (loop.inLibrary)
      continue;
    if (!loop.tripCount)
      return false;
    const uint64_t outer = loop.parent ? iterations[*loop.parent] : 1;
    iterations[i] = outer * std::min(*loop.tripCount, fewIterations + 1);
    if (iterations[i] > fewIterations)
      return false;
  }
  return true;
}

bool fitsAtOnce(const Tile &tile, uint64_t threads) {
  return tile.elements && *tile.elements <= blocksAtOnce * threads;
}

/// "16x2".
std::string shown(const Tile &tile) {
  return llvm::join(
      llvm::map_range(tile.sizes,
                      [](uint64_t size) { return std::to_string(size); }),
      "x");
}

/// A tile of 256 threads, widest in the first index.
std::string largerTile(const Tile &tile) {
  switch (tile.sizes.size()) {
  case 2:
    return "{64, 4}";
  case 3:
    return "{32, 4, 2}";
  default:
    return "{32, 2, 2, 2" + std::string(tile.sizes.size() > 4 ? ", 1" : "") +
           (tile.sizes.size() > 5 ? ", 1}" : "}");
  }
}

void inspect(const CostedKernel &costed, Findings &findings) {
  if (!isShort(costed.kernel))
    return;
  for (unsigned i = 0; i < costed.shapes.size(); ++i) {
    const KernelShape &shape = costed.shapes[i].shape;
    const uint64_t threads = shape.shape.threads();
    if (!shape.tile || shape.tile->place.file.empty() ||
        threads >= enoughThreads || fitsAtOnce(*shape.tile, threads))
      continue;
    Finding &finding = findings.add(
        shape.tile->place, {},
        llvm::formatv("tiles of {0}{1} are blocks of {2}: a body as short "
                      "as this one waits for blocks to start",
                      shown(*shape.tile),
                      shape.tile->isGiven ? "" : ", Kokkos' own choice,",
                      counted(threads, "thread")),
        i);
    finding.about = "policy";
    finding.weight = double(enoughThreads) / threads;
    finding.fix = "give the policy a tile of 128 threads or more, such as " +
                  largerTile(*shape.tile) + ", or dispatch over one range";
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  const Usage &usage = view.compiled.usage;
  if (usage.registers == 0)
    return {Verdict::Unjudged, "ptxas reported nothing for this kernel"};
  const Shape &shape = view.source.shapes[subject].shape.shape;
  auto found = occupancy(usage, shape.threads(), /*dynamicShared=*/0);
  if (!found)
    return {Verdict::Unjudged, llvm::toString(found.takeError())};
  return {Verdict::Confirmed,
          llvm::formatv("{0} registers; an SM holds {1} such blocks at once, "
                        "{2} of its {3} warps",
                        usage.registers, found->blocks, found->warps,
                        found->maxWarps)};
}

const Enrol enrol({.info = info,
                   .inspect = inspect,
                   .judge = judge,
                   .judgeAsks = Asks::Report});

} // namespace
} // namespace warplint
