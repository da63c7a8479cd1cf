// Lowers one PTX function to the body of one IR function. Registers are stack
// slots here; read_ptx promotes them to SSA values afterwards.
//
// The methods are defined by theme: ptx_lowering.cpp (control flow, calls and
// the table of opcodes), ptx_operands.cpp (registers and addresses),
// ptx_memory.cpp, ptx_arithmetic.cpp, ptx_bits.cpp (shifts, bit fields, logic),
// ptx_convert.cpp (comparisons, conversions, functions of floats) and
// ptx_warp.cpp (warps, barriers, and opcodes that IR cannot express).
// ptx_parameters.cpp infers how kernel parameters are used.
#pragma once
#include "ptx/ptx_debug.h"
#include "ptx/ptx_text.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace warplint::ptx {

/// Address spaces as NVPTX numbers them.
unsigned addressSpace(Space space);
/// Returns the space of `global`, `shared::cta` and the like, else Generic.
Space spaceOf(llvm::StringRef modifier);
llvm::Type *irType(Type type, llvm::LLVMContext &context);

/// An opcode such as `ld.volatile.global.v4.f32`, split into its parts.
struct Opcode {
  llvm::StringRef text; ///< whole
  llvm::StringRef name; ///< "ld"
  llvm::SmallVector<llvm::StringRef, 8> modifiers;
  llvm::SmallVector<Type, 2> types; ///< in order
  unsigned vector = 1;              ///< of `.v4`
  explicit Opcode(llvm::StringRef text);
  bool has(llvm::StringRef modifier) const;
  llvm::StringRef modifier(size_t i) const {
    return i < modifiers.size() ? modifiers[i] : llvm::StringRef();
  }
  Space space() const; ///< Generic if it names none
  /// Returns true if its "address" is the handle of a texture or surface.
  bool isTexture() const;
  /// Returns true if a modifier changes a float's result beyond rounding.
  bool isPeculiar() const;
  /// Returns true if the result is not the one of IR's operation to the last
  /// bit.
  bool isInexact() const;
};

/// The module-level data that the lowering of a function refers to.
struct Symbols {
  llvm::Module &module;
  llvm::StringMap<llvm::GlobalVariable *> variables;
  llvm::StringMap<llvm::Function *> functions;
};

llvm::GlobalVariable *declare(const Variable &v, Symbols &symbols);

/// Marks accesses to a function's parameters and results: IR needs memory for
/// them, the machine does not, and no reader counts them as accesses.
void markParameter(llvm::Instruction *i);

/// The use of a kernel parameter; it decides its IR type.
enum class ParameterUse : uint8_t { Number, Pointer, Memory };
std::vector<ParameterUse> parameterUses(const Function &f);

class Lowering {
public:
  Lowering(const Function &text, llvm::Function &function, Symbols &symbols,
           DebugInfo &debug);
  llvm::Error run();

private:
  using Handler = void (Lowering::*)(const Statement &, const Opcode &);
  struct Entry {
    Handler handler;
    /// Returns true if a guard may select the result instead of skipping the
    /// instruction: it accesses no memory and cannot trap.
    bool isSelectable = false;
  };
  static const llvm::StringMap<Entry> &table();

  // Control flow and calls.
  void prepareParameters();
  void prepareBlocks();
  void prepareReads();
  void statement(const Statement &s);
  void guarded(const Statement &s, const Opcode &op, const Entry &entry);
  llvm::BasicBlock *block(llvm::StringRef label, unsigned scope);
  void branchIfOpen(llvm::BasicBlock *to);
  void lowerBranch(const Statement &s, const Opcode &op);
  void lowerBranchIndexed(const Statement &s, const Opcode &op);
  void lowerReturn(const Statement &s, const Opcode &op);
  void lowerExit(const Statement &s, const Opcode &op);
  void lowerTrap(const Statement &s, const Opcode &op);
  void lowerCall(const Statement &s, const Opcode &op);
  llvm::Value *argument(const Operand &o, llvm::Type *as);
  llvm::Type *typeOfResult(const Operand &o);

  // Registers, operands, addresses.
  struct Register {
    llvm::AllocaInst *slot = nullptr;
    Type type;
  };
  Register *findRegister(llvm::StringRef name);
  const Variable *findVariable(llvm::StringRef name, unsigned &index);
  llvm::AllocaInst *slot(llvm::Type *type, llvm::StringRef name);
  llvm::AllocaInst *localVariable(unsigned index);
  llvm::Value *symbolAddress(llvm::StringRef name);
  llvm::Value *specialRegister(llvm::StringRef name);
  llvm::Value *coerce(llvm::Value *value, llvm::Type *to, bool isSigned);
  llvm::Value *readName(const Operand &o, llvm::Type *as, bool isSigned);
  llvm::Value *pack(const Operand &o, llvm::Type *as);
  llvm::Value *read(const Operand &o, llvm::Type *as, bool isSigned = false);
  llvm::Value *read(const Operand &o, Type as) {
    return read(o, ir(as), as.isSigned());
  }
  llvm::Value *readPredicate(const Operand &o);
  void write(const Operand &o, llvm::Value *value, bool isSigned = false);
  void unpack(const Operand &o, llvm::Value *value);
  llvm::Value *pointer(const Operand &address, Space space);
  llvm::Type *typeOf(const Operand &destination);

  // Memory.
  void lowerLoad(const Statement &s, const Opcode &op);
  void lowerStore(const Statement &s, const Opcode &op);
  void lowerAtomic(const Statement &s, const Opcode &op);
  void lowerCopy(const Statement &s, const Opcode &op);
  void lowerPrefetch(const Statement &s, const Opcode &op);
  void lowerFence(const Statement &s, const Opcode &op);
  bool loadParameter(const Statement &s, const Opcode &op);
  bool storeParameter(const Statement &s, const Opcode &op);
  llvm::Value *atomic(const Opcode &op, llvm::Value *address, Type type,
                      llvm::ArrayRef<llvm::Value *> values);
  void writeLoaded(const Operand &o, llvm::Value *value, const Opcode &op);
  llvm::Type *accessType(const Opcode &op);

  // Arithmetic.
  void lowerMove(const Statement &s, const Opcode &op);
  void lowerBinary(const Statement &s, const Opcode &op);
  void lowerAdd(const Statement &s, const Opcode &op);
  void lowerMultiply(const Statement &s, const Opcode &op);
  void lowerMultiply24(const Statement &s, const Opcode &op);
  void lowerDivide(const Statement &s, const Opcode &op);
  void lowerUnary(const Statement &s, const Opcode &op);
  llvm::Value *multiply(const Opcode &op, Type type, llvm::Value *a,
                        llvm::Value *b);
  llvm::Value *minMax(const Opcode &op, Type type, llvm::Value *a,
                      llvm::Value *b);
  llvm::Value *saturate(const Opcode &op, llvm::Value *value);
  void allowFusing(const Opcode &op, llvm::Value *value);
  void markApproximate(const Opcode &op, llvm::Value *value);
  llvm::Value *carryIn();
  void carryOut(const Opcode &op, llvm::Value *carry);

  // Shifts, bit fields, logic.
  void lowerBits(const Statement &s, const Opcode &op);
  void lowerShift(const Statement &s, const Opcode &op);
  void lowerFunnel(const Statement &s, const Opcode &op);
  void lowerBitMask(const Statement &s, const Opcode &op);
  void lowerBitField(const Statement &s, const Opcode &op);
  void lowerLogic3(const Statement &s, const Opcode &op);
  void lowerDot(const Statement &s, const Opcode &op);
  llvm::Value *shift(llvm::Instruction::BinaryOps kind, llvm::Value *value,
                     llvm::Value *amount);
  llvm::Value *lowMask(llvm::Type *type, llvm::Value *length);
  llvm::Value *logic3(unsigned table, llvm::ArrayRef<llvm::Value *> inputs);

  // Comparisons, conversions, functions of floats.
  void lowerCompare(const Statement &s, const Opcode &op);
  void lowerSelect(const Statement &s, const Opcode &op);
  void lowerConvert(const Statement &s, const Opcode &op);
  void lowerAddressConvert(const Statement &s, const Opcode &op);
  void lowerFloat(const Statement &s, const Opcode &op);
  llvm::Value *compare(llvm::StringRef how, Type type, llvm::Value *a,
                       llvm::Value *b);
  llvm::Value *convert(const Opcode &op, llvm::Value *value, Type to,
                       Type from);
  llvm::Value *roundIntegral(const Opcode &op, llvm::Value *value);
  llvm::Value *clampInteger(llvm::Value *value, Type to, Type from);

  // Warps, barriers, and unknown instructions.
  void lowerShuffle(const Statement &s, const Opcode &op);
  void lowerVote(const Statement &s, const Opcode &op);
  void lowerMatch(const Statement &s, const Opcode &op);
  void lowerReduce(const Statement &s, const Opcode &op);
  void lowerActiveMask(const Statement &s, const Opcode &op);
  void lowerElect(const Statement &s, const Opcode &op);
  void lowerBarrier(const Statement &s, const Opcode &op);
  void lowerUnknown(const Statement &s, const Opcode &op);
  llvm::Value *intrinsic(llvm::StringRef name,
                         llvm::ArrayRef<llvm::Value *> arguments);
  llvm::Value *opaque(llvm::StringRef name, llvm::Type *result,
                      llvm::ArrayRef<llvm::Value *> arguments, bool isPure);

  // Helpers.
  void fail(const llvm::Twine &what);
  bool expectOperands(const Statement &s, size_t least);
  llvm::Type *ir(Type type) { return irType(type, context_); }
  llvm::Type *integer(unsigned bits) {
    return llvm::Type::getIntNTy(context_, bits);
  }
  llvm::Value *i32(uint64_t value) { return builder_.getInt32(value); }

  const Function &text_;
  llvm::Function &function_;
  Symbols &symbols_;
  DebugInfo &debug_;
  llvm::LLVMContext &context_;
  llvm::IRBuilder<> builder_;
  llvm::IRBuilder<> slots_; ///< at the head of the entry block
  std::vector<llvm::StringMap<Register>> registers_;        ///< by scope
  std::vector<llvm::StringMap<llvm::BasicBlock *>> blocks_; ///< by scope
  llvm::StringMap<unsigned> parameters_, returns_; ///< by name, their index
  std::vector<llvm::AllocaInst *> returnSlots_;
  std::vector<llvm::AllocaInst *> locals_;      ///< by variable
  std::vector<llvm::GlobalVariable *> globals_; ///< by variable
  llvm::StringSet<> readPredicates_; ///< names that any operand reads
  llvm::AllocaInst *carry_ = nullptr;
  llvm::Value *selectGuard_ = nullptr; ///< writes select by it, if there is one
  unsigned scope_ = 0, line_ = 0;      ///< of the current statement
  std::string error_;
};

} // namespace warplint::ptx
