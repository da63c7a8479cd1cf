// The whole program, run in process as main() runs it.
#pragma once
#include "commands/run.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace warplint {

struct Outcome {
  int code;
  std::string out, err;
};

inline Outcome runProgram(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "warplint");
  std::vector<const char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());
  Outcome outcome;
  llvm::raw_string_ostream out(outcome.out), err(outcome.err);
  outcome.code = run(argv, out, err, /*terminal=*/false);
  return outcome;
}

} // namespace warplint
