// Every subscript, dereference, member through a pointer, atomic and the like
// in the syntax tree of what a kernel reaches, held against the accesses that
// were read from its IR: so that none is dropped without a word.
//
// The join goes by place in two steps. Clang makes instructions of an
// expression, at its line and column in its function; the watch follows those
// instructions through inlining and simplification, each with its chain of
// calls, up to the accesses of the model. What gets lost on the way is the
// thread's own memory that became registers, or code without effect; an
// expression for which neither holds is reported.
#pragma once
#include "ir/names.h"
#include "model/coverage.h"
#include "source/emit.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include <map>
#include <set>
#include <tuple>

namespace warplint {

/// What becomes of memory instructions between Clang and the model.
class InstructionWatch {
public:
  /// Of one function's instructions; inlined ones have a chain.
  struct Key {
    const llvm::DISubprogram *function;
    unsigned line, column;
    Operation operation;
    const llvm::DILocation *inlinedAt;
    auto operator<=>(const Key &) const = default;
  };
  enum class Whose { Own, Constants, Others };
  struct Fate {
    const llvm::DILocation *location = nullptr;
    unsigned look = 0;        ///< when it was last seen
    Whose whose = Whose::Own; ///< as far as then known
    bool isPresent = false;   ///< in the end
  };
  using Fates = std::map<Key, Fate>;

  /// Before anything is inlined.
  void begin(llvm::Module &module, const Emitted &emitted);
  /// A kernel on its way, before each of the passes.
  void look(llvm::Function &kernel);
  /// The kernel as it is read.
  void end(llvm::Function &kernel);

  const Fates &fates(const std::string &kernel) const {
    return kernels_.at(kernel);
  }
  /// The debug functions that a declaration was made into.
  const std::vector<const llvm::DISubprogram *> &
  functionsOf(const clang::FunctionDecl *decl) const;
  /// Whether Clang made instructions of an expression, for any operation.
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

class CoverageReader {
public:
  CoverageReader(ParsedSource &source, const InstructionWatch &watch,
                 const Names &names);
  ~CoverageReader();
  Coverage read(const Kernel &kernel, const clang::FunctionDecl &function);

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace warplint
