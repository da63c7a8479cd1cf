#include "input/header_command.h"
#include "input/compiler.h"
#include "input/search_flags.h"
#include "input/translate.h"
#include "input/walk.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

static bool mayInclude(const Command &command, const std::string &header,
                       IncludeGraph &includes) {
  auto full = fullArguments(command);
  if (!full) {
    llvm::consumeError(full.takeError()); // reading the source reports it
    return false;
  }
  // Below no folder: an include of a macro's name is not followed.
  return includes.mayRead(command.source,
                          includeFolders(command.directory, *full),
                          {canonicalPath(header)}, "//");
}

bool isIncluded(const std::string &header, llvm::ArrayRef<Command> commands,
                IncludeGraph &includes) {
  return llvm::any_of(commands, [&](const Command &command) {
    return !isPtxText(command.source) && mayInclude(command, header, includes);
  });
}

static Command forHeader(Command command, const std::string &header) {
  const size_t first = compilerIndex(command.arguments);
  const bool isClang =
      compilerNamed(command.arguments[first]) == Compiler::Clang;
  llvm::erase_if(command.arguments, [&](const std::string &word) {
    return !llvm::StringRef(word).starts_with("-") &&
           plainPathIn(command.directory, word) == command.source;
  });
  command.arguments.insert(command.arguments.begin() + first + 1,
                           {"-x", isClang ? "cuda" : "cu"});
  command.arguments.push_back(header);
  command.source = header;
  return command;
}

std::optional<Command>
commandForHeader(const std::string &header,
                 llvm::ArrayRef<const Database *> databases,
                 IncludeGraph &includes) {
  for (const Database *database : databases)
    for (const auto &[source, commands] : database->commands)
      for (const Command &command : commands)
        if (compilesCuda(command) && mayInclude(command, header, includes))
          return forHeader(command, header);
  return std::nullopt;
}

} // namespace warplint
