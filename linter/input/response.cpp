// Expands response files and environment variables (translate.h).
#include "base/failure.h"
#include "base/regular_file.h"
#include "input/compiler.h"
#include "input/database.h"
#include "input/translate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

namespace warplint {

namespace {

class Splicer {
public:
  explicit Splicer(const Command &command) : command_(command) {}

  llvm::Error splice(llvm::ArrayRef<std::string> words) {
    for (size_t i = 0; i < words.size(); ++i) {
      llvm::StringRef word = words[i];
      bool more = i + 1 < words.size();
      if (word.consume_front("@") && !word.empty() && !isValue_) {
        if (llvm::Error error = read(word))
          return error;
      } else if ((word == "--options-file" || word == "-optf") && more) {
        if (llvm::Error error = readList(words[++i]))
          return error;
      } else if (word.consume_front("--options-file=") ||
                 word.consume_front("-optf=")) {
        if (llvm::Error error = readList(word))
          return error;
      } else {
        // `-Xlinker @rpath` is no response file.
        isValue_ = word.starts_with("-X") && !word.contains('=');
        result.push_back(words[i]);
      }
    }
    return llvm::Error::success();
  }

  std::vector<std::string> result;

private:
  llvm::Error readList(llvm::StringRef names) {
    for (llvm::StringRef name : llvm::split(names, ','))
      if (llvm::Error error = read(name))
        return error;
    return llvm::Error::success();
  }

  llvm::Error read(llvm::StringRef name) {
    auto unreadable = [&](const llvm::Twine &reason) {
      return failure("cannot read response file '" + name + "': " + reason);
    };
    llvm::SmallString<256> file(name);
    llvm::sys::path::make_absolute(command_.directory, file);
    if (!mayOpen(name, file)) {
      result.push_back((unopenedOptionsFile + name).str());
      return llvm::Error::success();
    }
    if (llvm::is_contained(open_, file.str()))
      return unreadable("it includes itself");
    auto buffer = readRegularFile(file);
    if (!buffer)
      return unreadable(buffer.getError().message());
    open_.push_back(file.str().str());
    llvm::Error error = splice(splitCommandLine((*buffer)->getBuffer()));
    open_.pop_back();
    return error;
  }

  /// A database that came with the sources must not show what other files
  /// hold, by the errors that their words cause.
  bool mayOpen(llvm::StringRef name, llvm::StringRef file) const {
    if (command_.isTrusted || command_.project.empty())
      return true;
    const std::string real = canonicalPath(file);
    const std::string source = canonicalPath(command_.source);
    return isBelow(real, command_.project) ||
           isBelow(real, projectOf(llvm::sys::path::parent_path(source))) ||
           llvm::any_of(command_.typed, [&](llvm::StringRef word) {
             return word.ends_with(name);
           });
  }

  const Command &command_;
  std::vector<std::string> open_; ///< the files that are being read
  bool isValue_ = false;
};

} // namespace

static std::vector<std::string> flagsFromEnvironment(llvm::StringRef name) {
  return splitCommandLine(llvm::sys::Process::GetEnv(name).value_or(""));
}

/// Drops the launchers before the compiler.
static std::vector<std::string>
withoutLaunchers(llvm::ArrayRef<std::string> arguments) {
  size_t first = compilerIndex(arguments);
  std::vector<std::string> words = arguments.drop_front(first).vec();
  // kokkos_launch_compiler <program to run> <program it replaces> <program that
  // CMake named> <flags>
  bool isKokkos =
      first > 0 && llvm::sys::path::filename(arguments[first - 1]) ==
                       "kokkos_launch_compiler";
  if (isKokkos && words.size() >= 3)
    words.erase(words.begin() + 1, words.begin() + 3);
  return words;
}

llvm::Expected<std::vector<std::string>> fullArguments(const Command &command) {
  if (command.arguments.empty())
    return std::vector<std::string>();
  std::vector<std::string> words = withoutLaunchers(command.arguments);
  Compiler compiler = compilerNamed(words.front());
  if (compiler == Compiler::Nvcc || compiler == Compiler::NvccWrapper) {
    auto front = flagsFromEnvironment("NVCC_PREPEND_FLAGS");
    words.insert(words.begin() + 1, front.begin(), front.end());
    llvm::append_range(words, flagsFromEnvironment("NVCC_APPEND_FLAGS"));
  }
  Splicer splicer(command);
  if (llvm::Error error = splicer.splice(words))
    return error;
  return std::move(splicer.result);
}

} // namespace warplint
