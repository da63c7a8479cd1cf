#include "ir/read_calls.h"
#include "ir/access_facts.h"
#include "ir/index_marks.h"
#include "ir/inline_asm.h"
#include "ir/normalise.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

namespace warplint {

static constexpr const char *textureReason =
    "how a texture or a surface is laid out";

static bool isTexture(llvm::StringRef name) {
  return name.starts_with("llvm.nvvm.tex") ||
         name.starts_with("llvm.nvvm.tld4") ||
         name.starts_with("llvm.nvvm.suld") ||
         name.starts_with("llvm.nvvm.sust") ||
         name.contains("warplint_texel"); // the shim's name for a fetch
}

/// Returns true for a warp's transfer between memory and a matrix in
/// registers.
static bool isFragment(llvm::StringRef name) {
  return name.starts_with("llvm.nvvm.ldmatrix") ||
         name.starts_with("llvm.nvvm.stmatrix") ||
         (name.starts_with("llvm.nvvm.wmma.") &&
          (name.contains(".load.") || name.contains(".store.")));
}

static constexpr const char *fragmentReason =
    "how the lanes share a matrix fragment";

/// A kernel's launch of another one: it asks for memory, stores the arguments
/// there, and passes it on. What the other kernel does is its own.
static bool isOfDeviceLaunch(llvm::StringRef name) {
  return name.starts_with("__cudaCDP2");
}

bool isLaunchArgument(const llvm::StoreInst &store) {
  auto *call =
      llvm::dyn_cast<llvm::CallBase>(objectBehind(store.getPointerOperand()));
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && isOfDeviceLaunch(callee->getName());
}

/// Returns true if the callee may access memory other than the thread's own.
static bool givesMemory(const llvm::CallBase &call) {
  return call.mayReadOrWriteMemory() &&
         llvm::any_of(call.args(), [](const llvm::Value *argument) {
           return argument->getType()->isPointerTy() &&
                  !llvm::isa<llvm::AllocaInst, llvm::Constant>(
                      objectBehind(argument));
         });
}

/// Returns true for a function of the user's, not of CUDA's own libraries.
static bool isElsewhere(llvm::StringRef name, const llvm::CallBase &call) {
  if (name.starts_with("llvm.") || name.starts_with("__nv_") ||
      llvm::is_contained({"vprintf", "malloc", "free"}, name))
    return false;
  return !isOfDeviceLaunch(name) &&
         (!name.starts_with("__") || givesMemory(call));
}

void CallReader::read(llvm::CallBase &call) {
  if (auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return readAsm(call, assembly->getAsmString());
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee)
    return accesses_.addUnfollowed(call, "what an indirect call leads to");
  llvm::StringRef name = callee->getName();
  auto bytes = [&] {
    return unsigned(call.getDataLayout().getTypeStoreSize(call.getType()));
  };
  if (name == passedMarker)
    return arrays_.notePassed(call);
  if (name.starts_with(indexMark))
    return;
  if (name.starts_with("llvm.nvvm.ldg") || name.starts_with("llvm.nvvm.ldu"))
    return accesses_.add(call, call.getArgOperand(0), Operation::Load, bytes(),
                         false);
  if (name.starts_with("llvm.nvvm.atomic"))
    return accesses_.add(call, call.getArgOperand(0), Operation::Atomic,
                         bytes(), false);
  if (name.starts_with("llvm.nvvm.cp.async.c") && call.arg_size() >= 2) {
    unsigned size = name.contains(".16") ? 16 : name.contains(".8") ? 8 : 4;
    accesses_.add(call, call.getArgOperand(1), Operation::Load, size, false,
                  Space::Global, /*isAsync=*/true);
    accesses_.add(call, call.getArgOperand(0), Operation::Store, size, false,
                  Space::Shared, /*isAsync=*/true);
    return accesses_.noteCopy();
  }
  if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&call)) {
    accesses_.add(call, copy->getSource(), Operation::Load, 0,
                  copy->isVolatile());
    return accesses_.add(call, copy->getDest(), Operation::Store, 0,
                         copy->isVolatile());
  }
  if (auto *set = llvm::dyn_cast<llvm::MemSetInst>(&call))
    return accesses_.add(call, set->getDest(), Operation::Store, 0,
                         set->isVolatile());
  if (!callee->isDeclaration())
    return accesses_.addNotInlined(*callee);
  if (name.starts_with("__nv_"))
    return addResults(call, name);
  if (name.consume_front("ptx."))
    return readPtxInstruction(call, name);
  if (isTexture(name))
    return accesses_.addUnfollowed(call, textureReason, Space::Texture,
                                   name.contains(".sust") ? Operation::Store
                                                          : Operation::Load);
  if (isFragment(name))
    return addFragment(call, call.getArgOperand(0), name,
                       name.contains("store") || name.contains("stm")
                           ? Operation::Store
                           : Operation::Load);
  if (name.starts_with("llvm.nvvm.cp.async.bulk.") && readBulkCopy(call, name))
    return;
  if (isElsewhere(name, call))
    return accesses_.addUnfollowed(call, "'" + plainFunction(*callee) +
                                             "', which has no body here");
  if (name.starts_with("llvm.nvvm.cp.async.bulk"))
    accesses_.addUnfollowed(call, "how a bulk copy moves memory",
                            name.contains("shared") && !name.contains("global")
                                ? Space::Shared
                                : Space::Unknown);
  if (name.contains("barrier") || name.contains("bar.sync"))
    synchronisation_.barriers.push_back(call.getParent());
  else if (name.contains("membar") || name.contains("fence"))
    synchronisation_.fences.push_back(call.getParent());
}

/// What a function of libdevice stores, 'sincosf(x, &table[k].x,
/// &table[k].y)'; its own variables are in registers.
void CallReader::addResults(llvm::CallBase &call, llvm::StringRef name) {
  const bool isInteger = name.contains("frexp") || name.contains("remquo");
  const unsigned bytes = isInteger || call.arg_empty()
                             ? 4
                             : call.getDataLayout().getTypeStoreSize(
                                   call.getArgOperand(0)->getType());
  for (const llvm::Value *argument : call.args())
    if (argument->getType()->isPointerTy() &&
        !llvm::isa<llvm::AllocaInst>(objectBehind(argument)))
      accesses_.add(call, argument, Operation::Store, bytes, false);
}

/// Reads a PTX instruction that has no IR. If it accesses memory, it becomes
/// an access without an address.
void CallReader::readPtxInstruction(llvm::CallBase &call,
                                    llvm::StringRef opcode) {
  llvm::StringRef kind = opcode.split('.').first;
  if (kind == "bar" || kind == "barrier")
    synchronisation_.barriers.push_back(call.getParent());
  if (kind == "membar" || kind == "fence")
    synchronisation_.fences.push_back(call.getParent());
  Operation operation =
      kind.starts_with("st") || kind == "sust" || opcode.contains("store")
          ? Operation::Store
      : kind == "atom" || kind == "red" || kind == "sured" ? Operation::Atomic
                                                           : Operation::Load;
  if (kind == "tex" || kind == "tld4" || kind == "suld" || kind == "sust" ||
      kind == "sured")
    return accesses_.addUnfollowed(call, textureReason, Space::Texture,
                                   operation);
  // Tensor memory has neither sectors nor banks.
  if (opcode.starts_with("wgmma.mma_async") ||
      opcode.starts_with("tcgen05.mma") || opcode.starts_with("tcgen05.cp"))
    return accesses_.addUnfollowedAccess(
        call, "how a matrix descriptor lays out shared memory", Space::Shared,
        Operation::Load);
  if (kind == "tcgen05")
    return;
  auto pointer = llvm::find_if(call.args(), [](const llvm::Value *argument) {
    return argument->getType()->isPointerTy();
  });
  // The operands of barriers and policies are no data.
  if (pointer == call.arg_end() ||
      llvm::is_contained({"mbarrier", "bar", "barrier", "fence", "membar",
                          "prefetch", "prefetchu", "createpolicy", "discard",
                          "applypriority", "mapa", "getctarank", "isspacep",
                          "cvta", "tensormap", "clusterlaunchcontrol"},
                         kind))
    return;
  Space space = spaceOf(*pointer, objectBehind(*pointer));
  if (kind == "ldmatrix" || kind == "stmatrix" || kind == "wmma")
    return addFragment(call, *pointer, opcode, operation);
  if (kind == "multimem")
    return accesses_.add(call, *pointer, operationOfMultimem(opcode),
                         bytesOf(opcode), false, Space::Global);
  if (opcode.starts_with("cp.async.bulk.") && !opcode.contains(".tensor") &&
      pointer + 2 < call.arg_end() && pointer[1]->getType()->isPointerTy())
    return addBulkCopy(call, *pointer, pointer[1], pointer[2]);
  std::string why = opcode.contains(".bulk")
                        ? "how a bulk copy moves memory"
                        : "the PTX instruction '" + opcode.str() + "'";
  accesses_.addUnfollowed(call, why, space, operation);
}

void CallReader::addFragment(llvm::CallBase &call, const llvm::Value *pointer,
                             llvm::StringRef name, Operation operation) {
  // wmma gives one address for all lanes.
  const unsigned lanes = name.contains("wmma") ? 0 : lanesOfMatrix(name);
  if (lanes)
    return accesses_.add(call, pointer, operation, matrixRowBytes, false,
                         Space::Shared,
                         /*isAsync=*/false, 0, lanes);
  Space space = spaceOf(pointer, objectBehind(pointer));
  accesses_.addUnfollowedAccess(call, fragmentReason, space, operation);
}

/// Reads the intrinsic of a bulk copy without a tensor map; returns false for
/// others.
bool CallReader::readBulkCopy(llvm::CallBase &call, llvm::StringRef name) {
  name.consume_front("llvm.nvvm.cp.async.bulk.");
  // A barrier stands between the addresses, unless the copy leaves the SM.
  const unsigned from = name.starts_with("shared.cta.to.global") ? 1 : 2;
  if (name.starts_with("prefetch"))
    return true; // warms the cache; nothing arrives
  if (name.starts_with("tensor") || !name.contains(".to.") ||
      call.arg_size() <= from + 1)
    return false;
  addBulkCopy(call, call.getArgOperand(0), call.getArgOperand(from),
              call.getArgOperand(from + 1));
  return true;
}

/// Each thread that executes it copies `size` bytes.
void CallReader::addBulkCopy(llvm::CallBase &call, const llvm::Value *to,
                             const llvm::Value *from, const llvm::Value *size) {
  auto *known = llvm::dyn_cast<llvm::ConstantInt>(size);
  const unsigned bytes = known ? known->getZExtValue() : 0;
  accesses_.add(call, from, Operation::Load, bytes, false, Space::Unknown,
                /*isAsync=*/true);
  accesses_.add(call, to, Operation::Store, bytes, false, Space::Unknown,
                /*isAsync=*/true);
}

void CallReader::readAsm(llvm::CallBase &call, llvm::StringRef text) {
  // Ordered accesses count as fences: grid-wide barriers consist of them.
  if (text.contains("membar") || text.contains("fence") ||
      text.contains(".acq") || text.contains(".release"))
    synchronisation_.fences.push_back(call.getParent());
  if (text.contains("bar.sync") || text.contains("barrier"))
    synchronisation_.barriers.push_back(call.getParent());
  unsigned results =
      call.getType()->isVoidTy() ? 0
      : call.getType()->isStructTy()
          ? llvm::cast<llvm::StructType>(call.getType())->getNumElements()
          : 1;
  std::vector<std::string> notFollowed;
  std::vector<AsmAccess> accesses = readInlineAsm(text, notFollowed);
  const size_t before = kernel_.accesses.size();
  for (const std::string &why : notFollowed)
    accesses_.addUnfollowed(call, why);
  for (const AsmAccess &access : accesses) {
    if (access.space == Space::Texture) {
      accesses_.addUnfollowed(call, textureReason, Space::Texture,
                              access.operation);
      continue;
    }
    if (access.operand < results || access.operand - results >= call.arg_size())
      continue;
    unsigned bytes = access.bytes;
    if (access.bytesOperand && *access.bytesOperand >= results &&
        *access.bytesOperand - results < call.arg_size())
      if (auto *size = llvm::dyn_cast<llvm::ConstantInt>(
              call.getArgOperand(*access.bytesOperand - results)))
        bytes = size->getZExtValue();
    accesses_.add(call, call.getArgOperand(access.operand - results),
                  access.operation, bytes, access.isVolatile, access.space,
                  access.isAsync, access.offset, access.lanes);
  }
  for (Access &access : llvm::drop_begin(kernel_.accesses, before))
    if (auto end = names_.assemblyEnds.find(access.place);
        end != names_.assemblyEnds.end())
      access.lastLine = end->second;
  if (kernel_.accesses.size() == before + 2)
    accesses_.noteCopy();
}

} // namespace warplint
