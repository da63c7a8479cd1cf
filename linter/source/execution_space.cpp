#include "source/execution_space.h"
#include "source/parsed_source.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

static std::pair<std::string, unsigned>
placeIn(const clang::SourceManager &sources, clang::SourceLocation location) {
  if (location.isInvalid() || location.isMacroID())
    return {};
  auto [file, offset] = sources.getDecomposedLoc(location);
  clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  return {entry ? entry->getName().str() : "", offset};
}

static bool hasSpace(const clang::FunctionDecl &function) {
  return function.hasAttr<clang::CUDADeviceAttr>() ||
         function.hasAttr<clang::CUDAGlobalAttr>() ||
         function.hasAttr<clang::CUDAHostAttr>();
}

static unsigned templateParameters(const clang::FunctionDecl &function) {
  auto *described = function.getDescribedFunctionTemplate();
  return described ? described->getTemplateParameters()->size() : 0;
}

/// Returns the declaration without a body that `definition` is the body of for
/// nvcc.
static const clang::FunctionDecl *
declarationOf(const clang::FunctionDecl &definition,
              const clang::ASTContext &context) {
  for (const clang::NamedDecl *named :
       definition.getDeclContext()->getRedeclContext()->lookup(
           definition.getDeclName())) {
    const clang::FunctionDecl *other = named->getAsFunction();
    if (other && other != &definition && hasSpace(*other) &&
        !other->isDefined() &&
        templateParameters(*other) == templateParameters(definition) &&
        context.hasSameFunctionTypeIgnoringExceptionSpec(other->getType(),
                                                         definition.getType()))
      return other;
  }
  return nullptr;
}

static void readMissing(clang::Decl *decl, const clang::ASTContext &context,
                        MissingSpaces &missing) {
  if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(decl)) {
    for (clang::Decl *member : llvm::cast<clang::DeclContext>(decl)->decls())
      readMissing(member, context, missing);
    return;
  }
  const clang::FunctionDecl *function = decl->getAsFunction();
  if (!function || !function->doesThisDeclarationHaveABody() ||
      function->isTemplateInstantiation() || hasSpace(*function) ||
      context.getSourceManager().isInSystemHeader(function->getLocation()))
    return;
  const clang::FunctionDecl *declaration = declarationOf(*function, context);
  auto place =
      placeIn(context.getSourceManager(), function->getInnerLocStart());
  if (!declaration || place.first.empty())
    return;
  std::vector<std::string> &spaces = missing[place];
  spaces.clear();
  if (declaration->hasAttr<clang::CUDAGlobalAttr>())
    spaces.push_back("global");
  if (declaration->hasAttr<clang::CUDAHostAttr>())
    spaces.push_back("host");
  if (declaration->hasAttr<clang::CUDADeviceAttr>())
    spaces.push_back("device");
}

MissingSpaces missingSpaces(const ParsedSource &source) {
  MissingSpaces missing;
  for (clang::DeclGroupRef group : source.groups)
    for (clang::Decl *decl : group)
      readMissing(decl, source.context(), missing);
  return missing;
}

std::vector<clang::Token> spacesBefore(const MissingSpaces &missing,
                                       const clang::Token &token,
                                       clang::Preprocessor &preprocessor) {
  std::vector<clang::Token> tokens;
  if (missing.empty())
    return tokens;
  auto found = missing.find(
      placeIn(preprocessor.getSourceManager(), token.getLocation()));
  if (found == missing.end())
    return tokens;
  auto add = [&](clang::tok::TokenKind kind, clang::IdentifierInfo *name) {
    clang::Token &added = tokens.emplace_back();
    added.startToken();
    added.setKind(kind);
    added.setLocation(token.getLocation());
    added.setIdentifierInfo(name);
  };
  for (const std::string &space : found->second) {
    add(clang::tok::kw___attribute,
        preprocessor.getIdentifierInfo("__attribute__"));
    add(clang::tok::l_paren, nullptr);
    add(clang::tok::l_paren, nullptr);
    add(clang::tok::identifier, preprocessor.getIdentifierInfo(space));
    add(clang::tok::r_paren, nullptr);
    add(clang::tok::r_paren, nullptr);
  }
  return tokens;
}

} // namespace warplint
