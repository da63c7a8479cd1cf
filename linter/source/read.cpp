#include "source/read.h"
#include "base/kernel_name.h"
#include "base/readable_name.h"
#include "input/cuda_switch.h"
#include "ir/analyses.h"
#include "ir/needed_accesses.h"
#include "ir/normalise.h"
#include "ir/read_ir.h"
#include "ir/short_forms.h"
#include "ir/short_loops.h"
#include "ir/user_code.h"
#include "source/ast_place.h"
#include "source/copied_alignment.h"
#include "source/describe_kernel.h"
#include "source/emit.h"
#include "source/kokkos/packed_views.h"
#include "source/kokkos/policy_members.h"
#include "source/kokkos/read_kokkos.h"
#include "source/mark_indexes.h"
#include "source/parse.h"
#include "source/read_observer.h"
#include "source/read_source.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <utility>

namespace warplint {

static DroppedKernel dropped(const ParsedSource &source,
                             const clang::FunctionDecl &kernel) {
  DroppedKernel result{kernel.getQualifiedNameAsString(), mangledName(kernel),
                       astPlace(source.instance(), kernel.getLocation()),
                       source.errors.empty() ? ParseError()
                                             : source.errors.front()};
  if (auto kokkos = kokkosKernel(kernel, source.context())) {
    result.name = kokkos->name;
    result.place = astPlace(source.instance(), kokkos->body);
  }
  const clang::SourceManager &sources = source.instance().getSourceManager();
  auto presumed = [&](clang::SourceLocation location) {
    return sources.getPresumedLoc(sources.getExpansionLoc(location));
  };
  clang::PresumedLoc begin = presumed(kernel.getBeginLoc()),
                     end = presumed(kernel.getEndLoc());
  if (begin.isInvalid() || end.isInvalid())
    return result;
  for (const ParseError &error : source.errors)
    if (error.file == begin.getFilename() && error.line >= begin.getLine() &&
        error.line <= end.getLine()) {
      result.error = error;
      break;
    }
  return result;
}

/// Makes the names of instances differ that share one, such as that of a lambda
/// in a template: adds the parts of their full names that differ, as in
/// "k<lambda at a.cu:3> [float]".
static void tellApart(std::vector<Kernel> &kernels) {
  std::map<std::string, std::vector<Kernel *>> byName;
  for (Kernel &kernel : kernels)
    byName[kernel.name].push_back(&kernel);
  for (auto &[name, same] : byName) {
    std::vector<std::string> full;
    for (const Kernel *kernel : same)
      full.push_back(normalisedKernelName(kernel->mangled));
    std::vector<std::string> parts = differingParts(full);
    for (size_t i = 0; i < parts.size(); ++i)
      if (!parts[i].empty())
        same[i]->name += " [" + parts[i] + "]";
  }
}

void setKernels(SourceModel &model, std::vector<Kernel> kernels) {
  model.outline.kernels.clear();
  for (const Kernel &kernel : kernels)
    model.outline.kernels.push_back(outlineOf(kernel));
  model.kernels = std::move(kernels);
}

llvm::Expected<SourceModel>
readSource(const Command &command, const Translation &translation,
           const std::optional<Toolkit> &toolkit,
           const std::string &resourceDir, const Store &kept,
           const Buffers &buffers, ReadObserver *observer) {
  auto parsed =
      parse(command, translation, toolkit, resourceDir, kept, buffers);
  if (!parsed)
    return parsed.takeError();
  ParsedSource &source = **parsed;
  SourceModel model;
  model.asked = std::move(source.asked);
  if (!source.precompiledHeader.empty())
    model.libraries = source.libraries;

  llvm::LLVMContext context;
  Emitted emitted = emitDevice(source, context);
  model.outline.errors = source.errors; // code generation may have added some
  for (const clang::FunctionDecl *kernel : emitted.dropped)
    model.outline.notRead.push_back(dropped(source, *kernel));
  for (const AlikeInstances &alike : emitted.alike) {
    InstancesLeftOut &leftOut = model.outline.leftOut.emplace_back();
    leftOut.kernel = alike.first->getQualifiedNameAsString();
    leftOut.instances = alike.all;
    for (const clang::FunctionDecl *instance : alike.leftOut)
      leftOut.mangled.push_back(mangledName(*instance));
  }
  if (!emitted.module)
    return model;
  SourceFacts facts = readFacts(source, emitted);
  model.outline.launches = std::move(facts.launches);

  if (observer) // sees the source's own instructions, without our marks
    observer->emitted(source, emitted, facts.names);
  else
    markIndexes(emitted);
  alignCopies(emitted);
  for (llvm::Function *kernel :
       librarysOwnKernels(*emitted.module, facts.names)) {
    model.outline.libraryKernels.push_back(kernel->getName().str());
    kernel->deleteBody();
  }
  const std::map<std::string, KokkosPolicy> policies =
      agreedPolicies(facts.dispatches);
  std::vector<Kernel> kernels;
  // A kernel is copied, not moved, when the vector grows.
  kernels.reserve(llvm::count_if(*emitted.module, isKernel));
  std::unique_ptr<llvm::TargetMachine> target = deviceTarget(*emitted.module);
  Analyses analyses(*target);
  auto readNormalised = [&](llvm::Function &function) {
    auto it = emitted.functions.find(function.getName().str());
    if (it == emitted.functions.end())
      return;
    const clang::FunctionDecl &decl = *it->second;
    if (observer)
      observer->normalised(function);
    unrollShortLoops(function, analyses.functions);
    if (hasKokkos(source.context())) {
      fixPackedStrides(function, decl);
      if (auto policy = policies.find(it->first); policy != policies.end())
        fixPolicy(function, decl, policy->second);
      analyses.functions.clear(function, function.getName());
    }
    describeLibdevice(function);
    markNeededAccesses(function, analyses.functions);
    markShortForms(function, translation.shortForms);
    Kernel kernel = readKernel(function, analyses.functions, facts.names);
    describeKernel(source, decl, kernel);
    // Reads a library's kernel only if it contains code of the user's.
    const auto isOurs = [&](const auto &code) {
      return facts.names.isUser(code.place.file);
    };
    const bool ours = isOurs(kernel) || llvm::any_of(kernel.accesses, isOurs) ||
                      llvm::any_of(kernel.written, isOurs);
    if (!ours || constructsViews(decl)) {
      model.outline.libraryKernels.push_back(kernel.mangled);
      return;
    }
    if ((!decl.isReferenced() && !decl.isExternC()) ||
        facts.neverLaunched.contains(kernel.mangled))
      model.outline.unreferenced.push_back(kernel.mangled);
    if (observer)
      observer->read(kernel, decl);
    kernels.push_back(std::move(kernel));
  };
  auto beforePass = [&](llvm::Function &kernel) {
    observer->beforePass(kernel);
  };
  normaliseEach(
      *emitted.module, *target,
      [&](llvm::Function &function) {
        readNormalised(function);
        analyses.functions.clear(function, function.getName());
        function.deleteBody();
      },
      observer ? std::function<void(llvm::Function &)>(beforePass) : nullptr);
  tellApart(kernels);
  setKernels(model, std::move(kernels));
  if (observer)
    model.observed = observer->record();
  model.systemFiles = std::move(facts.names.systemFiles);
  model.outline.userFiles = std::move(facts.names.userFiles);
  model.outline.markedFiles = std::move(facts.names.markedFiles);
  model.outline.templates = std::move(facts.templates);
  model.outline.hasDeviceFunctions = facts.hasDeviceFunctions;
  model.outline.mentionsKernels = facts.mentionsKernels;
  if (model.kernels.empty() && model.outline.notRead.empty() &&
      model.outline.templates.empty() && facts.mentionsKernels) {
    const clang::SourceManager &sources = source.context().getSourceManager();
    model.outline.kernelsBehind =
        conditionOfKernels(sources.getBufferData(sources.getMainFileID()));
  }
  return model;
}

} // namespace warplint
