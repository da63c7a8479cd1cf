#include "ptx/ptx_debug.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace warplint::ptx {

// A location inlined into itself (a macro, recursion) would get a longer chain
// at each `.loc`; no compiler inlines this deep.
constexpr unsigned deepestChain = 128;

DebugInfo::DebugInfo(const Module &text, llvm::Module &module,
                     StringRef textFile)
    : text_(text), builder_(module) {
  bool hasLocations = !textFile.empty();
  for (const Function &f : text.functions)
    hasLocations |= !f.locations.empty();
  if (!hasLocations)
    return;
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version",
                       llvm::DEBUG_METADATA_VERSION);
  unsigned first = text.files.empty() ? 0 : text.files.begin()->first;
  if (!textFile.empty())
    textFile_ = builder_.createFile(textFile, "");
  unit_ = builder_.createCompileUnit(
      llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C_plus_plus_14),
      textFile_ ? textFile_ : file(first), "PTX", /*isOptimized=*/true,
      /*Flags=*/"", /*RV=*/0);
  type_ = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
}

llvm::DIFile *DebugInfo::file(unsigned index) {
  llvm::DIFile *&made = files_[index];
  if (made)
    return made;
  auto found = text_.files.find(index);
  bool isNamed = found != text_.files.end() && !found->second.empty();
  StringRef path = isNamed ? StringRef(found->second) : "<unknown>";
  made = builder_.createFile(path, "");
  return made;
}

llvm::DISubprogram *DebugInfo::subprogram(StringRef name, llvm::DIFile *file,
                                          unsigned line) {
  return builder_.createFunction(unit_, name, /*LinkageName=*/name, file, line,
                                 type_, line, llvm::DINode::FlagPrototyped,
                                 llvm::DISubprogram::SPFlagDefinition |
                                     llvm::DISubprogram::SPFlagOptimized);
}

void DebugInfo::begin(const Function &f, llvm::Function &function) {
  seen_.clear();
  current_ = nullptr;
  hasLine_ = false;
  if (f.locations.empty()) {
    if (!textFile_)
      return;
    current_ = subprogram(f.name, textFile_, f.line);
  } else {
    const Location *first = &f.locations.front();
    for (const Location &l : f.locations)
      if (!l.isInlined) {
        first = &l;
        break;
      }
    current_ = subprogram(f.name, file(first->file), first->line);
  }
  function.setSubprogram(current_);
}

llvm::DIScope *DebugInfo::scopeIn(llvm::DISubprogram *subprogram,
                                  llvm::DIFile *file) {
  if (subprogram->getFile() == file)
    return subprogram;
  return builder_.createLexicalBlockFile(subprogram, file);
}

llvm::DILocation *DebugInfo::ofText(unsigned line) {
  if (hasLine_ || !textFile_)
    return nullptr;
  return llvm::DILocation::get(current_->getContext(), line, 0,
                               scopeIn(current_, textFile_));
}

llvm::DILocation *DebugInfo::start() {
  if (!current_)
    return nullptr;
  return llvm::DILocation::get(current_->getContext(), 0, 0, current_);
}

DebugInfo::Frame DebugInfo::caller(const Location &l,
                                   llvm::DISubprogram *callee) {
  auto seen = seen_.find({l.atFile, {l.atLine, l.atColumn}});
  if (seen != seen_.end() && seen->second.depth < deepestChain) {
    Frame frame = seen->second;
    bool isItself = l.atFile == l.file && l.atLine == l.line &&
                    l.atColumn == l.column &&
                    frame.location->getScope()->getSubprogram() == callee;
    // A repeated `.loc`, not another call.
    if (isItself && frame.location->getInlinedAt())
      return {frame.location->getInlinedAt(), frame.depth - 1};
    return frame;
  }
  return {llvm::DILocation::get(current_->getContext(), l.atLine, l.atColumn,
                                scopeIn(current_, file(l.atFile))),
          0};
}

llvm::DILocation *DebugInfo::locate(const Location &l) {
  if (!current_)
    return nullptr;
  llvm::LLVMContext &context = current_->getContext();
  hasLine_ = l.line != 0;
  Frame frame;
  if (!l.isInlined) {
    frame.location = llvm::DILocation::get(context, l.line, l.column,
                                           scopeIn(current_, file(l.file)));
  } else {
    StringRef name = text_.debugString(l.function, l.offset);
    llvm::DISubprogram *&callee = callees_[name.empty() ? l.function : name];
    if (!callee)
      callee =
          subprogram(name.empty() ? l.function : name, file(l.file), l.line);
    Frame at = caller(l, callee);
    frame.depth = at.depth + 1;
    frame.location = llvm::DILocation::get(
        context, l.line, l.column, scopeIn(callee, file(l.file)), at.location);
  }
  seen_[{l.file, {l.line, l.column}}] = frame;
  return frame.location;
}

void DebugInfo::finish() {
  if (unit_)
    builder_.finalize();
}

} // namespace warplint::ptx
