#include "fixes/execution.h"
#include "fixes/arithmetic.h"
#include "fixes/made_up_memory.h"
#include "fixes/program.h"
#include "fixes/warp_exchange.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <memory>

using namespace llvm;

namespace warplint {

namespace {

struct Frame {
  const Program *program;
  unsigned step = 0, block = 0;
  std::vector<Lanes> slots;
  uint64_t stack = 0; ///< where its locals begin
};

enum class State { Runs, AtBarrier, AtExchange, Ended };

struct Thread {
  Shape index;
  unsigned number = 0;
  State state = State::Runs;
  std::vector<Frame> frames;
  uint64_t stack = localBase;
  Memory local;
};

class Machine {
public:
  Machine(const Function &kernel, const Inputs &inputs, uint64_t mostSteps)
      : module_(*kernel.getParent()), kernel_(kernel), inputs_(inputs),
        mostSteps_(mostSteps), layout_(module_.getDataLayout()),
        madeUp_(kernel, inputs) {}

  Execution run();

private:
  void fail(const Twine &why) {
    if (result_.whyNot.empty())
      result_.whyNot = why.str();
  }
  bool isOver() const { return !result_.whyNot.empty() || result_.isTooLong; }
  const Program &program(const Function &function);
  void runBlock(const Shape &block);
  void run(Thread &thread);
  bool enter(Thread &thread, const Function &function, ArrayRef<Lanes> given);
  void jump(Frame &frame, unsigned to);
  bool step(Thread &thread);
  bool call(Thread &thread, const Step &step, ArrayRef<Lanes> operands);
  std::optional<Lanes> special(const Thread &thread, StringRef name) const;
  bool exchange(std::vector<Thread> &threads, unsigned warp);
  void exchange(std::vector<Thread *> &lanes, const Step &step);
  Lanes read(Thread &thread, uint64_t address, const Type &type,
             Content content);
  void write(Thread &thread, uint64_t address, const Type &type,
             const Lanes &value);
  Memory &memoryAt(Thread &thread, uint64_t address) {
    return address >= localBase && address < localEnd     ? thread.local
           : address >= sharedBase && address < sharedEnd ? shared_
                                                          : global_;
  }
  void noteAddress(const Thread &thread, uint64_t address) {
    result_.leavesArrays |= (address >= thread.stack && address < localEnd) ||
                            (address >= sharedEnd && address < localBase);
  }
  Lanes value(const Frame &frame, int operand) const {
    return operand >= 0 ? frame.slots[operand]
                        : frame.program->constants[~operand];
  }

  const Module &module_;
  const Function &kernel_;
  const Inputs &inputs_;
  const uint64_t mostSteps_;
  const DataLayout &layout_;
  std::map<const Function *, Program> programs_;
  MadeUpMemory madeUp_;
  Memory global_, shared_;
  Shape block_;
  Execution result_;
};

const Program &Machine::program(const Function &function) {
  auto [known, isNew] = programs_.try_emplace(&function);
  if (isNew) {
    known->second = programOf(function, [this](const GlobalValue &value) {
      const std::optional<uint64_t> address = madeUp_.addressOf(value);
      if (!address)
        fail("the address of a function is not followed");
      return address.value_or(0);
    });
    if (!known->second.whyNot.empty())
      fail(known->second.whyNot);
  }
  return known->second;
}

Lanes Machine::read(Thread &thread, uint64_t address, const Type &type,
                    Content content) {
  noteAddress(thread, address);
  const Memory &memory = memoryAt(thread, address);
  const unsigned bytes = (elementBits(type) + 7) / 8;
  Lanes result{};
  for (unsigned lane = 0; lane < lanesOf(type) && lane < result.size();
       ++lane, address += bytes) {
    const uint64_t made = madeUp_.untouched(address, bytes, content);
    for (unsigned i = 0; i < bytes; ++i) {
      std::optional<uint8_t> byte = memory.at(address + i);
      if (!byte)
        byte = madeUp_.initial(address + i);
      result[lane] |= uint64_t(byte.value_or(made >> (8 * i) & 0xff))
                      << (8 * i);
    }
  }
  return result;
}

void Machine::write(Thread &thread, uint64_t address, const Type &type,
                    const Lanes &value) {
  noteAddress(thread, address);
  Memory &memory = memoryAt(thread, address);
  const unsigned bytes = (elementBits(type) + 7) / 8;
  for (unsigned lane = 0; lane < lanesOf(type) && lane < value.size(); ++lane)
    for (unsigned i = 0; i < bytes; ++i)
      memory.write(address++, value[lane] >> (8 * i) & 0xff, bytes);
}

bool Machine::enter(Thread &thread, const Function &function,
                    ArrayRef<Lanes> given) {
  constexpr size_t deepest = 64;
  if (thread.frames.size() >= deepest) {
    fail("recursion");
    return false;
  }
  Frame frame{&program(function), 0, 0, {}, thread.stack};
  frame.slots.resize(frame.program->slots.size());
  llvm::copy(given, frame.slots.begin());
  thread.frames.push_back(std::move(frame));
  return !isOver();
}

void Machine::jump(Frame &frame, unsigned to) {
  if (auto moves = frame.program->moves.find({frame.block, to});
      moves != frame.program->moves.end()) {
    SmallVector<Lanes, 8> values; // phis read before any of them is written
    for (auto [_, from] : moves->second.all)
      values.push_back(value(frame, from));
    for (auto [move, taken] : llvm::zip(moves->second.all, values))
      frame.slots[move.first] = taken;
  }
  frame.block = to;
  frame.step = frame.program->starts[to];
}

std::optional<Lanes> Machine::special(const Thread &thread,
                                      StringRef name) const {
  if (!name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return std::nullopt;
  auto of = [&](const Shape &shape) -> Lanes {
    return {name.ends_with(".x")   ? shape.x
            : name.ends_with(".y") ? shape.y
                                   : shape.z};
  };
  const unsigned lane = thread.number % lanesOfWarp;
  if (name.starts_with("tid."))
    return of(thread.index);
  if (name.starts_with("ntid."))
    return of(inputs_.block);
  if (name.starts_with("ctaid."))
    return of(block_);
  if (name.starts_with("nctaid."))
    return of(inputs_.grid);
  if (name == "laneid")
    return Lanes{lane};
  if (name == "warpsize")
    return Lanes{lanesOfWarp};
  const uint64_t bit = uint64_t(1) << lane;
  if (name == "lanemask.lt")
    return Lanes{bit - 1};
  if (name == "lanemask.le")
    return Lanes{2 * bit - 1};
  if (name == "lanemask.eq")
    return Lanes{bit};
  if (name == "lanemask.ge")
    return Lanes{(~(bit - 1)) & 0xffffffff};
  if (name == "lanemask.gt")
    return Lanes{(~(2 * bit - 1)) & 0xffffffff};
  return std::nullopt;
}

/// Returns true if the thread goes on. The result of an exchange comes later.
bool Machine::call(Thread &thread, const Step &step, ArrayRef<Lanes> operands) {
  const auto &call = *llvm::cast<CallBase>(step.instruction);
  const Function &callee = *call.getCalledFunction();
  const StringRef name = callee.getName();
  Frame &frame = thread.frames.back();
  if (!callee.isDeclaration())
    return enter(thread, callee, operands);
  if (auto known = special(thread, name)) {
    frame.slots[step.result] = *known;
    return true;
  }
  if (name == "llvm.nvvm.barrier.cta.sync.aligned.all" ||
      name == "llvm.nvvm.barrier.cta.sync.all") {
    thread.state = State::AtBarrier;
    return false;
  }
  if (name.starts_with("llvm.nvvm.shfl.sync.") ||
      name.starts_with("llvm.nvvm.vote.") ||
      name.starts_with("llvm.nvvm.redux.sync.") ||
      name == "llvm.nvvm.bar.warp.sync") {
    --frame.step; // it is executed once all lanes are here
    thread.state = State::AtExchange;
    return false;
  }
  if (name.starts_with("llvm.nvvm.membar.") ||
      name.starts_with("llvm.nvvm.cp.async.commit") ||
      name.starts_with("llvm.nvvm.cp.async.wait") ||
      name.starts_with("llvm.nvvm.prefetch") || name == "llvm.assume")
    return true;
  if (name == "llvm.trap") {
    thread.state = State::Ended;
    return false;
  }
  if (name == "llvm.nvvm.activemask") {
    frame.slots[step.result] = {0xffffffff};
    return true;
  }
  if (name.starts_with("llvm.nvvm.isspacep.")) {
    const bool isShared =
        operands[0][0] >= sharedBase && operands[0][0] < sharedEnd;
    const bool isLocal =
        operands[0][0] >= localBase && operands[0][0] < localEnd;
    frame.slots[step.result] = {uint64_t(name.contains("shared")  ? isShared
                                         : name.contains("local") ? isLocal
                                         : name.contains("global")
                                             ? !isShared && !isLocal
                                             : false)};
    return true;
  }
  if (!callee.doesNotAccessMemory() || name.contains("clock") ||
      name.contains("timer")) {
    fail("'" + name + "' is not followed");
    return false;
  }
  if (step.result >= 0)
    frame.slots[step.result] = called(step, operands);
  return true;
}

/// Returns true if the thread goes on.
bool Machine::step(Thread &thread) {
  Frame &frame = thread.frames.back();
  const Step &step = frame.program->steps[frame.step++];
  if (++result_.steps > mostSteps_) {
    result_.isTooLong = true;
    return false;
  }
  SmallVector<Lanes, 4> operands;
  for (int operand : step.operands)
    operands.push_back(value(frame, operand));
  const Instruction &instruction = *step.instruction;
  switch (instruction.getOpcode()) {
  case Instruction::Br:
    jump(frame, step.targets[operands.empty() || operands[0][0] & 1 ? 0 : 1]);
    return true;
  case Instruction::Switch: {
    const auto &choice = llvm::cast<SwitchInst>(instruction);
    const BasicBlock *to = choice.getDefaultDest();
    for (const auto &each : choice.cases())
      if (each.getCaseValue()->getZExtValue() == operands[0][0])
        to = each.getCaseSuccessor();
    jump(frame, frame.program->blocks.lookup(to));
    return true;
  }
  case Instruction::Ret: {
    const uint64_t stack = frame.stack;
    thread.frames.pop_back();
    thread.stack = stack;
    if (thread.frames.empty()) {
      thread.state = State::Ended;
      return false;
    }
    Frame &caller = thread.frames.back();
    const Step &call = caller.program->steps[caller.step - 1];
    if (call.result >= 0 && !operands.empty())
      caller.slots[call.result] = operands[0];
    return true;
  }
  case Instruction::Unreachable:
    thread.state = State::Ended;
    return false;
  case Instruction::Alloca: {
    const auto &local = llvm::cast<AllocaInst>(instruction);
    thread.stack = alignTo(thread.stack, 16);
    frame.slots[step.result] = {thread.stack};
    thread.stack += layout_.getTypeAllocSize(local.getAllocatedType());
    return true;
  }
  case Instruction::Load:
    frame.slots[step.result] =
        read(thread, operands[0][0], *instruction.getType(), step.content);
    return true;
  case Instruction::Store:
    write(thread, operands[1][0], *instruction.getOperand(0)->getType(),
          operands[0]);
    return true;
  case Instruction::Fence:
    return true;
  case Instruction::AtomicRMW: {
    const auto &atomic = llvm::cast<AtomicRMWInst>(instruction);
    const Type &type = *atomic.getType();
    const bool isReal = type.isFloatTy() || type.isDoubleTy();
    const Lanes old = read(thread, operands[0][0], type,
                           isReal ? Content::Real : Content::Number);
    Lanes now = operands[1];
    now[0] = updated(atomic, old[0], operands[1][0], step.bits);
    write(thread, operands[0][0], type, now);
    frame.slots[step.result] = old;
    return true;
  }
  case Instruction::AtomicCmpXchg: {
    const Type &type = *instruction.getOperand(1)->getType();
    const Lanes old = read(thread, operands[0][0], type, Content::Number);
    if (old[0] == operands[1][0])
      write(thread, operands[0][0], type, operands[2]);
    frame.slots[step.result] = {old[0], uint64_t(old[0] == operands[1][0])};
    return true;
  }
  case Instruction::GetElementPtr: {
    const auto &element = llvm::cast<GEPOperator>(instruction);
    APInt offset(64, 0);
    SmallMapVector<Value *, APInt, 4> variable;
    if (!element.collectOffset(layout_, 64, variable, offset)) {
      fail("an address is not followed");
      return false;
    }
    uint64_t address = operands[0][0] + offset.getZExtValue();
    for (auto &[index, scale] : variable)
      address += uint64_t(SignExtend64(
                     frame.slots[frame.program->slots.lookup(index)][0],
                     elementBits(*index->getType()))) *
                 scale.getZExtValue();
    frame.slots[step.result] = {address};
    return true;
  }
  case Instruction::Call:
    return call(thread, step, operands);
  default:
    break;
  }
  std::optional<Lanes> result = computed(step, operands);
  if (!result) {
    fail(Twine("'") + instruction.getOpcodeName() + "' is not followed");
    return false;
  }
  frame.slots[step.result] = *result;
  return true;
}

/// Executes an instruction for all the lanes that are at it.
void Machine::exchange(std::vector<Thread *> &lanes, const Step &step) {
  const auto &call = *llvm::cast<CallBase>(step.instruction);
  const StringRef name = call.getCalledFunction()->getName();
  WarpOperands brought;
  for (Thread *thread : lanes) {
    Frame &frame = thread->frames.back();
    const unsigned lane = thread->number % lanesOfWarp;
    brought.here |= uint64_t(1) << lane;
    for (int operand : step.operands)
      brought.ofLane[lane].push_back(value(frame, operand));
  }
  for (Thread *thread : lanes) {
    Frame &frame = thread->frames.back();
    if (step.result >= 0)
      frame.slots[step.result] =
          exchanged(name, brought, thread->number % lanesOfWarp);
  }
  for (Thread *thread : lanes) {
    ++thread->frames.back().step;
    thread->state = State::Runs;
  }
}

/// Lets the lanes of a warp go on that wait for each other at one instruction.
bool Machine::exchange(std::vector<Thread> &threads, unsigned warp) {
  std::vector<Thread *> lanes;
  const Step *at = nullptr;
  uint64_t present = 0, mask = 0xffffffff;
  for (size_t i = warp;
       i < std::min<size_t>(threads.size(), warp + lanesOfWarp); ++i) {
    Thread &thread = threads[i];
    if (thread.state != State::Ended)
      present |= uint64_t(1) << (i - warp);
    if (thread.state != State::AtExchange)
      continue;
    const Frame &frame = thread.frames.back();
    const Step &step = frame.program->steps[frame.step];
    if (at && at != &step)
      continue;
    at = &step;
    lanes.push_back(&thread);
    const StringRef name =
        llvm::cast<CallBase>(step.instruction)->getCalledFunction()->getName();
    const unsigned maskAt = name.contains(".redux.") ? 1 : 0;
    if (step.operands.size() > maskAt && !name.contains(".vote.all") &&
        !name.contains(".vote.any"))
      mask = value(frame, step.operands[maskAt])[0];
  }
  if (lanes.empty())
    return false;
  uint64_t here = 0;
  for (const Thread *thread : lanes)
    here |= uint64_t(1) << (thread->number % lanesOfWarp);
  if ((mask & present) & ~here)
    return false;
  exchange(lanes, *at);
  return true;
}

void Machine::run(Thread &thread) {
  while (thread.state == State::Runs && !isOver() && step(thread)) {
  }
}

void Machine::runBlock(const Shape &block) {
  block_ = block;
  shared_ = Memory();
  std::vector<Thread> threads(inputs_.block.threads());
  std::vector<Lanes> arguments;
  uint64_t number = 0;
  for (unsigned i = 0; i < kernel_.arg_size(); ++i)
    arguments.push_back(madeUp_.argument(i, number));
  for (size_t i = 0; i < threads.size(); ++i) {
    const Shape &shape = inputs_.block;
    threads[i].number = i;
    threads[i].index = {unsigned(i % shape.x), unsigned(i / shape.x % shape.y),
                        unsigned(i / shape.x / shape.y)};
    enter(threads[i], kernel_, arguments);
  }
  while (!isOver()) {
    for (Thread &thread : threads)
      run(thread);
    bool any = false;
    for (unsigned warp = 0; warp < threads.size() && !isOver();
         warp += lanesOfWarp)
      any |= exchange(threads, warp);
    if (any || isOver())
      continue;
    bool isWaiting = false, isStuck = false;
    for (const Thread &thread : threads) {
      isWaiting |= thread.state == State::AtBarrier;
      isStuck |= thread.state == State::AtExchange;
    }
    if (isStuck)
      fail("lanes of a warp wait for others that do not come");
    if (!isWaiting || isStuck)
      return;
    for (Thread &thread : threads)
      if (thread.state == State::AtBarrier)
        thread.state = State::Runs;
  }
}

Execution Machine::run() {
  // Shared variables get their places in the order of the text.
  for (const GlobalVariable &variable : module_.globals())
    madeUp_.addressOf(variable);
  const Shape &grid = inputs_.grid;
  for (unsigned z = 0; z < grid.z && !isOver(); ++z)
    for (unsigned y = 0; y < grid.y && !isOver(); ++y)
      for (unsigned x = 0; x < grid.x && !isOver(); ++x)
        runBlock({x, y, z});
  global_.addTo(result_.stored);
  return std::move(result_);
}

} // namespace

Execution execute(const Function &kernel, const Inputs &inputs,
                  uint64_t mostSteps) {
  return Machine(kernel, inputs, mostSteps).run();
}

std::optional<unsigned> argumentAt(uint64_t address) {
  if (address < pointedBase || address >= pointedEnd)
    return std::nullopt;
  return unsigned((address - pointedBase) >> pointedShift);
}

} // namespace warplint
