// Compares the memory expressions of a kernel's source (subscripts,
// dereferences, members through a pointer, atomics ...) with the accesses of
// its model, so that no expression goes missing unnoticed.
//
// The two are joined by place, in two steps. Clang emits the instructions of an
// expression at its line and column in its function; InstructionWatch follows
// those instructions, each with its chain of calls, to the accesses of the
// model. An expression without an access is explained if its instructions are
// on the thread's own memory, which became registers, or have no effect. Any
// other one is reported.
#pragma once
#include "ir/names.h"
#include "source/coverage/coverage.h"
#include "source/coverage/instruction_watch.h"

namespace warplint {

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
