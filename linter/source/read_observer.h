// Sees a source at each step from its syntax tree to its kernels. Instruments
// that measure the reader implement it; an ordinary read has no observer.
#pragma once
#include "ir/names.h"
#include "model/model.h"
#include <string>

namespace clang {
class FunctionDecl;
}
namespace llvm {
class Function;
}

namespace warplint {

class ParsedSource;
struct Emitted;

class ReadObserver {
public:
  virtual ~ReadObserver() = default;
  /// The IR as Clang emits it. The arguments outlive all calls but `record`.
  virtual void emitted(ParsedSource &source, const Emitted &emitted,
                       const Names &names) = 0;
  /// A kernel before each pass that changes it.
  virtual void beforePass(llvm::Function &kernel) = 0;
  /// A kernel after the last pass.
  virtual void normalised(llvm::Function &kernel) = 0;
  /// A kernel that is part of the model; in the model's order.
  virtual void read(const Kernel &kernel,
                    const clang::FunctionDecl &function) = 0;
  /// The observation, in a form that only the instrument reads.
  virtual std::string record() = 0;
};

} // namespace warplint
