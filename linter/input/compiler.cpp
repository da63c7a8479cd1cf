#include "input/compiler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

namespace warplint {

Compiler compilerNamed(llvm::StringRef program) {
  llvm::StringRef name = llvm::sys::path::filename(program);
  name.consume_back(".exe");
  if (name.starts_with("nvcc_wrapper"))
    return Compiler::NvccWrapper;
  // nvcc-12, clang++, clang-22, x86_64-linux-gnu-clang++-22
  name = name.rtrim("-0123456789.");
  if (name == "nvcc")
    return Compiler::Nvcc;
  if (name.ends_with("clang++") || name.ends_with("clang"))
    return Compiler::Clang;
  return Compiler::Other;
}

size_t compilerIndex(llvm::ArrayRef<std::string> arguments) {
  if (arguments.empty())
    return 0;
  // Only these have flags of their own before the compiler; behind any other
  // word, a flag belongs to the compiler.
  llvm::StringRef launcher = llvm::sys::path::filename(arguments[0]);
  bool takesFlags =
      llvm::is_contained({"cmake", "env", "time", "nice", "timeout", "ionice",
                          "taskset", "warplint"},
                         launcher);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (compilerNamed(arguments[i]) != Compiler::Other)
      return i;
    if (llvm::StringRef(arguments[i]).starts_with("-") && !takesFlags)
      break;
  }
  return 0;
}

static bool saysCuda(llvm::StringRef language) {
  return language == "cu" || language == "cuda";
}

bool compilesCuda(const Command &command) {
  llvm::StringRef extension = llvm::sys::path::extension(command.source);
  llvm::ArrayRef<std::string> arguments = command.arguments;
  if (arguments.empty())
    return false;
  size_t first = compilerIndex(arguments);
  Compiler compiler = compilerNamed(arguments[first]);
  if (compiler == Compiler::NvccWrapper)
    return !llvm::is_contained(arguments, "--host-only");
  bool isCuda = extension == ".cu";
  // The last flag counts, as it does for the compilers.
  for (size_t i = first + 1; i < arguments.size(); ++i) {
    llvm::StringRef word = arguments[i];
    bool more = i + 1 < arguments.size();
    if ((word == "-x" || word == "--x" || word == "--language") && more)
      isCuda = saysCuda(arguments[++i]);
    else if (word.consume_front("--language=") || word.consume_front("--x=") ||
             word.consume_front("-x="))
      isCuda = saysCuda(word);
    else if (word.starts_with("-x") &&
             (saysCuda(word.substr(2)) || word.starts_with("-xc")))
      isCuda = saysCuda(word.substr(2));
  }
  return isCuda;
}

std::vector<std::string> splitCommandLine(llvm::StringRef line) {
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char *, 64> words;
  llvm::cl::TokenizeGNUCommandLine(line, saver, words);
  return {words.begin(), words.end()};
}

} // namespace warplint
