#include "ir/array_layouts.h"
#include "ir/frames.h"
#include "ir/index_marks.h"
#include "llvm/IR/InstIterator.h"

namespace warplint {

IndexMarks::IndexMarks(llvm::Function &function, const Names &names,
                       IrGraph &graph)
    : names_(names), graph_(graph) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && callee->getName().starts_with(indexMark) &&
        call->getDebugLoc())
      marks_.try_emplace(keyOf(call->getDebugLoc().get()), call);
  }
}

std::optional<ArrayLayout>
IndexMarks::layoutOf(const llvm::Instruction &access,
                     const llvm::Value *pointer) const {
  if (marks_.empty())
    return std::nullopt;
  while (auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer)) {
    if (auto layout = layoutOf(step->getDebugLoc().get()))
      return layout;
    pointer = step->getPointerOperand();
  }
  return layoutOf(access.getDebugLoc().get());
}

std::optional<ArrayLayout>
IndexMarks::layoutOf(const llvm::DILocation *location) const {
  for (; location; location = location->getInlinedAt()) {
    auto mark = marks_.find(keyOf(location));
    if (mark == marks_.end())
      continue;
    auto named = names_.indexes.find(placeOf(location, names_));
    const llvm::CallBase &call = *mark->second;
    if (named == names_.indexes.end() ||
        named->second.texts.size() != call.arg_size())
      continue;
    ArrayLayout layout;
    layout.name = call.getCalledFunction()
                      ->getName()
                      .drop_front(llvm::StringRef(indexMark).size())
                      .split('.')
                      .first.str();
    layout.spelling = named->second.spelling;
    layout.contiguous = *contiguousIndex(layout.name, call.arg_size());
    for (unsigned i = 0; i < call.arg_size(); ++i)
      layout.indexes.push_back(
          {named->second.texts[i],
           graph_.value(call.getArgOperand(i), call.getParent())});
    return layout;
  }
  return std::nullopt;
}

} // namespace warplint
