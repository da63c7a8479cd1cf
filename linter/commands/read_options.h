// Validates what was typed for a command, and makes it the command's options.
#pragma once
#include "commands/command_line.h"
#include "llvm/Support/Error.h"

namespace warplint {

/// Validates the options that take one of a few words; an empty one stands for
/// the default. The formats depend on other options.
llvm::Error checkWords(const CommandLine &line);

/// Fails with one sentence: a value that is none, words that are missing or too
/// many, options that exclude each other.
llvm::Expected<Options> readOptions(const Typed &typed, CommandName command);

} // namespace warplint
