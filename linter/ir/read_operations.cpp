#include "ir/read_operations.h"
#include "ir/executions.h"
#include "ir/frames.h"
#include "ir/index_marks.h"
#include "ir/integer_joins.h"
#include "ir/invariance.h"
#include "ir/name_operations.h"
#include "ir/normalise.h"
#include "ir/shared_addresses.h"
#include "model/pipe_counts.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

namespace warplint {

namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Returns true for what hands the numbers of its first operand on.
bool passesOn(const Instruction &instruction) {
  return llvm::isa<llvm::BitCastInst, llvm::FreezeInst,
                   llvm::ExtractElementInst, llvm::ExtractValueInst>(
             instruction) ||
         movesWords(instruction);
}

/// Looks through one instruction that changes no number.
const Value *plainOnce(const Value *value) {
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  return instruction && passesOn(*instruction) ? instruction->getOperand(0)
                                               : value;
}

/// Looks through all of them.
const Value *plain(const Value *value) {
  for (const Value *next; (next = plainOnce(value)) != value;)
    value = next;
  return value;
}

/// Returns true for an access, a branch, a barrier.
bool isInstruction(const Instruction &instruction) {
  if (instruction.isTerminator())
    return !llvm::all_equal(llvm::successors(&instruction));
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const llvm::Function *callee = call->getCalledFunction();
    if (!callee)
      return true;
    const llvm::StringRef name = callee->getName();
    return !call->isDebugOrPseudoInst() && !call->isLifetimeStartOrEnd() &&
           !name.starts_with("warplint.") && !name.starts_with("llvm.assume") &&
           !name.starts_with("llvm.nvvm.read.ptx.sreg");
  }
  return llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst,
                   llvm::AtomicCmpXchgInst>(instruction) &&
         !instruction.hasMetadata("ptx.param") &&
         !instruction.hasMetadata(indexLoad);
}

/// As Arithmetic::operations counts.
double floatOperationsOf(const Computation &computation) {
  if (!isFloat(computation.type))
    return 0;
  switch (computation.kind) {
  case Compute::Add:
  case Compute::Subtract:
  case Compute::Multiply:
    return computation.lanes;
  case Compute::Fused:
    return 2 * computation.lanes;
  default:
    return isExpanded(computation.kind) ? computation.lanes : 0;
  }
}

class OperationReader {
public:
  OperationReader(
      llvm::Function &function, llvm::LoopInfo &loops,
      llvm::ScalarEvolution &evolution, IrGraph &graph, const Names &names,
      const llvm::MapVector<const Instruction *, unsigned> &accessOf,
      Kernel &kernel)
      : function_(function), loops_(loops), invariance_(loops),
        executions_(loops, evolution, invariance_,
                    [this](const llvm::Loop *loop) -> const Loop & {
                      return kernel_.loops[graph_.flow().loopId(loop)];
                    }),
        graph_(graph), names_(names), accessOf_(accessOf), kernel_(kernel),
        shared_(function, graph, kernel.graph) {
    if (const llvm::NamedMDNode *called =
            function.getParent()->getNamedMetadata(calledFunctions))
      called_.insert(called->op_begin(), called->op_end());
  }

  void read() {
    llvm::ReversePostOrderTraversal<llvm::Function *> order(&function_);
    for (BasicBlock *block : order)
      readBlock(block);
    for (unsigned i = 0; i < instructions_.size(); ++i)
      readInputs(i);
    for (unsigned i = 0; i < instructions_.size(); ++i)
      readUses(i);
    sum();
  }

private:
  void readBlock(const BasicBlock *block) {
    std::vector<const Instruction *> others;
    std::set<std::vector<const Value *>> addresses;
    const size_t first = kernel_.operations.size();
    for (const Instruction &instruction : *block) {
      if (shared_.isFree(instruction))
        continue;
      if (auto named = nameOperation(instruction)) {
        if (!isConstant(named->computation, instruction))
          add(instruction, *named);
      } else if (auto *address =
                     llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
        // A base and an index make an address in one instruction, which
        // accesses with the same ones share.
        if (!address->hasAllConstantIndices() &&
            addresses.insert({address->op_begin(), address->op_end()}).second)
          others.push_back(address);
      } else if (isInstruction(instruction)) {
        others.push_back(&instruction);
      }
    }
    if (others.empty() && kernel_.operations.size() == first)
      return;
    const uint32_t here = workUnder(block);
    for (const Instruction *other : others) {
      const auto [under, times] = executionOf(*other);
      kernel_.arithmetic[under].instructions += times;
    }
    for (size_t i = first; i < kernel_.operations.size(); ++i) {
      kernel_.operations[i].under = here;
      executedAt_.push_back(executionOf(*instructions_[i]));
    }
  }

  /// Returns true for what the counters of unrolled loops are made into, such
  /// as 'k / 4': no instruction computes a constant. What PTX has was not
  /// unrolled.
  bool isConstant(const Computation &computation,
                  const Instruction &instruction) {
    const bool isMade = isDivision(computation) ||
                        computation.kind == Compute::Shift ||
                        computation.kind == Compute::Logic ||
                        computation.kind == Compute::Multiply;
    return names_.operationAt && isMade && !isFloat(computation.type) &&
           executionOf(instruction).times == 0;
  }

  /// The arithmetic that has the condition and the loops of a block.
  uint32_t workUnder(const BasicBlock *block) {
    std::pair key(graph_.reach(block), graph_.flow().loopsAround(block));
    auto [place, isNew] =
        byCondition_.try_emplace(key, kernel_.arithmetic.size());
    if (isNew) {
      Arithmetic &work = kernel_.arithmetic.emplace_back();
      work.guard = key.first;
      work.loops = std::move(key.second);
    }
    return place->second;
  }

  struct Executed {
    uint32_t under; ///< index into Kernel::arithmetic
    double times;
  };
  Executed executionOf(const Instruction &instruction) {
    const Executions::Execution execution = executions_.of(instruction);
    const BasicBlock *block = instruction.getParent();
    for (const llvm::Loop *loop = loops_.getLoopFor(block);
         loop && loop != execution.loop; loop = loop->getParentLoop())
      if (const BasicBlock *before = loop->getLoopPreheader())
        block = before;
    return {workUnder(block), execution.times};
  }

  void add(const Instruction &instruction, NamedOperation &named) {
    Computation &computation =
        kernel_.operations.emplace_back(named.computation);
    computation.at = written(instruction, named.function);
    indexOf_[&instruction] = instructions_.size();
    instructions_.push_back(&instruction);
  }

  unsigned written(const Instruction &instruction, std::string &function) {
    const llvm::DILocation *location = instruction.getDebugLoc();
    auto [known, isNew] = written_.try_emplace(std::pair(location, function),
                                               kernel_.written.size());
    if (!isNew)
      return known->second;
    Written here;
    Frames frames = framesOf(location, names_);
    here.place = std::move(frames.place);
    here.callSites = std::move(frames.callSites);
    here.function = std::move(function);
    here.inLibrary = !names_.isUser(here.place.file) || isLibrarys(location);
    if (names_.operationAt && here.place.line)
      if (auto named = names_.operationAt(here.place)) {
        here.text = std::move(named->text);
        here.operands = std::move(named->operands);
        here.isCast = named->isCast && !here.inLibrary;
      }
    kernel_.written.push_back(std::move(here));
    return known->second;
  }

  /// Returns true for what a library computes in its own code. The headers that
  /// only pass on a function or an operator of CUDA's do not count.
  bool isLibrarys(const llvm::DILocation *location) const {
    for (; location; location = location->getInlinedAt()) {
      const Names::File &file = names_.file(location->getFile());
      if (file.isUser)
        return false;
      const llvm::StringRef name = llvm::sys::path::filename(file.path);
      const bool passesOn =
          llvm::StringRef(file.path).contains("/cuda/std/__cmath/") ||
          name.starts_with("__clang_cuda") || name.starts_with("cuda_fp16") ||
          name.starts_with("cuda_bf16") || name.starts_with("math_functions") ||
          name.starts_with("device_") || name.starts_with("Kokkos_Math") ||
          name == "cmath" || name == "std_abs.h" || name == "algorithm" ||
          name == "complex" || name.contains("warplint");
      if (!passesOn)
        return true;
    }
    return true;
  }

  void readInputs(unsigned i) {
    const Instruction &instruction = *instructions_[i];
    Computation &computation = kernel_.operations[i];
    computation.firstInput = kernel_.inputs.size();
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const bool needsValues = isDivision(computation);
    for (const llvm::Use &operand :
         call ? call->args() : instruction.operands()) {
      if (operand->getType()->isMetadataTy() ||
          llvm::isa<BasicBlock>(operand.get()))
        continue;
      Input input = inputOf(operand, instruction.getParent());
      const bool isIndex = input.source == Input::Source::Other &&
                           llvm::isa<llvm::IntrinsicInst>(operand.get());
      if (needsValues || isIndex) {
        input.value = graph_.value(operand, instruction.getParent());
        input.hasValue = true;
      }
      kernel_.inputs.push_back(input);
      ++computation.inputCount;
    }
  }

  Input inputOf(const Value *value, const BasicBlock *block) {
    Input input;
    input.invariantLoops =
        std::min(255u, invariance_.loopsThatLeave(value, block));
    input.part = partOf(value);
    value = plain(value);
    if (auto *vector = llvm::dyn_cast<llvm::Constant>(value);
        vector && vector->getType()->isVectorTy())
      if (const llvm::Constant *same = vector->getSplatValue())
        value = same;
    if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(value)) {
      llvm::APFloat wide = number->getValueAPF();
      bool isExact = true;
      wide.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &isExact);
      input.source = Input::Source::Constant;
      input.constant = wide.convertToDouble();
    } else if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(value)) {
      input.source = Input::Source::Constant;
      input.constant = number->getValue().signedRoundToDouble();
    } else if (auto *argument = llvm::dyn_cast<llvm::Argument>(value)) {
      input.source = Input::Source::Argument;
      input.index = argument->getArgNo();
    } else if (auto *instruction = llvm::dyn_cast<Instruction>(value)) {
      if (auto it = indexOf_.find(instruction); it != indexOf_.end()) {
        input.source = Input::Source::Computation;
        input.index = it->second;
      } else if (auto it = accessOf_.find(instruction); it != accessOf_.end()) {
        input.source = Input::Source::Access;
        input.index = it->second;
      }
    }
    return input;
  }

  /// Returns an equal number for the same element of a vector or of a
  /// structure, and for the same words of an integer; 0 for the whole.
  uint32_t partOf(const Value *value) {
    std::vector<uint64_t> path;
    for (const Value *next; (next = plainOnce(value)) != value; value = next) {
      const auto &instruction = *llvm::cast<Instruction>(value);
      if (auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(value)) {
        path.insert(path.end(),
                    {instruction.getOpcode(), extract->getNumIndices()});
        path.insert(path.end(), extract->idx_begin(), extract->idx_end());
      } else if (instruction.getNumOperands() > 1) {
        path.insert(path.end(), {instruction.getOpcode(),
                                 numberOfOperand(instruction.getOperand(1))});
      }
    }
    return path.empty() ? 0
                        : parts_.try_emplace(std::move(path), parts_.size() + 1)
                              .first->second;
  }

  uint64_t numberOfOperand(const Value *operand) {
    return operands_.try_emplace(operand, operands_.size()).first->second;
  }

  void readUses(unsigned i) {
    const Instruction &instruction = *instructions_[i];
    Computation &computation = kernel_.operations[i];
    computation.isStored = leaves(instruction);
    if (computation.kind == Compute::Multiply)
      return fuse(instruction, computation);
    if (fusedSums_.contains(i))
      return;
    for (const Instruction *part :
         integerJoins_.partsOf(instruction, [&](const Instruction &part,
                                                const Instruction &whole) {
           return indexOf_.contains(&part) && areTogether(part, whole);
         }))
      kernel_.operations[indexOf_.at(part)].isFused = true;
  }

  void fuse(const Instruction &product, Computation &computation) {
    if (computation.isRounded || !product.hasOneUse())
      return;
    auto *user = llvm::cast<Instruction>(*product.user_begin());
    auto it = indexOf_.find(user);
    if (it == indexOf_.end())
      return;
    const Computation &sum = kernel_.operations[it->second];
    // One of the two products of 'a * b + c * d' is an instruction of its own.
    computation.isFused =
        (sum.kind == Compute::Add || sum.kind == Compute::Subtract) &&
        sum.type == computation.type && !sum.isRounded &&
        areTogether(product, *user) && fusedSums_.insert(it->second).second;
  }

  /// Returns true unless a value and what is made of it are computed at
  /// different places: before a loop and in it, outside of a function and in
  /// it.
  bool areTogether(const Instruction &part, const Instruction &whole) {
    return part.getParent() == whole.getParent() &&
           executions_.of(part).loop == executions_.of(whole).loop &&
           callsBehind(part) == callsBehind(whole);
  }

  /// The calls of functions that stay functions, innermost first: no
  /// instruction does what is computed on both sides of one.
  std::vector<const llvm::DILocation *>
  callsBehind(const Instruction &instruction) const {
    std::vector<const llvm::DILocation *> calls;
    if (called_.empty())
      return calls;
    for (const llvm::DILocation *at = instruction.getDebugLoc(); at;
         at = at->getInlinedAt())
      if (called_.contains(at->getScope()->getSubprogram()))
        calls.push_back(at->getInlinedAt());
    return calls;
  }

  bool leaves(const Instruction &instruction) const {
    for (const llvm::User *user : instruction.users()) {
      auto *at = llvm::cast<Instruction>(user);
      if (indexOf_.contains(at) || at->isTerminator())
        if (!llvm::isa<llvm::ReturnInst>(at))
          continue;
      if (llvm::isa<llvm::GetElementPtrInst, llvm::IntToPtrInst>(at))
        continue; // an address
      if (passesOn(*at)) {
        if (leaves(*at))
          return true;
        continue;
      }
      return true;
    }
    return false;
  }

  void sum() {
    for (size_t i = 0; i < kernel_.operations.size(); ++i) {
      const Computation &computation = kernel_.operations[i];
      const PipeCounts pipes =
          pipesOf(kernel_, computation) * executedAt_[i].times;
      addPipes(pipes, kernel_.arithmetic[executedAt_[i].under]);
      kernel_.arithmetic[computation.under].operations +=
          floatOperationsOf(computation);
    }
  }

  llvm::Function &function_;
  const llvm::LoopInfo &loops_;
  Invariance invariance_;
  Executions executions_;
  IrGraph &graph_;
  const Names &names_;
  const llvm::MapVector<const Instruction *, unsigned> &accessOf_;
  std::map<std::vector<uint64_t>, uint32_t> parts_; ///< by path to the whole
  llvm::DenseMap<const Value *, uint64_t> operands_;
  Kernel &kernel_;
  std::map<std::pair<ValueId, std::vector<LoopId>>, unsigned> byCondition_;
  std::map<std::pair<const llvm::DILocation *, std::string>, unsigned> written_;
  std::vector<const Instruction *> instructions_; ///< by operation
  std::vector<Executed> executedAt_;              ///< by operation
  llvm::DenseSet<unsigned> fusedSums_;            ///< that have their product
  IntegerJoins integerJoins_;
  llvm::DenseMap<const Instruction *, unsigned> indexOf_;
  llvm::SmallPtrSet<const llvm::MDNode *, 4> called_;
  const SharedAddresses shared_;
};

} // namespace

double instructionsOf(const llvm::Instruction &instruction) {
  const auto named = nameOperation(instruction);
  if (!named)
    return isInstruction(instruction);
  std::optional<double> divisor;
  if (instruction.isIntDivRem())
    if (auto *number =
            llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1)))
      divisor = number->getValue().signedRoundToDouble();
  return pipesOf(named->computation, named->function, divisor).all();
}

void readOperations(
    llvm::Function &function, llvm::LoopInfo &loops,
    llvm::ScalarEvolution &evolution, IrGraph &graph, const Names &names,
    const llvm::MapVector<const llvm::Instruction *, unsigned> &accessOf,
    Kernel &kernel) {
  OperationReader(function, loops, evolution, graph, names, accessOf, kernel)
      .read();
}

} // namespace warplint
