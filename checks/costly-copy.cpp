#include "findings/check.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "costly-copy",
    .summary =
        "the host allocates, copies or synchronises in each iteration of "
        "a loop that launches kernels",
    .why = R"(
A launch returns at once, and the device works through a queue of them. 'cudaMalloc',
'cudaFree', a synchronous 'cudaMemcpy' and 'cudaDeviceSynchronize' wait until the
device has done all that is queued, and then do their own work: some ten microseconds
for a free, some hundred for an allocation, as much again for a copy from memory that
is not pinned. Meanwhile the device has nothing to do, once in each iteration. In
Kokkos, 'deep_copy' without an execution space waits for everything before and after,
and the constructor of a View allocates.)",
    .slow = R"(
__global__ void step(float *to, const float *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = 2 * from[i];
}

void run(float *a, float *b, int steps, int n) {
  for (int s = 0; s < steps; ++s) {
    step<<<n / 256, 256>>>(a, b);
    cudaDeviceSynchronize();
    step<<<n / 256, 256>>>(b, a);
  }
}
)",
    .fast = R"(
__global__ void step(float *to, const float *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = 2 * from[i];
}

void run(float *a, float *b, int steps, int n) {
  for (int s = 0; s < steps; ++s) {
    step<<<n / 256, 256>>>(a, b);
    step<<<n / 256, 256>>>(b, a);
  }
  cudaDeviceSynchronize();
}
)",
    .cures = R"(
- Allocate once, before the loop, for the largest size; or 'cudaMallocAsync' and
  'cudaFreeAsync', which take memory from a pool in the order of a stream.
- Kernels of one stream run one after the other without any synchronisation: wait
  once, after the loop, or where the host reads the result.
- Data that do not change: copy them before the loop. Others: 'cudaMemcpyAsync' from
  pinned memory, in a second stream, while the kernels work on the data before.
- A few numbers: arguments of the kernel instead of a copy.
- Kokkos: construct Views before the loop; 'deep_copy(space, to, from)' with an
  execution space waits for that space alone.)",
    .whenNot = R"(
The loop runs a few times (three or fewer are not reported), or each kernel in it
takes far longer than the calls. A synchronisation in a loop in which the host reads
memory is not reported, nor is the copy of one number to the host, or of data that
the host works with in the same loop, unless they come from the device and go back
there, nor what happens in some iterations only, nor a loop over devices, nor one with
an inner loop of launches. A loop that takes the time measures: only its allocations
are reported.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu = "no section of a kernel; Nsight Systems shows gaps between the "
           "kernels, and the calls above them in the row of the CUDA API",
};

using Kind = HostCallKind;

/// Returns true for the end of what the loop also allocates: one cause.
bool isEndOfAllocation(const Kernel &kernel, const HostCall &call) {
  return call.kind == Kind::Free &&
         llvm::any_of(kernel.hostCalls, [&](const HostCall &other) {
           return other.kind == Kind::Allocation && other.loop == call.loop &&
                  other.what == call.what;
         });
}

bool isOfStream(const HostCall &call) {
  return llvm::StringRef(call.name).contains("Stream");
}

/// "allocates 'd_in' with cudaMalloc".
std::string doing(const HostCall &call) {
  const std::string what = call.what.empty() ? "" : " '" + call.what + "'";
  switch (call.kind) {
  case Kind::Allocation:
    return "allocates" + (what.empty() ? " memory" : what) + " with " +
           call.name;
  case Kind::Free:
    return "frees" + (what.empty() ? " memory" : what) + " with " + call.name;
  case Kind::Copy:
    return llvm::StringRef(call.name).contains("From")
               ? "copies from" + (what.empty() ? " the device" : what) +
                     " with " + call.name
               : "copies to" + (what.empty() ? " the device" : what) +
                     " with " + call.name;
  case Kind::Synchronisation:
    break;
  }
  return (isOfStream(call) ? "waits for the stream with "
                           : "waits for the device with ") +
         call.name;
}

/// Returns true for calls that one change takes out of the loop.
bool haveOneCause(const HostCall &a, const HostCall &b) {
  return a.name == b.name && a.loop.file == b.loop.file &&
         a.loop.line == b.loop.line;
}

std::string causeOf(const HostCall &call) {
  return llvm::formatv("{0} in the loop at {1}:{2}", call.name, call.loop.file,
                       call.loop.line);
}

/// "it", "'d_in'", "'d_in' and 3 more".
std::string everything(const Kernel &kernel, const HostCall &call) {
  const std::string what = call.what.empty() ? "it" : "'" + call.what + "'";
  std::set<std::string> others;
  for (const HostCall &other : kernel.hostCalls)
    if (other.what != call.what && haveOneCause(other, call))
      others.insert(other.what);
  return others.empty()
             ? what
             : llvm::formatv("{0} and {1} more", what, others.size()).str();
}

std::string fixOf(const Kernel &kernel, const HostCall &call) {
  const std::string what = everything(kernel, call);
  const bool isKokkos = llvm::StringRef(call.name).starts_with("Kokkos");
  switch (call.kind) {
  case Kind::Allocation:
    return "allocate " + what + " once, before the loop";
  case Kind::Free:
    return "free " + what + " after the loop";
  case Kind::Copy:
    return isKokkos ? "give " + call.name +
                          " an execution space as its first argument, or copy "
                          "outside the loop"
                    : "copy outside the loop, or with " + call.name +
                          "Async from pinned memory in a stream";
  case Kind::Synchronisation:
    break;
  }
  return "leave " + call.name + " out: the kernels of one " +
         (isKokkos ? "execution space" : "stream") +
         " run in order; wait once, after the loop";
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  for (unsigned i = 0; i < kernel.hostCalls.size(); ++i) {
    const HostCall &call = kernel.hostCalls[i];
    if (isEndOfAllocation(kernel, call))
      continue;
    Finding &finding = findings.add(
        call.place, {},
        llvm::formatv("each iteration of the loop{0}, which launches kernels, "
                      "{1}",
                      atLine(call.loop, call.place), doing(call)),
        i);
    finding.about = call.name + " " + call.what;
    finding.weight = call.kind == Kind::Allocation ? 3
                     : call.kind == Kind::Copy     ? 2
                                                   : 1;
    finding.fix = fixOf(kernel, call);
    finding.cause = causeOf(call);
    if (!call.calledAt.file.empty())
      finding.notes.push_back("called" + atLine(call.calledAt, call.place));
  }
}

Judgement judge(const Finding &, unsigned, const CompiledView &view) {
  if (view.compiled.usage.registers == 0)
    return {Verdict::Unjudged, "ptxas reported nothing for this kernel"};
  return {Verdict::Confirmed,
          "ptxas compiled the kernel that the loop launches; no compiler moves "
          "such a call"};
}

const Enrol enrol({.info = info,
                   .inspect = inspect,
                   .judge = judge,
                   .judgeAsks = Asks::Report});

} // namespace
} // namespace warplint
