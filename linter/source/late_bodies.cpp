#include "source/late_bodies.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include <algorithm>
#include <utility>

namespace warplint {

void LateBodies::see(const clang::Token &token) {
  brace_.reset();
  if (token.is(clang::tok::l_brace))
    brace_ = token;
  if (!depth_)
    return;
  late_.back().body.push_back(token);
  if (token.is(clang::tok::l_brace))
    ++depth_;
  else if (token.is(clang::tok::r_brace))
    --depth_;
}

/// Returns true for a function that code is generated for only where it is
/// used. Members are parsed from tokens that nobody can follow.
static bool isForUseAlone(const clang::FunctionDecl &function) {
  return !function.isTemplated() &&
         function.getLexicalDeclContext()->isFileContext() &&
         !llvm::isa<clang::CXXMethodDecl>(function) &&
         function.hasAttr<clang::CUDADeviceAttr>() &&
         !function.hasAttr<clang::CUDAGlobalAttr>() &&
         !function.hasAttr<clang::UsedAttr>() &&
         (function.isInlined() ||
          function.getStorageClass() == clang::SC_Static);
}

bool LateBodies::takes(const clang::Sema &sema, clang::FunctionDecl &function) {
  // The parser may have looked further ahead than at the brace.
  if (isOver_ || !brace_ || !isForUseAlone(function) ||
      !sema.getSourceManager().isInSystemHeader(function.getLocation()))
    return false;
  late_.push_back({&function, {*brace_}, sema.CurFPFeatures});
  depth_ = 1;
  return true;
}

void LateBodies::parse(clang::Sema &sema, Late late) {
  late.function->setHasSkippedBody(false);
  clang::LateParsedTemplate function;
  function.D = late.function;
  function.Toks = std::move(late.body);
  function.FPO = late.floatingPoint;
  sema.LateTemplateParser(sema.OpaqueParser, function);
}

void LateBodies::parseUsed(clang::Sema &sema) {
  isOver_ = true;
  if (depth_) // a fatal error has ended the source inside it
    late_.pop_back();
  // Clang has ended the source; a body may still declare one of its built-in
  // functions.
  clang::Scope *const before = std::exchange(sema.TUScope, sema.getCurScope());
  auto isUnused = [](const Late &late) { return !late.function->isUsed(); };
  for (;;) {
    auto used = llvm::make_range(
        std::stable_partition(late_.begin(), late_.end(), isUnused),
        late_.end());
    if (used.empty())
      break;
    std::vector<Late> now(std::make_move_iterator(used.begin()),
                          std::make_move_iterator(used.end()));
    late_.erase(used.begin(), used.end());
    for (Late &late : now)
      parse(sema, std::move(late));
    sema.PerformPendingInstantiations();
    sema.DefineUsedVTables();
  }
  sema.TUScope = before;
}

} // namespace warplint
