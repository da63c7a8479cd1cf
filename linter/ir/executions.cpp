#include "ir/executions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <cmath>

namespace warplint {

using llvm::Instruction;

/// Instructions of all iterations up to which nvcc copies a body until no loop
/// is left, and up to which it makes a few copies.
static constexpr double mostUnrolled = 400, mostCopied = 300;
/// nvcc's usual number of copies.
static constexpr double usualCopies = 4;

/// Returns true for an instruction whose result depends on its inputs alone.
static bool isPure(const Instruction &instruction) {
  return !instruction.mayReadOrWriteMemory() &&
         !instruction.mayHaveSideEffects() && !instruction.isTerminator() &&
         !llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction);
}

/// A sum of products: what an address is made from.
static bool isLinear(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::GetElementPtr:
    return true;
  case Instruction::Or:
    return llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint();
  default:
    return false;
  }
}

static bool isAddressOf(const llvm::Value *value, const Instruction &access) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&access))
    return load->getPointerOperand() == value;
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&access))
    return store->getPointerOperand() == value;
  if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&access))
    return atomic->getPointerOperand() == value;
  if (auto *atomic = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&access))
    return atomic->getPointerOperand() == value;
  return value->getType()->isPointerTy() && llvm::isa<llvm::CallBase>(access);
}

Executions::Execution Executions::of(const Instruction &instruction) {
  const llvm::Loop *around = loops_.getLoopFor(instruction.getParent());
  if (const llvm::Value *pointer =
          llvm::getLoadStorePointerOperand(&instruction);
      pointer && isInRegisters(llvm::getUnderlyingObject(pointer)))
    return {around, 0};
  if (!around)
    return {nullptr, 1};
  if (instruction.isTerminator())
    return ofBranch(instruction, around);
  if (isKnown(&instruction))
    return {around, 0};
  // A comparison belongs to the branch of its loop.
  if (llvm::isa<llvm::ICmpInst>(instruction) && instruction.hasOneUse())
    if (auto *user = llvm::cast<Instruction>(*instruction.user_begin());
        user->isTerminator() && loops_.getLoopFor(user->getParent()) == around)
      if (const Execution branch = ofBranch(*user, around); branch.times < 1)
        return branch;
  // An access adds a constant to its address by itself.
  if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      address && hasKnownIndexes(*address))
    return {around, 0};
  // Instructions take a constant from constant memory as an operand.
  constexpr unsigned constants = 4;
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      load && load->getPointerAddressSpace() == constants &&
      isKnown(load->getPointerOperand()))
    return {around, 0};
  if (isLinear(instruction) && evolution_.isSCEVable(instruction.getType()))
    return ofInteger(instruction, around);
  if (isPure(instruction))
    return ofPure(instruction);
  if (llvm::isa<llvm::LoadInst>(instruction))
    return {invariance_.changesIn(&instruction), 1};
  return {around, 1};
}

/// What a loop around unrolled ones leaves as it is, as the clamped column of a
/// loop over rows, is computed before it for each of their copies.
Executions::Execution Executions::ofPure(const Instruction &instruction) {
  /// Registers that copies may take.
  constexpr double mostHeld = 32;
  Execution result{invariance_.changesIn(&instruction), 1};
  double copies = 1;
  for (const llvm::Loop *loop = result.loop; loop;
       loop = loop->getParentLoop()) {
    if (!isLeftBy(&instruction, *loop)) {
      if (!vanishes(loop))
        break;
      copies *= iterationsOf(*loop).value_or(mostHeld + 1);
    } else if (copies <= mostHeld) {
      result = {loop->getParentLoop(), copies};
    }
  }
  return result;
}

/// Returns true if a value is the same in each iteration of `loop`, whichever
/// of the loops in it change it.
bool Executions::isLeftBy(const llvm::Value *value, const llvm::Loop &loop) {
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  if (!instruction || !loop.contains(instruction))
    return true;
  auto [place, isNew] = leftBy_.try_emplace({value, &loop}, false);
  if (!isNew)
    return place->second;
  bool isLeft = false;
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction))
    isLeft = phi->getParent() != loop.getHeader() && isCounter(*phi) &&
             llvm::all_of(phi->blocks(), [&](const llvm::BasicBlock *from) {
               return loops_.getLoopFor(phi->getParent())->contains(from) ||
                      isLeftBy(phi->getIncomingValueForBlock(from), loop);
             });
  else
    isLeft = isPure(*instruction) &&
             llvm::all_of(instruction->operands(), [&](const llvm::Use &use) {
               return isLeftBy(use.get(), loop);
             });
  return leftBy_[{value, &loop}] = isLeft;
}

Executions::Execution Executions::ofBranch(const Instruction &branch,
                                           const llvm::Loop *around) {
  if (around->isLoopExiting(branch.getParent()) &&
      isCounted(*around, branch.getParent()))
    return {around, vanishes(around) ? 0 : 1 / copiesOf(around)};
  auto *choice = llvm::dyn_cast<llvm::BranchInst>(&branch);
  return {around,
          choice && choice->isConditional() && isKnown(choice->getCondition())
              ? 0.0
              : 1.0};
}

Executions::Execution Executions::ofInteger(const Instruction &integer,
                                            const llvm::Loop *around) {
  const bool isAddress = servesAddresses(integer);
  const llvm::SCEV *form = formOf(integer);
  for (const llvm::Loop *loop = around; loop; loop = loop->getParentLoop()) {
    if (evolution_.isLoopInvariant(form, loop))
      continue;
    auto *moving = llvm::dyn_cast<llvm::SCEVAddRecExpr>(form);
    if (!isAddress || !moving || moving->getLoop() != loop ||
        !moving->isAffine()) {
      const Execution pure = ofPure(integer);
      return !pure.loop || pure.loop->contains(loop) ? pure
                                                     : Execution{loop, 1};
    }
    const llvm::SCEV *step = moving->getStepRecurrence(evolution_);
    const bool isConstant = llvm::isa<llvm::SCEVConstant>(step);
    if (!vanishes(loop) || !isConstant) {
      // A pointer moves on, and the copies of the body add their distance.
      if (llvm::isa<llvm::GetElementPtrInst>(integer))
        return {loop, isConstant ? 1 / copiesOf(loop) : 1};
    }
    form = moving->getStart();
  }
  return {nullptr, llvm::isa<llvm::SCEVConstant>(form) ? 0.0 : 1.0};
}

/// The compiler reads before a loop what the source reads in it.
const llvm::SCEV *Executions::standIn(const llvm::SCEVUnknown &read) {
  auto *instruction = llvm::dyn_cast<Instruction>(read.getValue());
  if (!instruction || !loops_.getLoopFor(instruction->getParent()) ||
      invariance_.changesIn(instruction))
    return &read;
  std::unique_ptr<llvm::Function> &same = same_[instruction];
  if (!same) {
    llvm::Type *type = instruction->getType();
    same.reset(llvm::Function::Create(
        llvm::FunctionType::get(type, {type}, /*isVarArg=*/false),
        llvm::Function::ExternalLinkage));
  }
  return evolution_.getUnknown(same->getArg(0));
}

/// An address of shared memory has 32 bits, so what is extended to it may wrap.
const llvm::SCEV *Executions::formOf(const Instruction &integer) {
  const llvm::SCEV *form = standIns_.visit(
      evolution_.getSCEV(const_cast<Instruction *>(&integer)));
  if (!servesShared(integer))
    return form;
  if (form->getType()->isPointerTy())
    form = evolution_.getPtrToIntExpr(
        form, evolution_.getEffectiveSCEVType(form->getType()));
  llvm::Type *narrow = llvm::Type::getInt32Ty(integer.getContext());
  return llvm::isa<llvm::SCEVCouldNotCompute>(form) ||
                 evolution_.getTypeSizeInBits(form->getType()) <= 32
             ? form
             : evolution_.getTruncateExpr(form, narrow);
}

/// Returns true for a constant, once loops are unrolled.
bool Executions::isKnown(const llvm::Value *value) {
  if (llvm::isa<llvm::Constant>(value))
    return true;
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  if (!instruction)
    return false;
  auto [place, isNew] = known_.try_emplace(instruction, false);
  if (!isNew)
    return place->second;
  auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction);
  const bool result = phi ? isCounter(*phi)
                          : isPure(*instruction) &&
                                !llvm::isa<llvm::CallBase>(instruction) &&
                                llvm::all_of(instruction->operands(),
                                             [&](const llvm::Use &use) {
                                               return isKnown(use.get());
                                             });
  return known_[instruction] = result;
}

bool Executions::hasKnownIndexes(const llvm::GetElementPtrInst &address) {
  return llvm::all_of(address.indices(), [&](const llvm::Use &index) {
    return isKnown(index.get());
  });
}

/// Returns true for an array of a thread all of whose indexes are constants,
/// once loops are unrolled.
bool Executions::isInRegisters(const llvm::Value *object) {
  if (!llvm::isa<llvm::AllocaInst>(object))
    return false;
  auto [place, isNew] = inRegisters_.try_emplace(object, false);
  if (!isNew)
    return place->second;
  llvm::SmallVector<const llvm::Value *> open{object};
  while (!open.empty()) {
    const llvm::Value *pointer = open.pop_back_val();
    for (const llvm::User *user : pointer->users()) {
      auto &by = *llvm::cast<Instruction>(user);
      if (by.isLifetimeStartOrEnd() || by.isDebugOrPseudoInst() ||
          llvm::isa<llvm::MemIntrinsic>(by))
        continue;
      const bool isAccess = llvm::isa<llvm::LoadInst, llvm::StoreInst>(by);
      if (isAccess && isAddressOf(pointer, by))
        continue;
      auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&by);
      if (!(address && hasKnownIndexes(*address)) &&
          !llvm::isa<llvm::AddrSpaceCastInst>(by))
        return false;
      open.push_back(&by);
    }
  }
  return inRegisters_[object] = true;
}

/// Returns true if constants and `counter` are all that a value is made from.
static bool isMadeFrom(const llvm::Value *value, const llvm::PHINode &counter,
                       unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  if (value == &counter || llvm::isa<llvm::Constant>(value))
    return true;
  auto *instruction = llvm::dyn_cast<Instruction>(value);
  return instruction && depth < deepest && isPure(*instruction) &&
         !llvm::isa<llvm::CallBase>(instruction) &&
         llvm::all_of(instruction->operands(), [&](const llvm::Use &use) {
           return isMadeFrom(use.get(), counter, depth + 1);
         });
}

/// Returns true for the counter of a loop that is not left, if its first value
/// is a constant, and so is each later one: of `k += 3`, and of `k *= 2`.
bool Executions::isCounter(const llvm::PHINode &phi) {
  if (!evolution_.isSCEVable(phi.getType()))
    return false;
  const llvm::SCEV *form =
      evolution_.getSCEV(const_cast<llvm::PHINode *>(&phi));
  while (auto *moving = llvm::dyn_cast<llvm::SCEVAddRecExpr>(form)) {
    if (!vanishes(moving->getLoop()) ||
        !llvm::isa<llvm::SCEVConstant>(moving->getStepRecurrence(evolution_)))
      return false;
    form = moving->getStart();
  }
  if (llvm::isa<llvm::SCEVConstant>(form))
    return true;
  const llvm::Loop *loop = loops_.getLoopFor(phi.getParent());
  return loop && loop->getHeader() == phi.getParent() && vanishes(loop) &&
         llvm::all_of(phi.blocks(), [&](const llvm::BasicBlock *from) {
           const llvm::Value *value = phi.getIncomingValueForBlock(from);
           return loop->contains(from) ? isMadeFrom(value, phi)
                                       : isKnown(value);
         });
}

/// Returns true if addresses, and counters of loops, are all that needs it.
bool Executions::servesAddresses(const Instruction &instruction) {
  auto [place, isNew] = serves_.try_emplace(&instruction, true);
  if (!isNew)
    return place->second;
  const bool result =
      llvm::all_of(instruction.users(), [&](const llvm::User *user) {
        auto &by = *llvm::cast<Instruction>(user);
        if (isAddressOf(&instruction, by))
          return true;
        if (llvm::isa<llvm::ICmpInst>(by))
          return by.hasOneUse() &&
                 llvm::cast<Instruction>(*by.user_begin())->isTerminator() &&
                 of(by).times < 1;
        return (isLinear(by) || llvm::isa<llvm::PHINode>(by)) &&
               servesAddresses(by);
      });
  return serves_[&instruction] = result;
}

/// Returns true if shared memory is all that it serves.
bool Executions::servesShared(const Instruction &instruction) {
  constexpr unsigned shared = 3;
  if (instruction.getType()->isPointerTy())
    return instruction.getType()->getPointerAddressSpace() == shared;
  auto [place, isNew] = servesShared_.try_emplace(&instruction, true);
  if (!isNew)
    return place->second;
  const bool result =
      llvm::all_of(instruction.users(), [&](const llvm::User *user) {
        auto &by = *llvm::cast<Instruction>(user);
        return isLinear(by) && servesShared(by);
      });
  return servesShared_[&instruction] = result;
}

/// Returns true if a counter alone decides whether the loop goes on.
bool Executions::isCounted(const llvm::Loop &loop,
                           const llvm::BasicBlock *exiting) {
  return !llvm::isa<llvm::SCEVCouldNotCompute>(
      evolution_.getExitCount(&loop, exiting));
}

/// The iterations of a loop, on average, if constants and the counters of loops
/// around it with constant numbers of iterations decide it, as in `for (j = i +
/// 1; j < 9; ++j)`.
std::optional<double> Executions::iterationsOf(const llvm::Loop &loop) {
  const Loop &read = loopOf_(&loop);
  if (read.tripCount)
    return double(*read.tripCount);
  auto isOpen = [&](const llvm::SCEV *part) {
    auto *moving = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
    return moving ? !iterationsOf(*moving->getLoop())
                  : llvm::isa<llvm::SCEVUnknown>(part);
  };
  const llvm::SCEV *again = evolution_.getBackedgeTakenCount(&loop);
  const unsigned most = evolution_.getSmallConstantMaxTripCount(&loop);
  if (!loop.getParentLoop() || !most ||
      llvm::isa<llvm::SCEVCouldNotCompute>(again) ||
      llvm::SCEVExprContains(again, isOpen))
    return std::nullopt;
  return (most + 1) / 2.0;
}

/// Returns true if copies of its body are all that is left of a loop.
bool Executions::vanishes(const llvm::Loop *loop) {
  auto [place, isNew] = vanishes_.try_emplace(loop, false);
  if (!isNew)
    return place->second;
  const Loop &read = loopOf_(loop);
  const std::optional<double> iterations = iterationsOf(*loop);
  if (!iterations || read.unroll == Unroll::Disabled ||
      (read.unroll == Unroll::Count && read.unrollCount < *iterations) ||
      !llvm::all_of(loop->getSubLoops(),
                    [&](const llvm::Loop *inner) { return vanishes(inner); }))
    return false;
  constexpr double mostAsked = 16'384;
  const double most = read.unroll == Unroll::Unsaid ? mostUnrolled : mostAsked;
  // A length that the loop around it decides is one in its copies alone, which
  // nvcc 13.0 makes of loops of up to seven iterations around another.
  constexpr unsigned mostAround = 7;
  const llvm::Loop *copied = loop;
  while (copied && !loopOf_(copied).tripCount) {
    copied = copied->getParentLoop();
    if (!copied)
      return false;
    const Loop &around = loopOf_(copied);
    if (around.unroll == Unroll::Disabled ||
        (around.unroll == Unroll::Unsaid &&
         around.tripCount.value_or(mostAround + 1) > mostAround))
      return false;
  }
  const std::optional<double> copies = iterationsOf(*copied);
  return vanishes_[loop] = copies && *copies * sizeOf(*copied) <= most;
}

double Executions::copiesOf(const llvm::Loop *loop) {
  const Loop &read = loopOf_(loop);
  if (read.unroll == Unroll::Disabled || !loop->isInnermost())
    return 1;
  if (read.unroll == Unroll::Count)
    return std::max(1u, read.unrollCount);
  if (read.unroll == Unroll::Full)
    return usualCopies;
  return std::clamp(std::floor(mostCopied / std::max(1.0, sizeOf(*loop))), 1.0,
                    usualCopies);
}

/// Instructions of an iteration; addresses and counters are few.
double Executions::sizeOf(const llvm::Loop &loop) {
  auto [place, isNew] = sizes_.try_emplace(&loop, 0);
  if (!isNew)
    return place->second;
  double size = 0;
  for (const llvm::BasicBlock *block : loop.blocks()) {
    if (loops_.getLoopFor(block) != &loop)
      continue;
    for (const Instruction &instruction : *block)
      size += !instruction.isDebugOrPseudoInst() &&
              !instruction.isLifetimeStartOrEnd() && !isLinear(instruction) &&
              !llvm::isa<llvm::PHINode, llvm::BranchInst, llvm::ICmpInst,
                         llvm::CastInst>(instruction);
  }
  for (const llvm::Loop *inner : loop.getSubLoops())
    size += sizeOf(*inner) * iterationsOf(*inner).value_or(1);
  return sizes_[&loop] = size;
}

} // namespace warplint
