// Conditions under which a project rejects a kernel: "spill > 0",
// "registers > 128 and arch == sm_90", "kernel =~ debug_".
//
//   expression: term { "or" term }      term: factor { "and" factor }
//   factor:     "not" factor | "(" expression ")" | field operator value
//   operator:   == != < <= > >= for numbers, == != =~ !~ for texts
//
// Numbers are the measures of resources.h and `spill`, the bytes stored and
// loaded; texts are kernel, signature, source, arch, toolkit and flags. `=~`
// searches the text for a regular expression. A value with blanks is quoted.
#pragma once
#include "report/resources/resources.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace warplint {

class Gate {
public:
  /// Fails with a sentence; a misspelt field gets "did you mean".
  static llvm::Expected<Gate> parse(llvm::StringRef text);

  /// Empty if it depends on a value that the report lacks.
  std::optional<bool> holds(const ResourceRow &row) const {
    return holds_(row);
  }
  const std::string &text() const { return text_; }

private:
  std::string text_;
  std::function<std::optional<bool>(const ResourceRow &)> holds_;
};

/// The result of gates on a report.
struct GateResult {
  std::vector<std::string> denied; ///< one sentence per kernel
  /// One sentence for each gate without an answer, which does not count as
  /// passed.
  std::vector<std::string> unanswered;
};

/// Skips kernels for which one of `allow` holds.
GateResult applyGates(const ResourceReport &report, llvm::ArrayRef<Gate> deny,
                      llvm::ArrayRef<Gate> allow);

} // namespace warplint
