// Follows memory instructions from the IR that Clang emits, through inlining
// and simplification, to the IR that the model is read from.
#pragma once
#include "model/model.h"
#include "source/emit.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include <map>
#include <set>
#include <tuple>

namespace warplint {

class InstructionWatch {
public:
  /// A memory instruction of one function; `inlinedAt` is its chain of calls.
  struct Key {
    const llvm::DISubprogram *function;
    unsigned line, column;
    Operation operation;
    const llvm::DILocation *inlinedAt;
    auto operator<=>(const Key &) const = default;
  };
  /// The memory behind the pointer: the thread's own, constants, any other.
  enum class Whose { Own, Constants, Others };
  struct Fate {
    const llvm::DILocation *location = nullptr;
    unsigned look = 0;        ///< the last look at which it was there
    Whose whose = Whose::Own; ///< as known at that look
    bool isPresent = false;   ///< at `end`
  };
  using Fates = std::map<Key, Fate>;

  /// Call before the first pass.
  void begin(llvm::Module &module, const Emitted &emitted);
  /// Call with each kernel before each pass.
  void look(llvm::Function &kernel);
  /// Call with each kernel after the last pass.
  void end(llvm::Function &kernel);

  const Fates &fates(const std::string &kernel) const {
    return kernels_.at(kernel);
  }
  /// The debug functions that Clang emitted for a declaration.
  const std::vector<const llvm::DISubprogram *> &
  functionsOf(const clang::FunctionDecl *decl) const;
  /// True if Clang emitted an instruction at this place.
  bool wasEmitted(const llvm::DISubprogram *function, unsigned line,
                  unsigned column) const {
    return emitted_.count({function, line, column});
  }

private:
  void note(llvm::Function &function, Fates &fates, bool present);

  unsigned look_ = 0;
  std::map<std::string, Fates> kernels_;
  std::map<const clang::FunctionDecl *, std::vector<const llvm::DISubprogram *>>
      functions_;
  std::set<std::tuple<const llvm::DISubprogram *, unsigned, unsigned>> emitted_;
};

} // namespace warplint
