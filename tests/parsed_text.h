// CUDA text as Clang parses it, for tests of what reads its AST.
#pragma once
#include "nvcc.h"
#include "source/parse.h"
#include "clang/AST/Decl.h"
#include <gtest/gtest.h>

namespace warplint {

/// `text`, called source.cu, with the headers that stand in for a toolkit's.
inline std::unique_ptr<ParsedSource> parsedText(llvm::StringRef text) {
  auto scratch = Scratch::create();
  if (!scratch) {
    ADD_FAILURE() << llvm::toString(scratch.takeError());
    return nullptr;
  }
  writeFile(scratch->path("source.cu"), text);
  const Command command = {scratch->path("source.cu"),
                           scratch->folder().str(),
                           {"nvcc", "source.cu"}};
  auto parsed = parse(command, translate(command.arguments, std::nullopt),
                      std::nullopt, WARPLINT_RESOURCE_DIR);
  if (parsed)
    return std::move(*parsed);
  ADD_FAILURE() << llvm::toString(parsed.takeError());
  return nullptr;
}

/// The last declaration of that name at the top level; null if there is none.
template <typename Decl>
const Decl *declared(const ParsedSource &source, llvm::StringRef name) {
  const Decl *found = nullptr;
  for (clang::DeclGroupRef group : source.groups)
    for (clang::Decl *decl : group)
      if (auto *named = llvm::dyn_cast<Decl>(decl);
          named && named->getIdentifier() && named->getName() == name)
        found = named;
  return found;
}

} // namespace warplint
