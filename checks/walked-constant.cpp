#include "cost/busiest_shape.h"
#include "cost/walked_constants.h"
#include "findings/check.h"
#include "findings/locate.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "walked-constant",
    .summary = "a loop goes through a long table in constant memory: the warps "
               "of an SM miss its cache",
    .why = R"(
Constant memory serves one address to all lanes at once, so a table that each
thread goes through seems to belong there. But the cache next to the arithmetic
units is small. Where the loop's counter alone is the index, the compiler reads the
table through uniform registers (ULDC), and blocks that began at different times
stand at different places of the table: each throws out what the others need next.
On an H200 a load then takes up to 28 cycles of the SM, where one from shared
memory takes 0.8: a sum over 1024 records of 16 bytes took 21.5 ms with the
records in constant memory, 2.2 ms from global memory or from a copy in shared
memory. A filter of 256 taps took 1,215 us, 291 from global and 228 from shared
memory. Tables of up to some 300 bytes stay in that cache. In a public program a
kernel over 4096 points of 12 bytes took 889 ms, 144 with a copy in shared memory;
with so few threads that three blocks were on an SM, 180 and 172.)",
    .slow = R"(
__constant__ float4 atoms[1024];

__global__ void potential(const float *at, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = at[i], sum = 0;
  for (int k = 0; k < count; ++k)
    sum += atoms[k].w * rsqrtf((atoms[k].x - x) * (atoms[k].x - x) + atoms[k].y);
  out[i] = sum;
}

int main() { potential<<<1 << 14, 256>>>(nullptr, nullptr, 1024); }
)",
    .fast = R"(
__device__ float4 atoms[1024];

__global__ void potential(const float *at, float *out, int count) {
  __shared__ float4 copy[1024];
  for (int k = threadIdx.x; k < count; k += blockDim.x)
    copy[k] = atoms[k];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = at[i], sum = 0;
  for (int k = 0; k < count; ++k)
    sum += copy[k].w * rsqrtf((copy[k].x - x) * (copy[k].x - x) + copy[k].y);
  out[i] = sum;
}

int main() { potential<<<1 << 14, 256>>>(nullptr, nullptr, 1024); }
)",
    .cures = R"(
- The table fits into shared memory: each block copies it there first, as above.
- It does not: tiles of it, one after the other; or '__device__' in place of
  '__constant__', where the table's type is a vector of 8 or 16 bytes. The host's
  cudaMemcpyToSymbol stays, and all lanes load one element from L1.
- The number of iterations is known, and up to some hundred: '#pragma unroll'. The
  instructions then have the constants as operands.
- A table of up to 2 KiB: '#pragma unroll' by so many iterations that each pass
  goes through 128 bytes: what the loop reads is then there before it is needed.
- Several outputs for each thread: one load serves all of them.)",
    .whenNot = R"(
The kernel does so much with each element that its loads are hidden: 30 or more
instructions. Few warps run on an SM, or less than four blocks, since they are
large or the grid is small: they go through the table in step, and so do blocks with
a barrier every few dozen elements. The numbers are those of sm_90; warplint is
silent on others.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Warp State: stall IMC miss (immediate constant cache) at the line",
};

/// The accesses to one table in one loop.
struct Table {
  std::vector<unsigned> loads;
  double bytes = 0; ///< that the loop goes through
};

/// By loop and object, those that miss the cache in this launch.
std::map<std::pair<LoopId, std::string>, Table>
tablesOf(const CostedKernel &costed, const ShapeCosts &shape) {
  const KernelTime &time = timeOf(costed, shape);
  std::map<std::pair<LoopId, std::string>, Table> tables;
  for (unsigned i = 0; i < costed.kernel.accesses.size(); ++i) {
    const Access &access = costed.kernel.accesses[i];
    if (access.space != Space::Constant || access.inLibrary ||
        time.ofConstantsMissed(i).wavefronts == 0)
      continue;
    const auto walk = constantWalk(costed.kernel, access, time.frequencies());
    Table &table = tables[{walk->loop, access.object}];
    table.loads.push_back(i);
    table.bytes = std::max(table.bytes, walk->bytes);
  }
  return tables;
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  if (llvm::none_of(kernel.accesses, [](const Access &access) {
        return access.space == Space::Constant && !access.loops.empty();
      }))
    return;
  std::vector<const ShapeCosts *> shapes;
  for (const ShapeCosts &shape : costed.shapes)
    shapes.push_back(&shape);
  const ShapeCosts &shape = dearest(shapes, [&](const ShapeCosts &each) {
    double missed = 0;
    for (const auto &[_, table] : tablesOf(costed, each))
      for (unsigned load : table.loads)
        missed += timeOf(costed, each).ofConstantsMissed(load).wavefronts;
    return missed;
  });
  const KernelTime &time = timeOf(costed, shape);
  for (const auto &[key, table] : tablesOf(costed, shape)) {
    const auto &[loop, object] = key;
    const Access &access = kernel.accesses[table.loads[0]];
    const bool isAssumed = time.frequencies().trips(loop).isAssumed;
    Finding &finding = findings.add(
        access,
        llvm::formatv("the loop{0} goes through {1}{2} bytes of '{3}' in "
                      "constant memory: each warp's load of '{4}' may wait for "
                      "the constant cache, which holds some 300",
                      atLine(kernel.loops[loop].place, access.place),
                      isAssumed ? "up to " : "", shortNumber(table.bytes),
                      object, shown(access)),
        table.loads[0]);
    Demand saved, instead;
    for (unsigned load : table.loads) {
      saved += time.ofConstantsMissed(load);
      instead += time.ofInstructions(1, kernel.accesses[load]);
    }
    setShare(finding, costed, shape, saved, instead);
    finding.weight = table.loads.size();
    finding.fix = llvm::formatv(
        "copy '{0}' into shared memory at the start of the kernel", object);
    if (std::string note = othersNote(kernel, table.loads); !note.empty())
      finding.notes.push_back(note);
    if (!time.microseconds())
      finding.notes.push_back("blocks that began at different times cost that: "
                              "where a launch leaves less than 4 on an SM, it "
                              "is nothing");
    finding.notes.push_back(shapeNote(shape.shape, finding.place));
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  const Place &place = view.source.kernel.accesses[subject].place;
  if (llvm::none_of(view.compiled.lines,
                    [](const MachineLine &line) { return line.line != 0; }))
    return {Verdict::Unjudged, "the machine code has no line numbers"};
  unsigned walks = 0;
  for (const MachineLine &line : view.compiled.lines)
    if (sameLine(Place{line.file, line.line, 0}, place))
      walks += line.constantWalks;
  if (!walks)
    return {Verdict::Refuted,
            "the machine code has no load of constants through "
            "a uniform register there"};
  return {Verdict::Confirmed,
          llvm::formatv("the machine code has {0} through a uniform register "
                        "there (ULDC)",
                        counted(walks, "load"))};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
