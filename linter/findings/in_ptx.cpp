#include "findings/in_ptx.h"
#include "base/plural.h"
#include "cost/tiles.h"
#include "findings/locate.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {

namespace {

bool standsFor(const Access &ptx, const Access &source, const Kernel &kernel,
               bool moved) {
  if (ptx.operation != source.operation)
    return false;
  if (!moved)
    return comesFrom(ptx, source);
  return ptx.bytes == source.bytes &&
         llvm::none_of(kernel.accesses, [&](const Access &access) {
           return access.operation == ptx.operation &&
                  access.bytes == ptx.bytes && comesFrom(ptx, access);
         });
}

/// Returns true if one condition is the negation of a term of the other.
bool hasNegatedTerm(const ExpressionGraph &graph, ValueId a, ValueId b) {
  auto terms = [&](ValueId condition) {
    llvm::DenseSet<ValueId> found;
    graph.walk(condition, [&](ValueId id) {
      const bool isAnd = graph.node(id).op == Op::And;
      if (!isAnd)
        found.insert(id);
      return isAnd ? ExpressionGraph::Walk::Into : ExpressionGraph::Walk::Past;
    });
    return found;
  };
  const llvm::DenseSet<ValueId> ofA = terms(a), ofB = terms(b);
  auto negates = [&](const llvm::DenseSet<ValueId> &some,
                     const llvm::DenseSet<ValueId> &others) {
    return llvm::any_of(some, [&](ValueId id) {
      return graph.node(id).op == Op::Xor &&
             graph.isConstant(graph.operand(id, 1), 1) &&
             others.contains(graph.operand(id, 0));
    });
  };
  return negates(ofA, ofB) || negates(ofB, ofA);
}

/// Returns true if a thread may execute both accesses.
bool mayBothRun(Evaluation &evaluation, Shape shape, const Access &a,
                const Access &b) {
  const Kernel &kernel = evaluation.kernel;
  if (a.region == b.region || a.guard == b.guard)
    return true;
  if (hasNegatedTerm(kernel.graph, a.guard, b.guard))
    return false;
  const Iterations first;
  for (unsigned trial = 0; trial <= smallSizes; ++trial) {
    Warp warp(evaluation, shape, 0, 0, trial);
    if (warp.may(a.guard, first) & warp.may(b.guard, first))
      return true;
  }
  return false;
}

/// Returns true if threads of the PTX certainly reach an access that those of
/// the source reach on one way of a branch.
bool isOfBothWays(const Access &ptx, const Access &source,
                  const PtxMatch &match, const CompiledView &view) {
  Evaluation inPtx(view.ptx->kernel), inSource(view.source.kernel);
  const Shape shape = match.shape->shape.shape;
  const Warp here(inPtx, shape, 0, 0, 0), there(inSource, shape, 0, 0, 0);
  const Iterations first;
  for (uint64_t block : {0, 1}) {
    BlockPlace place = here.block();
    place[0] += block;
    Warp compiled(here, place), written(there, place);
    if (compiled.must(ptx.guard, first) & ~written.must(source.guard, first))
      return true;
  }
  return false;
}

/// Returns true if the PTX has one access for both ways of a branch, whose
/// address is selected: that of the other way in the source, at its line.
bool mayBeMerged(unsigned subject, const CompiledView &view, Space space) {
  const Kernel &source = view.source.kernel;
  const Access &wanted = source.accesses[subject];
  for (unsigned i = 0; i < source.accesses.size(); ++i) {
    const Access &other = source.accesses[i];
    if (other.operation != wanted.operation || other.bytes != wanted.bytes ||
        other.loops != wanted.loops ||
        !hasNegatedTerm(source.graph, other.guard, wanted.guard))
      continue;
    for (const PtxMatch &match : inPtx(i, view, space))
      if (isOfBothWays(view.ptx->kernel.accesses[match.access], other, match,
                       view))
        return true;
  }
  return false;
}

/// Leaves out accesses to other variables, where the PTX has some to the
/// source's own: `a[x] * b[y]` has two at one line.
void dropOthers(const Kernel &source, const Access &subject, const Kernel &ptx,
                std::vector<PtxMatch> &matches) {
  const std::string name = variableOf(source, subject);
  auto isOther = [&](const PtxMatch &match) {
    return variableOf(ptx, ptx.accesses[match.access]) != name;
  };
  if (!name.empty() && !llvm::all_of(matches, isOther))
    llvm::erase_if(matches, isOther);
}

} // namespace

bool mayBeJoined(unsigned subject, const CompiledView &view, Space space) {
  const Kernel &source = view.source.kernel, &ptx = view.ptx->kernel;
  const Access &wanted = source.accesses[subject];
  for (const ShapeCosts &shape : view.ptx->shapes)
    for (unsigned i = 0; i < ptx.accesses.size(); ++i) {
      const Access &access = ptx.accesses[i];
      const bool isWider = access.operation == wanted.operation &&
                           wanted.bytes && access.bytes > wanted.bytes &&
                           access.bytes % wanted.bytes == 0 &&
                           shape.costs[i].space == space;
      if (isWider && llvm::none_of(source.accesses, [&](const Access &other) {
            return other.operation == access.operation &&
                   other.bytes == access.bytes && comesFrom(access, other);
          }))
        return true;
    }
  return false;
}

unsigned mostToOneAddress(const Kernel &kernel, Shape shape,
                          llvm::ArrayRef<unsigned> accesses) {
  Evaluation evaluation(kernel);
  unsigned most = 0;
  for (unsigned i : accesses) {
    const Access &first = kernel.accesses[i];
    most =
        std::max<unsigned>(most, llvm::count_if(accesses, [&](unsigned j) {
                             const Access &other = kernel.accesses[j];
                             return first.address == other.address &&
                                    first.operation == other.operation &&
                                    first.callSites == other.callSites &&
                                    mayBothRun(evaluation, shape, first, other);
                           }));
  }
  return most;
}

unsigned mostToOneAddressInSource(unsigned subject, const CompiledView &view) {
  const Kernel &kernel = view.source.kernel;
  std::vector<unsigned> same;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i)
    if (kernel.accesses[i].operation == kernel.accesses[subject].operation &&
        comesFrom(kernel.accesses[i], kernel.accesses[subject].place))
      same.push_back(i);
  return mostToOneAddress(kernel, view.source.shapes.front().shape.shape, same);
}

std::vector<PtxMatch> inPtx(unsigned subject, const CompiledView &view,
                            Space space) {
  const Kernel &source = view.source.kernel, &ptx = view.ptx->kernel;
  std::vector<PtxMatch> matches;
  for (bool moved : {false, true}) {
    for (const ShapeCosts &shape : view.ptx->shapes)
      for (unsigned i = 0; i < ptx.accesses.size(); ++i)
        if (shape.costs[i].space == space &&
            standsFor(ptx.accesses[i], source.accesses[subject], source, moved))
          matches.push_back({&shape, i,
                             moved ? ptx.accesses[i].place.line
                                   : source.accesses[subject].place.line});
    if (!matches.empty())
      break;
  }
  if (space == Space::Shared)
    dropOthers(source, source.accesses[subject], ptx, matches);
  return matches;
}

Judgement
judgeInPtx(llvm::ArrayRef<unsigned> subjects, const CompiledView &view,
           Space space,
           llvm::function_ref<Judgement(const PtxMatch &match)> ofOne) {
  if (!view.ptx)
    return {Verdict::Unjudged, "the compiler left no PTX to look at"};
  std::string harmless;
  bool unknown = false;
  for (unsigned subject : subjects)
    for (const PtxMatch &match : inPtx(subject, view, space)) {
      Judgement judgement = ofOne(match);
      if (judgement.verdict == Verdict::Confirmed)
        return judgement;
      if (judgement.verdict == Verdict::Unjudged)
        unknown = true;
      else
        harmless = judgement.evidence;
    }
  if (unknown)
    return {Verdict::Unjudged, "the address in the PTX cannot be followed"};
  if (harmless.empty() && llvm::any_of(subjects, [&](unsigned subject) {
        return mayBeJoined(subject, view, space);
      }))
    return {Verdict::Unjudged,
            "the compiler may have joined the access with its neighbours"};
  if (harmless.empty() && llvm::any_of(subjects, [&](unsigned subject) {
        return mayBeMerged(subject, view, space);
      }))
    return {Verdict::Unjudged, "the compiler may have merged the access with "
                               "that of the branch's other way"};
  if (harmless.empty())
    harmless = "the compiler left no such access in the kernel";
  return {Verdict::Refuted, harmless};
}

std::string inWords(const PtxMatch &match, const CompiledView &view) {
  const Access &access = view.ptx->kernel.accesses[match.access];
  // nvcc gives some of the code that it inlines line 0.
  const std::string at =
      match.line ? llvm::formatv(" at line {0}", match.line).str() : "";
  return llvm::formatv("the PTX {0} of {1}{2}", spelling(access.operation),
                       counted(access.bytes, "byte"), at);
}

} // namespace warplint
