#include "source/emitted_lines.h"
#include "ir/frames.h"
#include "source/ast_place.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

namespace warplint {

EmittedLines::EmittedLines(const llvm::Module &module,
                           clang::CompilerInstance &instance)
    : instance_(instance) {
  llvm::DenseMap<const llvm::DIFile *, Lines *> byFile;
  auto add = [&](const llvm::DIFile *file, unsigned line) {
    Lines *&lines = byFile[file];
    if (!lines)
      lines = &lines_[absolutePath(file)];
    lines->insert(line);
  };
  llvm::DenseSet<const llvm::Metadata *> seen;
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      const llvm::DILocation *location = instruction.getDebugLoc();
      if (!location || !seen.insert(location).second)
        continue;
      add(location->getFile(), location->getLine());
      const llvm::DIScope *scope = location->getScope();
      for (; scope && seen.insert(scope).second; scope = scope->getScope())
        if (auto *block = llvm::dyn_cast<llvm::DILexicalBlock>(scope))
          add(block->getFile(), block->getLine());
        else if (auto *function = llvm::dyn_cast<llvm::DISubprogram>(scope))
          add(function->getFile(), function->getLine());
    }
}

bool EmittedLines::has(clang::SourceLocation location) {
  if (location.isInvalid())
    return false;
  const clang::SourceManager &sources = instance_.getSourceManager();
  const auto [id, offset] =
      sources.getDecomposedLoc(sources.getFileLoc(location));
  const File &in = file(id);
  return in.isRenumbered ||
         (in.lines && in.lines->contains(sources.getLineNumber(id, offset)));
}

const EmittedLines::File &EmittedLines::file(clang::FileID id) {
  auto [known, isNew] = files_.try_emplace(id);
  if (!isNew)
    return known->second;
  const clang::SourceManager &sources = instance_.getSourceManager();
  bool isInvalid = false;
  const clang::SrcMgr::SLocEntry &entry = sources.getSLocEntry(id, &isInvalid);
  if (isInvalid || !entry.isFile())
    return known->second;
  known->second.isRenumbered = entry.getFile().hasLineDirectives();
  auto lines =
      lines_.find(astPlace(instance_, sources.getLocForStartOfFile(id)).file);
  if (lines != lines_.end())
    known->second.lines = &lines->second;
  return known->second;
}

} // namespace warplint
