#include "source/describe_kernel.h"
#include "base/readable_name.h"
#include "source/ast_place.h"
#include "source/kokkos/read_kokkos.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Mangle.h"

namespace warplint {

std::string mangledName(const clang::FunctionDecl &kernel) {
  std::unique_ptr<clang::MangleContext> mangler(
      kernel.getASTContext().createMangleContext());
  if (!mangler->shouldMangleDeclName(&kernel))
    return kernel.getName().str();
  std::string name;
  llvm::raw_string_ostream out(name);
  mangler->mangleName(
      clang::GlobalDecl(&kernel, clang::KernelReferenceKind::Kernel), out);
  return name;
}

/// Parses "warplint.block_size (16, 8, 1), (2, 1, 1)", which the shim makes of
/// __block_size__: a block, and optionally a cluster.
static std::optional<Shape> demandedShape(llvm::StringRef note) {
  if (!note.consume_front("warplint.block_size "))
    return std::nullopt;
  bool single = !note.ltrim().starts_with("(");
  Shape shape;
  note = note.ltrim(" (");
  for (unsigned *dimension : {&shape.x, &shape.y, &shape.z}) {
    if (note.consumeInteger(10, *dimension))
      return std::nullopt;
    note = note.ltrim();
    if (single || !note.consume_front(","))
      break;
    note = note.ltrim();
  }
  return shape;
}

void describeKernel(ParsedSource &source, const clang::FunctionDecl &function,
                    Kernel &kernel) {
  clang::ASTContext &context = source.context();
  kernel.name.clear();
  llvm::raw_string_ostream out(kernel.name);
  clang::PrintingPolicy policy = context.getPrintingPolicy();
  policy.SuppressInlineNamespace = true;
  policy.SuppressUnwrittenScope = true; // "(anonymous namespace)::"
  function.getNameForDiagnostic(out, policy, /*Qualified=*/true);
  kernel.place = astPlace(source.instance(), function.getLocation());
  if (auto kokkos = kokkosKernel(function, context)) {
    kernel.name = kokkos->name;
    kernel.isDispatched = true;
    kernel.place = astPlace(source.instance(), kokkos->body);
  }
  kernel.name = withNumericCharacters(kernel.name);
  for (auto *note : function.specific_attrs<clang::AnnotateAttr>())
    if (auto shape = demandedShape(note->getAnnotation()))
      kernel.shapes = {{*shape, ShapeSource::LaunchBounds, kernel.place, {}}};
  if (auto *bounds = function.getAttr<clang::CUDALaunchBoundsAttr>()) {
    auto number = [&](const clang::Expr *expression) -> unsigned {
      clang::Expr::EvalResult result;
      if (!expression || expression->isValueDependent() ||
          !expression->EvaluateAsInt(result, context))
        return 0;
      return result.Val.getInt().getExtValue();
    };
    kernel.bounds = LaunchBounds{number(bounds->getMaxThreads()),
                                 number(bounds->getMinBlocks())};
  }
}

} // namespace warplint
