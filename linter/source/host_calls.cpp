#include "source/host_calls.h"
#include "source/ast_place.h"
#include "llvm/ADT/StringSwitch.h"

namespace warplint {

namespace {

using Kind = HostCallKind;

std::optional<Kind> kindOf(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Kind>>(name)
      .Cases({"cudaMalloc", "cudaMallocManaged", "cudaMallocHost",
              "cudaHostAlloc", "cudaMallocPitch", "cudaMalloc3D",
              "cudaMallocArray", "cudaMalloc3DArray", "cudaHostRegister",
              "cuMemAlloc", "cuMemAlloc_v2"},
             Kind::Allocation)
      .Cases({"cudaFree", "cudaFreeHost", "cudaFreeArray", "cudaHostUnregister",
              "cuMemFree", "cuMemFree_v2"},
             Kind::Free)
      .Cases({"cudaDeviceSynchronize", "cudaThreadSynchronize",
              "cudaStreamSynchronize", "cuCtxSynchronize",
              "cuStreamSynchronize"},
             Kind::Synchronisation)
      .Cases({"cudaMemcpy", "cudaMemcpy2D", "cudaMemcpyToSymbol",
              "cudaMemcpyFromSymbol", "cudaMemcpyToArray",
              "cudaMemcpyFromArray", "cudaMemcpy2DToArray"},
             Kind::Copy)
      .Default(std::nullopt);
}

HostCall hostCall(Kind kind, std::string name, std::string what = "") {
  HostCall call;
  call.kind = kind;
  call.name = std::move(name);
  call.what = std::move(what);
  return call;
}

/// Sizes of a number that the host may need before it goes on.
constexpr uint64_t numberBytes = 16;

const clang::Expr *plain(const clang::Expr *expression) {
  for (;;) {
    expression = expression->IgnoreParenCasts();
    auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
    if (!unary || unary->getOpcode() != clang::UO_AddrOf)
      return expression;
    expression = unary->getSubExpr();
  }
}

std::optional<uint64_t> constantOf(const clang::Expr *expression,
                                   clang::ASTContext &context) {
  clang::Expr::EvalResult value;
  if (expression->isValueDependent() ||
      !expression->EvaluateAsInt(value, context))
    return std::nullopt;
  return value.Val.getInt().getZExtValue();
}

/// The direction that an argument names: "cudaMemcpyDeviceToHost".
llvm::StringRef directionOf(const clang::CallExpr &call) {
  for (const clang::Expr *argument : call.arguments()) {
    auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(plain(argument));
    auto *constant =
        reference
            ? llvm::dyn_cast<clang::EnumConstantDecl>(reference->getDecl())
            : nullptr;
    if (constant && constant->getName().starts_with("cudaMemcpy"))
      return constant->getName();
  }
  return "";
}

bool isWaitedFor(const clang::CallExpr &call, llvm::StringRef name,
                 clang::ASTContext &context) {
  const llvm::StringRef direction = directionOf(call);
  if (direction == "cudaMemcpyDeviceToDevice" ||
      direction == "cudaMemcpyHostToHost")
    return false;
  const bool isToHost = direction == "cudaMemcpyDeviceToHost" ||
                        name == "cudaMemcpyFromSymbol" ||
                        direction == "cudaMemcpyDefault";
  if (!isToHost || call.getNumArgs() < 3)
    return true;
  const auto bytes = constantOf(call.getArg(2), context);
  return !bytes || *bytes > numberBytes;
}

bool isInKokkos(const clang::NamedDecl &declaration) {
  return llvm::StringRef(declaration.getQualifiedNameAsString())
      .starts_with("Kokkos::");
}

/// Arguments that are written; overloads are chosen by default ones.
unsigned writtenArguments(const clang::CallExpr &call) {
  return llvm::count_if(call.arguments(), [](const clang::Expr *argument) {
    return !llvm::isa<clang::CXXDefaultArgExpr>(argument);
  });
}

/// The View that an expression is; null if it is none.
const clang::ClassTemplateSpecializationDecl *viewOf(clang::QualType type) {
  auto *record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type.getNonReferenceType()->getAsCXXRecordDecl());
  return record && record->getIdentifier() && record->getName() == "View" &&
                 isInKokkos(*record)
             ? record
             : nullptr;
}

/// Returns true if a type names memory of the host, or a space that executes
/// there: `HostSpace`, `Device<Serial, HostSpace>`.
bool isOfHost(clang::QualType type) {
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->getIdentifier() || !isInKokkos(*record))
    return false;
  const llvm::StringRef name = record->getName();
  if (name == "Device")
    if (auto *device =
            llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
        device && device->getTemplateArgs().size() == 2)
      return isOfHost(device->getTemplateArgs()[1].getAsType());
  return name == "HostSpace" || name == "Serial" || name == "OpenMP" ||
         name == "Threads" || name == "HPX";
}

/// Returns true if the View's own arguments place it in memory of the host. A
/// View that names no space is on the device, in a build that has one.
bool isOfHost(const clang::ClassTemplateSpecializationDecl &view) {
  for (const clang::TemplateArgument &argument :
       view.getTemplateArgs().asArray()) {
    if (argument.getKind() == clang::TemplateArgument::Type &&
        isOfHost(argument.getAsType()))
      return true;
    if (argument.getKind() == clang::TemplateArgument::Pack)
      for (const clang::TemplateArgument &each : argument.pack_elements())
        if (each.getKind() == clang::TemplateArgument::Type &&
            isOfHost(each.getAsType()))
          return true;
  }
  return false;
}

/// A View without an extent.
bool isNumber(const clang::ClassTemplateSpecializationDecl &view) {
  const clang::TemplateArgument &data = view.getTemplateArgs()[0];
  return data.getKind() == clang::TemplateArgument::Type &&
         !data.getAsType()->isPointerType() && !data.getAsType()->isArrayType();
}

/// `deep_copy(to, from)`; with an execution space first it returns at once.
/// `fence()`, with or without a label.
std::optional<HostCall> kokkosCall(const clang::CallExpr &call,
                                   const clang::FunctionDecl &callee,
                                   clang::ASTContext &context) {
  const llvm::StringRef name = callee.getName();
  if (name == "fence" && !callee.isCXXClassMember() && isInKokkos(callee))
    return hostCall(Kind::Synchronisation, "Kokkos::fence");
  const unsigned arguments = writtenArguments(call);
  const bool copies = name == "deep_copy" && arguments == 2;
  const bool both = name == "create_mirror_view_and_copy" &&
                    (arguments == 2 || arguments == 3);
  if ((!copies && !both) || !isInKokkos(callee))
    return std::nullopt;
  const auto *to = viewOf(call.getArg(0)->getType()),
             *from = viewOf(call.getArg(1)->getType());
  if (copies && from &&
      (!to || (isOfHost(*to) && (isOfHost(*from) || isNumber(*to)))))
    return std::nullopt;
  return hostCall(both ? Kind::Allocation : Kind::Copy, "Kokkos::" + name.str(),
                  astText(context, plain(call.getArg(both ? 1 : 0))));
}

} // namespace

bool isRuntimeFunction(const clang::FunctionDecl &function) {
  if (!function.getIdentifier())
    return false;
  const llvm::StringRef name = function.getName();
  auto isNamed = [&](llvm::StringRef prefix) {
    return name.starts_with(prefix) && name.size() > prefix.size() &&
           llvm::isUpper(name[prefix.size()]);
  };
  return isNamed("cuda") || isNamed("cu") || isNamed("__cuda");
}

bool copiesLater(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (!callee || !callee->getIdentifier())
    return false;
  const llvm::StringRef name = callee->getName();
  return (name.starts_with("cudaMem") || name.starts_with("cuMem")) &&
         name.contains("Async") && !name.contains("Alloc") &&
         !name.contains("Free") && !name.contains("Memset") &&
         directionOf(call) != "cudaMemcpyDeviceToDevice";
}

const clang::Expr *hostSideOf(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (!callee || !callee->getIdentifier() || call.getNumArgs() < 3)
    return nullptr;
  const llvm::StringRef name = callee->getName(), direction = directionOf(call);
  if (direction == "cudaMemcpyDeviceToHost" || name == "cudaMemcpyFromSymbol")
    return call.getArg(0);
  if (direction != "cudaMemcpyHostToDevice" && name != "cudaMemcpyToSymbol")
    return nullptr;
  // The source comes behind the pitch of the rows.
  const clang::Expr *source =
      call.getArg(name.starts_with("cudaMemcpy2D") ? 2 : 1);
  auto *address =
      llvm::dyn_cast<clang::UnaryOperator>(source->IgnoreParenCasts());
  // A number could be an argument of the kernel.
  return address && llvm::isa<clang::DeclRefExpr>(
                        address->getSubExpr()->IgnoreParens())
             ? nullptr
             : source;
}

bool readsView(const clang::CallExpr &call) {
  auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  return operation &&
         (operation->getOperator() == clang::OO_Call ||
          operation->getOperator() == clang::OO_Subscript) &&
         viewOf(operation->getArg(0)->getType());
}

bool takesTime(const clang::FunctionDecl &function) {
  if (!function.getIdentifier())
    return false;
  const std::string name = llvm::StringRef(function.getName()).lower();
  for (llvm::StringRef word : {"time", "clock", "stopwatch", "eventrecord"})
    if (llvm::StringRef(name).contains(word))
      return true;
  return name == "now" || name == "tic" || name == "toc";
}

std::optional<HostCall> hostCallOf(const clang::CallExpr &call,
                                   clang::ASTContext &context) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (!callee || !callee->getIdentifier())
    return std::nullopt;
  const llvm::StringRef name = callee->getName();
  const std::optional<Kind> kind = kindOf(name);
  if (!kind)
    return kokkosCall(call, *callee, context);
  if (*kind == Kind::Copy && !isWaitedFor(call, name, context))
    return std::nullopt;
  const clang::Expr *first = call.getNumArgs() ? call.getArg(0) : nullptr;
  // `cudaFree(0)` starts the runtime.
  if (*kind == Kind::Free &&
      (!first || constantOf(first->IgnoreParenCasts(), context)))
    return std::nullopt;
  HostCall result = hostCall(*kind, name.str());
  if (first && *kind != Kind::Synchronisation)
    result.what = astText(context, plain(first));
  return result;
}

std::optional<HostCall> hostCallOf(const clang::CXXConstructExpr &construct,
                                   llvm::StringRef variable) {
  const clang::CXXConstructorDecl *constructor = construct.getConstructor();
  const clang::CXXRecordDecl *record = constructor->getParent();
  if (!record->getIdentifier() || !construct.getNumArgs() ||
      constructor->isCopyOrMoveConstructor())
    return std::nullopt;
  const llvm::StringRef name = record->getName();
  const std::string full = record->getQualifiedNameAsString();
  const clang::QualType first =
      construct.getArg(0)->IgnoreParenImpCasts()->getType();
  if (auto *view = viewOf(construct.getType())) {
    if (isOfHost(*view))
      return std::nullopt;
    // A label, or `view_alloc(...)`; a View of a pointer allocates nothing.
    const clang::QualType plainFirst = first.getNonReferenceType();
    const clang::CXXRecordDecl *properties = plainFirst->getAsCXXRecordDecl();
    const bool isLabel =
        (plainFirst->isArrayType() &&
         plainFirst->getAsArrayTypeUnsafe()->getElementType()->isCharType()) ||
        (properties && properties->getIdentifier() &&
         (properties->getName().contains("basic_string") ||
          properties->getName().contains("ViewCtorProp") ||
          properties->getName().contains("WithoutInitializing")));
    if (isLabel)
      return hostCall(Kind::Allocation, "Kokkos::View", variable.str());
    return std::nullopt;
  }
  if (name == "device_vector" && llvm::StringRef(full).starts_with("thrust::"))
    return hostCall(Kind::Allocation, "thrust::device_vector", variable.str());
  return std::nullopt;
}

} // namespace warplint
