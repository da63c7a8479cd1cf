#include "source/kokkos/read_kokkos.h"
#include "source/member_type.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

namespace warplint {

namespace {

using Specialization = clang::ClassTemplateSpecializationDecl;

/// Returns the class in
/// `Kokkos::Impl::cuda_parallel_launch_local_memory<Driver>`; null if the
/// function is no kernel of the backend.
const Specialization *driverOf(const clang::FunctionDecl &function) {
  if (!function.getIdentifier() ||
      !function.getName().starts_with("cuda_parallel_launch_") ||
      !llvm::StringRef(function.getQualifiedNameAsString())
           .starts_with("Kokkos::"))
    return nullptr;
  const clang::TemplateArgumentList *arguments =
      function.getTemplateSpecializationArgs();
  if (!arguments || !arguments->size() ||
      arguments->get(0).getKind() != clang::TemplateArgument::Type)
    return nullptr;
  return llvm::dyn_cast_or_null<Specialization>(
      arguments->get(0).getAsType()->getAsCXXRecordDecl());
}

std::optional<KokkosPattern> patternOf(const Specialization &driver) {
  llvm::StringRef name = driver.getName();
  if (name == "ParallelFor")
    return KokkosPattern::For;
  if (name == "ParallelReduce")
    return KokkosPattern::Reduce;
  if (name == "ParallelScan" || name == "ParallelScanWithTotal")
    return KokkosPattern::Scan;
  return std::nullopt;
}

const char *spelling(KokkosPattern pattern) {
  switch (pattern) {
  case KokkosPattern::For:
    return "parallel_for";
  case KokkosPattern::Reduce:
    return "parallel_reduce";
  case KokkosPattern::Scan:
    return "parallel_scan";
  }
  return "";
}

const clang::CXXRecordDecl *argumentOf(const Specialization &record,
                                       unsigned index) {
  const clang::TemplateArgumentList &arguments = record.getTemplateArgs();
  if (index >= arguments.size() ||
      arguments[index].getKind() != clang::TemplateArgument::Type)
    return nullptr;
  return arguments[index].getAsType()->getAsCXXRecordDecl();
}

/// Unwraps the user's lambda or class: since 4.1, a reduction has
/// CombinedFunctorReducer<Functor, Reducer>, before that and for nvcc
/// CudaFunctorAdapter<Functor, Policy, Value, Tag>; one with several results
/// has CombinedReductionFunctorWrapper<Functor, Space, Reducer...>.
const clang::CXXRecordDecl *functorOf(const Specialization &driver) {
  const clang::CXXRecordDecl *functor = argumentOf(driver, 0);
  for (unsigned depth = 0; functor && depth < 4; ++depth) {
    auto *wrapper = llvm::dyn_cast<Specialization>(functor);
    if (!wrapper || !wrapper->getIdentifier() ||
        !(wrapper->getName().starts_with("CombinedFunctorReducer") ||
          wrapper->getName() == "CombinedReductionFunctorWrapper" ||
          wrapper->getName() == "CudaFunctorAdapter" ||
          wrapper->getName() == "FunctorWrapper"))
      break;
    functor = argumentOf(*wrapper, 0);
  }
  return functor;
}

/// Returns the policy's work tag, the first argument of the call; null if none.
const clang::CXXRecordDecl *tagOf(const clang::CXXRecordDecl *policy) {
  return policy ? memberType(*policy, "work_tag") : nullptr;
}

/// Returns the operator that is called: with this tag first, if there is one.
clang::SourceLocation bodyOf(const clang::CXXRecordDecl &functor,
                             const clang::CXXRecordDecl *tag,
                             clang::ASTContext &context) {
  clang::SourceLocation first = functor.getLocation();
  if (functor.isLambda())
    return first;
  for (const clang::NamedDecl *decl : functor.lookup(
           context.DeclarationNames.getCXXOperatorName(clang::OO_Call))) {
    const clang::FunctionDecl *call = decl->getAsFunction();
    if (!call || !call->getNumParams())
      continue;
    const clang::CXXRecordDecl *passed = call->getParamDecl(0)
                                             ->getType()
                                             .getNonReferenceType()
                                             ->getAsCXXRecordDecl();
    if (!tag ||
        (passed && passed->getCanonicalDecl() == tag->getCanonicalDecl()))
      return call->getLocation();
  }
  return first;
}

const clang::CXXRecordDecl *
lambdaIn(llvm::ArrayRef<clang::TemplateArgument> arguments) {
  for (const clang::TemplateArgument &argument : arguments) {
    const clang::CXXRecordDecl *lambda = nullptr;
    if (argument.getKind() == clang::TemplateArgument::Pack)
      lambda = lambdaIn(argument.pack_elements());
    else if (argument.getKind() == clang::TemplateArgument::Type)
      lambda = argument.getAsType()->getAsCXXRecordDecl();
    if (lambda && lambda->isLambda())
      return lambda;
  }
  return nullptr;
}

/// A project's own `par_for(..., body)` dispatches a lambda of its own, which
/// calls `body`. Returns the lambda that tells its kernels apart: the one that
/// the innermost function which is no such wrapper hands in.
const clang::CXXRecordDecl &handedIn(const clang::CXXRecordDecl &lambda) {
  for (const clang::DeclContext *around = lambda.getDeclContext(); around;
       around = around->getParent())
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(around))
      if (const auto *arguments = function->getTemplateSpecializationArgs())
        if (const auto *body = lambdaIn(arguments->asArray()))
          return handedIn(*body);
  return lambda;
}

const clang::Type *plainType(clang::QualType type) {
  return type.getNonReferenceType().getCanonicalType().getTypePtr();
}

bool isPolicy(clang::QualType type) {
  type = type.getNonReferenceType();
  if (type->isIntegralOrEnumerationType())
    return true;
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->getIdentifier() &&
         record->getName().contains("Policy");
}

llvm::StringRef nameOf(const clang::CXXRecordDecl *record) {
  return record && record->getIdentifier() ? record->getName() : "";
}

/// Returns true if a dispatch with such an argument makes a kernel of that
/// pattern and policy: a functor may be dispatched in several ways.
bool makes(const clang::CallExpr &call, const clang::Expr *written,
           KokkosPattern pattern, const clang::CXXRecordDecl *policy) {
  llvm::StringRef callee = call.getDirectCallee()->getName();
  if (callee != spelling(pattern))
    return false;
  if (!written || !policy)
    return true;
  const clang::CXXRecordDecl *type =
      written->getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (!type) // an integer
    return nameOf(policy) == "RangePolicy" && !tagOf(policy);
  const clang::CXXRecordDecl *tag = tagOf(type), *wanted = tagOf(policy);
  return nameOf(policy).starts_with(nameOf(type)) &&
         (tag ? tag->getCanonicalDecl() : nullptr) ==
             (wanted ? wanted->getCanonicalDecl() : nullptr);
}

const clang::Expr *policyIn(const clang::CallExpr &call) {
  for (const clang::Expr *argument : call.arguments())
    if (isPolicy(argument->getType()))
      return argument;
  return nullptr;
}

} // namespace

KokkosReader::KokkosReader(clang::ASTContext &context, const Emitted &emitted)
    : context_(context) {
  for (const auto &[name, function] : emitted.functions)
    if (const Specialization *driver = driverOf(*function))
      if (patternOf(*driver))
        kernels_.push_back({name, driver});
}

void KokkosReader::noteCall(const clang::CallExpr *call,
                            const clang::FunctionDecl *inside) {
  const clang::FunctionDecl *callee = call->getDirectCallee();
  if (!any() || !callee || !callee->getIdentifier() ||
      !callee->getName().starts_with("parallel_") ||
      !llvm::StringRef(callee->getQualifiedNameAsString())
           .starts_with("Kokkos::"))
    return;
  for (const clang::Expr *argument : call->arguments())
    if (argument->getType().getNonReferenceType()->isRecordType())
      calls_[plainType(argument->getType())].push_back({call, inside});
}

std::vector<KokkosReader::Dispatch> KokkosReader::read(LaunchReader &launches) {
  std::vector<Dispatch> result;
  for (const LaunchedDriver &kernel : kernels_) {
    const KokkosPattern pattern = *patternOf(*kernel.driver);
    const clang::CXXRecordDecl *policy = argumentOf(*kernel.driver, 1);
    const clang::CXXRecordDecl *functor = functorOf(*kernel.driver);
    const bool isTiled =
        pattern == KokkosPattern::For && nameOf(policy) == "MDRangePolicy";
    const size_t before = result.size();
    auto add = [&](const Call &call, const clang::Expr *written) {
      result.push_back({kernel.irName, call.call, written,
                        readPolicy(pattern, policy, written, call.inside,
                                   launches, context_),
                        isTiled});
    };
    auto found =
        functor ? calls_.find(plainType(context_.getCanonicalTagType(functor)))
                : calls_.end();
    if (found != calls_.end())
      for (const Call &call : found->second)
        if (const clang::Expr *written = policyIn(*call.call);
            makes(*call.call, written, pattern, policy))
          add(call, written);
    if (result.size() == before)
      add({nullptr, nullptr}, nullptr);
  }
  return result;
}

std::optional<KokkosKernel> kokkosKernel(const clang::FunctionDecl &function,
                                         clang::ASTContext &context) {
  const Specialization *driver = driverOf(function);
  auto pattern = driver ? patternOf(*driver) : std::nullopt;
  const clang::CXXRecordDecl *functor = pattern ? functorOf(*driver) : nullptr;
  if (!functor)
    return std::nullopt;
  const clang::CXXRecordDecl *tag = tagOf(argumentOf(*driver, 1));
  KokkosKernel kernel;
  kernel.body = bodyOf(*functor, tag, context);
  llvm::raw_string_ostream out(kernel.name);
  out << spelling(*pattern) << '(';
  clang::PrintingPolicy policy = context.getPrintingPolicy();
  policy.SuppressInlineNamespace = true;
  policy.SuppressUnwrittenScope = true;
  auto nameLambda = [&](const clang::CXXRecordDecl &lambda) {
    const clang::PresumedLoc at =
        context.getSourceManager().getPresumedLoc(lambda.getLocation());
    out << "lambda at " << llvm::sys::path::filename(at.getFilename()) << ':'
        << at.getLine();
  };
  if (functor->isLambda()) {
    nameLambda(*functor);
    if (const auto &body = handedIn(*functor); &body != functor) {
      out << " for ";
      nameLambda(body);
    }
  } else {
    functor->getNameForDiagnostic(out, policy, /*Qualified=*/true);
  }
  if (tag) {
    out << ", ";
    tag->getNameForDiagnostic(out, policy, /*Qualified=*/false);
  }
  out << ')';
  return kernel;
}

bool constructsViews(const clang::FunctionDecl &function) {
  const Specialization *driver = driverOf(function);
  const clang::CXXRecordDecl *functor = driver ? functorOf(*driver) : nullptr;
  return functor && nameOf(functor) == "ViewValueFunctor";
}

const clang::CXXRecordDecl *kokkosDriver(const clang::FunctionDecl &function) {
  return driverOf(function);
}

const llvm::Value *kokkosDriverIn(const llvm::Function &kernel) {
  if (kernel.arg_size() == 1)
    return kernel.getArg(0);
  return kernel.getParent()->getGlobalVariable(
      "kokkos_impl_cuda_constant_memory_buffer", /*AllowInternal=*/true);
}

bool hasKokkos(clang::ASTContext &context) {
  return !context.getTranslationUnitDecl()
              ->lookup(&context.Idents.get("Kokkos"))
              .empty();
}

} // namespace warplint
