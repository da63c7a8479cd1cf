#include "commands/run.h"
#include "llvm/Support/Process.h"

int main(int argc, char **argv) {
  bool terminal = llvm::sys::Process::StandardOutIsDisplayed();
  return warplint::run(llvm::ArrayRef<const char *>(argv, argc), llvm::outs(),
                       llvm::errs(), terminal);
}
