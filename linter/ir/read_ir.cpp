#include "ir/read_ir.h"
#include "ir/access_facts.h"
#include "ir/access_names.h"
#include "ir/analyses.h"
#include "ir/array_layouts.h"
#include "ir/index_marks.h"
#include "ir/inline_asm.h"
#include "ir/ir_graph.h"
#include "ir/needed_loads.h"
#include "ir/normalise.h"
#include "ir/read_barriers.h"
#include "ir/read_branches.h"
#include "ir/read_loops.h"
#include "ir/read_operations.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IntrinsicInst.h"

namespace warplint {

namespace {

class KernelReader {
public:
  KernelReader(llvm::Function &function, llvm::FunctionAnalysisManager &manager,
               const Names &names)
      : function_(function), names_(names),
        layout_(function.getParent()->getDataLayout()),
        loops_(manager.getResult<llvm::LoopAnalysis>(function)),
        scalarEvolution_(
            manager.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        analyses_{loops_,
                  manager.getResult<llvm::DominatorTreeAnalysis>(function),
                  manager.getResult<llvm::PostDominatorTreeAnalysis>(function)},
        graph_(function, analyses_, kernel_,
               [this](const llvm::Instruction &instruction) {
                 return nameOfLoad(instruction, names_);
               }),
        indexMarks_(function, names, graph_) {}

  Kernel read() {
    kernel_.mangled = function_.getName().str();
    nameVariables();
    readArrays();
    llvm::ReversePostOrderTraversal<llvm::Function *> blocks(&function_);
    for (llvm::BasicBlock *block : blocks) {
      block_ = block;
      region_ = lineOf(block);
      for (llvm::Instruction &instruction : *block)
        readInstruction(instruction);
    }
    kernel_.loops = readLoops(graph_, kernel_.graph, scalarEvolution_, names_,
                              synchronisation_);
    readBranches();
    readBarriers();
    readStoredLoads();
    readOperations(function_, loops_, scalarEvolution_, graph_, names_,
                   accessOf_, kernel_);
    graph_.addPointers();
    return std::move(kernel_);
  }

private:
  // --- places and names -----------------------------------------------------

  Frames frames(const llvm::DILocation *location) const {
    return framesOf(location, names_);
  }

  /// Collects the names of variables from their debug records.
  void nameVariables() {
    for (llvm::BasicBlock &block : function_)
      for (llvm::Instruction &instruction : block)
        for (llvm::DbgVariableRecord &record :
             llvm::filterDbgVars(instruction.getDbgRecordRange()))
          // Assignment records name the variable of their address as well.
          if ((record.isDbgDeclare() || record.isDbgAssign()) &&
              record.getAddress())
            variables_.try_emplace(record.getAddress()->stripPointerCasts(),
                                   record.getVariable());
  }

  const llvm::DILocalVariable *variable(const llvm::AllocaInst *own) const {
    return variables_.lookup(own);
  }

  // --- arrays ---------------------------------------------------------------

  static std::string typeText(const llvm::DIType *type) {
    if (!type)
      return "void";
    if (auto *derived = llvm::dyn_cast<llvm::DIDerivedType>(type)) {
      if (!derived->getName().empty())
        return derived->getName().str();
      std::string base = typeText(derived->getBaseType());
      return derived->getTag() == llvm::dwarf::DW_TAG_pointer_type ? base + " *"
                                                                   : base;
    }
    auto *composite = llvm::dyn_cast<llvm::DICompositeType>(type);
    if (!composite || composite->getTag() != llvm::dwarf::DW_TAG_array_type)
      return type->getName().str();
    std::string text = typeText(composite->getBaseType());
    for (llvm::DINode *element : composite->getElements())
      if (auto *range = llvm::dyn_cast<llvm::DISubrange>(element))
        if (auto *count = llvm::dyn_cast_if_present<llvm::ConstantInt *>(
                range->getCount()))
          text += "[" + std::to_string(count->getZExtValue()) + "]";
    return text;
  }

  void readArrays() {
    for (llvm::Instruction &instruction : function_.getEntryBlock())
      if (auto *own = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        readArray(own);
  }

  void readArray(const llvm::AllocaInst *own) {
    const llvm::DILocalVariable *variable = this->variable(own);
    if (!variable || !holdsArray(own->getAllocatedType()))
      return;
    Array array;
    array.name = variable->getName().str();
    array.place = {names_.file(variable->getFile()).path, variable->getLine(),
                   0};
    array.inLibrary = !names_.isUser(array.place.file);
    array.bytes = layout_.getTypeAllocSize(own->getAllocatedType());
    array.type = typeText(variable->getType());
    arrays_[own] = kernel_.arrays.size();
    graph_.object(own, {array.name, Space::Local, array.bytes});
    kernel_.arrays.push_back(std::move(array));
  }

  static bool holdsArray(const llvm::Type *type) {
    if (type->isArrayTy())
      return true;
    auto *structure = llvm::dyn_cast<llvm::StructType>(type);
    return structure && llvm::any_of(structure->elements(), holdsArray);
  }

  // --- accesses -------------------------------------------------------------

  /// Numbers control-equivalent regions: blocks that are executed together,
  /// even with branches between them, get one number.
  unsigned lineOf(llvm::BasicBlock *block) {
    auto *node = analyses_.dominators.getNode(block);
    if (node && node->getIDom()) {
      llvm::BasicBlock *above = node->getIDom()->getBlock();
      if (analyses_.postDominators.dominates(block, above) &&
          loops_.getLoopFor(block) == loops_.getLoopFor(above))
        if (auto it = lines_.find(above); it != lines_.end())
          return lines_[block] = it->second;
    }
    return lines_[block] = lines_.size();
  }

  void readInstruction(llvm::Instruction &instruction) {
    if (instruction.getMetadata("ptx.param"))
      return; // a parameter that PTX passes through memory
    if (instruction.getMetadata(indexLoad))
      return; // warplint's own mark
    auto bytes = [&](const llvm::Type *type) {
      return unsigned(layout_.getTypeStoreSize(const_cast<llvm::Type *>(type)));
    };
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return add(*load, load->getPointerOperand(), Operation::Load,
                 bytes(load->getType()), load->isVolatile());
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      if (!isLaunchArgument(*store))
        add(*store, store->getPointerOperand(), Operation::Store,
            bytes(store->getValueOperand()->getType()), store->isVolatile());
      return;
    }
    if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return add(*atomic, atomic->getPointerOperand(), Operation::Atomic,
                 bytes(atomic->getType()), atomic->isVolatile());
    if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return add(*exchange, exchange->getPointerOperand(), Operation::Atomic,
                 bytes(exchange->getNewValOperand()->getType()),
                 exchange->isVolatile());
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      readCall(*call);
  }

  void readCall(llvm::CallBase &call) {
    if (auto *assembly =
            llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
      return readAsm(call, assembly->getAsmString());
    const llvm::Function *callee = call.getCalledFunction();
    if (!callee)
      return addUnfollowed(call, "what an indirect call leads to");
    llvm::StringRef name = callee->getName();
    auto bytes = [&] {
      return unsigned(layout_.getTypeStoreSize(call.getType()));
    };
    if (name == passedMarker)
      return readPassed(call);
    if (name.starts_with(indexMark))
      return;
    if (name.starts_with("llvm.nvvm.ldg") || name.starts_with("llvm.nvvm.ldu"))
      return add(call, call.getArgOperand(0), Operation::Load, bytes(), false);
    if (name.starts_with("llvm.nvvm.atomic"))
      return add(call, call.getArgOperand(0), Operation::Atomic, bytes(),
                 false);
    if (name.starts_with("llvm.nvvm.cp.async.c") && call.arg_size() >= 2) {
      unsigned size = name.contains(".16") ? 16 : name.contains(".8") ? 8 : 4;
      add(call, call.getArgOperand(1), Operation::Load, size, false,
          Space::Global, /*isAsync=*/true);
      add(call, call.getArgOperand(0), Operation::Store, size, false,
          Space::Shared, /*isAsync=*/true);
      return noteCopy();
    }
    if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&call)) {
      add(call, copy->getSource(), Operation::Load, 0, copy->isVolatile());
      return add(call, copy->getDest(), Operation::Store, 0,
                 copy->isVolatile());
    }
    if (auto *set = llvm::dyn_cast<llvm::MemSetInst>(&call))
      return add(call, set->getDest(), Operation::Store, 0, set->isVolatile());
    if (!callee->isDeclaration())
      return readRecursion(*callee);
    if (name.starts_with("__nv_"))
      return addResults(call, name);
    if (name.consume_front("ptx."))
      return readPtxInstruction(call, name);
    if (isTexture(name))
      return addUnfollowed(call, textureReason, Space::Texture,
                           name.contains(".sust") ? Operation::Store
                                                  : Operation::Load);
    if (isFragment(name))
      return addFragment(call, call.getArgOperand(0), name,
                         name.contains("store") || name.contains("stm")
                             ? Operation::Store
                             : Operation::Load);
    if (name.starts_with("llvm.nvvm.cp.async.bulk.") &&
        readBulkCopy(call, name))
      return;
    if (isElsewhere(name, call))
      return addUnfollowed(call, "'" + plainFunction(*callee) +
                                     "', which has no body here");
    if (name.starts_with("llvm.nvvm.cp.async.bulk"))
      addUnfollowed(call, "how a bulk copy moves memory",
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
  void addResults(llvm::CallBase &call, llvm::StringRef name) {
    const bool isInteger = name.contains("frexp") || name.contains("remquo");
    const unsigned bytes =
        isInteger || call.arg_empty()
            ? 4
            : layout_.getTypeStoreSize(call.getArgOperand(0)->getType());
    for (const llvm::Value *argument : call.args())
      if (argument->getType()->isPointerTy() &&
          !llvm::isa<llvm::AllocaInst>(objectBehind(argument)))
        add(call, argument, Operation::Store, bytes, false);
  }

  /// Reads a PTX instruction that has no IR. If it accesses memory, it becomes
  /// an access without an address.
  void readPtxInstruction(llvm::CallBase &call, llvm::StringRef opcode) {
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
      return addUnfollowed(call, textureReason, Space::Texture, operation);
    // Tensor memory has neither sectors nor banks.
    if (opcode.starts_with("wgmma.mma_async") ||
        opcode.starts_with("tcgen05.mma") || opcode.starts_with("tcgen05.cp"))
      return addUnfollowedAccess(
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
      return add(call, *pointer, operationOfMultimem(opcode), bytesOf(opcode),
                 false, Space::Global);
    if (opcode.starts_with("cp.async.bulk.") && !opcode.contains(".tensor") &&
        pointer + 2 < call.arg_end() && pointer[1]->getType()->isPointerTy())
      return addBulkCopy(call, *pointer, pointer[1], pointer[2]);
    std::string why = opcode.contains(".bulk")
                          ? "how a bulk copy moves memory"
                          : "the PTX instruction '" + opcode.str() + "'";
    addUnfollowed(call, why, space, operation);
  }

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

  void addFragment(llvm::CallBase &call, const llvm::Value *pointer,
                   llvm::StringRef name, Operation operation) {
    // wmma gives one address for all lanes.
    const unsigned lanes = name.contains("wmma") ? 0 : lanesOfMatrix(name);
    if (lanes)
      return add(call, pointer, operation, matrixRowBytes, false, Space::Shared,
                 /*isAsync=*/false, 0, lanes);
    Space space = spaceOf(pointer, objectBehind(pointer));
    addUnfollowedAccess(call, fragmentReason, space, operation);
  }

  /// Reads the intrinsic of a bulk copy without a tensor map; returns false for
  /// others.
  bool readBulkCopy(llvm::CallBase &call, llvm::StringRef name) {
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
  void addBulkCopy(llvm::CallBase &call, const llvm::Value *to,
                   const llvm::Value *from, const llvm::Value *size) {
    auto *known = llvm::dyn_cast<llvm::ConstantInt>(size);
    const unsigned bytes = known ? known->getZExtValue() : 0;
    add(call, from, Operation::Load, bytes, false, Space::Unknown,
        /*isAsync=*/true);
    add(call, to, Operation::Store, bytes, false, Space::Unknown,
        /*isAsync=*/true);
  }

  /// Returns true for a function of the user's, not of CUDA's own libraries.
  static bool isElsewhere(llvm::StringRef name, const llvm::CallBase &call) {
    if (name.starts_with("llvm.") || name.starts_with("__nv_") ||
        llvm::is_contained({"vprintf", "malloc", "free"}, name))
      return false;
    return !isOfDeviceLaunch(name) &&
           (!name.starts_with("__") || givesMemory(call));
  }

  /// A kernel's launch of another one: it asks for memory, stores the arguments
  /// there, and passes it on. What the other kernel does is its own.
  static bool isOfDeviceLaunch(llvm::StringRef name) {
    return name.starts_with("__cudaCDP2");
  }
  static bool isLaunchArgument(const llvm::StoreInst &store) {
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

  /// Adds a call whose accesses are unknown as one access.
  void addUnfollowed(llvm::CallBase &call, const std::string &why,
                     Space space = Space::Unknown,
                     Operation operation = Operation::Load) {
    if (space != Space::Texture)
      kernel_.notFollowed.push_back(why);
    addUnfollowedAccess(call, why, space, operation);
  }

  void addUnfollowedAccess(llvm::CallBase &call, const std::string &why,
                           Space space, Operation operation) {
    Access access = unknownAccess(call, operation, space, why);
    access.guard = graph_.reach(block_);
    access.loops = graph_.flow().loopsAround(block_);
    if (const llvm::DILocation *location = call.getDebugLoc())
      for (; location && access.text.empty();
           location = location->getInlinedAt())
        if (auto it = names_.calls.find(placeOf(location, names_));
            it != names_.calls.end())
          access.text = it->second;
    access.object.clear();
    kernel_.accesses.push_back(std::move(access));
  }

  Access unknownAccess(const llvm::Instruction &instruction,
                       Operation operation, Space space,
                       const std::string &why) {
    Access access;
    access.operation = operation;
    access.space = space;
    access.bytes = 4;
    access.address = kernel_.graph.unknown(Op::Varying, why, 64, true);
    access.guard = kernel_.graph.always();
    access.region = region_;
    Frames frames = this->frames(instruction.getDebugLoc());
    access.place = frames.place;
    access.callSites = frames.callSites;
    return access;
  }

  /// Adds the accesses of a recursive function once, without addresses.
  void readRecursion(const llvm::Function &function) {
    if (!recursive_.insert(&function).second)
      return;
    std::string why = "recursion in '" + plainFunction(function) + "'";
    kernel_.notFollowed.push_back(why);
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const llvm::Function *callee = call->getCalledFunction();
            callee && !callee->isDeclaration())
          readRecursion(*callee);
      const llvm::Value *pointer = nullptr;
      Operation operation = Operation::Load;
      const llvm::Type *type = instruction.getType();
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        pointer = load->getPointerOperand();
      } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        pointer = store->getPointerOperand();
        operation = Operation::Store;
        type = store->getValueOperand()->getType();
      } else if (auto *atomic =
                     llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        pointer = atomic->getPointerOperand();
        operation = Operation::Atomic;
      }
      if (!pointer || llvm::isa<llvm::AllocaInst>(objectBehind(pointer)))
        continue;
      // A pointer that came as an argument may lead anywhere.
      const llvm::Value *object = objectBehind(pointer);
      Access access = unknownAccess(instruction, operation,
                                    llvm::isa<llvm::Argument>(object)
                                        ? Space::Unknown
                                        : spaceOf(pointer, object),
                                    why);
      access.bytes = layout_.getTypeStoreSize(const_cast<llvm::Type *>(type));
      if (auto name = nameOfAccess(instruction, operation, access.bytes,
                                   objectName(object), names_)) {
        access.text = name->text;
        access.object = name->object;
      }
      kernel_.accesses.push_back(std::move(access));
    }
  }

  void readAsm(llvm::CallBase &call, llvm::StringRef text) {
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
      addUnfollowed(call, why);
    for (const AsmAccess &access : accesses) {
      if (access.space == Space::Texture) {
        addUnfollowed(call, textureReason, Space::Texture, access.operation);
        continue;
      }
      if (access.operand < results ||
          access.operand - results >= call.arg_size())
        continue;
      unsigned bytes = access.bytes;
      if (access.bytesOperand && *access.bytesOperand >= results &&
          *access.bytesOperand - results < call.arg_size())
        if (auto *size = llvm::dyn_cast<llvm::ConstantInt>(
                call.getArgOperand(*access.bytesOperand - results)))
          bytes = size->getZExtValue();
      add(call, call.getArgOperand(access.operand - results), access.operation,
          bytes, access.isVolatile, access.space, access.isAsync, access.offset,
          access.lanes);
    }
    for (Access &access : llvm::drop_begin(kernel_.accesses, before))
      if (auto end = names_.assemblyEnds.find(access.place);
          end != names_.assemblyEnds.end())
        access.lastLine = end->second;
    if (kernel_.accesses.size() == before + 2)
      noteCopy();
  }

  /// If the last two accesses are an asynchronous copy, the second one stores
  /// what the first one loads.
  void noteCopy() {
    const size_t count = kernel_.accesses.size();
    if (count < 2)
      return;
    const Access &load = kernel_.accesses[count - 2];
    Access &store = kernel_.accesses.back();
    if (load.isAsync && store.isAsync && load.operation == Operation::Load &&
        store.operation == Operation::Store && load.place == store.place)
      store.storedLoads = {unsigned(count - 2)};
  }

  /// Follows what is stored to shared memory back to the loads of the same
  /// iteration.
  void readStoredLoads() {
    constexpr unsigned most = 64; // values between a store and its loads
    for (const auto &[instruction, index] : accessOf_) {
      auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction);
      if (!store || kernel_.accesses[index].space == Space::Local)
        continue;
      llvm::SetVector<const llvm::Value *> values;
      values.insert(store->getValueOperand());
      std::vector<unsigned> &loads = kernel_.accesses[index].storedLoads;
      bool compares = false, takesTicket = false;
      for (size_t at = 0; at < values.size() && at < most; ++at) {
        auto *value = llvm::dyn_cast<llvm::Instruction>(values[at]);
        if (!value)
          continue;
        if (auto known = accessOf_.find(value); known != accessOf_.end()) {
          const Access &access = kernel_.accesses[known->second];
          if (access.operation == Operation::Load)
            loads.push_back(known->second);
          takesTicket |= access.operation == Operation::Atomic;
          continue;
        }
        if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(value))
          compares |= comparison->isEquality();
        // A value that an earlier iteration left is no copy.
        if (llvm::isa<llvm::PHINode>(value) &&
            loops_.isLoopHeader(value->getParent()))
          continue;
        if (!value->mayReadOrWriteMemory())
          for (const llvm::Value *operand : value->operands())
            values.insert(operand);
      }
      llvm::sort(loads);
      kernel_.accesses[index].storesElection = compares && takesTicket;
    }
  }

  void readPassed(llvm::CallBase &marker) {
    auto *own =
        llvm::dyn_cast<llvm::AllocaInst>(objectBehind(marker.getArgOperand(0)));
    auto it = own ? arrays_.find(own) : arrays_.end();
    const llvm::DILocation *location = marker.getDebugLoc();
    if (it == arrays_.end() || !location)
      return;
    Array &array = kernel_.arrays[it->second];
    array.passedTo = location->getScope()->getSubprogram()->getName().str();
    array.passedAt = frames(location->getInlinedAt()).place;
  }

  void add(llvm::Instruction &instruction, const llvm::Value *pointer,
           Operation operation, unsigned bytes, bool isVolatile,
           Space space = Space::Unknown, bool isAsync = false,
           int64_t offset = 0, unsigned lanes = 32) {
    if (isTemporary(pointer))
      return;
    Access access;
    access.operation = operation;
    access.bytes = bytes;
    access.isVolatile = isVolatile && !instruction.getMetadata("warplint.copy");
    access.isAsync = isAsync;
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      const llvm::Value *value = store->getValueOperand();
      const llvm::Loop *loop = loops_.getLoopFor(block_);
      access.storesSame = loop ? loop->isLoopInvariant(value)
                               : llvm::isa<llvm::Constant>(value);
    }
    describeAtomic(instruction, access);
    const llvm::Value *object = objectBehind(pointer);
    access.space = space == Space::Unknown ? spaceOf(pointer, object) : space;
    if (auto *own = llvm::dyn_cast<llvm::AllocaInst>(object))
      if (auto it = arrays_.find(own); it != arrays_.end())
        access.array = it->second;
    access.address = addressOf(pointer);
    if (offset)
      access.address = kernel_.graph.make(
          Op::Add, 64, {access.address, kernel_.graph.constant(offset, 64)}, 0,
          true);
    auto *argument = llvm::dyn_cast<llvm::Argument>(object);
    access.isRestrict =
        (argument && argument->hasNoAliasAttr()) ||
        instruction.hasMetadata(llvm::LLVMContext::MD_alias_scope);
    access.isReadOnly =
        operation == Operation::Load &&
        (instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load) ||
         llvm::isa<llvm::IntrinsicInst>(instruction));
    access.guard = graph_.reach(block_);
    if (lanes < 32) {
      ExpressionGraph &graph = kernel_.graph;
      const ValueId isAmongFirst =
          graph.make(Op::LessUnsigned, 1,
                     {graph.special(Op::Lane, 0), graph.constant(lanes, 32)});
      access.guard = graph.make(Op::And, 1, {access.guard, isAmongFirst});
    }
    access.loops = graph_.flow().loopsAround(block_);
    access.region = region_;
    access.barrierInterval = synchronisation_.barriers.size();
    access.need = needOf(instruction, pointer);
    const llvm::DILocation *index = indexComputedAt(instruction, names_);
    Frames frames =
        this->frames(index ? index : instruction.getDebugLoc().get());
    access.place = frames.place;
    access.callSites = frames.callSites;
    std::string itsName = objectName(object);
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const bool isAssembly = call && call->isInlineAsm();
    if (isAssembly && itsName.empty()) // a number leads to shared memory
      itsName = onlyObjectIn(access.address);
    const auto name =
        nameOfAccess(instruction, operation, bytes, itsName, names_);
    if (name) {
      access.text = name->text;
      access.object = name->object;
    }
    const llvm::DILocation *location = instruction.getDebugLoc();
    access.noUserCode =
        !access.place.file.empty() && !names_.isUser(access.place.file);
    access.inLibrary = location && !names_.file(location->getFile()).isUser &&
                       (!name || name->isCall);
    access.ofVector = name && name->ofVector;
    // An object that a library passes to the user's body, such as a thread's
    // partial result of a reduction, lies in shared memory where the library
    // puts it.
    if (name && name->isHandedIn && access.space == Space::Shared &&
        access.callSites.empty())
      access.inLibrary = true;
    if (access.object.empty())
      access.object = itsName.empty() ? access.text : itsName;
    if (isAssembly && access.text.empty()) // it stands in a macro
      access.text = access.object;
    access.layout = indexMarks_.layoutOf(instruction, pointer);
    accessOf_[&instruction] = kernel_.accesses.size();
    kernel_.accesses.push_back(std::move(access));
  }

  Need needOf(const llvm::Instruction &instruction,
              const llvm::Value *pointer) {
    if (!instruction.hasMetadata(loadRemoved))
      return instruction.hasMetadata(loadHoisted) ? Need::Once : Need::EachTime;
    // A value passed on to the next iteration was loaded before the loop.
    const llvm::Loop *loop = loops_.getLoopFor(instruction.getParent());
    const llvm::SCEV *address =
        scalarEvolution_.getSCEV(const_cast<llvm::Value *>(pointer));
    return loop && scalarEvolution_.isLoopInvariant(address, loop)
               ? Need::Once
               : Need::Never;
  }

  /// Returns true for an object that the compiler made and the source does not
  /// name.
  bool isTemporary(const llvm::Value *pointer) const {
    const llvm::Value *object = objectBehind(pointer);
    if (auto *own = llvm::dyn_cast<llvm::AllocaInst>(object))
      return !variable(own);
    auto *constant = llvm::dyn_cast<llvm::GlobalVariable>(object);
    return constant && constant->isConstant() && constant->hasPrivateLinkage();
  }

  ValueId addressOf(const llvm::Value *pointer) {
    ValueId address = notNull(kernel_.graph, graph_.value(pointer, block_));
    // Inline assembly uses 32-bit addresses for shared memory.
    if (kernel_.graph.node(address).bits < 64)
      address = kernel_.graph.make(Op::Resize, 64, {address}, 0, true);
    return address;
  }

  /// The name of the only object that an address is computed from; empty if
  /// there are several.
  std::string onlyObjectIn(ValueId address) const {
    std::set<uint64_t> objects;
    kernel_.graph.walk(address, [&](ValueId id) {
      const Node &node = kernel_.graph.node(id);
      if (node.op == Op::Base)
        objects.insert(node.number);
      return node.op == Op::Loaded ? ExpressionGraph::Walk::Past
                                   : ExpressionGraph::Walk::Into;
    });
    if (objects.size() != 1)
      return "";
    // A variable of a function, "k(float *)::tile".
    const std::string name =
        llvm::demangle(kernel_.objects[*objects.begin()].name);
    const size_t scope = name.rfind("::");
    return scope == std::string::npos ? name : name.substr(scope + 2);
  }

  std::string objectName(const llvm::Value *object) const {
    if (auto *own = llvm::dyn_cast<llvm::AllocaInst>(object))
      if (const llvm::DILocalVariable *variable = this->variable(own))
        return variable->getName().str();
    if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
      llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> debug;
      variable->getDebugInfo(debug);
      if (!debug.empty())
        return debug[0]->getVariable()->getName().str();
    }
    if (llvm::isa<llvm::LoadInst>(object))
      return nameOfLoad(*llvm::cast<llvm::Instruction>(object), names_);
    // Other names in the IR are the compiler's.
    return llvm::isa<llvm::Argument, llvm::GlobalVariable>(object)
               ? object->getName().str()
               : "";
  }

  // --- branches -------------------------------------------------------------

  void readBranches() {
    kernel_.branches = warplint::readBranches(
        function_, analyses_, graph_, kernel_.loops,
        [&](const llvm::Instruction &instruction, Branch &branch) {
          const llvm::DILocation *location = instruction.getDebugLoc();
          Frames frames = this->frames(location);
          branch.place = frames.place;
          branch.callSites = frames.callSites;
          branch.inLibrary =
              !location || !names_.file(location->getFile()).isUser;
        });
  }

  void readBarriers() {
    kernel_.barriers = warplint::readBarriers(
        function_, graph_,
        [&](const llvm::Instruction &instruction, Barrier &barrier) {
          Frames frames = this->frames(instruction.getDebugLoc());
          barrier.place = frames.place;
          barrier.callSites = frames.callSites;
          barrier.inLibrary = !names_.isUser(frames.place.file);
        });
  }

  llvm::Function &function_;
  const Names &names_;
  const llvm::DataLayout &layout_;
  llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &scalarEvolution_;
  FunctionAnalyses analyses_;
  Kernel kernel_;
  IrGraph graph_;
  IndexMarks indexMarks_;
  llvm::BasicBlock *block_ = nullptr;
  unsigned region_ = 0;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> lines_;
  llvm::DenseMap<const llvm::Value *, const llvm::DILocalVariable *> variables_;
  llvm::DenseMap<const llvm::Value *, unsigned> arrays_;
  llvm::MapVector<const llvm::Instruction *, unsigned> accessOf_;
  Synchronisation synchronisation_;
  llvm::DenseSet<const llvm::Function *> recursive_; ///< already read
};

} // namespace

Kernel readKernel(llvm::Function &function,
                  llvm::FunctionAnalysisManager &analyses, const Names &names) {
  return KernelReader(function, analyses, names).read();
}

std::vector<Kernel> readKernels(llvm::Module &module,
                                llvm::TargetMachine &target,
                                const Names &names) {
  Analyses analyses(target);

  std::vector<Kernel> kernels;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && isKernel(function))
      kernels.push_back(readKernel(function, analyses.functions, names));
  return kernels;
}

} // namespace warplint
