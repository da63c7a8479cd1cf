#include "cost/busiest_shape.h"
#include "cost/contention.h"
#include "cost/loaded_index.h"
#include "cost/terms.h"
#include "cost/unknown_reason.h"
#include "cost/walked_constants.h"
#include "findings/check.h"
#include "findings/in_ptx.h"
#include "findings/share.h"
#include "findings/wording.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>
#include <tuple>

namespace warplint {
namespace {

/// Three addresses add 22 cycles to a request that takes 38.
constexpr Threshold leastAddresses{
    "addresses", 4, 2, 32,
    "addresses per request from which on it is reported"};

constexpr CheckInfo info = {
    .id = "divergent-constant",
    .summary = "lanes of a warp read different addresses of constant memory, "
               "which are served one after the other",
    .why = R"(
The constant cache serves one address to all lanes at once. When the lanes of a
warp read n different addresses, the request takes n wavefronts, however close
together the addresses are: unlike in global and shared memory, neighbouring lanes
gain nothing from neighbouring words. On an H200 a load from constant
memory takes 38 cycles with one address, and 11 more with each further one:
379 with 32. Kernel parameters lie in constant memory as well, so an array in
a structure that is passed by value is read in the same way, unless nvcc has
copied it into local memory; the PTX shows warplint which of the two it is. A table
that loaded data index, 'lut[in[i]]', has as many addresses per request as the lanes
have different data.)",
    .slow = R"(
__constant__ float window[256];

__global__ void weigh(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * window[threadIdx.x];
}
)",
    .fast = R"(
__global__ void weigh(const float *in, const float *window, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * window[threadIdx.x];
}
)",
    .cures = R"(
- Lanes read neighbouring elements: global memory, through a
  'const float *__restrict__' argument or '__ldg'. A warp's request is then a
  few sectors, and stays in L1.
- A block uses the table repeatedly, or lanes read it in any order:
  copy it into shared memory first.
- A structure passed by value with an array in it: pass a pointer to it.
- Loaded data index the table: shared memory, where lanes with different words of
  different banks are served at once; or arithmetic instead of the table.
- A handful of values: a switch or selects between constants.
- The loop can be inverted: let all lanes read the same element in one iteration,
  each with its own data. Then constant memory is the fastest place for a short
  table.)",
    .whenNot = R"(
Two or three addresses per request, such as one for each half of a warp, cost
next to nothing and are not reported, nor is a table that is copied into shared
memory once, at the start of a kernel. A load that is executed once by each
warp of a long kernel costs some hundred cycles in all. Loaded data may be the same
in all lanes of nearly every warp: a class, a material, a flag.)",
    .level = Level::Likely,
    .since = "next",
    .ncu = "Compute Workload Analysis: the ADU pipe, which splits constant "
           "loads by address; Source Counters: stalls behind the LDC of that "
           "line",
    .threshold = &leastAddresses,
};

bool isDivergent(const Cost &cost, unsigned addresses) {
  return isConstantBank(cost.space) && cost.basis != Basis::Unknown &&
         cost.wavefronts >= addresses - 0.5;
}

const char *where(const Cost &cost) {
  return cost.space == Space::Parameter ? "a kernel parameter"
                                        : "in constant memory";
}

/// The loaded value that chooses between `addresses` elements or more of a
/// table in constant memory; none if there is none.
std::optional<ValueId> chosenByData(const Kernel &kernel,
                                    const ShapeCosts &shape, unsigned i,
                                    unsigned addresses,
                                    LoadedIndexes &indexes) {
  const Access &access = kernel.accesses[i];
  const Cost &cost = shape.costs[i];
  if (!isConstantBank(cost.space) || cost.basis != Basis::Unknown ||
      access.operation != Operation::Load || access.need == Need::Never ||
      !access.bytes || cost.lanes < addresses ||
      bytesOfTable(kernel, access) / access.bytes < addresses)
    return std::nullopt;
  const auto most = mostValues(kernel, shape.shape.shape, access.address);
  if (most && *most < addresses)
    return std::nullopt;
  const std::vector<ValueId> found =
      indexes.of(access.address, uint64_t(addresses - 1) * access.bytes);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

/// The argument that the access reads a member of: all members are copied to
/// shared memory together. Empty if it is no member.
std::string argumentAround(const Access &access, const Cost &cost) {
  const auto [argument, member] = llvm::StringRef(access.object).split('.');
  return cost.space == Space::Parameter && !member.empty() ? argument.str()
                                                           : "";
}

const ShapeCosts *worstFor(const CostedKernel &costed, unsigned i) {
  return worstShape(costed, [&](const ShapeCosts &shape) {
    return isDivergent(shape.costs[i], costed.valueOf(leastAddresses))
               ? shape.costs[i].wavefronts *
                     executionsIn(costed, shape, costed.kernel.accesses[i])
               : 0;
  });
}

/// Returns true if a load fills shared memory, each element once: the table is
/// cured already. The counter of the only loop around it begins at the thread.
bool isCopiedOnce(const Kernel &kernel, unsigned load) {
  const std::vector<LoopId> &loops = kernel.accesses[load].loops;
  auto goesOnByThread = [&](LoopId loop) {
    return dependsOn(kernel.graph, kernel.loops[loop].continues,
                     {Op::ThreadIndex});
  };
  return loops.size() <= 1 && llvm::all_of(loops, goesOnByThread) &&
         llvm::any_of(kernel.accesses, [&](const Access &store) {
           return store.operation == Operation::Store &&
                  store.space == Space::Shared &&
                  llvm::is_contained(store.storedLoads, load);
         });
}

/// Adds the tables that loaded data index.
void inspectByData(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  std::map<const ShapeCosts *, LoadedIndexes> indexesOf;
  std::set<std::tuple<std::string, unsigned, unsigned>> seen;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    if (access.inLibrary ||
        !isConstantBank(costed.shapes.front().costs[i].space))
      continue;
    const ShapeCosts &shape = busiestShape(costed, access);
    LoadedIndexes &indexes =
        indexesOf.try_emplace(&shape, kernel, shape.shape.shape).first->second;
    const auto index =
        chosenByData(kernel, shape, i, costed.valueOf(leastAddresses), indexes);
    const Place &place = access.place;
    // A helper that is inlined several times has one finding.
    if (!index || !seen.insert({place.file, place.line, place.column}).second)
      continue;
    Finding &finding = findings.add(
        access,
        llvm::formatv(
            "the address of '{0}', {1}, depends on {2}: the different "
            "addresses of a warp's lanes are served one after the other",
            shown(access), where(shape.costs[i]),
            unknownReason(kernel, *index)),
        i);
    // Weighs less than addresses that are known to differ.
    finding.weight = costed.valueOf(leastAddresses);
    setShare(finding, costed, shape,
             savedByWavefronts(timeOf(costed, shape), i));
    const std::string argument = argumentAround(access, shape.costs[i]);
    finding.cause = argument;
    finding.fix =
        "copy " +
        (argument.empty() ? "'" + access.object + "'"
                          : "the members of '" + argument +
                                "' that loaded data index") +
        " into shared memory at the start of the kernel";
  }
}

/// Adds the way out of constant memory. A member lies where its structure lies.
void addFix(const Access &access, Finding &finding) {
  const auto [variable, member] = llvm::StringRef(access.object).split('.');
  const char *why = "the L1 cache serves different addresses of a sector "
                    "together";
  if (!member.empty()) {
    finding.fix = llvm::formatv("move '{0}' out of '{1}' into a '__device__' "
                                "variable: {2}",
                                member, variable, why);
    return;
  }
  finding.fix = llvm::formatv("declare '{0}' '__device__' in place of "
                              "'__constant__': {1}",
                              variable, why);
  finding.edit = Fix{.change = Change::LeaveConstantMemory,
                     .at = access.place,
                     .name = access.object};
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  // A helper that is inlined several times has one finding, for its worst cost.
  std::map<std::tuple<std::string, unsigned, unsigned>, unsigned> worst;
  auto wavefronts = [&](unsigned i) {
    return worstFor(costed, i)->costs[i].wavefronts;
  };
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    if (access.inLibrary || isCopiedOnce(kernel, i) || !worstFor(costed, i))
      continue;
    const Place &place = access.place;
    auto [it, isFirst] =
        worst.try_emplace({place.file, place.line, place.column}, i);
    if (!isFirst && wavefronts(i) > wavefronts(it->second))
      it->second = i;
  }
  for (auto [_, i] : worst) {
    const Access &access = kernel.accesses[i];
    const ShapeCosts *shape =
        &executingLaunch(costed, *worstFor(costed, i), access);
    const Cost &cost = shape->costs[i];
    bool parameter = cost.space == Space::Parameter;
    Finding &finding = findings.add(
        access,
        llvm::formatv(
            "lanes of a warp read {0} different addresses of '{1}', {2}: they "
            "are served one after the other",
            shortNumber(cost.wavefronts), shown(access), where(cost)),
        i);
    finding.weight = cost.wavefronts;
    setShare(finding, costed, *shape,
             savedByWavefronts(timeOf(costed, *shape), i));
    if (!parameter && !access.object.empty())
      addFix(access, finding);
    if (parameter)
      finding.notes.push_back("kernel parameters lie in constant memory");
    finding.notes.push_back(shapeNote(shape->shape, finding.place));
  }
  inspectByData(costed, findings);
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  std::optional<LoadedIndexes> indexes;
  if (view.ptx)
    indexes.emplace(view.ptx->kernel, view.ptx->shapes.front().shape.shape);
  auto ofOne = [&](const PtxMatch &match) -> Judgement {
    const Cost &cost = match.shape->costs[match.access];
    if (chosenByData(view.ptx->kernel, *match.shape, match.access,
                     view.source.valueOf(leastAddresses), *indexes))
      return {Verdict::Confirmed, "the address of " + inWords(match, view) +
                                      " is made from loaded data"};
    if (cost.basis == Basis::Unknown)
      return {};
    return {isDivergent(cost, view.source.valueOf(leastAddresses))
                ? Verdict::Confirmed
                : Verdict::Refuted,
            llvm::formatv("{0} has {1} {2} per request", inWords(match, view),
                          shortNumber(cost.wavefronts),
                          plural(cost.wavefronts == 1, "address"))};
  };
  Space space = view.source.shapes.front().costs[subject].space;
  return judgeInPtx(subject, view, space, ofOne);
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint
