#include "ptx/read_ptx.h"
#include "base/failure.h"
#include "ptx/ptx_lowering.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using llvm::StringRef;

namespace warplint {

using namespace ptx;

namespace {

llvm::Constant *address(const Variable::Element &element, llvm::Type *type,
                        const Symbols &symbols) {
  llvm::Constant *symbol = symbols.variables.lookup(element.symbol);
  if (!symbol)
    symbol = symbols.functions.lookup(element.symbol);
  if (!symbol || !type->isIntegerTy(64))
    return llvm::Constant::getNullValue(type);
  return llvm::ConstantExpr::getAdd(
      llvm::ConstantExpr::getPtrToInt(symbol, type),
      llvm::ConstantInt::getSigned(type, element.value));
}

template <typename Number>
llvm::Constant *numbers(const Variable &v, llvm::LLVMContext &context) {
  std::vector<Number> values(v.count);
  for (size_t i = 0; i < std::min(v.initial.size(), values.size()); ++i)
    values[i] = static_cast<Number>(v.initial[i].value);
  return llvm::ConstantDataArray::get(context, values);
}

llvm::Constant *initialValue(const Variable &v, llvm::Type *type,
                             const Symbols &symbols) {
  // Skips a long tail of zeros to save memory: no reader needs them.
  constexpr uint64_t longest = 1 << 24;
  if (v.initial.empty() ||
      v.count > std::max<uint64_t>(longest, v.initial.size()))
    return v.space == Space::Shared ? llvm::UndefValue::get(type)
                                    : llvm::Constant::getNullValue(type);
  bool hasSymbols =
      llvm::any_of(v.initial, [](const auto &e) { return !e.symbol.empty(); });
  auto *array = llvm::dyn_cast<llvm::ArrayType>(type);
  llvm::Type *element = array ? array->getElementType() : type;
  if (array && !hasSymbols) {
    switch (element->getIntegerBitWidth()) {
    case 8:
      return numbers<uint8_t>(v, type->getContext());
    case 16:
      return numbers<uint16_t>(v, type->getContext());
    case 32:
      return numbers<uint32_t>(v, type->getContext());
    case 64:
      return numbers<uint64_t>(v, type->getContext());
    }
  }
  std::vector<llvm::Constant *> values;
  for (const Variable::Element &e : v.initial)
    values.push_back(e.symbol.empty()
                         ? llvm::ConstantInt::getSigned(element, e.value, true)
                         : address(e, element, symbols));
  values.resize(v.count, llvm::Constant::getNullValue(element));
  return array ? llvm::ConstantArray::get(array, values) : values.front();
}

llvm::Type *typeOfVariable(const Variable &v, llvm::LLVMContext &context) {
  llvm::Type *element =
      llvm::Type::getIntNTy(context, v.type.bits * v.type.lanes);
  return v.isArray ? llvm::ArrayType::get(element, v.count) : element;
}

void initialize(const Variable &v, const Symbols &symbols,
                llvm::GlobalVariable &made) {
  if (v.isExtern)
    return;
  made.setInitializer(initialValue(v, made.getValueType(), symbols));
  // The host may write to it before the kernel runs.
  made.setExternallyInitialized(v.space != Space::Shared);
}

llvm::GlobalVariable *create(const Variable &v, llvm::Module &module) {
  auto *made = new llvm::GlobalVariable(
      module, typeOfVariable(v, module.getContext()), /*isConstant=*/false,
      llvm::GlobalValue::ExternalLinkage, nullptr, v.name, nullptr,
      llvm::GlobalValue::NotThreadLocal, addressSpace(v.space));
  if (v.align && llvm::isPowerOf2_32(v.align))
    made->setAlignment(llvm::Align(v.align));
  return made;
}

llvm::Type *typeOfParameter(const Variable &v, ParameterUse use,
                            llvm::LLVMContext &context, bool isKernel) {
  if (use == ParameterUse::Memory || (use == ParameterUse::Pointer && isKernel))
    return llvm::PointerType::get(context, 0);
  return irType(v.type, context);
}

void addDirectives(const Function &f, llvm::Function &function) {
  static const std::pair<const char *, const char *> names[] = {
      {"maxntid", "nvvm.maxntid"},
      {"reqntid", "nvvm.reqntid"},
      {"minnctapersm", "nvvm.minctasm"},
      {"maxnreg", "nvvm.maxnreg"},
      {"reqnctapercluster", "nvvm.cluster_dim"},
      {"maxclusterrank", "nvvm.maxclusterrank"}};
  for (auto [inText, inIr] : names) {
    auto found = f.directives.find(inText);
    if (found == f.directives.end())
      continue;
    function.addFnAttr(
        inIr,
        llvm::join(llvm::map_range(found->second.values,
                                   [](unsigned n) { return llvm::utostr(n); }),
                   ","));
  }
}

llvm::Function *createFunction(const Function &f, llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  std::vector<ParameterUse> uses = parameterUses(f);
  std::vector<llvm::Type *> types;
  for (auto [v, use] : llvm::zip(f.parameters, uses))
    types.push_back(typeOfParameter(v, use, context, f.isKernel));
  llvm::Type *result = llvm::Type::getVoidTy(context);
  if (!f.returns.empty() && !f.isKernel) {
    const Variable &v = f.returns.front();
    result = v.isArray ? llvm::ArrayType::get(llvm::Type::getInt8Ty(context),
                                              v.bytes())
                       : irType(v.type, context);
  }
  auto linkage = f.isKernel || !f.isDefined || f.isVisible
                     ? llvm::GlobalValue::ExternalLinkage
                 : f.isWeak ? llvm::GlobalValue::WeakODRLinkage
                            : llvm::GlobalValue::InternalLinkage;
  auto *made = llvm::Function::Create(
      llvm::FunctionType::get(result, types, false), linkage, f.name, module);
  // Address 0 is valid in most of these spaces; accesses to it stay.
  made->addFnAttr(llvm::Attribute::NullPointerIsValid);
  made->setDoesNotThrow();
  if (f.isKernel)
    made->setCallingConv(llvm::CallingConv::PTX_Kernel);
  if (f.isNoReturn)
    made->setDoesNotReturn();
  addDirectives(f, *made);
  for (auto [i, v] : llvm::enumerate(f.parameters)) {
    made->getArg(i)->setName(v.name.ltrim('%'));
    if (uses[i] != ParameterUse::Memory)
      continue;
    // A number whose address is taken is no structure.
    llvm::Type *type =
        v.isArray
            ? llvm::ArrayType::get(llvm::Type::getInt8Ty(context), v.bytes())
            : irType(v.type, context);
    llvm::AttrBuilder attributes(context);
    attributes.addByValAttr(type);
    if (v.align && llvm::isPowerOf2_32(v.align))
      attributes.addAlignmentAttr(llvm::Align(v.align));
    made->addParamAttrs(i, attributes);
  }
  return made;
}

/// Keeps one function per name: the definition, if there is one.
llvm::Error createFunctions(const Module &text, Symbols &symbols) {
  llvm::StringMap<const Function *> chosen;
  for (const Function &f : text.functions) {
    const Function *&known = chosen[f.name];
    if (known && known->isDefined && f.isDefined)
      return failure("line " + llvm::Twine(f.line) + ": '" + f.name +
                     "' is defined twice");
    if (!known || f.isDefined)
      known = &f;
  }
  for (const Function &f : text.functions)
    if (chosen[f.name] == &f)
      symbols.functions[f.name] = createFunction(f, symbols.module);
  return llvm::Error::success();
}

void mergeBlocks(llvm::Function &f) {
  llvm::EliminateUnreachableBlocks(f);
  for (llvm::BasicBlock &block : llvm::make_early_inc_range(f))
    llvm::MergeBlockIntoPredecessor(&block);
}

void promoteRegisters(llvm::Function &f, llvm::DominatorTree &dominators) {
  std::vector<llvm::AllocaInst *> promotable;
  for (llvm::Instruction &i : f.getEntryBlock())
    if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(&i))
      if (llvm::isAllocaPromotable(slot))
        promotable.push_back(slot);
  llvm::PromoteMemToReg(promotable, dominators);
}

/// Folds constants and removes dead code, but no access to memory: each one is
/// in the text.
void simplify(llvm::Function &f, const llvm::DominatorTree &dominators) {
  llvm::SimplifyQuery query(f.getParent()->getDataLayout(), nullptr,
                            &dominators);
  for (llvm::BasicBlock *block :
       llvm::ReversePostOrderTraversal<llvm::Function *>(&f))
    for (llvm::Instruction &i : *block) {
      if (i.mayReadOrWriteMemory() || i.use_empty())
        continue;
      if (llvm::Value *simpler = llvm::simplifyInstruction(&i, query))
        if (simpler != &i)
          i.replaceAllUsesWith(simpler);
    }
  llvm::SetVector<llvm::Instruction *> left;
  for (llvm::Instruction &i : llvm::instructions(f))
    left.insert(&i);
  while (!left.empty()) {
    llvm::Instruction *i = left.pop_back_val();
    bool isAccess = i->mayReadFromMemory() && !llvm::isa<llvm::CallBase>(i) &&
                    !i->hasMetadata("ptx.param");
    if (isAccess || !llvm::isInstructionTriviallyDead(i))
      continue;
    for (llvm::Value *operand : i->operands())
      if (auto *from = llvm::dyn_cast<llvm::Instruction>(operand))
        left.insert(from);
    left.remove(i);
    i->eraseFromParent();
  }
}

void cleanUp(llvm::Function &f) {
  mergeBlocks(f);
  llvm::DominatorTree dominators(f);
  promoteRegisters(f, dominators);
  simplify(f, dominators);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop *loop : loops)
    llvm::simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr,
                       /*PreserveLCSSA=*/false);
}

} // namespace

llvm::GlobalVariable *ptx::declare(const Variable &v, Symbols &symbols) {
  llvm::GlobalVariable *made = create(v, symbols.module);
  initialize(v, symbols, *made);
  return made;
}

llvm::Expected<std::unique_ptr<llvm::Module>>
readPtx(StringRef text, llvm::LLVMContext &context, StringRef file) {
  llvm::Expected<ptx::Module> parsed = parsePtx(text);
  if (!parsed)
    return parsed.takeError();
  auto module = std::make_unique<llvm::Module>("ptx", context);
  module->setTargetTriple(llvm::Triple("nvptx64-nvidia-cuda"));
  module->setDataLayout(
      "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64");

  Symbols symbols{*module, {}, {}};
  for (const Variable &v : parsed->variables) {
    llvm::GlobalVariable *&known = symbols.variables[v.name];
    if (!known) // a later declaration adds nothing
      known = create(v, *module);
  }
  if (llvm::Error error = createFunctions(*parsed, symbols))
    return error;
  for (const Variable &v : parsed->variables)
    if (llvm::GlobalVariable *made = symbols.variables[v.name];
        made->getValueType() == typeOfVariable(v, context))
      initialize(v, symbols, *made);

  DebugInfo debug(*parsed, *module, file);
  for (const Function &f : parsed->functions) {
    if (!f.isDefined)
      continue;
    llvm::Function &function = *symbols.functions[f.name];
    if (llvm::Error error = Lowering(f, function, symbols, debug).run())
      return error;
    cleanUp(function);
  }
  debug.finish();

  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(*module, &stream))
    return failure("this PTX has no valid IR: " + broken);
  return module;
}

} // namespace warplint
