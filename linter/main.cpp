#include "commands/run.h"
#include "os/signals.h"
#include "report/report.h"
#include "llvm/Support/Process.h"

int main(int argc, char **argv) {
  bool terminal = llvm::sys::Process::StandardOutIsDisplayed();
  const int code = warplint::run(llvm::ArrayRef<const char *>(argv, argc),
                                 llvm::outs(), llvm::errs(), terminal);
  llvm::outs().flush();
  warplint::endIfInterrupted();
  // LLVM's streams end the program if nobody has seen their error.
  const std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  if (error)
    llvm::errs() << "warplint: standard output cannot be written: "
                 << error.message() << '\n';
  llvm::errs().clear_error();
  return error ? int(warplint::ExitCode::Failed) : code;
}
