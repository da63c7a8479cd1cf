#include "ir/read_loops.h"
#include "ir/frames.h"
#include "ir/name_operations.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include <set>

namespace warplint {

namespace {

class LoopReader {
public:
  LoopReader(IrGraph &graph, ExpressionGraph &values,
             llvm::ScalarEvolution &scalarEvolution, const Names &names,
             const Synchronisation &synchronisation)
      : graph_(graph), values_(values), scalarEvolution_(scalarEvolution),
        names_(names), barriers_(synchronisation.barriers),
        fences_(synchronisation.fences) {}

  Loop readLoop(llvm::Loop *loop) {
    Loop result;
    if (llvm::DebugLoc start = startOf(*loop)) {
      Frames frames = framesOf(start.get(), names_);
      result.place = frames.place;
      result.callSites = frames.callSites;
      result.inLibrary = !names_.isUser(frames.place.file);
      if (auto it = names_.loopBounds.find(placeOf(start.get(), names_));
          it != names_.loopBounds.end()) {
        result.boundText = it->second.text;
        result.boundCaptured = it->second.captured;
      }
    }
    if (loop->getParentLoop())
      result.parent = graph_.flow().loopId(loop->getParentLoop());
    if (loop->getLoopPreheader() && loop->getLoopLatch()) {
      result.enters = graph_.edge(loop->getLoopPreheader(), loop->getHeader());
      result.continues = graph_.edge(loop->getLoopLatch(), loop->getHeader());
      result.testsFirst =
          !loop->isRotatedForm() && loop->isLoopExiting(loop->getHeader());
    } else {
      ValueId lost =
          values_.unknown(Op::Varying, "a loop with several entries", 1, false);
      result.enters = result.continues = lost;
    }
    if (unsigned iterations = iterationsOf(loop))
      result.tripCount = iterations;
    result.mayWrap = !result.tripCount && mayWrap(*loop);
    readUnroll(loop, result);
    readBound(loop, result);
    auto inside = [&](const llvm::BasicBlock *block) {
      return loop->contains(block);
    };
    result.hasBarrier = llvm::any_of(barriers_, inside);
    result.hasFence = llvm::any_of(fences_, inside);
    for (llvm::PHINode &phi : loop->getHeader()->phis()) {
      const std::optional<Values> continued = continuesWithLoads(phi, *loop);
      result.accumulators += continued.has_value();
      result.hasChain |= !(continued && associativeSteps(phi, *continued)) &&
                         isChain(phi, *loop);
    }
    return result;
  }

private:
  using Values = llvm::SmallPtrSet<const llvm::Value *, 32>;

  /// Where the loop begins. What the compiler adds before a loop, such as the
  /// first value of a counter, has line 0.
  static llvm::DebugLoc startOf(const llvm::Loop &loop) {
    const llvm::DebugLoc start = loop.getStartLoc();
    return start && start.getLine() == 0
               ? loop.getHeader()->getTerminator()->getDebugLoc()
               : start;
  }

  /// The instructions of one iteration that `root` is computed from, as far as
  /// `most` of them. Conditions of branches do not count.
  static Values valuesBehind(const llvm::Value *root, const llvm::Loop &loop) {
    constexpr unsigned most = 256;
    Values found;
    llvm::SmallVector<const llvm::Value *, 16> work{root};
    while (!work.empty() && found.size() < most) {
      auto *value = llvm::dyn_cast<llvm::Instruction>(work.pop_back_val());
      if (!value || !loop.contains(value) || !found.insert(value).second ||
          (llvm::isa<llvm::PHINode>(value) &&
           value->getParent() == loop.getHeader()))
        continue;
      llvm::append_range(work, value->operands());
    }
    return found;
  }

  /// Returns true if the address depends on what the iteration before has
  /// loaded from an address of its own: the elements of a list.
  static bool followsList(const llvm::Value *address, const llvm::Loop &loop) {
    auto isCarried = [&](const llvm::Value *value) {
      auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
      return phi && phi->getParent() == loop.getHeader();
    };
    for (const llvm::Value *value : valuesBehind(address, loop)) {
      if (!isCarried(value))
        continue;
      const llvm::Value *next =
          llvm::cast<llvm::PHINode>(value)->getIncomingValueForBlock(
              loop.getLoopLatch());
      for (const llvm::Value *before : valuesBehind(next, loop))
        if (auto *load = llvm::dyn_cast<llvm::LoadInst>(before);
            load && llvm::any_of(valuesBehind(load->getPointerOperand(), loop),
                                 isCarried))
          return true;
    }
    return false;
  }

  /// The conditions that choose between the values of one iteration.
  static llvm::SmallVector<const llvm::Value *, 8>
  choicesOf(const Values &values, const llvm::Loop &loop) {
    llvm::SmallVector<const llvm::Value *, 8> conditions;
    for (const llvm::Value *value : values) {
      auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
      if (!phi || phi->getParent() == loop.getHeader())
        continue;
      for (const llvm::BasicBlock *block : phi->blocks()) {
        if (!loop.contains(block))
          continue;
        const llvm::BasicBlock *before = block->getSinglePredecessor();
        for (const llvm::BasicBlock *at : {block, before})
          if (auto *branch = llvm::dyn_cast_or_null<llvm::BranchInst>(
                  at ? at->getTerminator() : nullptr);
              branch && branch->isConditional())
            conditions.push_back(branch->getCondition());
      }
    }
    return conditions;
  }

  /// Finds out if each iteration combines the value with something that it
  /// loads, or counts what it loads, and loads nothing from an address that
  /// depends on the value or on another load of the iteration before: a sum, no
  /// counter and no list. Returns what the next value is computed from and
  /// chosen by.
  std::optional<Values> continuesWithLoads(const llvm::PHINode &phi,
                                           const llvm::Loop &loop) {
    const llvm::BasicBlock *latch = loop.getLoopLatch();
    if (!latch || phi.getType()->isPointerTy() ||
        phi.getType()->isIntegerTy(1) || isCounted(phi, loop))
      return std::nullopt;
    const Values behind =
        valuesBehind(phi.getIncomingValueForBlock(latch), loop);
    Values deciding = behind;
    for (const llvm::Value *condition : choicesOf(behind, loop)) {
      const Values more = valuesBehind(condition, loop);
      deciding.insert(more.begin(), more.end());
    }
    bool loads = false;
    for (const llvm::Value *value : deciding)
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(value)) {
        loads = true;
        if (valuesBehind(load->getPointerOperand(), loop).contains(&phi) ||
            followsList(load->getPointerOperand(), loop))
          return std::nullopt;
      }
    return loads && behind.contains(&phi) ? std::optional(deciding)
                                          : std::nullopt;
  }

  /// What an operation makes of one of its operands.
  enum class Step { Hands, Adds, Multiplies, Chooses, Compares, Other };

  static Step stepOf(const llvm::Instruction &instruction, unsigned operand) {
    const std::optional<NamedOperation> named = nameOperation(instruction);
    if (!named)
      return Step::Hands;
    switch (named->computation.kind) {
    case Compute::Add:
      return Step::Adds;
    case Compute::Subtract:
      return operand == 0 ? Step::Adds : Step::Other;
    case Compute::Fused:
      return operand == 2 ? Step::Adds : Step::Other;
    case Compute::Multiply:
      return Step::Multiplies;
    case Compute::Minimum:
    case Compute::Maximum:
    case Compute::Logic:
      return Step::Chooses;
    case Compute::Compare:
      return Step::Compares;
    case Compute::Select:
    case Compute::Convert:
    case Compute::Join:
    case Compute::Call: // what it computes is unknown
      return Step::Hands;
    default:
      return Step::Other;
    }
  }

  /// Returns what leads from the value of an iteration to the next one if it is
  /// one associative operation, so that parts of the loop have results of their
  /// own: a sum, no 's * x + y' and no 'rest / n'. `deciding` is what the next
  /// value is computed from and chosen by.
  static std::optional<Values> associativeSteps(const llvm::PHINode &phi,
                                                const Values &deciding) {
    std::set<std::pair<Step, unsigned>> steps;
    Values reached;
    llvm::SmallVector<const llvm::Value *, 16> work{&phi};
    while (!work.empty())
      for (const llvm::Use &use : work.pop_back_val()->uses()) {
        auto *user = llvm::cast<llvm::Instruction>(use.getUser());
        if (user == &phi || !deciding.contains(user))
          continue;
        const Step step = stepOf(*user, use.getOperandNo());
        const bool isNew = reached.insert(user).second;
        // Both operands come from the value: 's * s'.
        if (step == Step::Other ||
            (!isNew && (step == Step::Adds || step == Step::Multiplies)))
          return std::nullopt;
        if (step != Step::Hands)
          steps.emplace(step, step == Step::Chooses ? operationOf(*user) : 0);
        if (isNew && step != Step::Compares)
          work.push_back(user);
      }
    return steps.size() <= 1 ? std::optional(reached) : std::nullopt;
  }

  /// Tells minima, maxima and logical operations apart.
  static unsigned operationOf(const llvm::Instruction &instruction) {
    return instruction.isBinaryOp()
               ? instruction.getOpcode()
               : ~unsigned(nameOperation(instruction)->computation.kind);
  }

  /// Returns true if the value of one iteration decides that of the next, by
  /// more than a step or a sum.
  bool isChain(llvm::PHINode &phi, llvm::Loop &loop) {
    llvm::BasicBlock *latch = loop.getLoopLatch();
    if (!latch || isCounted(phi, loop))
      return false;
    const Values behind =
        valuesBehind(phi.getIncomingValueForBlock(latch), loop);
    if (!behind.contains(&phi))
      return false;
    // 'x += step': nothing else in the iteration decides the next value.
    auto isStep = [&](const llvm::Value *value) {
      return llvm::none_of(valuesBehind(value, loop), [](const auto *part) {
        return llvm::isa<llvm::PHINode>(part) ||
               llvm::cast<llvm::Instruction>(part)->mayReadOrWriteMemory();
      });
    };
    if (const auto steps = associativeSteps(phi, behind);
        steps &&
        steps->size() + 1 + llvm::count_if(behind, isStep) == behind.size())
      return false;
    llvm::RecurrenceDescriptor sum;
    return !llvm::RecurrenceDescriptor::isReductionPHI(&phi, &loop, sum);
  }

  /// Returns true for a bit that each iteration moves on: `mask <<= 1`.
  static bool isMovingBit(const llvm::PHINode &phi, const llvm::Loop &loop) {
    const llvm::BasicBlock *latch = loop.getLoopLatch();
    auto *next = latch ? llvm::dyn_cast<llvm::BinaryOperator>(
                             phi.getIncomingValueForBlock(latch))
                       : nullptr;
    return next && next->getOpcode() == llvm::Instruction::Shl &&
           next->getOperand(0) == &phi &&
           loop.isLoopInvariant(next->getOperand(1)) &&
           llvm::any_of(phi.incoming_values(), [](const llvm::Value *first) {
             return llvm::isa<llvm::ConstantInt>(first);
           });
  }

  /// Returns true if the number of the iteration says what the value is.
  bool isCounted(const llvm::PHINode &phi, const llvm::Loop &loop) {
    if (isMovingBit(phi, loop))
      return true;
    return scalarEvolution_.isSCEVable(phi.getType()) &&
           scalarEvolution_.hasComputableLoopEvolution(
               scalarEvolution_.getSCEV(const_cast<llvm::PHINode *>(&phi)),
               &loop);
  }

  /// Returns the constant trip count, or 0. LLVM counts entries of the header:
  /// where the header only tests the condition, the last entry is no iteration.
  unsigned iterationsOf(llvm::Loop *loop) {
    const unsigned count = scalarEvolution_.getSmallConstantTripCount(loop);
    const llvm::BasicBlock *header = loop->getHeader();
    const bool asksFirst =
        count && header != loop->getLoopLatch() &&
        loop->isLoopExiting(header) &&
        scalarEvolution_.getSmallConstantTripCount(loop, header) == count &&
        llvm::none_of(*header, [](const llvm::Instruction &instruction) {
          return instruction.mayReadOrWriteMemory();
        });
    return count - asksFirst;
  }

  static const llvm::Value *withoutCasts(const llvm::Value *value) {
    while (auto *cast = llvm::dyn_cast<llvm::CastInst>(value))
      value = cast->getOperand(0);
    return value;
  }

  static bool stores(const llvm::Loop &loop) {
    return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock *block) {
      return llvm::any_of(*block, [](const llvm::Instruction &instruction) {
        return llvm::isa<llvm::StoreInst, llvm::AtomicRMWInst>(instruction);
      });
    });
  }

  /// Returns true if a number that the loop's condition compares may wrap
  /// around as nvcc 13.0 sees it (read from the machine code of 112 loops): one
  /// that moves by what only the run knows and is not added as a signed number,
  /// or one of 32 bits that moves so by a constant where the loop stores.
  static bool mayWrap(const llvm::Loop &loop) {
    const llvm::BasicBlock *exiting = loop.getExitingBlock(),
                           *latch = loop.getLoopLatch();
    auto *branch =
        exiting ? llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator())
                : nullptr;
    auto *compare = branch && branch->isConditional()
                        ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                        : nullptr;
    if (!compare || !latch || compare->isEquality())
      return false;
    for (const llvm::PHINode &counter : loop.getHeader()->phis()) {
      const llvm::Value *next = counter.getIncomingValueForBlock(latch);
      auto *step = llvm::dyn_cast<llvm::BinaryOperator>(withoutCasts(next));
      const bool decides =
          llvm::any_of(compare->operands(), [&](const llvm::Value *side) {
            side = withoutCasts(side);
            return side == &counter || side == next || side == step;
          });
      if (!decides || !step ||
          (step->getOpcode() != llvm::Instruction::Add &&
           step->getOpcode() != llvm::Instruction::Sub) ||
          llvm::none_of(step->operands(), [&](const llvm::Value *side) {
            return withoutCasts(side) == &counter;
          }))
        continue;
      const bool isSigned =
          step->hasNoSignedWrap() && !llvm::isa<llvm::TruncInst>(next);
      const bool isConstant =
          llvm::any_of(step->operands(), [](const llvm::Value *side) {
            return llvm::isa<llvm::ConstantInt>(side);
          });
      constexpr unsigned bitsOfAddresses = 64;
      if (isConstant
              ? !isSigned && stores(loop) &&
                    counter.getType()->getScalarSizeInBits() < bitsOfAddresses
              : !isSigned || compare->isUnsigned())
        return true;
    }
    return false;
  }

  static void readUnroll(llvm::Loop *loop, Loop &result) {
    llvm::MDNode *id = loop->getLoopID();
    if (!id)
      return;
    if (llvm::GetUnrollMetadata(id, "llvm.loop.unroll.disable"))
      result.unroll = Unroll::Disabled;
    else if (llvm::GetUnrollMetadata(id, "llvm.loop.unroll.full") ||
             llvm::GetUnrollMetadata(id, "llvm.loop.unroll.enable"))
      result.unroll = Unroll::Full;
    else if (llvm::MDNode *count =
                 llvm::GetUnrollMetadata(id, "llvm.loop.unroll.count")) {
      result.unroll = Unroll::Count;
      result.unrollCount =
          llvm::mdconst::extract<llvm::ConstantInt>(count->getOperand(1))
              ->getZExtValue();
    }
  }

  void readBound(llvm::Loop *loop, Loop &result) {
    llvm::BasicBlock *exiting = loop->getExitingBlock();
    if (!exiting)
      return;
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator());
    if (!branch || !branch->isConditional())
      return;
    auto *compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
    if (!compare)
      return;
    // The side of the comparison that does not change with the loop.
    for (const llvm::Value *side : compare->operands()) {
      const llvm::SCEV *form =
          scalarEvolution_.isSCEVable(side->getType())
              ? scalarEvolution_.getSCEV(const_cast<llvm::Value *>(side))
              : nullptr;
      if (form && scalarEvolution_.hasComputableLoopEvolution(form, loop))
        continue;
      result.bound = graph_.value(side, exiting);
      result.hasBound = true;
    }
  }

  IrGraph &graph_;
  ExpressionGraph &values_;
  llvm::ScalarEvolution &scalarEvolution_;
  const Names &names_;
  const std::vector<const llvm::BasicBlock *> &barriers_, &fences_;
};

} // namespace

std::vector<Loop> readLoops(IrGraph &graph, ExpressionGraph &values,
                            llvm::ScalarEvolution &scalarEvolution,
                            const Names &names,
                            const Synchronisation &synchronisation) {
  LoopReader reader(graph, values, scalarEvolution, names, synchronisation);
  std::vector<Loop> loops;
  for (const llvm::Loop *loop : graph.flow().loops())
    loops.push_back(reader.readLoop(const_cast<llvm::Loop *>(loop)));
  return loops;
}

} // namespace warplint
