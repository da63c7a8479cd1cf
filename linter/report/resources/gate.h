// What a project does not allow its kernels to take: "spill > 0",
// "registers > 128 and arch == sm_90", "kernel =~ debug_".
//
//   expression: term { "or" term }      term: factor { "and" factor }
//   factor:     "not" factor | "(" expression ")" | field operator value
//   operator:   == != < <= > >= for numbers, == != =~ !~ for texts
//
// Numbers are the measures of resources.h and `spill`, the bytes stored and
// loaded; texts are kernel, signature, source, arch, toolkit and flags. `=~`
// takes a regular expression that may be found anywhere in the text. A value
// with blanks stands in quotes.
#pragma once
#include "report/resources/resources.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace warplint {

class Gate {
public:
  /// Fails with a sentence, with "did you mean" where a field is misspelt.
  static llvm::Expected<Gate> parse(llvm::StringRef text);

  /// None if it depends on what the report does not tell.
  std::optional<bool> holds(const ResourceRow &row) const {
    return holds_(row);
  }
  const std::string &text() const { return text_; }

private:
  std::string text_;
  std::function<std::optional<bool>(const ResourceRow &)> holds_;
};

/// What gates make of a report.
struct GateResult {
  std::vector<std::string> denied; ///< a sentence for each kernel
  /// What could not be answered, a sentence for each gate: that is no pass.
  std::vector<std::string> unanswered;
};

/// A kernel that one of `allow` holds for is not asked.
GateResult applyGates(const ResourceReport &report, llvm::ArrayRef<Gate> deny,
                      llvm::ArrayRef<Gate> allow);

} // namespace warplint
