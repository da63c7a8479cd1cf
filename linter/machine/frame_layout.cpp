#include "machine/frame_layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <map>

namespace warplint {
namespace {

const LocalMemory *named(const std::string &name,
                         const std::vector<LocalMemory> &all) {
  auto it = llvm::find_if(
      all, [&](const LocalMemory &memory) { return memory.function == name; });
  return it == all.end() ? nullptr : &*it;
}

const CalleeUsage *usageOf(const std::string &name, const Usage &usage) {
  auto it = llvm::find_if(usage.callees, [&](const CalleeUsage &callee) {
    return callee.name == name;
  });
  return it == usage.callees.end() ? nullptr : &*it;
}

bool hasOwnFrame(const std::string &name, const CompiledKernel &kernel) {
  const CalleeUsage *usage = usageOf(name, kernel.usage);
  const LocalMemory *memory = named(name, kernel.memory);
  return (usage && usage->stackFrame) ||
         (memory && isRecursive(*memory, kernel.memory));
}

bool standsAt(const LocalInstruction &local, const LocalPiece &piece) {
  return llvm::any_of(piece.places, [&](const Place &place) {
    return sameLine(place, {local.file, local.line, 0});
  });
}

/// Tries the sets of functions whose variables explain the frame.
class Solver {
public:
  explicit Solver(const CompiledKernel &kernel)
      : kernel_(kernel), size_(kernel.usage.stackFrame) {}

  FrameLayout solve() {
    sortInstructions();
    if (!splitSpills())
      return std::move(layout_);
    if (layout_.spillStart == 0) // there is nothing else
      return std::move(layout_);
    if (kernel_.memory.empty())
      return fail("there is no PTX to tell the variables by");
    findFunctions();
    choose();
    return std::move(layout_);
  }

private:
  struct Function {
    const LocalMemory *memory;
    std::vector<unsigned> callers;
    bool isAddressed = false; ///< by remaining instructions
  };
  struct Choice {
    uint64_t kept = 0; ///< bits by function
    unsigned end = 0, arguments = 0, matches = 0;
  };

  FrameLayout fail(const char *why) {
    layout_.whyNot = why;
    return std::move(layout_);
  }

  void sortInstructions() {
    for (const LocalInstruction &local : kernel_.locals)
      if (local.function.empty() || !hasOwnFrame(local.function, kernel_))
        (local.isMarkedSpill ? layout_.spills : layout_.others)
            .push_back(&local);
  }

  // --- spills ----------------------------------------------------------------

  /// Counts the spill bytes of the kernel and of the functions that spill into
  /// its frame.
  std::pair<unsigned, unsigned> spillBytes() const {
    auto bytes = std::pair(kernel_.usage.spillStores, kernel_.usage.spillLoads);
    for (const CalleeUsage &callee : kernel_.usage.callees)
      if (!hasOwnFrame(callee.name, kernel_) &&
          (named(callee.name, kernel_.memory) || kernel_.memory.empty())) {
        bytes.first += callee.spillStores;
        bytes.second += callee.spillLoads;
      }
    return bytes;
  }

  bool splitSpills() {
    layout_.spillStart = size_;
    auto [stores, loads] = spillBytes();
    if (stores + loads == 0)
      return true;
    if (layout_.spills.empty() && !findUnmarked(stores, loads)) {
      if (llvm::any_of(kernel_.memory,
                       [](const LocalMemory &memory) {
                         return memory.bytes || memory.hasAlloca;
                       }) ||
          kernel_.memory.empty()) {
        layout_.whyNot = "its machine code does not tell the spills";
        return false;
      }
      layout_.spillStart = 0;
    }
    for (const LocalInstruction *spill : layout_.spills)
      if (spill->frameOffset && *spill->frameOffset >= 0)
        layout_.spillStart =
            std::min(layout_.spillStart, unsigned(*spill->frameOffset));
    return true;
  }

  /// Without marks, spills are everything from the offset on where the bytes
  /// moved equal those of the report.
  bool findUnmarked(unsigned stores, unsigned loads) {
    auto ofFrame = [](const LocalInstruction *local) {
      return local->frameOffset.has_value();
    };
    std::vector<const LocalInstruction *> byOffset;
    llvm::copy_if(layout_.others, std::back_inserter(byOffset), ofFrame);
    llvm::stable_sort(byOffset, [](const auto *a, const auto *b) {
      return *a->frameOffset > *b->frameOffset;
    });
    unsigned stored = 0, loaded = 0;
    for (size_t i = 0; i < byOffset.size(); ++i) {
      (byOffset[i]->isStore ? stored : loaded) += byOffset[i]->bytes;
      const bool isLast =
          i + 1 == byOffset.size() ||
          byOffset[i + 1]->frameOffset != byOffset[i]->frameOffset;
      if (!isLast || stored != stores || loaded != loads)
        continue;
      layout_.spills.assign(byOffset.begin(), byOffset.begin() + i + 1);
      llvm::erase_if(layout_.others, [&](const LocalInstruction *local) {
        return llvm::is_contained(layout_.spills, local);
      });
      return true;
    }
    return false;
  }

  // --- variables
  // --------------------------------------------------------------

  void findFunctions() {
    std::vector<std::string> names{kernel_.usage.kernel};
    std::map<std::string, unsigned> indexes;
    for (const LocalMemory &memory : kernel_.memory)
      if (&memory == &kernel_.memory.front() ||
          !hasOwnFrame(memory.function, kernel_)) {
        indexes[memory.function] = functions_.size();
        functions_.push_back({&memory, {}, false});
      }
    for (unsigned i = 0; i < functions_.size(); ++i)
      for (const std::string &callee : functions_[i].memory->calls)
        if (auto it = indexes.find(callee); it != indexes.end())
          functions_[it->second].callers.push_back(i);
    for (Function &function : functions_)
      function.isAddressed = isAddressed(function);
  }

  bool isAddressed(const Function &function) const {
    return llvm::any_of(layout_.others, [&](const LocalInstruction *local) {
      if (!local->function.empty())
        return local->function == function.memory->function;
      auto stands = [&](const LocalPiece &piece) {
        return standsAt(*local, piece);
      };
      if (llvm::any_of(function.memory->pieces, stands))
        return true;
      // A library's function has no line information; ptxas may have inlined
      // it.
      return llvm::all_of(function.memory->pieces,
                          [](const LocalPiece &piece) {
                            return piece.places.empty();
                          }) &&
             llvm::none_of(functions_, [&](const Function &other) {
               return llvm::any_of(other.memory->pieces, stands);
             });
    });
  }

  /// Places each function's variables above those of its callers.
  std::vector<unsigned> startsOf(uint64_t kept, unsigned &end) const {
    std::vector<unsigned> starts(functions_.size(), 0), ends = starts;
    for (size_t round = 0; round < functions_.size(); ++round)
      for (unsigned i = 0; i < functions_.size(); ++i) {
        const LocalMemory &memory = *functions_[i].memory;
        const bool isKept = kept >> i & 1;
        unsigned start = 0;
        for (unsigned caller : functions_[i].callers)
          start = std::max(start, ends[caller]);
        starts[i] = isKept ? llvm::alignTo(start, memory.alignment) : start;
        ends[i] = starts[i] + (isKept ? memory.bytes : 0);
      }
    end = *std::max_element(ends.begin(), ends.end());
    return starts;
  }

  unsigned alignmentOf(uint64_t kept) const {
    unsigned alignment = 8;
    for (unsigned i = 0; i < functions_.size(); ++i)
      if (kept >> i & 1)
        alignment = std::max(alignment, functions_[i].memory->alignment);
    return alignment;
  }

  /// Returns true if these variables fill the frame up to the spills.
  bool explains(uint64_t kept, Choice &choice) const {
    choice.kept = kept;
    startsOf(kept, choice.end);
    const unsigned alignment = alignmentOf(kept);
    const unsigned limit = layout_.spillStart;
    const bool hasSpills = !layout_.spills.empty();
    auto fits = [&](unsigned end) {
      return hasSpills ? end <= limit && limit - end < 16
                       : llvm::alignTo(end, alignment) == limit;
    };
    if (fits(choice.end))
      return true;
    if (!callsOutOfLine() || choice.end >= limit)
      return false;
    // The remaining bytes at the bottom are arguments if there is a store to
    // them.
    choice.arguments =
        limit - (hasSpills ? choice.end : llvm::alignTo(choice.end, alignment));
    choice.arguments -= choice.arguments % (choice.end ? alignment : 1);
    return choice.arguments && choice.arguments <= limit &&
           llvm::any_of(layout_.others, [&](const LocalInstruction *local) {
             return local->isStore && local->frameOffset &&
                    *local->frameOffset < int(choice.arguments);
           });
  }

  bool callsOutOfLine() const {
    return llvm::any_of(kernel_.memory, [&](const LocalMemory &memory) {
      return memory.callsThroughPointers ||
             llvm::any_of(memory.calls, [&](const std::string &callee) {
               return hasOwnFrame(callee, kernel_) ||
                      !named(callee, kernel_.memory);
             });
    });
  }

  void choose() {
    std::vector<unsigned> withVariables;
    for (unsigned i = 0; i < functions_.size(); ++i)
      if (functions_[i].memory->bytes && i < 64)
        withVariables.push_back(i);
    // With more than a few functions, considers only those that instructions
    // address.
    constexpr size_t few = 10;
    if (withVariables.size() > few)
      llvm::erase_if(withVariables,
                     [&](unsigned i) { return !functions_[i].isAddressed; });
    withVariables.resize(std::min(withVariables.size(), few));
    std::vector<Choice> choices;
    for (uint64_t subset = 0; subset < 1u << withVariables.size(); ++subset) {
      Choice choice;
      uint64_t kept = 0;
      for (size_t i = 0; i < withVariables.size(); ++i) {
        const bool isKept = subset >> i & 1;
        kept |= uint64_t(isKept) << withVariables[i];
        choice.matches += isKept == functions_[withVariables[i]].isAddressed;
      }
      if (explains(kept, choice))
        choices.push_back(choice);
    }
    llvm::stable_sort(choices, [](const Choice &a, const Choice &b) {
      return std::pair(b.matches, a.arguments) <
             std::pair(a.matches, b.arguments);
    });
    if (choices.empty()) {
      layout_.whyNot = "no set of the PTX's variables has that size";
      return;
    }
    if (choices.size() > 1 && choices[0].matches == choices[1].matches &&
        !choices[0].arguments == !choices[1].arguments) {
      layout_.whyNot = "several sets of the PTX's variables have that size";
      return;
    }
    apply(choices.front());
  }

  void apply(const Choice &choice) {
    unsigned end = 0;
    std::vector<unsigned> starts = startsOf(choice.kept, end);
    layout_.arguments = choice.arguments;
    for (unsigned i = 0; i < functions_.size(); ++i)
      if (choice.kept >> i & 1)
        layout_.variables.push_back(
            {functions_[i].memory, choice.arguments + starts[i]});
  }

  const CompiledKernel &kernel_;
  unsigned size_;
  std::vector<Function> functions_;
  FrameLayout layout_;
};

} // namespace

bool isRecursive(const LocalMemory &function,
                 const std::vector<LocalMemory> &all) {
  std::vector<std::string> reached = function.calls;
  for (size_t i = 0; i < reached.size(); ++i) {
    if (reached[i] == function.function)
      return true;
    if (const LocalMemory *callee = named(reached[i], all))
      for (const std::string &next : callee->calls)
        if (!llvm::is_contained(reached, next))
          reached.push_back(next);
  }
  return false;
}

std::vector<const LocalMemory *>
calledWithFrames(const CompiledKernel &kernel) {
  std::vector<const LocalMemory *> called;
  for (const LocalMemory &memory : kernel.memory)
    if (!memory.isKernel && hasOwnFrame(memory.function, kernel))
      called.push_back(&memory);
  return called;
}

FrameLayout layoutOf(const CompiledKernel &kernel) {
  return Solver(kernel).solve();
}

} // namespace warplint
