// Where the layouts of a source's arrays are written: the types of a View and
// of all Views that it is copied to or from, which must have one layout.
#pragma once
#include "model/model.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/ArrayRef.h"
#include <functional>
#include <map>

namespace warplint {

struct SpellingContext {
  clang::ASTContext &context;
  std::function<Place(clang::SourceLocation)> placeOf;
  std::function<bool(clang::SourceLocation)> inLibrary;
  bool hasMain = false; ///< no other source uses what it declares alone
};

/// The spellings by the place of each `a(i, j)` in the functions' bodies. The
/// other layout is empty for an array of which a use is seen that may depend on
/// its layout, such as its pointer, a copy between two layouts, or a part of
/// it; for one whose type another source may name; and where a macro or another
/// file has the type.
std::map<Place, LayoutSpelling>
layoutSpellings(llvm::ArrayRef<const clang::FunctionDecl *> functions,
                const SpellingContext &context);

} // namespace warplint
