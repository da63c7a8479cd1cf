#include "findings/judge.h"
#include "compiled/kernel_name.h"
#include "compiled/ptx_kernels.h"
#include "findings/check.h"
#include <map>

namespace warplint {

namespace {

/// One architecture, ready to be asked.
class JudgedUnit {
public:
  JudgedUnit(const CompiledUnit &unit,
             const std::map<std::string, const CostedKernel *> &wanted)
      : unit(unit) {
    for (const CompiledKernel &kernel : unit.kernels)
      compiled_[normalisedKernelName(kernel.usage.kernel)] = &kernel;
    readPtxKernels(wanted);
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
  /// Only the kernels that something is to be judged in.
  void
  readPtxKernels(const std::map<std::string, const CostedKernel *> &wanted) {
    if (unit.ptx.empty())
      return;
    PtxRequest request;
    auto isWanted = [&](llvm::StringRef mangled) {
      return wanted.count(normalisedKernelName(mangled)) != 0;
    };
    request.wanted = isWanted;
    auto kernels = readPtxKernels(unit.ptx, request);
    if (!kernels) {
      llvm::consumeError(kernels.takeError());
      return;
    }
    kernels_ = std::move(*kernels);
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

} // namespace

void judge(std::vector<Finding> &findings,
           const std::vector<CostedKernel> &kernels, const Compiled &compiled) {
  std::map<std::string, const CostedKernel *> byMangled, wanted;
  for (const CostedKernel &costed : kernels)
    byMangled[costed.kernel.mangled] = &costed;
  for (const Finding &finding : findings)
    for (const FindingKernel &kernel : finding.kernels)
      wanted[normalisedKernelName(kernel.mangled)] =
          byMangled.at(kernel.mangled);
  std::vector<JudgedUnit> units;
  units.reserve(compiled.units.size());
  for (const CompiledUnit &unit : compiled.units)
    units.emplace_back(unit, wanted);

  for (Finding &finding : findings) {
    const Check *check = findCheck(finding.check);
    std::vector<FindingKernel> judged;
    for (const FindingKernel &kernel : finding.kernels) {
      std::string name = normalisedKernelName(kernel.mangled);
      for (const JudgedUnit &unit : units) {
        FindingKernel &result = judged.emplace_back(kernel);
        result.architecture = unit.unit.architecture;
        const CompiledKernel *machine = unit.compiled(name);
        if (!unit.unit.whyNot.empty())
          result.judgement = unjudged(unit.unit.whyNot);
        else if (!check || !check->judge)
          result.judgement = unjudged("nothing in the compiled code tells");
        else if (!machine)
          result.judgement = unjudged("the compiler did not emit the kernel");
        else {
          if (result.architecture.empty())
            result.architecture = machine->usage.architecture;
          result.judgement =
              check->judge(finding, kernel.subject,
                           {*wanted.at(name), *machine, unit.ptx(name)});
        }
      }
      if (units.empty()) {
        FindingKernel &result = judged.emplace_back(kernel);
        result.judgement = unjudged(compiled.whyNot);
      }
    }
    finding.kernels = std::move(judged);
  }
}

} // namespace warplint
