#include "cost/busiest_shape.h"
#include "cost/scalar_runs.h"
#include "cost/tiles.h"
#include "findings/check.h"
#include "findings/in_ptx.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "narrow-access",
    .summary =
        "a thread accesses neighbouring elements of one or two bytes in global "
        "memory one by one, which one wider access could move",
    .why = R"(
A warp's request takes an instruction and a pass through L1, for 32 bytes as well as
for 512. A thread that loads four neighbouring bytes makes four requests, each of
which uses a quarter of its sectors. One access of 4, 8 or 16 bytes moves them all.
nvcc joins neighbours only if it knows that they are aligned: in a vector type such
as float4, in a structure with '__align__(16)', after '__builtin_assume_aligned'. Of
a pointer to bytes it knows nothing. Elements of one and two bytes are reported: a
warp's request for floats or doubles moves so much data that memory takes the time,
and one access for four of them gained 1.00x on an H200.)",
    .slow = R"(
__global__ void brightness(const unsigned char *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[4 * i] + in[4 * i + 1] + in[4 * i + 2] + in[4 * i + 3];
}
)",
    .fast = R"(
__global__ void brightness(const uchar4 *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uchar4 p = in[i];
  out[i] = p.x + p.y + p.z + p.w;
}
)",
    .cures = R"(
- A vector type: 'const uchar4 *', 'const short4 *', 'const uint4 *', or
  'reinterpret_cast<const uchar4 *>(in)[i]' where the pointer is aligned. What
  cudaMalloc returns is.
- A structure of the same size: 'struct alignas(4) Pixel { uint8_t r, g, b, a; };'
- Bytes that are not a multiple of four for each thread: each thread takes four
  neighbouring threads' work.)",
    .whenNot = R"(
The pointer may start at any element: then a wider access is an error. A kernel that
reads each byte once from DRAM gains nothing, and the share says so: requests matter
where the bytes come from a cache, or where many instructions work on them.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu = "Memory Workload Analysis Tables: requests, and sectors per request "
           "below 4; Warp State Statistics: stalls on LG throttle",
};

/// Bytes of the widest element that is reported.
constexpr unsigned widest = 2;

/// A vector type with as many elements of as many bytes.
const char *vectorType(unsigned elements, unsigned bytes) {
  if (elements * bytes == 4)
    return bytes == 1 ? "uchar4" : "short2";
  if (elements * bytes == 8)
    return bytes == 1 ? "uint2" : "short4";
  return "uint4";
}

/// The saving of one request for each vector of the run.
Demand savedOf(const KernelTime &time, const Kernel &kernel,
               const ShapeCosts &shape, const ScalarRun &run) {
  const unsigned joined = std::min(run.joined, run.elements);
  Demand saved;
  for (unsigned i : run.accesses) {
    const double lanes = shape.costs[i].lanes;
    const double bytes = lanes * kernel.accesses[i].bytes;
    auto passes = [](double moved) { return std::max(1.0, moved / 128); };
    const double left = passes(joined * bytes) / joined;
    Demand one;
    one.wavefronts =
        time.of(i).wavefronts * std::max(0.0, 1 - left / passes(bytes));
    // L1 passes each store on: the L2 gets the vector's sectors once.
    if (kernel.accesses[i].operation == Operation::Store) {
      one.sectors = time.of(i).sectors * (1 - 1.0 / joined);
      one.storing = time.of(i).storing * (1 - 1.0 / joined);
    }
    one += time.ofInstructions(1 - 1.0 / joined, kernel.accesses[i]);
    saved += one;
  }
  return saved;
}

/// Returns true if the threads' runs use the sectors that their first request
/// touches: then the distance of the lanes is no loss of its own.
bool fillsItsSectors(const Access &access, const Cost &cost,
                     const ScalarRun &run) {
  const double used = cost.lanes * run.elements * access.bytes;
  return cost.sectors < 2 * used / sectorBytes;
}

/// What the vector access is to. A method knows its members by their own names
/// alone.
std::string nameOf(const Kernel &kernel, const Access &access) {
  const std::string own =
      access.callSites.empty() ? "" : variableOf(kernel, access);
  return own.empty() ? access.object : own;
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  const ShapeCosts &shape = costed.shapes.front();
  for (const ScalarRun &run : scalarRuns(kernel, shape)) {
    const unsigned first = run.accesses.front();
    const Access &access = kernel.accesses[first];
    if (access.bytes > widest)
      continue;
    const char *verb = access.operation == Operation::Load ? "loads" : "stores";
    Finding &finding = findings.add(
        access,
        llvm::formatv("each thread {0} {1} neighbouring elements of {2} "
                      "starting with '{3}' one by one",
                      verb, run.elements, counted(access.bytes, "byte"),
                      shown(access)),
        first);
    // Bytes gain most.
    finding.weight = double(run.joined) / access.bytes;
    const ShapeCosts &busiest = busiestShape(costed, access);
    setShare(finding, costed, busiest,
             savedOf(timeOf(costed, busiest), kernel, busiest, run));
    finding.fix = llvm::formatv("access '{0}' by {1} at a time, as a {2}, if "
                                "it is aligned to {3} bytes",
                                nameOf(kernel, access), run.joined,
                                vectorType(run.joined, access.bytes),
                                run.joined * access.bytes);
    if (fillsItsSectors(access, shape.costs[first], run))
      for (unsigned i : run.accesses)
        finding.covers.push_back(
            {"strided-global-access", kernel.accesses[i].place});
    if (std::string note = othersNote(kernel, run.accesses); !note.empty())
      finding.notes.push_back(note);
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  const unsigned bytes = view.source.kernel.accesses[subject].bytes;
  return judgeInPtx(
      subject, view, Space::Global, [&](const PtxMatch &match) -> Judgement {
        const Access &access = view.ptx->kernel.accesses[match.access];
        if (access.bytes > bytes)
          return {Verdict::Refuted,
                  llvm::formatv("the compiler has joined them: {0}",
                                inWords(match, view))};
        return {Verdict::Confirmed,
                inWords(match, view) + " moves one of them"};
      });
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
