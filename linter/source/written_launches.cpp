#include "source/written_launches.h"
#include "source/ast_place.h"
#include "source/describe_kernel.h"
#include "source/packed_arguments.h"
#include "clang/AST/Attr.h"

namespace warplint {

/// An argument of a launch or of a call that makes one, if it is written.
static const clang::Expr *writtenIn(const clang::CallExpr *config,
                                    unsigned argument) {
  return config->getNumArgs() > argument &&
                 !llvm::isa<clang::CXXDefaultArgExpr>(config->getArg(argument))
             ? config->getArg(argument)
             : nullptr;
}

static std::vector<const clang::Expr *> argumentsOf(const clang::CallExpr *call,
                                                    unsigned from) {
  return {call->getArgs() + from, call->getArgs() + call->getNumArgs()};
}

/// What `&x` points to; null for another expression.
static const clang::Expr *pointedTo(const clang::Expr *pointer) {
  auto *address =
      llvm::dyn_cast<clang::UnaryOperator>(pointer->IgnoreParenImpCasts());
  return address && address->getOpcode() == clang::UO_AddrOf
             ? address->getSubExpr()->IgnoreParenImpCasts()
             : nullptr;
}

/// The function that an expression names; null for another expression.
static const clang::FunctionDecl *named(const clang::Expr *expression) {
  if (const clang::Expr *pointed = pointedTo(expression->IgnoreParenCasts()))
    expression = pointed;
  auto *reference =
      llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenCasts());
  return reference ? llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl())
                   : nullptr;
}

static bool isInTemplate(const WrittenLaunch &written) {
  return written.inside && written.inside->isDependentContext();
}

WrittenLaunches::WrittenLaunches(clang::CompilerInstance &instance,
                                 const Emitted &emitted)
    : instance_(instance), context_(instance.getASTContext()),
      emitted_(emitted) {
  for (const auto &[name, function] : emitted.functions)
    irNames_[function->getCanonicalDecl()] = name;
}

void WrittenLaunches::noteLaunch(const clang::CUDAKernelCallExpr *launch,
                                 const clang::FunctionDecl *inside) {
  if (const clang::FunctionDecl *kernel = launch->getDirectCallee())
    --references_[kernel->getCanonicalDecl()];
  const clang::CallExpr *config = launch->getConfig();
  // In device code the function and its parameters' memory come first.
  constexpr unsigned onHost = 4, onDevice = 6;
  const unsigned count = config ? config->getNumArgs() : 0;
  const unsigned first = count >= onDevice ? count - onHost : 0;
  if (count >= 2)
    launches_.push_back(
        {launch, inside, launch->getCallee(), config->getArg(first),
         config->getArg(first + 1), nullptr, argumentsOf(launch, 0),
         writtenIn(config, first + 2), writtenIn(config, first + 3)});
}

void WrittenLaunches::noteCall(const clang::CallExpr *call,
                               const clang::FunctionDecl *inside) {
  const clang::FunctionDecl *callee = call->getDirectCallee();
  if (!callee || !callee->getIdentifier())
    return;
  const llvm::StringRef name = callee->getName();
  unsigned count = call->getNumArgs();
  bool plain =
      name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel";
  if (plain && count >= 3)
    launches_.push_back({call, inside, call->getArg(0), call->getArg(1),
                         call->getArg(2), nullptr,
                         count > 3 ? packedArguments(call->getArg(3), inside)
                                   : std::vector<const clang::Expr *>(),
                         count > 4 ? call->getArg(4) : nullptr,
                         writtenIn(call, 5)});
  // Who asks about a kernel, or sets it up, hands it to no launch.
  if (name.starts_with("cudaFunc") || name.starts_with("cudaOccupancy"))
    for (const clang::Expr *argument : call->arguments())
      if (const clang::FunctionDecl *kernel = named(argument))
        --references_[kernel->getCanonicalDecl()];
  bool extended = name == "cudaLaunchKernelEx" || name == "cudaLaunchKernelExC";
  if (!extended || count < (name == "cudaLaunchKernelEx" ? 2 : 3))
    return;
  if (const clang::Expr *config = pointedTo(call->getArg(0)))
    launches_.push_back({call, inside, call->getArg(1), nullptr, nullptr,
                         config,
                         name == "cudaLaunchKernelEx"
                             ? argumentsOf(call, 2)
                             : packedArguments(call->getArg(2), inside)});
}

/// A template's own launch leaves open what its instances know.
void WrittenLaunches::dropTemplates() {
  llvm::DenseSet<clang::SourceLocation> instances;
  for (const WrittenLaunch &written : launches_)
    if (!isInTemplate(written))
      instances.insert(written.expression->getExprLoc());
  llvm::erase_if(launches_, [&](const WrittenLaunch &written) {
    return isInTemplate(written) &&
           instances.contains(written.expression->getExprLoc());
  });
}

void WrittenLaunches::dropLeftOut() {
  llvm::erase_if(launches_, [&](const WrittenLaunch &written) {
    auto *launch =
        llvm::dyn_cast<clang::CUDAKernelCallExpr>(written.expression);
    const clang::FunctionDecl *kernel =
        launch ? launch->getDirectCallee() : nullptr;
    return kernel && emitted_.isLeftOut(kernel);
  });
}

static bool isCooperative(const clang::Expr &launch) {
  auto *call = llvm::dyn_cast<clang::CallExpr>(&launch);
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->getIdentifier() &&
         callee->getName() == "cudaLaunchCooperativeKernel";
}

/// What a launch of an unknown kernel may launch: the kernels of its type that
/// are named elsewhere than in a launch.
std::vector<ReadLaunch>
WrittenLaunches::ofAnyKernel(const WrittenLaunch &written) const {
  const clang::QualType type =
      written.kernel->IgnoreParenCasts()->getType().getCanonicalType();
  const clang::QualType launched =
      type->isFunctionPointerType() ? type->getPointeeType() : type;
  std::vector<ReadLaunch> launches;
  for (const auto &[kernel, name] : irNames_)
    if (kernel->hasAttr<clang::CUDAGlobalAttr>() &&
        references_.lookup(kernel) > 0 &&
        (!launched->isFunctionType() ||
         context_.hasSameFunctionTypeIgnoringExceptionSpec(
             launched, kernel->getType().getCanonicalType())))
      launches.push_back({kernel, {}, {}, {}, false, {}, written.expression});
  return launches;
}

std::vector<WrittenLaunches::Evaluated>
WrittenLaunches::read(LaunchReader &reader) {
  dropTemplates();
  dropLeftOut();
  const auto own = ownMemory(reader);
  std::vector<Evaluated> evaluated;
  for (const WrittenLaunch &written : launches_) {
    const bool neverRuns = reader.neverRuns(written);
    std::vector<ReadLaunch> launches = reader.read(written);
    if (launches.empty() && !neverRuns && !isInTemplate(written))
      launches = ofAnyKernel(written);
    for (const ReadLaunch &read : launches) {
      std::string kernel = irName(read.kernel);
      if (kernel.empty())
        continue;
      if (neverRuns) {
        if (references_.lookup(read.kernel->getCanonicalDecl()) <= 0)
          neverLaunched_.insert(std::move(kernel));
        continue;
      }
      Launch launch{
          std::move(kernel), astPlace(instance_, read.at->getExprLoc()),
          // The device runs the grids of several streams at once.
          isInOneOfSeveral(written.stream) ? decltype(read.grid)() : read.grid,
          read.block, read.arguments, read.sizesKnown, read.sharedMemory};
      launch.fromCaller = read.fromCaller;
      launch.sized = read.sized;
      launch.ends = read.ends;
      launch.fitsAtOnce = isCooperative(*written.expression);
      if (auto it = own.find(read.kernel->getCanonicalDecl()); it != own.end())
        for (const auto &[position, bytes] : it->second)
          launch.ownMemory.push_back({position, bytes});
      evaluated.push_back({written.expression, std::move(launch)});
    }
  }
  for (const Evaluated &each : evaluated)
    neverLaunched_.erase(each.launch.kernel);
  return evaluated;
}

/// Returns the arguments that lead to memory of their own in all launches of a
/// kernel, also in those that are not evaluated.
llvm::DenseMap<const clang::FunctionDecl *, WrittenLaunches::OwnedBytes>
WrittenLaunches::ownMemory(LaunchReader &reader) {
  llvm::DenseMap<const clang::FunctionDecl *, OwnedBytes> result;
  llvm::DenseSet<const clang::FunctionDecl *> seen;
  for (const WrittenLaunch &written : launches_) {
    auto *launch =
        llvm::dyn_cast<clang::CUDAKernelCallExpr>(written.expression);
    const clang::FunctionDecl *kernel =
        launch ? launch->getDirectCallee() : nullptr;
    if (!kernel || !areAllLaunchesSeen(*kernel))
      continue;
    OwnedBytes here;
    if (written.inside)
      for (unsigned i :
           ownPointers_.positions(*written.inside, written.arguments))
        here[i] =
            allocatedBytes(*written.inside, *written.arguments[i], reader);
    OwnedBytes &own = result[kernel->getCanonicalDecl()];
    if (seen.insert(kernel->getCanonicalDecl()).second) {
      own = std::move(here);
      continue;
    }
    std::erase_if(own,
                  [&](const auto &known) { return !here.count(known.first); });
    for (auto &[position, bytes] : own) {
      const uint64_t other = here[position];
      bytes = bytes && other ? std::max(bytes, other) : 0;
    }
  }
  return result;
}

/// The most that the allocations of an argument ask for; 0 if only the run
/// knows.
uint64_t WrittenLaunches::allocatedBytes(const clang::FunctionDecl &function,
                                         const clang::Expr &argument,
                                         LaunchReader &reader) {
  uint64_t most = 0;
  for (const clang::Expr *size : ownPointers_.sizes(function, argument)) {
    const auto bytes = reader.number(size, &function);
    if (!bytes)
      return 0;
    most = std::max(most, *bytes);
  }
  return most;
}

/// Returns true if nothing but the launches of this source may name the
/// kernel, by the names alone: another source of a program with `main` here
/// would have to declare it again.
bool WrittenLaunches::areAllLaunchesSeen(
    const clang::FunctionDecl &kernel) const {
  const clang::SourceManager &sources = context_.getSourceManager();
  const auto isOnlyHere = [&](const clang::FunctionDecl &function) {
    return llvm::all_of(function.redecls(),
                        [&](const clang::FunctionDecl *declared) {
                          return sources.isInMainFile(
                              sources.getExpansionLoc(declared->getLocation()));
                        });
  };
  const clang::FunctionDecl *pattern = kernel.getTemplateInstantiationPattern();
  return references_.lookup(kernel.getCanonicalDecl()) == 0 &&
         isOnlyHere(kernel) && (!pattern || isOnlyHere(*pattern)) &&
         (pattern || hasMain_ || !kernel.isExternallyVisible());
}

/// Returns true for a stream that an index chooses: "streams[i % 4]".
bool WrittenLaunches::isInOneOfSeveral(const clang::Expr *stream) const {
  if (!stream)
    return false;
  stream = stream->IgnoreParenImpCasts();
  const clang::Expr *index = nullptr;
  if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(stream))
    index = element->getIdx();
  else if (auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(stream);
           call && call->getOperator() == clang::OO_Subscript)
    index = call->getArg(1);
  clang::Expr::EvalResult value;
  return index && !index->isValueDependent() &&
         !index->EvaluateAsInt(value, context_);
}

/// Returns a kernel's name in the IR, also for kernels of other sources.
std::string WrittenLaunches::irName(const clang::FunctionDecl *kernel) const {
  auto it = irNames_.find(kernel->getCanonicalDecl());
  if (it != irNames_.end())
    return it->second;
  return kernel->hasAttr<clang::CUDAGlobalAttr>() &&
                 !kernel->isDependentContext()
             ? mangledName(*kernel)
             : "";
}

} // namespace warplint
