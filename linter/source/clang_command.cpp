#include "source/clang_command.h"
#include "base/failure.h"
#include "input/compiler.h"
#include "source/nvcc_spelling.h"
#include "source/precompiled_header.h"
#include "source/shim.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Tool.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {

Toolkit releaseOf(const ParseRequest &request) {
  return request.toolkit.value_or(Toolkit{"", "", "", 13, 0, 0});
}

std::vector<std::string> sharedFlags(const ParseRequest &request) {
  const Toolkit release = releaseOf(request);
  std::string newest = newestArchitecture(request.translation.architectures);
  std::vector<std::string> all{
      "clang++", "-x", "cuda", "--cuda-device-only",
      "--cuda-gpu-arch=" + newest, "-nocudalib",
      "-resource-dir=" + request.resourceDir,
      // Like nvcc, but with debug locations and names, and without
      // optimisation: the IR must still match the source.
      "-O1", "-g", "-gcolumn-info", "-fno-discard-value-names",
      "-funroll-loops", "-Xclang", "-disable-llvm-passes",
      // At the end of a variable's lifetime the ways out of its block meet:
      // what a loop does before 'break' would be part of the loop.
      "-Xclang", "-disable-lifetime-markers", "-S", "-emit-llvm",
      // Some errors are Clang's by default only and none to nvcc:
      // `register`, a narrowing conversion.
      "-w", "-Wno-everything", "-ferror-limit=0", "-Wno-unknown-cuda-version",
      "-ftemplate-depth=2048", pragmaOperatorFlag.str(),
      // What a misspelt name may mean is a guess, and Clang searches for one
      // also where it then reports nothing.
      "-fno-spell-checking", "-Xclang",
      // The driver sets this only where it also looks for libdevice.
      llvm::formatv("-target-sdk-version={0}.{1}", release.major,
                    release.minor)};
  if (request.toolkit)
    all.push_back("--cuda-path=" + request.toolkit->root);
  llvm::append_range(all, shimFlags(request.toolkit));
  if (request.translation.forHost)
    llvm::append_range(all, kokkosFlags());
  return all;
}

std::vector<std::string> userFlags(const ParseRequest &request,
                                   const std::vector<std::string> &attempt) {
  std::vector<std::string> all = request.translation.clang;
  llvm::append_range(all, attempt);
  return all;
}

llvm::Error invoke(const ParseRequest &request,
                   const std::vector<std::string> &words,
                   clang::CompilerInstance &instance) {
  std::vector<const char *> all;
  for (const std::string &word : words)
    all.push_back(word.c_str());
  clang::driver::Driver driver(request.resourceDir + "/../../../bin/clang++",
                               "x86_64-pc-linux-gnu", instance.getDiagnostics(),
                               "warplint", instance.getVirtualFileSystemPtr());
  std::unique_ptr<clang::driver::Compilation> compilation(
      driver.BuildCompilation(all));
  if (!compilation)
    return failure("Clang does not understand the command of " +
                   request.command.source);
  for (const clang::driver::Command &job : compilation->getJobs()) {
    if (llvm::StringRef(job.getCreator().getName()) != "clang")
      continue;
    clang::CompilerInvocation::CreateFromArgs(instance.getInvocation(),
                                              job.getArguments(),
                                              instance.getDiagnostics());
    // The driver omits debug info of variables in optimised device code.
    instance.getInvocation().getCodeGenOpts().setDebugInfo(
        llvm::codegenoptions::LimitedDebugInfo);
    // The engine was made before it had options.
    clang::ProcessWarningOptions(instance.getDiagnostics(),
                                 instance.getDiagnosticOpts(),
                                 *instance.getVirtualFileSystemPtr(),
                                 /*ReportDiags=*/false);
    // Frees the AST with the instance: one process reads many sources.
    instance.getFrontendOpts().DisableFree = false;
    return llvm::Error::success();
  }
  return failure("Clang has no job for the device side of " +
                 request.command.source);
}

void continueFrom(const ParsedBefore &before,
                  const std::vector<std::string> &user,
                  clang::CompilerInstance &instance) {
  if (before.header.empty())
    return;
  clang::PreprocessorOptions &options = instance.getPreprocessorOpts();
  options.Includes.erase(options.Includes.begin(),
                         options.Includes.end() - countIncludes(user));
  options.ImplicitPCHInclude = before.header;
  // Rejects it after an update of the toolkit or the C++ library.
  instance.getHeaderSearchOpts().ModulesValidateSystemHeaders = true;
  if (before.preamble.empty())
    return;
  options.Includes.clear(); // it has read the user's as well
  options.ImplicitPCHInclude = before.preamble;
  options.PrecompiledPreambleBytes = {before.bounds.Size,
                                      before.bounds.PreambleEndsAtStartOfLine};
}

} // namespace warplint
