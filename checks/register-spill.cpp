#include "findings/check.h"
#include "findings/frame_rest.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

namespace warplint {
namespace {

constexpr Threshold leastBytes{"bytes", 1, 1, 1 << 20,
                               "bytes of spill stores and loads from which "
                               "on it is reported"};

constexpr CheckInfo info = {
    .id = "register-spill",
    .summary = "a kernel needs more registers than it may use, so the "
               "compiler spills some of its values to local memory",
    .why = R"(
A thread has at most 255 registers, and fewer if launch bounds or
'-maxrregcount' require that more threads fit on a multiprocessor. The compiler
spills further values: it stores them to the thread's stack frame and loads them
again where they are needed. The frame is local memory. It lies where global memory
lies, behind the L1 and L2 caches, and is as large as all threads together: 64
bytes for each of 2048 threads are 128 KiB on one multiprocessor.
ptxas reports the bytes that the spilling instructions move, and marks each of
them in the machine code. Their lines show where values are spilled, which need
not be where the values are computed. No single value is the cause: the finding
names launch bounds, unrolled loops and arrays in registers as circumstances.)",
    .slow = R"(
__global__ void __launch_bounds__(1024)
    smooth(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[80];
#pragma unroll
  for (int k = 0; k < 80; ++k)
    v[k] = in[k * n + i];
#pragma unroll
  for (int iteration = 0; iteration < 4; ++iteration)
#pragma unroll
    for (int k = 0; k < 80; ++k)
      v[k] = v[k] * v[(k + 11) % 80] + v[(5 * k + iteration) % 80];
#pragma unroll
  for (int k = 0; k < 80; ++k)
    out[k * n + i] = v[k];
}
)",
    .fast = R"(
__global__ void __launch_bounds__(256)
    smooth(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[80];
#pragma unroll
  for (int k = 0; k < 80; ++k)
    v[k] = in[k * n + i];
#pragma unroll
  for (int iteration = 0; iteration < 4; ++iteration)
#pragma unroll
    for (int k = 0; k < 80; ++k)
      v[k] = v[k] * v[(k + 11) % 80] + v[(5 * k + iteration) % 80];
#pragma unroll
  for (int k = 0; k < 80; ++k)
    out[k * n + i] = v[k];
}
)",
    .cures = R"(
- Launch bounds promise larger blocks or more of them than are launched: promise
  what is launched, and leave the second argument out unless it was measured.
- '-maxrregcount' applies to the whole file: remove it, and give the one kernel
  that needs it launch bounds.
- A loop is unrolled, and each iteration has values of its own: unroll less
  ('#pragma unroll 2', '#pragma unroll 1').
- A per-thread array lies in registers: make the tile smaller, or put the array,
  or a part of it, into shared memory.
- Values are computed long before their use: compute them at their use, or
  recompute them.
- A kernel does several things in sequence: split it into several kernels.)",
    .whenNot = R"(
A few bytes, outside of any loop, cost nothing measurable. And more concurrent
threads may be worth some spills: measure with and without the launch
bounds.)",
    .level = Level::Certain,
    .since = "next",
    .ncu = "Memory Workload Analysis: local loads and stores; Source Counters: "
           "LDL and STL by line; Launch Statistics: registers per thread",
    .threshold = &leastBytes,
};

/// "lines 12 and 20", "lines 12, 20 and 3 more".
std::string linesInWords(const std::set<unsigned> &lines) {
  constexpr size_t few = 3;
  std::vector<std::string> shown;
  for (unsigned line : lines)
    if (shown.size() < few)
      shown.push_back(std::to_string(line));
  return plural(lines.size() == 1, "line") + " " +
         listed(shown, lines.size() - shown.size());
}

/// The circumstances in this kernel that often come with spills.
std::vector<std::string> circumstances(const CompiledView &view,
                                       const Frame &frame) {
  const Kernel &kernel = view.source.kernel;
  std::vector<std::string> result;
  if (kernel.bounds && kernel.bounds->minBlocks)
    result.push_back(llvm::formatv("launch bounds of {0} threads and {1}",
                                   kernel.bounds->maxThreads,
                                   counted(kernel.bounds->minBlocks, "block")));
  else if (kernel.bounds)
    result.push_back(llvm::formatv("launch bounds of {0} threads",
                                   kernel.bounds->maxThreads));
  if (view.compiled.limits.commandRegisters)
    result.push_back(llvm::formatv("'-maxrregcount={0}'",
                                   view.compiled.limits.commandRegisters));
  std::set<unsigned> unrolled;
  for (const Loop &loop : kernel.loops)
    if ((loop.unroll == Unroll::Full ||
         (loop.unroll == Unroll::Count && loop.unrollCount > 1)) &&
        loop.place.file == kernel.place.file)
      unrolled.insert(loop.place.line);
  if (!unrolled.empty())
    result.push_back("a pragma unrolls " +
                     std::string(unrolled.size() == 1 ? "the loop" : "loops") +
                     " at " + linesInWords(unrolled));
  // Shorter arrays always fit in registers. A function that is inlined twice
  // has its arrays twice.
  constexpr uint64_t large = 64; // bytes
  std::vector<const Array *> held;
  for (unsigned i = 0; i < kernel.arrays.size(); ++i)
    if (const Array &array = kernel.arrays[i];
        array.bytes >= large && !array.inLibrary && !frame.ofArray(i) &&
        llvm::none_of(held, [&](const Array *other) {
          return other->name == array.name && other->bytes == array.bytes;
        }))
      held.push_back(&array);
  llvm::stable_sort(
      held, [](const Array *a, const Array *b) { return a->bytes > b->bytes; });
  for (const Array *array : held)
    if (result.size() < 6)
      result.push_back(llvm::formatv("'{0}', an array of {1} bytes, is not in "
                                     "memory",
                                     array->name, array->bytes));
  return result;
}

void inspectCompiled(const CompiledView &view, Findings &findings) {
  const Usage &usage = view.compiled.usage;
  const Frame frame = frameOf(view.compiled, &view.source.kernel);
  const FrameShare *spills = frame.spills();
  const uint64_t size = std::max<uint64_t>(usage.spillStores + usage.spillLoads,
                                           spills ? spills->bytes : 0);
  if (size < view.source.valueOf(leastBytes) ||
      (spills && muchMoreThan(*spills, frame)))
    return;
  const Kernel &kernel = view.source.kernel;
  // The names of CUTLASS's instances have thousands of letters.
  constexpr size_t longest = 80;
  std::string what =
      "registers of '" +
      (kernel.name.size() > longest ? templateName(kernel) : kernel.name) +
      "' spill";
  if (spills) {
    what += llvm::formatv(" to {0} bytes of local memory", spills->bytes);
    if (std::string where = mostly(*spills); !where.empty())
      what += ", " + where;
  }
  Finding &finding = findings.add(kernel.place, {}, std::move(what), 0);
  finding.about = "registers";
  finding.cause = "spilled registers";
  finding.weight = spills ? spills->bytes : usage.spillStores;
  std::vector<LocalInstruction> marked;
  for (const LocalInstruction &local : view.compiled.locals)
    if (local.isMarkedSpill)
      marked.push_back(local);
  setShareOfLocals(finding, view.source,
                   marked.empty() ? view.compiled.locals : marked,
                   usage.stackFrame);
  if (std::vector<std::string> all = circumstances(view, frame); !all.empty())
    finding.notes.push_back("circumstances, not causes: " +
                            llvm::join(all, "; "));
  finding.kernels.front().judgement.evidence =
      llvm::formatv("{0} bytes of spill stores and {1} of spill loads with {2} "
                    "registers; {3}",
                    usage.spillStores, usage.spillLoads, usage.registers,
                    inWords(frame, spills));
  if (std::string who = registersInWords(view.compiled); !who.empty())
    finding.kernels.front().judgement.evidence += "; " + who;
}

const Enrol enrol({.info = info,
                   .inspect = nullptr,
                   .judge = nullptr,
                   .inspectCompiled = inspectCompiled,
                   .inspectAsks = Asks::SpillLines});

} // namespace
} // namespace warplint
