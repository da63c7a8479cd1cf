#include "cost/arguments.h"
#include "cost/busiest_shape.h"
#include "cost/load_ahead.h"
#include "cost/withheld.h"
#include "findings/check.h"
#include "findings/in_ptx.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "missing-restrict",
    .summary =
        "loads of what a kernel only reads wait for its stores, since no "
        "pointer is declared '__restrict__'",
    .why = R"(
The compiler has to assume that any two pointers may lead to the same memory. After
each store it loads again what it has in a register already, and it cannot move a
load ahead of the stores of the iterations before: the loads of an unrolled loop
then wait one after the other, some hundred cycles each. So do loads in code
without a loop that stand between stores: 'x[i] = a[i]; y[i] = b[i];'. '__restrict__' is the
promise that nothing else leads to what a pointer leads to. nvcc then keeps values
in registers, moves loads out of loops and ahead of stores, and reads them with
'ld.global.nc'.)",
    .slow = R"(
__global__ void weigh(float *out, const float *in, const float *weight, int n,
                      int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < rows; ++row)
    out[row * n + i] = in[row * n + i] * weight[i];
}
)",
    .fast = R"(
__global__ void weigh(float *__restrict__ out, const float *__restrict__ in,
                      const float *__restrict__ weight, int n, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < rows; ++row)
    out[row * n + i] = in[row * n + i] * weight[i];
}
)",
    .cures = R"(
- '__restrict__' on every pointer parameter of the kernel, if no two of them overlap
  where one is written. 'const' alone promises nothing.
- On the pointers that are written alone, or on those that are read alone, if only
  they are known not to overlap: either of them is enough for nvcc.
- Pointers in a structure: '__restrict__' has no effect on members. Local pointers
  that are declared with it have one: 'const float *__restrict__ a = fields.a;'
  made a filter over 4096 samples 1.94 times as fast (H100).
- One load alone: '__ldg', or a local variable before the loop.)",
    .whenNot = R"(
The arrays do overlap: then '__restrict__' makes the program wrong. Elsewhere the
loads' latency is hidden by other warps, or the loop has one iteration. Loads before
the only store of a thread gain nothing and are not reported, nor are those that each
iteration of 'for (int i = ...; i < n; i += blockDim.x)' makes before it stores: the
step is unsigned, so the compiler does not unroll the loop (1.00x measured twice).)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Warp State Statistics: stalls on long scoreboard; Source Counters: "
           "the loads of the loop, and LDG without .CONSTANT",
};

/// Loads of one kernel that the same promise frees.
struct Group {
  std::vector<Withheld> loads;            ///< the finding's own first
  std::vector<std::string> read, written; ///< arguments
  std::vector<std::string> members;       ///< of structures, that are read
};

void addName(std::vector<std::string> &names, const std::string &name) {
  if (!name.empty() && !llvm::is_contained(names, name))
    names.push_back(name);
}

/// "in", "bank.in", or the object that a class hides the pointer in: a tensor's
/// 'data_' says nothing to who indexes the tensor.
std::string nameOf(const Kernel &kernel, const Withheld &one) {
  const Node &node = kernel.graph.node(one.pointer);
  if (node.op == Op::Base)
    return kernel.objects[node.number].name;
  std::string text = kernel.graph.text(one.pointer);
  const std::string &object = kernel.accesses[one.load].object;
  const bool hasOwner = llvm::StringRef(text).contains('.') ||
                        llvm::StringRef(text).contains("->");
  return hasOwner || object.empty() ? text : object;
}

/// Those that could leave their loop come last: repeated-global-read names them
/// as well.
std::optional<Group> groupOf(const CostedKernel &costed) {
  const Kernel &kernel = costed.kernel;
  Group group{withheldLoads(costed), {}, {}, {}};
  if (group.loads.empty())
    return std::nullopt;
  // Beside a loop, what is executed once hardly counts.
  auto isInLoop = [](const Withheld &each) { return each.loop.has_value(); };
  if (llvm::any_of(group.loads, isInLoop))
    llvm::erase_if(group.loads, std::not_fn(isInLoop));
  llvm::stable_sort(group.loads, [](const Withheld &a, const Withheld &b) {
    return a.isInvariant < b.isInvariant;
  });
  for (const Withheld &each : group.loads) {
    addName(each.isMember ? group.members : group.read, nameOf(kernel, each));
    if (each.write)
      if (auto written = argumentOf(kernel, kernel.accesses[*each.write]))
        addName(group.written, kernel.objects[*written].name);
  }
  return group;
}

std::string messageOf(const Kernel &kernel, const Group &group) {
  const Withheld &first = group.loads.front();
  const Access &load = kernel.accesses[first.load];
  std::string cause = "other threads may write it before the barrier";
  if (first.write) {
    const Access &write = kernel.accesses[*first.write];
    cause = llvm::formatv("the {0} to '{1}' at {2} may change it",
                          spelling(write.operation), shown(write),
                          lineOf(write.place, load.place));
  }
  if (!first.loop)
    return llvm::formatv("the load of '{0}' waits for the data of the store "
                         "before it, for without '__restrict__' {1}",
                         shown(load), cause);
  const std::string loop = atLine(kernel.loops[*first.loop].place, load.place);
  return llvm::formatv(
      "{0} of the loop{1} {2} '{3}', for without '__restrict__' {4}",
      first.isInvariant ? "every iteration" : "each iteration", loop,
      first.isInvariant ? "loads the same" : "waits before it loads",
      shown(load), cause);
}

/// The saving of loads that leave their loop, and of the wait of those that
/// can be made ahead.
Demand savedOf(const CostedKernel &costed, const ShapeCosts &shape,
               const Group &group) {
  const KernelTime &time = timeOf(costed, shape);
  Demand saved;
  std::set<unsigned> joined;
  std::map<LoopId, std::vector<unsigned>> leaving;
  for (const Withheld &each : group.loads) {
    if (each.isInvariant) {
      leaving[*each.loop].push_back(each.load);
      continue;
    }
    // Without a loop around it, a load is under way with the one before, and
    // stores follow each other.
    if (!each.loop || !waitsForOwnStore(costed.kernel, shape, *each.loop))
      saved += each.loop ? time.savedByLoadingAhead(each.load, *each.loop)
                         : time.of(each.load).waits();
    if (each.loop)
      saved += savedByNeighbours(costed, shape, each);
    if (!each.loop && each.write && joined.insert(*each.write).second)
      saved += time.savedByJoining(*each.write);
  }
  for (const auto &[loop, loads] : leaving)
    saved += time.savedOutside(loads, loop);
  return saved;
}

/// `__restrict__` on what is read is enough (nvcc 13.0).
std::optional<Fix> editFor(const Kernel &kernel, const Group &group) {
  if (group.read.empty() || group.written.empty() || !group.members.empty() ||
      kernel.isDispatched)
    return std::nullopt;
  Fix fix{.change = Change::Restrict,
          .at = kernel.place,
          .name = llvm::join(group.read, ", ")};
  if (kernel.hasOwnMemory)
    return fix;
  fix.kind = FixClass::Assumes;
  fix.assumes = "what the kernel writes overlaps with nothing of " +
                quotedNames(group.read);
  return fix;
}

std::string cure(const Group &group) {
  constexpr const char *promise =
      ", if what is written overlaps with nothing that is read";
  std::string text;
  if (!group.read.empty())
    text = "declare " + quotedNames(group.read) + " '__restrict__'";
  if (!group.read.empty() && !group.written.empty())
    text += ", and " + quotedNames(group.written) + promise;
  if (!group.members.empty())
    text += (text.empty() ? "read " : "; read ") + quotedNames(group.members) +
            (group.members.size() == 1 ? " through a local pointer"
                                       : " through local pointers") +
            " declared '__restrict__'" +
            (group.written.empty() || group.read.empty() ? promise : "");
  return text;
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  const std::optional<Group> group = groupOf(costed);
  if (!group)
    return;
  std::vector<unsigned> loads;
  for (const Withheld &each : group->loads)
    loads.push_back(each.load);
  const ShapeCosts &shape =
      dearest(busiestShapes(costed, loads), [&](const ShapeCosts &each) {
        return timeOf(costed, each).share(savedOf(costed, each, *group));
      });
  const Demand saved = savedOf(costed, shape, *group);
  // A member needs a local pointer: more than a word to write.
  constexpr double leastOfMembers = 0.02;
  if (group->read.empty() &&
      timeOf(costed, shape).share(saved) < leastOfMembers)
    return;
  const unsigned first = group->loads.front().load;
  Finding &finding =
      findings.add(kernel.accesses[first], messageOf(kernel, *group), first);
  // Loads that leave the loop are saved; those that wait may wait for nothing.
  const bool leaves = llvm::any_of(
      group->loads, [](const Withheld &each) { return each.isInvariant; });
  finding.level =
      leaves && !group->written.empty() ? Level::Likely : Level::Opinion;
  // The same load by its other name: the promise is what it lacks. A write that
  // goes through no argument leaves the finding to that check.
  if (group->loads.front().isInvariant && !group->written.empty())
    finding.covers.push_back({"repeated-global-read", finding.place});
  finding.weight = group->loads.size();
  setShare(finding, costed, shape, saved);
  if (std::string note = othersNote(kernel, loads); !note.empty())
    finding.notes.push_back(note);
  finding.fix = cure(*group);
  finding.edit = editFor(kernel, *group);
}

/// Returns true if something in the innermost loop of a PTX load writes.
bool isWithheld(const Kernel &ptx, const ShapeCosts &costs,
                const Access &load) {
  if (ptx.loops[load.loops.back()].hasBarrier)
    return true;
  for (unsigned i = 0; i < ptx.accesses.size(); ++i)
    if (ptx.accesses[i].operation != Operation::Load &&
        costs.costs[i].space != Space::Shared &&
        costs.costs[i].space != Space::Local &&
        llvm::is_contained(ptx.accesses[i].loops, load.loops.back()))
      return true;
  return false;
}

Judgement judge(const Finding &, unsigned, const CompiledView &view) {
  const std::optional<Group> group = groupOf(view.source);
  std::vector<unsigned> loads;
  if (group)
    for (const Withheld &each : group->loads)
      loads.push_back(each.load);
  const bool isStraight = group && !group->loads.front().loop;
  unsigned left = 0; // of loops that the compiler has unrolled
  return judgeInPtx(
      loads, view, Space::Global, [&](const PtxMatch &match) -> Judgement {
        const Kernel &ptx = view.ptx->kernel;
        const Access &load = ptx.accesses[match.access];
        const std::string what = inWords(match, view);
        const std::string unmarked =
            what + " is not marked as one of read-only data";
        if (load.isReadOnly)
          return {Verdict::Refuted, what + " is one of read-only data"};
        if (isStored(ptx, load.address)) // the sum of 'out[i] += a[j]'
          return {Verdict::Refuted, what + " is one of what is stored there"};
        if (isStraight)
          return {Verdict::Confirmed, unmarked};
        if (!load.loops.empty() && isWithheld(ptx, *match.shape, load))
          return {Verdict::Confirmed,
                  what + " is in a loop with a write, and not marked as one of "
                         "read-only data"};
        if (load.loops.empty() && ++left > 1)
          return {Verdict::Confirmed, "the loop is unrolled, and " + unmarked};
        return {Verdict::Refuted,
                "the compiler moved the load out of the loop"};
      });
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
