#include "findings/check.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace warplint {
namespace {

constexpr Threshold leastBytes{"bytes", 1, 1, 1 << 20,
                               "bytes of its stack from which on it is "
                               "reported"};

constexpr CheckInfo info = {
    .id = "stack-frame",
    .summary = "a kernel has a stack frame for something that is neither an "
               "array nor a spill: recursion, a call that is not inlined, "
               "'printf', 'alloca', or a double's sine",
    .why = R"(
A frame is local memory, private to the thread, behind the L1 and L2 caches.
Besides arrays and spilled registers it holds values that need an address or have
to outlive a call: the registers that a recursive function saves for each level, a
structure that is passed by value to a function that is not inlined and indexes
it, a variable whose address such a function takes, the arguments of 'printf', the
work space of the slow path of 'sin', 'cos' and 'tan' of a double. Memory for a
path that is never taken costs little; stores and loads in a loop cost as much as
any local memory, and a call hides its function from the optimiser.)",
    .slow = R"(
__device__ float horner(const float *c, int k, float x) {
  return k == 0 ? c[0] : c[k] + x * horner(c, k - 1, x) * horner(c, k / 2, x);
}

__global__ void values(const float *c, const float *x, float *y, int degree) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = horner(c, degree, x[i]);
}
)",
    .fast = R"(
__global__ void values(const float *c, const float *x, float *y, int degree) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = c[0];
  for (int k = 1; k <= degree; ++k)
    value = c[k] + x[i] * value;
  y[i] = value;
}
)",
    .cures = R"(
- Recursion: a loop, with a stack in shared memory if there has to be one.
- A call that is not inlined takes an address or a structure: remove
  '__noinline__', add '__forceinline__', or pass the values and return the result.
- A call through a pointer, a virtual function: a template parameter, or a switch
  over direct calls.
- 'printf' left over from debugging: remove it from the kernel, or put it behind a
  macro.
- 'sin', 'cos' or 'tan' of a double: 'sinpi' and 'cospi' need no slow path, nor
  do floats with '-use_fast_math'.
- 'alloca': an array of the largest size that occurs.)",
    .whenNot = R"(
Most of it lies on paths that are rarely taken: the slow path of 'sin' is
for arguments beyond 2^31 or so, a 'printf' for errors. Then the frame costs its
share of memory, and no time.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu = "Memory Workload Analysis: local loads and stores; Source Counters: "
           "LDL and STL by line",
    .threshold = &leastBytes,
};

/// Returns true if this check reports it, and no other does.
bool isRest(const FrameShare &share) {
  switch (share.kind) {
  case FrameShare::Variable:
  case FrameShare::Arguments:
  case FrameShare::Copy:
  case FrameShare::Library:
  case FrameShare::Unnamed:
    return true;
  default:
    return false;
  }
}

/// The first line in the kernel's file: another one is of a header that it
/// includes.
std::string firstLine(const std::map<Place, unsigned> &places,
                      const Place &kernel) {
  for (const auto &[place, _] : places)
    if (llvm::sys::path::filename(place.file) ==
        llvm::sys::path::filename(kernel.file))
      return " at line " + std::to_string(place.line);
  return "";
}

/// The contents of the frame and of those of called functions.
std::vector<std::string> reasons(const Frame &frame, const Place &kernel) {
  std::vector<std::string> result;
  for (const FrameShare &share : frame.shares)
    if (isRest(share))
      result.push_back(
          llvm::formatv("{0} bytes {1}{2}{3}", share.bytes,
                        share.kind == FrameShare::Library ? "" : "of ",
                        inWords(share), firstLine(share.places, kernel)));
  for (const CallFrame &call : frame.calls)
    if (call.isRecursive)
      result.push_back(
          call.bytes
              ? llvm::formatv("{0} bytes for each level of the recursion "
                              "of '{1}'",
                              call.bytes, call.name)
                    .str()
              : llvm::formatv("the recursion of '{0}'", call.name).str());
    else if (call.bytes)
      result.push_back(llvm::formatv(
          "{0} bytes of '{1}', which is called and has a frame of "
          "its own",
          call.bytes, call.name));
  if (frame.hasAlloca)
    result.push_back("memory of 'alloca', as large as it is asked for");
  return result;
}

/// The total size; none if a part has no fixed size.
std::optional<uint64_t> sizeOf(const Frame &frame) {
  uint64_t bytes = 0;
  for (const FrameShare &share : frame.shares)
    if (isRest(share))
      bytes += share.bytes;
  for (const CallFrame &call : frame.calls) {
    if (call.isRecursive)
      return std::nullopt;
    bytes += call.bytes;
  }
  if (frame.hasAlloca)
    return std::nullopt;
  return bytes;
}

/// Returns true if only arguments of large magnitude make the kernel use the
/// frame (CUDA programming guide, "trigonometric functions").
bool isOfSlowPaths(const Frame &frame) {
  return !frame.hasAlloca && frame.calls.empty() &&
         llvm::all_of(frame.shares, [](const FrameShare &share) {
           return !isRest(share) || share.kind == FrameShare::Library;
         });
}

void inspectCompiled(const CompiledView &view, Findings &findings) {
  const Frame frame = frameOf(view.compiled, &view.source.kernel);
  const Kernel &kernel = view.source.kernel;
  std::vector<std::string> why = reasons(frame, kernel.place);
  if (why.empty())
    return;
  const std::optional<uint64_t> size = sizeOf(frame);
  if (size && *size < view.source.valueOf(leastBytes))
    return;
  Finding &finding = findings.add(
      kernel.place, {},
      "the stack of '" + kernel.name + "' holds " + llvm::join(why, "; "), 0);
  finding.about = "stack";
  if (isOfSlowPaths(frame)) {
    finding.share = 0;
    finding.cost = "used for arguments of large magnitude alone";
  }

  for (const FrameShare &share : frame.shares)
    if (isRest(share))
      finding.weight += share.bytes;
  for (const CallFrame &call : frame.calls)
    finding.weight += call.bytes;
  finding.kernels.front().judgement.evidence =
      frame.bytes ? inWords(frame)
                  : "a frame of a called function, none of the kernel's own";
}

const Enrol enrol({info, nullptr, nullptr, inspectCompiled});

} // namespace
} // namespace warplint
