#include "findings/check.h"
#include "findings/locate.h"
#include "model/compile_time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "dynamic-local-array",
    .summary = "a per-thread array is indexed by a value that the compiler "
               "cannot know, so it lives in memory and not in registers",
    .why = R"(
Registers have no addresses. An array stays in them only if each of its
indexes is a constant once loops are unrolled; a single index that is known
only at run time puts the whole array into local memory: a stack frame, and
a load or store for each access. Local memory is private to the thread but
lies where global memory lies, behind the L1 and L2 caches.
Short arrays may be spared: ptxas turns a few run-time reads of up to some
thirty elements into selects. So only the compiled code knows, and warplint
asks it for the stack frame, and for the local loads and stores at the lines
that use the array.)",
    .slow = R"(
__global__ void histogram(const int *key, int *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int count[8] = {};
  for (int k = 0; k < turns; ++k)
    ++count[key[k * n + i] & 7];
  for (int b = 0; b < 8; ++b)
    out[b * n + i] = count[b];
}
)",
    .fast = R"(
__global__ void histogram(const int *key, int *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int count[8] = {};
  for (int k = 0; k < turns; ++k) {
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
- The index comes from memory: go through all elements under '#pragma unroll'
  and use the one whose number is the index (a compare and a select each), or
  switch over the index, with a constant in each case. Comparing with each is
  the faster of the two where lanes have different indexes.
- The index is counted by a loop whose bound is a run-time value, such as a
  variable captured by a lambda: make the bound 'const' or 'constexpr' where
  it is declared, or a template parameter, with one instance for each value
  that occurs. Or unroll up to the largest value and guard each turn.
- The loop is kept from being unrolled: drop the pragma, or say
  '#pragma unroll'.
- The array is passed to a function that is not inlined: inline it.
- Sorting or inserting: a network of exchanges between fixed places.
- It is long, or all lanes use the same element: shared memory, with one
  column for each thread.)",
    .whenNot = R"(
The array is used a few times outside of any hot loop, or it is so long that
registers could not hold it (255 for each thread): then local memory is the
right place, and L1 serves it as well as it can.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Memory Workload Analysis: local loads and stores; Source Counters: "
           "LDL and STL by line",
};

/// The first access in the text whose index is not known at compile time.
const Access *firstDynamic(const Kernel &kernel, unsigned array) {
  const Access *first = nullptr;
  for (const Access &access : kernel.accesses)
    if (access.array == array && access.bytes &&
        (!first || access.place < first->place) &&
        whyNotKnown(kernel, access.address))
      first = &access;
  return first;
}

void inspectArray(const Kernel &kernel, unsigned index, Findings &findings) {
  const Array &array = kernel.arrays[index];
  if (array.inLibrary)
    return;
  std::string soWhat = ", so the array cannot be kept in registers";
  if (const Access *access = firstDynamic(kernel, index)) {
    NotKnown cause = *whyNotKnown(kernel, access->address);
    Finding &finding = findings.add(*access,
                                    "index of '" + array.name + "' " +
                                        words(kernel, cause) + soWhat,
                                    index);
    finding.about = array.name;
    finding.notes.push_back(
        llvm::formatv("'{0}' is '{1}', {2} bytes, declared at line {3}",
                      array.name, array.type, array.bytes, array.place.line));
  } else if (!array.passedTo.empty()) {
    findings.add(array.passedAt, {},
                 "'" + array.name + "' is passed to '" + array.passedTo +
                     "', which is not inlined" + soWhat,
                 index);
  }
}

void inspect(const CostedKernel &costed, Findings &findings) {
  for (unsigned i = 0; i < costed.kernel.arrays.size(); ++i)
    inspectArray(costed.kernel, i, findings);
}

/// Local instructions of the machine code that are accesses to the array.
struct Uses {
  unsigned loads = 0, stores = 0;
  std::set<unsigned> lines;
};

Uses usesOf(unsigned subject, const Finding &finding,
            const CompiledView &view) {
  auto isUse = [&](const LocalInstruction &local) {
    Place at{local.file, local.line, 0};
    bool inSource =
        sameLine(finding.place, at) ||
        llvm::any_of(view.source.kernel.accesses, [&](const Access &access) {
          return access.array == subject && comesFrom(access, at);
        });
    // A local instruction without a local access in the PTX is a spill.
    return inSource &&
           (!view.ptx ||
            llvm::any_of(view.ptx->kernel.accesses, [&](const Access &access) {
              return access.space == Space::Local && comesFrom(access, at);
            }));
  };
  Uses uses;
  for (const LocalInstruction &local : view.compiled.locals)
    if (local.line && isUse(local)) {
      (local.isStore ? uses.stores : uses.loads) += 1;
      uses.lines.insert(local.line);
    }
  return uses;
}

/// "at line 7", "at lines 7 to 12".
std::string atLines(const std::set<unsigned> &lines) {
  if (lines.size() == 1)
    return "at line " + std::to_string(*lines.begin());
  return llvm::formatv("at lines {0} to {1}", *lines.begin(), *lines.rbegin());
}

std::string count(unsigned number, const char *what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

Judgement judge(const Finding &finding, unsigned subject,
                const CompiledView &view) {
  const Usage &usage = view.compiled.usage;
  if (usage.registers == 0)
    return {Verdict::Unjudged, "ptxas reported nothing for this kernel"};
  if (usage.stackFrame == 0)
    return {Verdict::Refuted, "no stack frame, so the array is in registers"};

  const Array &array = view.source.kernel.arrays[subject];
  Uses uses = usesOf(subject, finding, view);
  std::string spills =
      usage.spillStores + usage.spillLoads == 0
          ? "no spills"
          : llvm::formatv("{0} bytes of spill stores", usage.spillStores).str();
  std::string frame =
      array.bytes >= usage.stackFrame
          ? llvm::formatv("'{0}' is all {1} bytes of the stack frame",
                          array.name, usage.stackFrame)
                .str()
          : llvm::formatv("'{0}' is {1} of {2} bytes of the stack frame",
                          array.name, array.bytes, usage.stackFrame)
                .str();
  if (uses.loads + uses.stores)
    return {Verdict::Confirmed, frame + "; " + count(uses.loads, "local load") +
                                    " and " + count(uses.stores, "store") +
                                    " " + atLines(uses.lines) + "; " + spills};
  if (view.compiled.locals.empty())
    return {Verdict::Unjudged,
            llvm::formatv("a stack frame of {0} bytes, but its machine code "
                          "does not say what uses it",
                          usage.stackFrame)};
  return {Verdict::Refuted,
          llvm::formatv("the stack frame of {0} bytes holds something else",
                        usage.stackFrame)};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
