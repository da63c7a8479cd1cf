#include "findings/judge.h"
#include "compiled/kernel_name.h"
#include "compiled/read_ptx.h"
#include "source/normalise.h"
#include "source/read_ir.h"
#include <map>
#include <set>

namespace warplint {

namespace {

/// One architecture, ready to be asked.
class JudgedUnit {
public:
  /// `kernels`: all of the source, by their normalised names; `found`: those
  /// that a finding is in.
  JudgedUnit(const CompiledUnit &unit,
             const std::map<std::string, const CostedKernel *> &kernels,
             const std::set<std::string> &found)
      : unit(unit) {
    for (const CompiledKernel &kernel : unit.kernels)
      compiled_[normalisedKernelName(kernel.usage.kernel)] = &kernel;
    readPtxKernels(kernels, found);
  }

  const CompiledKernel *compiled(const std::string &name) const {
    auto it = compiled_.find(name);
    return it == compiled_.end() ? nullptr : it->second;
  }
  const CostedKernel *ptx(const std::string &name) const {
    auto it = costed_.find(name);
    return it == costed_.end() ? nullptr : &it->second;
  }

  const CompiledUnit &unit;

private:
  /// Only the kernels of which the PTX is asked anything.
  void
  readPtxKernels(const std::map<std::string, const CostedKernel *> &kernels,
                 const std::set<std::string> &found) {
    std::map<std::string, const CostedKernel *> wanted;
    for (const auto &[name, kernel] : kernels) {
      const CompiledKernel *machine = compiled(name);
      if (found.count(name) || (machine && machine->usage.stackFrame))
        wanted.emplace(name, kernel);
    }
    if (unit.ptx.empty() || wanted.empty())
      return;
    llvm::LLVMContext context;
    auto module = readPtx(unit.ptx, context);
    if (!module) {
      llvm::consumeError(module.takeError());
      return;
    }
    std::unique_ptr<llvm::TargetMachine> target = deviceTarget(**module);
    for (llvm::Function &function : **module)
      if (isKernel(function) && !function.isDeclaration() &&
          !wanted.count(normalisedKernelName(function.getName())))
        function.deleteBody();
    kernels_ = readKernels(**module, *target, Names());
    for (Kernel &kernel : kernels_) {
      std::string name = normalisedKernelName(kernel.mangled);
      kernel.shapes = wanted.at(name)->kernel.shapes;
      costed_.emplace(name, costed(kernel));
    }
  }

  std::map<std::string, const CompiledKernel *> compiled_;
  std::vector<Kernel> kernels_;
  std::map<std::string, CostedKernel> costed_;
};

Judgement unjudged(std::string reason) {
  return {Verdict::Unjudged, std::move(reason)};
}

Judgement judged(const Finding &finding, const FindingKernel &kernel,
                 const Check *check, const JudgedUnit &unit,
                 const std::string &name, const CostedKernel &source) {
  const CompiledKernel *machine = unit.compiled(name);
  if (!unit.unit.whyNot.empty())
    return unjudged(unit.unit.whyNot);
  if (!check || !check->judge)
    return unjudged("nothing in the compiled code tells");
  if (!machine)
    return unjudged("the compiler did not emit the kernel");
  return check->judge(finding, kernel.subject,
                      {source, *machine, unit.ptx(name)});
}

/// The architecture that was asked for, or nvcc's default.
std::string architectureOf(const JudgedUnit &unit, const std::string &name) {
  const CompiledKernel *machine = unit.compiled(name);
  return unit.unit.architecture.empty() && machine ? machine->usage.architecture
                                                   : unit.unit.architecture;
}

/// What the compiled code of one kernel shows by itself.
void inspectCompiled(const CostedKernel &source, const JudgedUnit &unit,
                     const std::vector<const Check *> &enabled,
                     std::vector<Finding> &findings) {
  const std::string name = normalisedKernelName(source.kernel.mangled);
  const CompiledKernel *machine = unit.compiled(name);
  if (!machine)
    return;
  for (const Check *check : enabled) {
    if (!check->inspectCompiled)
      continue;
    const size_t before = findings.size();
    Findings added(check->info, source.kernel, findings);
    check->inspectCompiled({source, *machine, unit.ptx(name)}, added);
    for (size_t i = before; i < findings.size(); ++i) {
      FindingKernel &kernel = findings[i].kernels.front();
      kernel.architecture = architectureOf(unit, name);
      kernel.judgement.verdict = Verdict::Confirmed;
    }
  }
}

} // namespace

void judge(std::vector<Finding> &findings,
           const std::vector<CostedKernel> &kernels, const Compiled &compiled,
           const std::vector<const Check *> &enabled) {
  std::map<std::string, const CostedKernel *> byName;
  for (const CostedKernel &costed : kernels)
    byName[normalisedKernelName(costed.kernel.mangled)] = &costed;
  std::set<std::string> found;
  for (const Finding &finding : findings)
    for (const FindingKernel &kernel : finding.kernels)
      found.insert(normalisedKernelName(kernel.mangled));
  std::vector<JudgedUnit> units;
  units.reserve(compiled.units.size());
  for (const CompiledUnit &unit : compiled.units)
    units.emplace_back(unit, byName, found);

  for (Finding &finding : findings) {
    const Check *check = findCheck(finding.check);
    std::vector<FindingKernel> results;
    for (const FindingKernel &kernel : finding.kernels) {
      const std::string name = normalisedKernelName(kernel.mangled);
      for (const JudgedUnit &unit : units) {
        FindingKernel &result = results.emplace_back(kernel);
        result.architecture = architectureOf(unit, name);
        result.judgement =
            judged(finding, kernel, check, unit, name, *byName.at(name));
      }
      if (units.empty())
        results.emplace_back(kernel).judgement = unjudged(compiled.whyNot);
    }
    finding.kernels = std::move(results);
  }
  for (const JudgedUnit &unit : units)
    for (const CostedKernel &kernel : kernels)
      inspectCompiled(kernel, unit, enabled, findings);
}

} // namespace warplint
