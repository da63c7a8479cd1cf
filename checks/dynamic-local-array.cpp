#include "cost/busiest_shape.h"
#include "cost/compile_time.h"
#include "cost/local_arrays.h"
#include "cost/loop_bound.h"
#include "findings/array_cure.h"
#include "findings/check.h"
#include "findings/frame_rest.h"
#include "findings/locate.h"
#include "findings/selection_edit.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <optional>
#include <set>

namespace warplint {
namespace {

constexpr Threshold leastBytes{"bytes", 1, 1, 1 << 20,
                               "bytes of the array from which on it is "
                               "reported"};

constexpr CheckInfo info = {
    .id = "dynamic-local-array",
    .summary = "a per-thread array has an index that is unknown at compile "
               "time, so it lies in local memory and not in registers",
    .why = R"(
Registers have no addresses. An array stays in registers only if each of its
indexes is a constant once loops are unrolled; a single index that is known
only at run time puts the whole array into local memory: a stack frame, and
a load or store for each access. Local memory is private to the thread but
lies where global memory lies, behind the L1 and L2 caches.
Ptxas turns a few run-time accesses to a short array of 32-bit elements into
selects: one outside of loops to 64 elements, three to 32, one in a loop to two.
Such an array is not reported. For others the compiled code decides: warplint reads
from it the stack frame, and the local loads and stores at the lines that use the
array.

A parameter by value lies in constant memory, but where such an index reads an array
in it, the compiler mostly copies the parameter to local memory first, once for each
thread. That is found in the compiled code.)",
    .slow = R"(
__global__ void histogram(const int *key, int *out, int n, int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int count[8] = {};
  for (int k = 0; k < iterations; ++k)
    ++count[key[k * n + i] & 7];
  for (int b = 0; b < 8; ++b)
    out[b * n + i] = count[b];
}
)",
    .fast = R"(
__global__ void histogram(const int *key, int *out, int n, int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int count[8] = {};
  for (int k = 0; k < iterations; ++k) {
    int bin = key[k * n + i] & 7;
#pragma unroll
    for (int b = 0; b < 8; ++b)
      count[b] += bin == b;
  }
  for (int b = 0; b < 8; ++b)
    out[b * n + i] = count[b];
}
)",
    .cures = R"(
- The index comes from memory: loop over all elements under '#pragma unroll'
  and select the one whose number is the index (a compare and a select each), or
  switch over the index, with a constant in each case. The loop is the faster of
  the two if lanes have different indexes.
- The index is the counter of a loop whose bound is a run-time value, such as a
  variable that a lambda captures: make the bound 'const' or 'constexpr' where
  it is declared, or a template parameter, with one instance for each value
  that occurs. Or unroll up to the largest value and guard each iteration.
- A pragma prevents unrolling: remove it, or write '#pragma unroll'.
- The array is passed to a function that is not inlined: inline it.
- It is part of a parameter by value, such as a functor or a lambda's captured
  array: declare the parameter 'const __grid_constant__' (sm_70 and newer), and it
  is read in constant memory; or copy it to shared memory if lanes have
  different indexes.
- Sorting or inserting: a network of exchanges between fixed elements.
- It is long, or all lanes use the same element: shared memory, with one
  column for each thread.)",
    .whenNot = R"(
The array is used a few times outside of any hot loop, or it is so long that
registers could not hold it (255 for each thread): then local memory is the
right place.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Memory Workload Analysis: local loads and stores; Source Counters: "
           "LDL and STL by line",
    .threshold = &leastBytes,
};

/// The edit of the source that does it, if there is one.
std::optional<Fix> editFor(const Kernel &kernel, unsigned index,
                           const NotKnown &cause) {
  if (!cause.loop)
    return isConstantTable(kernel, index) ? std::nullopt
                                          : selectionFor(kernel, index);
  const Loop &loop = kernel.loops[*cause.loop];
  if (cause.cause == NotKnown::Cause::LoopBound && loop.boundCaptured &&
      loop.boundCaptured->mayBeConst &&
      !dividesAmongThreads(kernel, *cause.loop))
    return Fix{.change = Change::DeclareConst,
               .at = loop.boundCaptured->declared,
               .name = loop.boundText};
  if (cause.cause == NotKnown::Cause::LoopKept)
    return Fix{.change = Change::UnrollFully, .at = loop.place};
  return std::nullopt;
}

void inspectArray(const CostedKernel &costed, unsigned index,
                  unsigned leastSize, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  const Array &array = kernel.arrays[index];
  if (array.inLibrary || (array.bytes && array.bytes < leastSize) ||
      isSelected(kernel, index))
    return;
  std::string soWhat = ", so the array cannot be kept in registers";
  const Access *access = firstUnknownIndex(kernel, index);
  // The index of one element is 0 for the compiler, whatever computes it.
  if (access && access->bytes != array.bytes) {
    NotKnown cause = *whyNotKnown(kernel, access->address);
    // What has no name itself is named by where it stands: 'A[pivot][k]'; not
    // in the words of a function that gets the element, 'b.x'.
    const bool isNamed = cause.cause != NotKnown::Cause::Other ||
                         llvm::StringRef(cause.what).contains('\'') ||
                         !llvm::StringRef(access->text).contains(array.name);
    const auto [place, callSites] = whereIndexed(kernel, *access, cause);
    Finding &finding = findings.add(
        *access,
        (isNamed ? "index of '" + array.name : "index in '" + access->text) +
            "' " + words(kernel, cause, place) + soWhat,
        index);
    // A called function has names of its own for the array.
    if (place != finding.place)
      finding.object = array.name;
    finding.place = place;
    finding.callSites = callSites;
    finding.about = array.name;
    // Local memory is the place for what registers cannot hold.
    if (fitsRegisters(array) || isConstantTable(kernel, index)) {
      finding.fix = arrayCure(kernel, index, *access, cause);
      finding.edit = editFor(kernel, index, cause);
    }
    setShareOfArray(finding, costed, busiestShape(costed, *access), index,
                    *access, cause);
    // What makes the bound known, or the array a part of a longer loop, serves
    // all arrays of the loop.
    if (cause.cause == NotKnown::Cause::LoopBound) {
      const Loop &loop = kernel.loops[*cause.loop];
      finding.cause = !finding.fix.empty() && finding.fix == boundCure(kernel, loop)
                          ? finding.fix
                          : "the bound of the loop" +
                                atLine(loop.place, finding.place);
    }
    // The bound that keeps the array in memory keeps the loop.
    for (const Access &other : kernel.accesses)
      if (other.array == index)
        if (auto why = whyNotKnown(kernel, other.address); why && why->loop)
          finding.covers.push_back(
              {"open-trip-count", kernel.loops[*why->loop].place});
    finding.notes.push_back(
        llvm::formatv("'{0}' is '{1}', {2} bytes, declared at {3}", array.name,
                      array.type, array.bytes, lineOf(array.place, place)));
  } else if (!array.passedTo.empty()) {
    Finding &finding =
        findings.add(array.passedAt, {},
                     "'" + array.name + "' is passed to '" + array.passedTo +
                         "', which is not inlined" + soWhat,
                     index);
    const ShapeCosts &shape = costed.shapes.front();
    setShare(finding, costed, shape, savedOfArray(costed, shape, index));
  }
}

void inspect(const CostedKernel &costed, Findings &findings) {
  for (unsigned i = 0; i < costed.kernel.arrays.size(); ++i)
    inspectArray(costed, i, costed.valueOf(leastBytes), findings);
}

/// The local instructions in the machine code that access the array.
struct Uses {
  unsigned loads = 0, stores = 0;
  std::set<Place> places; ///< without columns
};

/// Finds them by their lines alone, for a frame whose layout is unknown.
Uses usesByLine(unsigned subject, const Finding &finding,
                const CompiledView &view) {
  auto isUse = [&](const LocalInstruction &local) {
    Place at{local.file, local.line, 0};
    bool inSource =
        sameLine(finding.place, at) ||
        llvm::any_of(view.source.kernel.accesses, [&](const Access &access) {
          return access.array == subject && comesFrom(access, at);
        });
    // A local instruction without a local access in the PTX is a spill.
    return inSource && !local.isMarkedSpill &&
           (!view.ptx ||
            llvm::any_of(view.ptx->kernel.accesses, [&](const Access &access) {
              return access.space == Space::Local && comesFrom(access, at);
            }));
  };
  Uses uses;
  for (const LocalInstruction &local : view.compiled.locals)
    if (local.line && isUse(local)) {
      (local.isStore ? uses.stores : uses.loads) += 1;
      uses.places.insert({local.file, local.line, 0});
    }
  return uses;
}

Uses usesOf(const FrameShare &share) {
  Uses uses{share.loads, share.stores, {}};
  for (const auto &[place, count] : share.places)
    if (count)
      uses.places.insert({place.file, place.line, 0});
  return uses;
}

std::string inWords(const Uses &uses, const Place &seenFrom) {
  return counted(uses.loads, "local load") + " and " +
         counted(uses.stores, "store") + " " + atLines(uses.places, seenFrom);
}

/// Judges an array of a called function by that function's frame.
std::optional<Judgement> judgeCalled(unsigned subject, const Frame &frame) {
  for (const CallFrame &call : frame.calls)
    if (call.arrays.count(subject))
      return Judgement{
          call.areVariablesKept ? Verdict::Confirmed : Verdict::Unjudged,
          llvm::formatv("'{0}', which is called, has a stack frame of {1} "
                        "bytes of its own",
                        call.name, call.bytes)};
  return std::nullopt;
}

Judgement judge(const Finding &finding, unsigned subject,
                const CompiledView &view) {
  const Usage &usage = view.compiled.usage;
  if (usage.registers == 0)
    return {Verdict::Unjudged, "ptxas reported nothing for this kernel"};
  const Frame frame = frameOf(view.compiled, &view.source.kernel);
  if (std::optional<Judgement> called = judgeCalled(subject, frame))
    return *called;
  if (usage.stackFrame == 0)
    return {Verdict::Refuted, "no stack frame, so the array is in registers"};

  const FrameShare *share = shareOf(subject, frame, view.source.kernel);
  const std::string words = inWords(frame, share);
  const std::string &name = view.source.kernel.arrays[subject].name;
  const Uses uses = share                     ? usesOf(*share)
                    : isOfOthers(frame, name) ? Uses()
                                              : usesByLine(subject, finding, view);
  const char *noSpills =
      usage.spillStores + usage.spillLoads == 0 ? "; no spills" : "";
  if (const FrameShare *rest = share ? muchMoreThan(*share, frame) : nullptr)
    return {Verdict::Refuted,
            llvm::formatv("{0}; the frame stays without it, and {1} takes "
                          "{2} local loads and stores beside its {3}",
                          words, inWords(*rest), rest->loads + rest->stores,
                          share->loads + share->stores)};
  if (uses.loads + uses.stores && !uses.places.empty())
    return {Verdict::Confirmed,
            words + "; " + inWords(uses, finding.place) + noSpills};
  if (share && !share->shared.empty())
    return {Verdict::Confirmed, words + noSpills};
  if (view.compiled.locals.empty())
    return {Verdict::Unjudged,
            llvm::formatv("a stack frame of {0} bytes, but its machine code "
                          "does not say what uses it",
                          usage.stackFrame)};
  return {Verdict::Refuted,
          share ? words + ", which no instruction uses any more"
                : "'" + name + "' has no part in the stack frame: " + words};
}

/// The copies of parameters in the stack frame: the source alone does not show
/// them, since ptxas may load parameters by the index.
void inspectCompiled(const CompiledView &view, Findings &findings) {
  const CostedKernel &costed = view.source;
  const Frame frame = frameOf(view.compiled, &costed.kernel);
  for (const FrameShare &copy : frame.shares) {
    if (!copy.access || copy.bytes < costed.valueOf(leastBytes))
      continue;
    const Access &access = costed.kernel.accesses[*copy.access];
    const ShapeCosts &shape = busiestShape(costed, access);
    Finding &finding = findings.add(
        access,
        llvm::formatv("index of '{0}' {1}, so each thread copies the parameter "
                      "'{2}' to local memory",
                      indexed(access),
                      words(costed.kernel,
                            *whyNotKnown(costed.kernel, access.address),
                            access.place),
                      copy.name),
        *copy.access);
    finding.about = copy.name;
    finding.weight = copy.bytes;
    setShareOfAdded(finding, costed, shape,
                    demandOf(localsOf(copy, view.compiled), frame.bytes, costed,
                             shape));
    finding.fix = copyCure(costed.kernel, shape.costs[*copy.access], copy.name);
    finding.kernels.front().judgement.evidence =
        inWords(frame, &copy) + "; " + inWords(usesOf(copy), access.place);
  }
}

const Enrol enrol({.info = info,
                   .inspect = inspect,
                   .judge = judge,
                   .inspectCompiled = inspectCompiled,
                   .judgeAsks = Asks::FrameLines});

} // namespace
} // namespace warplint
