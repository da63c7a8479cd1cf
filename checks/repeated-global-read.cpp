#include "cost/busiest_shape.h"
#include "cost/reached.h"
#include "cost/same_address.h"
#include "cost/withheld.h"
#include "findings/check.h"
#include "findings/in_ptx.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "model/may_be_global.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "repeated-global-read",
    .summary =
        "the same global element is read in every iteration of a loop, since "
        "something in the loop may change it",
    .why = R"(
A loop-invariant load could stay in a register. The compiler does that by itself
unless something in the loop may change the memory: a store through a pointer
that may alias it, a barrier, a fence. Then each iteration loads it again, and
waits again: some thirty cycles if L1 has it, several hundred if not. Worst are
pointers that lie in memory themselves, such as the members of a structure behind
a pointer: each access waits for a chain of loads.)",
    .slow = R"(
__global__ void scale(float *out, const float *in, const float *factor, int n,
                      int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < iterations; ++k)
    out[k * n + i] = in[k * n + i] * factor[i];
}
)",
    .fast = R"(
__global__ void scale(float *out, const float *in, const float *factor, int n,
                      int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float f = factor[i];
  for (int k = 0; k < iterations; ++k)
    out[k * n + i] = in[k * n + i] * f;
}
)",
    .cures = R"(
- Load it into a local variable before the loop.
- '__restrict__' on the pointers, if nothing overlaps: then the compiler does that
  for all of them, and may unroll the loop and load ahead as well. Both the written
  and the read pointers need it.
- A structure behind a pointer: pass it by value, or copy it to a local variable.
  Kernel arguments lie in constant memory.
- A loop's bound in memory: copy it to a local variable.)",
    .whenNot = R"(
Other threads change the element while the loop polls it. Little is lost if the
loop waits for other loads anyway: 1.00x to 1.17x measured.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu = "Source Counters: global loads and stall samples at the load; Warp "
           "State Statistics: stalls on long scoreboard",
};

/// The reason that a value cannot stay in a register.
struct Obstacle {
  const Access *write = nullptr; ///< null: a barrier
};

/// The obstacle in a loop, unless there is none or the loop writes the object.
std::optional<Obstacle> obstacle(const CostedKernel &costed, unsigned load,
                                 LoopId loop) {
  const Kernel &kernel = costed.kernel;
  const std::vector<Cost> &costs = costed.shapes.front().costs;
  std::optional<uint64_t> object = objectOf(costs[load]);
  std::optional<Obstacle> first;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &write = kernel.accesses[i];
    if (write.operation == Operation::Load || !mayBeGlobal(costs[i].space))
      continue;
    bool inLoop = llvm::is_contained(write.loops, loop);
    if ((inLoop || kernel.loops[loop].hasBarrier) &&
        objectOf(costs[i]) == object)
      return std::nullopt;
    if (inLoop && !first)
      first = Obstacle{&write};
  }
  if (!first && kernel.loops[loop].hasBarrier)
    return Obstacle{};
  return first;
}

bool isRepeated(const CostedKernel &costed, unsigned index) {
  const std::vector<LoopId> &loops = costed.kernel.accesses[index].loops;
  return !loops.empty() && couldLeave(costed, index, loops.back());
}

/// Loads of one object in one loop, with one cause and one remedy.
struct Group {
  std::vector<unsigned> loads;
  Obstacle obstacle;
};

std::string nameOf(const Access &access) {
  return "'" + (access.text.empty() ? access.object : access.text) + "'";
}

/// "'a'", "'a' and 'b'", "'a', 'b' and 2 more".
std::string namesOf(const Kernel &kernel, const Group &group) {
  std::vector<std::string> names;
  for (unsigned i : group.loads)
    if (std::string name = nameOf(kernel.accesses[i]);
        !llvm::is_contained(names, name))
      names.push_back(name);
  if (names.size() == 1)
    return names[0] + " is";
  std::string last =
      names.size() == 2 ? names[1] : std::to_string(names.size() - 2) + " more";
  return names[0] + (names.size() > 2 ? ", " + names[1] : "") + " and " + last +
         " are";
}

std::string cause(const Obstacle &obstacle, const Place &seenFrom) {
  if (!obstacle.write)
    return "for other threads may have changed it at the barrier";
  return llvm::formatv("for the {0} to {1} at {2} may change it",
                       spelling(obstacle.write->operation),
                       nameOf(*obstacle.write),
                       lineOf(obstacle.write->place, seenFrom));
}

/// "load 'scale[i]' into a local variable before the loop at line 12".
std::string cure(const Kernel &kernel, const Group &group, LoopId loop) {
  const Access &first = kernel.accesses[group.loads.front()];
  if (!group.obstacle.write || nameOf(first) == "''")
    return "";
  const bool isOne = llvm::all_of(group.loads, [&](unsigned i) {
    return nameOf(kernel.accesses[i]) == nameOf(first);
  });
  return "load " + nameOf(first) +
         (isOne ? " into a local variable before the loop"
                : " and the others into local variables before the loop") +
         atLine(kernel.loops[loop].place, first.place) +
         ", if nothing that the loop writes is the same element";
}

/// Local variables before the loop. None across a barrier, where another thread
/// may have written, and for what the loop's own text does not read.
std::optional<Fix> editFor(const Kernel &kernel, const Group &group,
                           LoopId id) {
  const Loop &loop = kernel.loops[id];
  if (!group.obstacle.write || loop.hasBarrier || !kernel.notFollowed.empty())
    return std::nullopt;
  std::vector<std::string> texts;
  bool isRestrict = true;
  for (unsigned i : group.loads) {
    const Access &load = kernel.accesses[i];
    if (load.callSites != loop.callSites || load.text.empty() ||
        load.place.file != loop.place.file)
      return std::nullopt;
    isRestrict &= load.isRestrict;
    if (!llvm::is_contained(texts, load.text))
      texts.push_back(load.text);
  }
  Fix fix{.change = Change::LoadOnce,
          .at = loop.place,
          .name = llvm::join(texts, "; "),
          .number = loop.tripCount.value_or(0)};
  // Another kernel may call the same function.
  if (isRestrict || (kernel.hasOwnMemory && loop.callSites.empty()))
    return fix;
  fix.kind = FixClass::Assumes;
  fix.assumes =
      "nothing that the loop writes is '" + llvm::join(texts, "' or '") + "'";
  return fix;
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  std::map<std::pair<LoopId, uint64_t>, Group> groups;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    if (!isRepeated(costed, i))
      continue;
    LoopId loop = kernel.accesses[i].loops.back();
    std::optional<uint64_t> object = objectOf(costed.shapes.front().costs[i]);
    std::optional<Obstacle> why = obstacle(costed, i, loop);
    if (!object || !why)
      continue;
    Group &group = groups[{loop, *object}];
    group.loads.push_back(i);
    group.obstacle = *why;
  }
  for (const auto &[key, group] : groups) {
    const Access &first = kernel.accesses[group.loads[0]];
    Finding &finding = findings.add(
        first,
        llvm::formatv("{0} read again in {1}, {2}", namesOf(kernel, group),
                      everyIteration(kernel, first, key.first),
                      cause(group.obstacle, first.place)),
        group.loads[0]);
    finding.fix = cure(kernel, group, key.first);
    finding.edit = editFor(kernel, group, key.first);
    const ShapeCosts &shape = busiestShape(costed, first);
    setShare(finding, costed, shape,
             timeOf(costed, shape).savedOutside(group.loads, key.first));
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  const Kernel &ptx = view.ptx->kernel;
  const Shape shape = view.ptx->shapes.front().shape.shape;
  bool unknown = false, isJoined = false;
  std::vector<unsigned> loads;
  for (Space space : {Space::Global, Space::Unknown}) {
    isJoined |= mayBeJoined(subject, view, space);
    for (PtxMatch match : inPtx(subject, view, space)) {
      const Access &load = ptx.accesses[match.access];
      for (LoopId loop : load.loops) {
        auto same =
            sameAddressNextIteration(ptx, match.shape->shape.shape, load, loop);
        unknown |= !same;
        if (same && *same)
          return {Verdict::Confirmed,
                  "the PTX has the load in a loop, its address unchanging"};
      }
      if (!llvm::is_contained(loads, match.access))
        loads.push_back(match.access);
    }
  }
  // An unrolled loop has several loads of one address.
  const unsigned most = mostToOneAddress(ptx, shape, loads);
  if (most > std::max(1u, mostToOneAddressInSource(subject, view)))
    return {Verdict::Confirmed,
            llvm::formatv("the loop is unrolled, and the PTX has {0} loads of "
                          "one address",
                          most)};
  if (unknown)
    return {Verdict::Unjudged, "the address in the PTX cannot be followed"};
  if (loads.empty() && isJoined)
    return {Verdict::Unjudged,
            "the compiler may have joined the load with its neighbours"};
  return {Verdict::Refuted, loads.empty()
                                ? "no load of that line is left in the PTX"
                                : "the compiler moved the load out of the "
                                  "loop"};
}

const Enrol enrol({info, inspect, judge, nullptr, "missing-restrict"});

} // namespace
} // namespace warplint
