#include "run/prove_fixes.h"
#include "base/kernel_name.h"
#include "cost/throughput.h"
#include "findings/kernel_changes.h"
#include "fixes/edits.h"
#include "fixes/project_files.h"
#include "fixes/same_bits.h"
#include "os/workers.h"
#include "report/progress.h"
#include "report/resources/resource_changes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace warplint {

namespace {

FixAttempt rolledBack(std::string why) {
  return {Proof::RolledBack, std::move(why)};
}

const Kernel *find(const std::vector<Kernel> &kernels, StringRef mangled) {
  const std::string key = normalisedKernelName(mangled);
  auto found = find_if(kernels, [&](const Kernel &kernel) {
    return normalisedKernelName(kernel.mangled) == key;
  });
  return found == kernels.end() ? nullptr : &*found;
}

/// The evidence of the finding that is still there; none if no kernel shows it
/// any more. Where nothing can be said, it may still be there.
std::optional<std::string>
stillThere(const CopyResult &after,
           function_ref<bool(const Finding &)> isSame) {
  for (const Finding &finding : after.findings) {
    if (!isSame(finding))
      continue;
    for (const FindingKernel &kernel : finding.kernels)
      if (kernel.judgement.verdict != Verdict::Refuted)
        return kernel.judgement.evidence.empty() ? finding.message
                                                 : kernel.judgement.evidence;
  }
  return std::nullopt;
}

/// Returns true if a change of an access or of a pipe is the purpose of the
/// fix, or what the text alone shows: a base that is written twice is loaded
/// once.
bool isMeant(StringRef change, const Finding &finding) {
  const Fix &fix = *finding.edit;
  if (fix.change == Change::LeaveConstantMemory)
    return change.contains("'" + fix.name);
  // A compare for each element is the price of registers; predicted cycles say
  // if it is less than that of local memory.
  if (fix.change == Change::SelectElement)
    return change.starts_with("instructions of a warp") ||
           change.contains("'" + StringRef(fix.name).split('[').first.str() +
                           "[");
  // A product of floats that was part of a fused one of doubles is one more
  // instruction until the sum is one of floats as well.
  if (fix.change == Change::FloatLiteral)
    return change.starts_with("instructions of a warp");
  // All accesses together are what has to be better: predicted cycles.
  if (fix.change == Change::OtherLayout)
    return change.starts_with("instructions of a warp") ||
           change.contains("'" + finding.object + "(");
  if (fix.change != Change::ReplacePower)
    return false;
  // nvcc's power of a float and an int is one of doubles, Clang's of floats;
  // conversions are special functions.
  if (change.starts_with("FP64 instructions") ||
      change.starts_with("special functions"))
    return StringRef(fix.name).contains("double(@)");
  if (!change.consume_front("load of '"))
    return false;
  return StringRef(finding.about).contains(change.split("': ").first);
}

/// The kernel with each variable that the fix declares as what it holds, so
/// that an access through a pointer in it is the one of before.
Kernel withElements(const Kernel &kernel, const Fix &fix) {
  Kernel result = kernel;
  if (fix.change != Change::LoadOnce || fix.edits.empty())
    return result;
  SmallVector<StringRef> lines;
  StringRef(fix.edits.front().text).split(lines, '\n');
  for (StringRef line : lines) {
    line = line.trim();
    if (!line.consume_front("const auto ") || !line.consume_back(";"))
      continue;
    const auto [variable, element] = line.split(" = ");
    for (Access &access : result.accesses)
      for (std::string *text : {&access.text, &access.object}) {
        StringRef rest = *text;
        if (rest.consume_front(variable) &&
            (rest.empty() || rest.front() == '[' || rest.front() == '-'))
          *text = (element + rest).str();
      }
  }
  return result;
}

/// Says what a kernel of the source pays more; empty if none does.
std::string whatIsWorse(const CopyResult &before, const CopyResult &after,
                        const Finding &finding) {
  const ResourceComparison comparison =
      compareResources(before.resources, after.resources,
                       [](const ResourceRow &) { return true; });
  for (const ResourceChange &change : comparison.changes)
    if (isWorse(change) || change.direction == Direction::Gone)
      return "'" + change.after.kernel +
             "' takes more: " + join(change.what, ", ");
  const unsigned capability =
      capabilityOf(before.compiled.units.empty()
                       ? ""
                       : before.compiled.units.front().architecture);
  for (const Kernel &kernel : before.kernels) {
    const Kernel *now = find(after.kernels, kernel.mangled);
    if (!now)
      return "'" + kernel.name + "' is not read any more";
    for (const std::string &change :
         whatGrew(kernel, withElements(*now, *finding.edit), capability))
      if (!isMeant(change, finding))
        return "'" + kernel.name + "' takes more: " + change;
  }
  return "";
}

const CompiledUnit *unitFor(const Compiled &compiled, StringRef architecture) {
  auto found = find_if(compiled.units, [&](const CompiledUnit &unit) {
    return unit.architecture == architecture;
  });
  return found == compiled.units.end() ? nullptr : &*found;
}

/// The name of the same kernel in another compile.
std::string nameOf(StringRef kernel, const CompiledUnit &unit) {
  const std::string key = normalisedKernelName(kernel);
  for (const CompiledKernel &each : unit.kernels)
    if (normalisedKernelName(each.usage.kernel) == key)
      return each.usage.kernel;
  return kernel.str();
}

std::vector<ComparedKernel> kernelsOf(const CompiledUnit &unit,
                                      const CompiledUnit &now,
                                      const CopyResult &before) {
  std::vector<ComparedKernel> kernels;
  for (const CompiledKernel &kernel : unit.kernels) {
    const Kernel *source = find(before.kernels, kernel.usage.kernel);
    kernels.push_back(
        {kernel.usage.kernel, nameOf(kernel.usage.kernel, now),
         source ? source->shapes.front().shape : Shape{64},
         !source || source->shapes.front().source == ShapeSource::Assumed});
  }
  return kernels;
}

/// Returns true for edits of expressions, which may be functions of one float.
bool mayHaveSameBits(const Fix &fix) {
  return fix.kind == FixClass::Rounding &&
         (fix.change == Change::FloatLiteral ||
          fix.change == Change::ReplacePower);
}

/// Expects code for the same architectures.
bool haveSameBits(const CopyResult &before, const CopyResult &after) {
  return all_of(before.compiled.units, [&](const CompiledUnit &unit) {
    const CompiledUnit &now = *unitFor(after.compiled, unit.architecture);
    return haveSameBits(unit.ptx, now.ptx, kernelsOf(unit, now, before));
  });
}

StoreComparison compareStores(const CopyResult &before, const CopyResult &after,
                              bool isRounded) {
  StoreComparison all;
  for (const CompiledUnit &unit : before.compiled.units) {
    const CompiledUnit *now = unitFor(after.compiled, unit.architecture);
    if (!now || unit.ptx.empty() || now->ptx.empty())
      return {Sameness::Unknown, "nvcc left no PTX to compare"};
    StoreComparison each = compareStores(
        unit.ptx, now->ptx, kernelsOf(unit, *now, before), isRounded);
    if (each.result == Sameness::Differs)
      return each;
    if (all.result == Sameness::Same)
      all = std::move(each);
  }
  return all;
}

/// Kernels and resources without kernels of libraries alone, whose instances
/// come and go with the types that they get.
CopyResult withoutLibraries(const CopyResult &all) {
  CopyResult result = all;
  erase_if(result.kernels, [](const Kernel &kernel) {
    return all_of(kernel.accesses,
                  [](const Access &access) { return access.inLibrary; });
  });
  erase_if(result.resources.rows, [&](const ResourceRow &row) {
    return !find(result.kernels, row.mangled);
  });
  return result;
}

/// Gives kernels the names that they had before an edit of a type that is part
/// of them. Edits of types leave the kernels in their order.
void nameAsBefore(CopyResult &after, const CopyResult &before) {
  if (before.kernels.size() != after.kernels.size())
    return;
  for (ResourceRow &row : after.resources.rows) {
    const size_t i = find(after.kernels, row.mangled) - after.kernels.data();
    const std::string name = normalisedKernelName(before.kernels[i].mangled);
    for (const ResourceRow &old : before.resources.rows)
      if (old.architecture == row.architecture &&
          normalisedKernelName(old.mangled) == name) {
        row.kernel = old.kernel;
        row.signature = old.signature;
      }
  }
  for (size_t i = 0; i < before.kernels.size(); ++i)
    after.kernels[i].mangled = before.kernels[i].mangled;
}

std::string whatIsWorseWithOtherTypes(const CopyResult &before,
                                      const CopyResult &after,
                                      const Finding &finding) {
  const CopyResult old = withoutLibraries(before);
  CopyResult now = withoutLibraries(after);
  nameAsBefore(now, old);
  return whatIsWorse(old, now, finding);
}

} // namespace

FixAttempt attemptOf(const Finding &finding, const CopyResult &before,
                     const CopyResult &after,
                     function_ref<bool(const Finding &)> isSame) {
  const Fix &fix = *finding.edit;
  if (!after.whyNot.empty())
    return rolledBack("with the edit it does not compile: " + after.whyNot);
  if (auto evidence = stillThere(after, isSame))
    return rolledBack("with the edit the finding stays: " + *evidence);
  const bool changesTypes = fix.change == Change::OtherLayout;
  if (std::string worse =
          changesTypes ? whatIsWorseWithOtherTypes(before, after, finding)
                       : whatIsWorse(before, after, finding);
      !worse.empty())
    return rolledBack("with the edit " + worse);
  if (changesTypes)
    return {Proof::Proven, "the finding is gone, and no kernel takes more; "
                           "every element has another address, so what the "
                           "kernels store is not compared"};
  const StoreComparison stores =
      compareStores(before, after, fix.kind == FixClass::Rounding);
  if (stores.result == Sameness::Differs)
    return rolledBack("with the edit a kernel " + stores.why);
  if (stores.result == Sameness::Unknown)
    return {Proof::Unproven,
            "what the kernels store cannot be compared: " + stores.why};
  const std::string gone = "the finding is gone, no kernel takes more, and ";
  if (!before.compiled.units.empty() && mayHaveSameBits(fix) &&
      haveSameBits(before, after))
    return {Proof::Proven, gone + "all 2^32 inputs give the same bits", true};
  return {Proof::Proven,
          gone + "they store " +
              (stores.why.empty() ? "the same by the same instructions"
                                  : stores.why)};
}

namespace {

class Prover {
public:
  Prover(const Batch &batch, const Options &options, SourceCopies copies)
      : batch_(batch), options_(options), copies_(std::move(copies)) {}

  void prove(std::vector<Finding> &findings);
  ChangedTexts take() { return std::move(texts_); }

private:
  /// A finding of the report, with its places in the present text.
  struct Candidate {
    Finding *reported;
    Finding now;
  };

  bool isTried(const Finding &finding) const;
  void prove(Candidate &candidate);
  FixAttempt attempt(const Candidate &candidate,
                     const std::vector<size_t> &sources,
                     std::map<size_t, CopyResult> &after,
                     const std::map<std::string, std::string> &texts,
                     const std::vector<Edit> &edits);
  void accept(const std::vector<Edit> &edits, const std::string &file,
              std::string text, std::map<size_t, CopyResult> after);
  std::vector<size_t> sourcesWith(const std::string &file) const;
  const CopyResult &before(size_t source);
  std::optional<std::string> textOf(const std::string &file);

  const Batch &batch_;
  const Options &options_;
  SourceCopies copies_;
  std::map<size_t, CopyResult> results_; ///< of the present text, by source
  ChangedTexts texts_;
  std::vector<Candidate> candidates_;
};

bool Prover::isTried(const Finding &finding) const {
  return finding.edit && finding.verdict() == Verdict::Confirmed &&
         (options_.check.fixes == FixMode::Prove ||
          options_.check.unsafeFixes || finding.edit->kind == FixClass::Safe ||
          mayHaveSameBits(*finding.edit));
}

std::vector<size_t> Prover::sourcesWith(const std::string &file) const {
  std::vector<size_t> sources;
  for (size_t i = 0; i < batch_.sources.size(); ++i)
    if (batch_.sources[i].model.outline.userFiles.count(file))
      sources.push_back(i);
  return sources;
}

const CopyResult &Prover::before(size_t source) {
  auto known = results_.find(source);
  if (known == results_.end())
    known = results_
                .emplace(source,
                         copies_.lint(batch_, source, options_, texts_.after))
                .first;
  return known->second;
}

std::optional<std::string> Prover::textOf(const std::string &file) {
  if (auto changed = texts_.after.find(file); changed != texts_.after.end())
    return changed->second;
  auto text = readText(file, {});
  return text ? std::optional(text->getBuffer().str()) : std::nullopt;
}

bool isSameFinding(const Finding &a, const Finding &b, const Place &place) {
  return a.check == b.check && a.place.file == place.file &&
         a.place.line == place.line &&
         (a.about == b.about || (!a.object.empty() && a.object == b.object));
}

/// The lines at which the finding would still be the same one after the edits.
/// The store after the loop, which is the last line but one, is another one.
struct SameLines {
  Place first;
  unsigned last = 0;

  bool contain(const Place &place) const {
    return place.file == first.file && place.line >= first.line &&
           place.line <= last;
  }
};

SameLines sameLines(const Finding &finding, StringRef text,
                    ArrayRef<Edit> edits) {
  SameLines lines{moved(finding.place, text, edits), 0};
  unsigned more = 0;
  for (const Edit &edit : edits)
    if (edit.begin <= finding.place && finding.place <= edit.end) {
      if (!more)
        lines.first = moved(edit.begin, text, edits);
      more += StringRef(edit.text).count('\n');
    }
  lines.last = lines.first.line + more;
  if (finding.edit->change == Change::StoreOnce)
    lines.last -= std::min(lines.last - lines.first.line, 2u);
  return lines;
}

FixAttempt Prover::attempt(const Candidate &candidate,
                           const std::vector<size_t> &sources,
                           std::map<size_t, CopyResult> &after,
                           const std::map<std::string, std::string> &texts,
                           const std::vector<Edit> &edits) {
  const Finding &finding = candidate.now;
  const std::string text = *textOf(finding.edit->at.file);
  const SameLines lines = sameLines(finding, text, edits);
  bool isThere = false;
  FixAttempt all{Proof::Proven, "", true};
  for (size_t source : sources) {
    const CopyResult &old = before(source);
    if (!old.whyNot.empty())
      return {Proof::Unproven,
              "a copy without the edit does not compile: " + old.whyNot};
    isThere |= any_of(old.findings, [&](const Finding &each) {
      return isSameFinding(each, finding, finding.place) &&
             each.verdict() == Verdict::Confirmed;
    });
    // `pow(x, 2) * pow(x, 2)` is two findings with one text.
    std::vector<Place> others;
    for (const Finding &each : old.findings)
      if (each.place != finding.place &&
          isSameFinding(each, finding, finding.place))
        others.push_back(moved(each.place, text, edits));
    CopyResult &now = after[source];
    now = copies_.lint(batch_, source, options_, texts);
    FixAttempt each;
    forEachInParallel(
        1, 1,
        [&](size_t) {
          each = attemptOf(finding, old, now, [&](const Finding &other) {
            return lines.contain(other.place) &&
                   !is_contained(others, other.place) &&
                   isSameFinding(other, finding, other.place);
          });
        },
        [&](size_t) {
          each = {Proof::Unproven, "comparing the kernels ended in a crash"};
        });
    if (each.proof != Proof::Proven)
      return each;
    all.hasSameBits &= each.hasSameBits;
    if (all.why.empty() || !each.hasSameBits)
      all.why = each.why;
  }
  return isThere
             ? all
             : FixAttempt{Proof::Unproven, "a copy does not show the finding"};
}

void Prover::accept(const std::vector<Edit> &edits, const std::string &file,
                    std::string text, std::map<size_t, CopyResult> after) {
  const std::string old = *textOf(file);
  texts_.before.try_emplace(file, old);
  for (Candidate &candidate : candidates_) {
    candidate.now.place = moved(candidate.now.place, old, edits);
    candidate.now.edit->at = moved(candidate.now.edit->at, old, edits);
    for (Place &place : candidate.now.edit->also)
      place = moved(place, old, edits);
  }
  texts_.after[file] = std::move(text);
  for (auto &[source, result] : after)
    results_[source] = std::move(result);
}

void Prover::prove(Candidate &candidate) {
  Fix &reported = *candidate.reported->edit;
  const Fix &fix = *candidate.now.edit;
  const std::vector<size_t> sources = sourcesWith(fix.at.file);
  const std::optional<std::string> text = textOf(fix.at.file);
  if (!text || sources.empty())
    return;
  auto isSame = [&](const Finding &each) {
    return isSameFinding(each, candidate.now, candidate.now.place) &&
           each.verdict() == Verdict::Confirmed;
  };
  if (!texts_.after.empty() && none_of(sources, [&](size_t source) {
        return any_of(before(source).findings, isSame);
      })) {
    reported.proof = Proof::Proven;
    reported.why = "an edit before this one ends the finding";
    return;
  }
  const std::vector<Edit> edits = editsOf(fix, *text);
  if (edits.empty()) {
    reported.why = "an edit before this one changed the text";
    return;
  }
  std::string changed = applied(*text, edits);
  std::map<std::string, std::string> texts = texts_.after;
  texts[fix.at.file] = changed;
  std::map<size_t, CopyResult> after;
  FixAttempt attempt = this->attempt(candidate, sources, after, texts, edits);
  reported.proof = attempt.proof;
  reported.why = std::move(attempt.why);
  if (attempt.hasSameBits)
    reported.kind = FixClass::Safe;
  if (reported.proof == Proof::Proven &&
      options_.check.fixes != FixMode::Prove &&
      (options_.check.unsafeFixes || reported.kind == FixClass::Safe))
    accept(edits, fix.at.file, std::move(changed), std::move(after));
}

void Prover::prove(std::vector<Finding> &findings) {
  for (Finding &finding : findings)
    if (isTried(finding))
      candidates_.push_back({&finding, finding});
  Progress progress("proving", candidates_.size());
  for (Candidate &candidate : candidates_) {
    progress.step(candidate.now.place.file);
    prove(candidate);
  }
}

} // namespace

Expected<ChangedTexts> proveFixes(const Batch &batch, const Options &options,
                                  std::vector<Finding> &findings) {
  auto copies = SourceCopies::create();
  if (!copies)
    return copies.takeError();
  Prover prover(batch, options, std::move(*copies));
  prover.prove(findings);
  return prover.take();
}

} // namespace warplint
